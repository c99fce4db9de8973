import { openDatabase } from "../../server/database/database.ts";
import { createFormKey } from "../../server/deletion-requests/form-key.ts";
import { createTestKeys, testCalendar } from "../../server/deletion-requests/office.fixture.ts";
import { createDeletionRequests } from "../../server/deletion-requests/service.ts";

/** Stores request after request in the folder given, and tells each reference the moment it is acknowledged. */
const opened = await openDatabase({ dataDir: process.argv[2] ?? "" });
if (!opened.ok) throw new Error(opened.problem);
const requests = createDeletionRequests({
  database: opened.database,
  clock: () => Temporal.Now.instant(),
  keys: createTestKeys(),
  calendar: testCalendar,
  businessDays: 10,
});
for (let number = 0; ; number++) {
  const result = await requests.submit({
    email: `student${process.pid}.${number}@uni.example`,
    reason: "other",
    confirmation: "on",
    formKey: createFormKey(),
  });
  if (result.kind === "stored") process.stdout.write(`${result.submission.reference}\n`);
}
