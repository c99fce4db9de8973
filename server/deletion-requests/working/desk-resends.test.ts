import { expect, test } from "vitest";
import { createFormKey } from "../life/request.ts";
import { office, openOfficeForEachTest } from "../office-of-each-test.fixture.ts";

openOfficeForEachTest();

test("a note or a link whose answer was lost is sent again as one act, and another form's is another", async () => {
  const reference = await office.submitConfirmed();
  const count = async (type: string) =>
    (await office.desk.tell(reference))?.events.filter((event) => event.type === type).length;
  const [first, second] = [createFormKey(), createFormKey()];
  for (const key of [first, first, second]) {
    expect(await office.desk.note(reference, "She called.", "Nadia", key)).toMatchObject({
      kind: "done",
    });
    expect(await office.desk.resendLink(reference, "Nadia", key)).toMatchObject({ kind: "done" });
  }
  expect([await count("note"), await count("resend")]).toEqual([2, 2]);
});
