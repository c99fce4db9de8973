import { openDatabase } from "../../server/database/database.ts";
import { createFormKey } from "../../server/deletion-requests/form-key.ts";
import { testCalendar, testMailWriter } from "../../server/deletion-requests/office.fixture.ts";
import { createDeletionRequests } from "../../server/deletion-requests/service.ts";
import { createUpkeep } from "../../server/deletion-requests/upkeep.ts";
import { loadKeys } from "../../server/keys/keys.ts";
import { Secret } from "../../server/keys/secret.ts";
import { createMailFiles } from "../../server/mail/files.ts";
import { createMailer } from "../../server/mail/mailer.ts";
import { createWorker } from "../../server/outbox/worker.ts";

/** One life of a server: stores a request if a name is given, tells its reference, and sends what is owed. */
const [dataDir = "", smtpUrl = "", hoursAhead = "0", name = ""] = process.argv.slice(2);

const opened = await openDatabase({ dataDir });
if (!opened.ok) throw new Error(opened.problem);
const { database } = opened;
const loaded = await loadKeys({ secretKeys: undefined, dataDir });
if (!loaded.ok) throw new Error(loaded.problem);

const start = Temporal.Instant.from("2026-11-20T04:00:00Z");
const clock = () =>
  start.add({ seconds: Math.round(Number(hoursAhead) * 3600) }).add({
    milliseconds: Math.round(performance.now()),
  });
const services = {
  database,
  clock,
  keys: loaded.keys,
  calendar: testCalendar,
  businessDays: 10,
};
const files = createMailFiles(dataDir);
const worker = createWorker({
  ...services,
  upkeep: createUpkeep({ ...services, removeMailFiles: files.remove }),
  writeMail: testMailWriter,
  mailer: createMailer({
    smtpUrl: new Secret(smtpUrl),
    tls: "optional",
    files,
    from: { name: "Rides", address: "rides@rides.example", replyTo: "help@rides.example" },
  }),
  operatorAddress: "desk@rides.example",
  log: { warn: () => {}, info: () => {} },
});

if (name !== "") {
  const result = await createDeletionRequests(services).submit({
    email: `${name}@uni.example`,
    reason: "other",
    confirmation: "on",
    formKey: createFormKey(),
  });
  if (result.kind === "stored") process.stdout.write(`${result.submission.reference}\n`);
}
await worker.runOnce();
await database.close();
