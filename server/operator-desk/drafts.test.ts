import { describe, expect, test } from "vitest";
import { collectPersonalData } from "../deletion-requests/presenters/personal-data.ts";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { toFormValues } from "../platform/forms/form-values.ts";
import { createDrafts } from "./drafts.ts";

serviceForEachTest();

const save = (reference: string, note: string, name = "Nadia") =>
  createDrafts(service).save(reference, name, "note", toFormValues({ note, act: "note" }));
const read = async (reference: string, name = "Nadia") =>
  (await createDrafts(service).read(reference, name)).get("note")?.typed.note;

describe("drafts", () => {
  test("shows a draft's latest text only to the operator who saved it", async () => {
    const reference = await service.submitConfirmed();
    await save(reference, "half a");
    await save(reference, "half a note");
    expect(await read(reference)).toEqual(["half a note"]);
    expect(await read(reference, "Rahim")).toBeUndefined();
  });

  test("deletes a draft after its form is submitted, its text is cleared or seven days have passed", async () => {
    const reference = await service.submitConfirmed();
    await save(reference, "sent");
    await createDrafts(service).drop(reference, "Nadia", "note");
    expect(await read(reference)).toBeUndefined();
    await save(reference, "taken out");
    await save(reference, " ");
    expect(await read(reference)).toBeUndefined();
    await save(reference, "old");
    await service.round({ days: 7, minutes: 1 });
    expect(await read(reference)).toBeUndefined();
  });

  test("erases drafts with the request's personal data and accepts no new drafts afterward", async () => {
    const reference = await service.submitConfirmed();
    await save(reference, "they called from 0123");
    await service.complete(reference);
    await service.round();
    await service.round();
    expect((await service.desk.find(reference))?.state).toBe("completed");
    expect(await read(reference)).toBeUndefined();
    await save(reference, "after the end");
    expect(await read(reference)).toBeUndefined();
  });

  test("includes drafts in the export of a requester's data", async () => {
    const reference = await service.submitConfirmed();
    await save(reference, "what I have typed");
    const found = await service.desk.lookUp(reference);
    const { requests } = await collectPersonalData(service, "anika@uni.example", found);
    expect(requests[0]?.held.drafts).toEqual([
      { text: JSON.stringify({ note: ["what I have typed"] }) },
    ]);
  });
});
