import { describe, expect, test } from "vitest";
import { office, openOfficeForEachTest } from "../office-of-each-test.fixture.ts";

openOfficeForEachTest();

describe("confirming", () => {
  test("following the link changes nothing; the button confirms and promises a date", async () => {
    const { reference } = await office.submitMailed();
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
    await office.round();
    expect(office.newest("confirmed").to).toBe("anika@uni.example");
    expect(office.newest("operator-new").to).toBe("desk@rides.example");
  });

  test("pressing the button twice confirms once and answers alike", async () => {
    const { reference } = await office.submit();
    const visit = await office.openMail("confirm");
    const answers = await Promise.all([1, 2].map(() => office.requests.confirm(visit)));
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
    expect((await office.requests.askNewLink(visit)).kind).toBe("new-link-sent");
    const fresh = await office.openMail("reminder");
    expect((await office.requests.openVisit(fresh)).kind).toBe("status");
  });

  test("a used link of a request that has ended says that, and offers no new one", async () => {
    const reference = await office.submitConfirmed();
    const early = await office.openMail("confirm");
    await office.requests.cancel(await office.follow(office.newest("confirmed")));
    const late = await office.follow(office.newest("confirm"));
    const ended = { kind: "request-ended", reference };
    for (const visit of [early, late]) {
      expect(await office.requests.openVisit(visit)).toEqual(ended);
      expect(await office.requests.confirm(visit)).toEqual(ended);
      expect(await office.requests.askNewLink(visit)).toEqual(ended);
    }
  });

  test("a link expires after 48 hours and a new one can be asked for while its request waits", async () => {
    const { reference } = await office.submit();
    const early = await office.openMail("confirm");
    office.pass({ hours: 47, minutes: 59 });
    expect(await office.requests.openVisit(early)).toEqual({ kind: "visit-expired" });
    const inTime = await office.follow(office.newest("confirm"));
    expect(await office.requests.openVisit(inTime)).toMatchObject({ kind: "confirm", reference });
    office.pass({ minutes: 1 });
    const late = await office.follow(office.newest("confirm"));
    const gone = { kind: "link-expired", reference, waitsUntil: undefined };
    expect(await office.requests.openVisit(late)).toEqual(gone);
    await office.submit();
    const waitsUntil = Temporal.Instant.from("2026-11-26T04:00:00Z");
    const expired = { kind: "link-expired", reference, waitsUntil };
    expect(await office.requests.openVisit(late)).toEqual(expired);
    expect(await office.requests.confirm(late)).toEqual(expired);
    expect(await office.requests.askNewLink(late)).toMatchObject({
      kind: "new-link-sent",
      maskedEmail: { text: "a•••••@uni.example" },
    });
    const fresh = await office.openMail("confirm");
    expect((await office.requests.confirm(fresh)).kind).toBe("done");
  });

  test("whatever is done with an opened page, it ends half an hour after the link was opened", async () => {
    await office.submit();
    let visit = await office.openMail("confirm");
    for (let press = 0; press < 2; press++) {
      office.pass({ minutes: 14 });
      const pressed = await office.requests.confirm(visit);
      if (pressed.kind !== "done") throw new Error(pressed.kind);
      visit = pressed.visit;
    }
    office.pass({ minutes: 2 });
    expect(await office.requests.confirm(visit)).toEqual({ kind: "visit-expired" });
    expect(await office.requests.cancel(visit)).toEqual({ kind: "visit-expired" });
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
    const first = await office.submitMailed();
    const { reference } = await office.submitMailed();
    await office.requests.confirm(await office.follow(office.newest("confirm")));
    expect(await office.desk.find(first.reference)).toMatchObject({ reference });
  });
});

describe("the status page", () => {
  test("cancels until work begins, and not after", async () => {
    await office.submitConfirmed();
    const visit = await office.openMail("confirmed");
    expect((await office.requests.cancel(visit)).kind).toBe("done");
    expect((await office.requests.cancel(visit)).kind).toBe("done");
    await office.round();
    expect(office.sent.filter((mail) => mail.kind === "cancelled")).toHaveLength(1);

    const reference = await office.submitConfirmed({ email: "kabir@uni.example" });
    await office.take(reference);
    const later = await office.openMail("in-progress");
    expect(await office.requests.cancel(later)).toMatchObject({
      kind: "too-late",
      status: { state: "in-progress", canCancel: false },
    });
  });

  test("in the promised day's night a mail promises it still, the day after no more", async () => {
    const reference = await office.submitConfirmed();
    office.setClock("2026-12-06T17:59:00Z");
    await office.take(reference);
    await office.round();
    expect(office.newest("in-progress").message).not.toHaveProperty("late");
    office.pass({ minutes: 2 });
    await office.submitMailed();
    expect(office.newest("reminder").message).toMatchObject({ dueOn: "2026-12-06", late: true });
  });

  test("opens by the links of before where a request goes on after its end", async () => {
    const reference = await office.submitConfirmed();
    await office.round();
    const mail = office.newest("confirmed");
    await office.refuse(reference);
    await office.desk.act(reference, { type: "undo", explanation: "A slip." }, "Nadia");
    await office.round({ days: 31 });
    const visit = await office.follow(mail);
    expect(await office.requests.openVisit(visit)).toHaveProperty("kind", "status");
  });

  test("shows an extension with its reason, and a refusal with its reason", async () => {
    const reference = await office.submitConfirmed();
    const visit = await office.openMail("confirmed");
    await office.extend(reference, 5, "Exam week.");
    await office.refuse(reference, "We found nothing.");
    expect(await office.requests.openVisit(visit)).toMatchObject({
      kind: "status",
      status: {
        state: "refused",
        due: { date: Temporal.PlainDate.from("2026-12-13") },
        extensions: [{ from: Temporal.PlainDate.from("2026-12-06"), explanation: "Exam week." }],
        why: { reason: "no-account", explanation: "We found nothing." },
        canCancel: false,
      },
    });
  });
});
