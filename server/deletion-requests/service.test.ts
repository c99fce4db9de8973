import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFormKey } from "./form-key.ts";
import { openOffice, type TestOffice } from "./office.fixture.ts";

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

describe("sending the form", () => {
  test("a stored request answers with a reference, the masked address and the dates ahead", async () => {
    const fields = office.form();
    expect(await office.requests.submit(fields)).toEqual({
      kind: "stored",
      submission: {
        formKey: fields.formKey,
        reference: expect.stringMatching(/^.{4}-.{4}$/),
        maskedEmail: { text: "a•••••@uni.example", firstLetter: "a", domain: "uni.example" },
        receivedAt: office.clock(),
        linkValidUntil: Temporal.Instant.from("2026-11-24T04:00:00Z"),
        expiresAt: Temporal.Instant.from("2026-11-29T04:00:00Z"),
        dueIfConfirmedToday: {
          date: Temporal.PlainDate.from("2026-12-06"),
          skipped: expect.arrayContaining([]),
        },
      },
    });
  });

  test("the same form sent twice, even at once, is one submission with one answer", async () => {
    const fields = office.form();
    const answers = await Promise.all([1, 2, 3].map(() => office.requests.submit(fields)));
    office.pass({ minutes: 5 });
    answers.push(await office.requests.submit(fields));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await office.desk.list()).toHaveLength(1);
    await office.worker.runOnce();
    expect(office.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(1);
  });

  test("a repeat by the same address gets its own reference and joins the open request", async () => {
    const first = await office.submit();
    const second = await office.submit({ email: "ANIKA@UNI.example", feedback: "Again." });
    expect(second.reference).not.toBe(first.reference);
    expect(await office.desk.list()).toHaveLength(1);
    expect(await office.desk.find(first.reference)).toEqual(
      await office.desk.find(second.reference.toLowerCase().replace("-", " ")),
    );
  });

  test("the answer is the same whatever is known about the address", async () => {
    await office.submitConfirmed({ email: "known@uni.example" });
    const known = await office.submit({ email: "known@uni.example" });
    const strange = await office.submit({ email: "kabir@uni.example" });
    const shape = ({ reference, formKey, ...rest }: typeof known) => JSON.stringify(rest);
    expect(shape(known)).toBe(shape(strange));
  });

  test("the form cannot flood a mailbox, and the last link still works", async () => {
    for (let count = 0; count < 20; count++) {
      await office.submit();
      office.pass({ minutes: 1 });
    }
    await office.worker.runOnce();
    expect(office.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(3);
    office.pass({ hours: 24 });
    await office.submit();
    await office.worker.runOnce();
    expect(office.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(4);
    const visit = await office.follow(office.newest("confirm"));
    expect((await office.requests.confirm(visit)).kind).toBe("done");
  });

  test("the success panel can be read again for one hour and not longer", async () => {
    const stored = await office.submit();
    office.pass({ minutes: 59 });
    expect(await office.requests.findSubmission(stored.formKey)).toEqual(stored);
    office.pass({ minutes: 1 });
    expect(await office.requests.findSubmission(stored.formKey)).toBeUndefined();
    expect(await office.requests.findSubmission(createFormKey())).toBeUndefined();
    expect(await office.requests.findSubmission("nonsense")).toBeUndefined();
    expect(await office.requests.findSubmission(["a"])).toBeUndefined();
  });

  test("a refused form stores nothing and sends nothing", async () => {
    expect(await office.requests.submit(office.form({ email: "anika" }))).toEqual({
      kind: "refused",
      problems: [{ field: "email", code: "emailMalformed" }],
    });
    expect(await office.desk.list()).toEqual([]);
  });

  test("a read-only database says that the request was not stored", async () => {
    await sql`pragma query_only = on`.execute(office.database.kysely);
    expect(await office.requests.submit(office.form())).toEqual({ kind: "not-stored" });
    expect(office.problems).toHaveLength(1);
    await sql`pragma query_only = off`.execute(office.database.kysely);
    expect(await office.desk.list()).toEqual([]);
  });

  test("a full disk says that the request was not stored; with room again the same form works", async () => {
    await sql`pragma max_page_count = 1`.execute(office.database.kysely);
    const fields = office.form({ feedback: "x".repeat(5000) });
    let last = await office.requests.submit(fields);
    for (let count = 0; last.kind === "stored" && count < 100; count++) {
      last = await office.requests.submit({ ...fields, formKey: createFormKey() });
    }
    expect(last).toEqual({ kind: "not-stored" });
    await sql`pragma max_page_count = 100000`.execute(office.database.kysely);
    await office.submit({ ...fields, formKey: createFormKey() });
  });

  test("neither form key nor token can be read in the data folder", async () => {
    const stored = await office.submit();
    expect(await office.readFolder()).not.toContain(stored.formKey);
    await office.worker.runOnce();
    const { message } = office.newest("confirm");
    expect(await office.readFolder()).not.toContain("token" in message ? message.token : "");
  });
});

describe("confirming", () => {
  test("following the link changes nothing; the button confirms and promises a date", async () => {
    const { reference } = await office.submit();
    await office.worker.runOnce();
    const before = await office.desk.tell(reference);
    const visit = await office.follow(office.newest("confirm"));
    expect(await office.requests.openVisit(visit)).toMatchObject({ kind: "confirm", reference });
    expect(await office.desk.tell(reference)).toEqual(before);

    const confirmed = await office.requests.confirm(visit);
    if (confirmed.kind !== "done") throw new Error(confirmed.kind);
    expect(await office.requests.openVisit(confirmed.visit)).toMatchObject({
      kind: "status",
      status: {
        reference,
        state: "confirmed",
        canCancel: true,
        daysLeft: 10,
        due: { date: Temporal.PlainDate.from("2026-12-06") },
      },
    });
    await office.worker.runOnce();
    expect(office.newest("confirmed").to).toBe("anika@uni.example");
    expect(office.newest("operator-new").to).toBe("desk@rides.example");
  });

  test("pressing the button twice confirms once and answers alike", async () => {
    const { reference } = await office.submit();
    await office.worker.runOnce();
    const visit = await office.follow(office.newest("confirm"));
    const answers = await Promise.all([
      office.requests.confirm(visit),
      office.requests.confirm(visit),
    ]);
    expect(answers.map((answer) => answer.kind)).toEqual(["done", "done"]);
    const story = await office.desk.tell(reference);
    expect(story?.events.filter((event) => event.type === "confirm")).toHaveLength(1);
  });

  test("a used link says so and offers a new one", async () => {
    const reference = await office.submitConfirmed();
    const visit = await office.follow(office.newest("confirm"));
    expect(await office.requests.openVisit(visit)).toEqual({ kind: "link-used", reference });
    expect(await office.requests.confirm(visit)).toEqual({ kind: "link-used", reference });
    expect(await office.requests.cancel(visit)).toEqual({ kind: "link-used", reference });
    expect((await office.requests.askNewLink(visit)).kind).toBe("done");
    await office.worker.runOnce();
    const fresh = await office.follow(office.newest("reminder"));
    expect((await office.requests.openVisit(fresh)).kind).toBe("status");
  });

  test("a link expires after 48 hours and a new one can be asked for", async () => {
    const { reference } = await office.submit();
    await office.worker.runOnce();
    const early = await office.follow(office.newest("confirm"));
    office.pass({ hours: 48 });
    expect(await office.requests.openVisit(early)).toEqual({ kind: "visit-expired" });
    const late = await office.follow(office.newest("confirm"));
    expect(await office.requests.openVisit(late)).toEqual({ kind: "link-expired", reference });
    expect(await office.requests.confirm(late)).toEqual({ kind: "link-expired", reference });
    expect(await office.requests.askNewLink(late)).toMatchObject({
      kind: "done",
      maskedEmail: { text: "a•••••@uni.example" },
    });
    await office.worker.runOnce();
    const fresh = await office.follow(office.newest("confirm"));
    expect((await office.requests.confirm(fresh)).kind).toBe("done");
  });

  test("an opened page that lay for half an hour does nothing", async () => {
    await office.submit();
    await office.worker.runOnce();
    const visit = await office.follow(office.newest("confirm"));
    office.pass({ minutes: 30 });
    expect(await office.requests.confirm(visit)).toEqual({ kind: "visit-expired" });
  });

  test("a mistyped or foreign link is unknown", async () => {
    for (const token of ["x", "a".repeat(43), undefined, ["a"], 7]) {
      expect(await office.requests.openLink(token)).toEqual({ kind: "unknown" });
    }
    for (const visit of ["x", "1.abc", `1.${"a".repeat(80)}`, undefined, ["a"]]) {
      expect(await office.requests.openVisit(visit)).toEqual({ kind: "unknown" });
      expect(await office.requests.confirm(visit)).toEqual({ kind: "unknown" });
      expect(await office.requests.askNewLink(visit)).toEqual({ kind: "unknown" });
    }
  });

  test("the reference that was confirmed becomes the request's", async () => {
    await office.submit();
    const second = await office.submit();
    await office.worker.runOnce();
    const mail = office.sent.find(
      ({ message }) => message.kind === "confirm" && message.reference === second.reference,
    );
    if (!mail) throw new Error("no mail");
    await office.requests.confirm(await office.follow(mail));
    expect((await office.desk.find(second.reference))?.reference).toBe(second.reference);
  });
});

describe("the status page", () => {
  test("cancels until work begins, and not after", async () => {
    await office.submitConfirmed();
    await office.worker.runOnce();
    const visit = await office.follow(office.newest("confirmed"));
    expect((await office.requests.cancel(visit)).kind).toBe("done");
    expect((await office.requests.cancel(visit)).kind).toBe("done");
    await office.worker.runOnce();
    expect(office.sent.filter((mail) => mail.kind === "cancelled")).toHaveLength(1);

    const reference = await office.submitConfirmed({ email: "kabir@uni.example" });
    await office.desk.act(reference, { type: "take" }, "Nadia");
    await office.worker.runOnce();
    const later = await office.follow(office.newest("in-progress"));
    expect(await office.requests.cancel(later)).toMatchObject({
      kind: "too-late",
      status: { state: "in-progress", canCancel: false },
    });
  });

  test("shows an extension with its reason, and a refusal with its reason", async () => {
    const reference = await office.submitConfirmed();
    await office.worker.runOnce();
    const visit = await office.follow(office.newest("confirmed"));
    await office.desk.act(
      reference,
      { type: "extend", businessDays: 5, explanation: "Exam week." },
      "Nadia",
    );
    await office.desk.act(
      reference,
      { type: "refuse", reason: "open-matter", explanation: "A fare is open." },
      "Nadia",
    );
    expect(await office.requests.openVisit(visit)).toMatchObject({
      kind: "status",
      status: {
        state: "refused",
        due: { date: Temporal.PlainDate.from("2026-12-13") },
        extensions: [{ from: Temporal.PlainDate.from("2026-12-06"), explanation: "Exam week." }],
        refusal: { reason: "open-matter", explanation: "A fare is open." },
        canCancel: false,
      },
    });
  });

  test("the receipt can be opened after the erasure, without the address, for 30 days", async () => {
    const reference = await office.submitConfirmed();
    await office.desk.act(reference, { type: "take" }, "Nadia");
    await office.desk.act(reference, { type: "complete" }, "Nadia");
    await office.worker.runOnce();
    const receipt = office.newest("completed");
    const opened = await office.requests.openVisit(await office.follow(receipt));
    expect(opened).toMatchObject({
      kind: "status",
      status: { state: "completed", maskedEmail: undefined, reference },
    });
    office.pass({ days: 30 });
    await office.worker.runOnce();
    await expect(office.follow(receipt)).rejects.toThrow("unknown");
  });
});
