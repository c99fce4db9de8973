import { describe, expect, test } from "vitest";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

serviceForEachTest();

describe("a confirmation link", () => {
  test("changes nothing when a confirmation link is opened, and confirms when the button is pressed", async () => {
    const { reference } = await service.submitMailed();
    const before = await service.desk.readDetail(reference);
    const visit = await service.follow(service.newest("confirm"));
    const facts = { reference: { text: reference } };
    expect(await service.requests.openVisit(visit)).toMatchObject({ kind: "confirm", facts });
    expect(await service.desk.readDetail(reference)).toEqual(before);

    const confirmed = await service.requests.confirm(visit);
    if (confirmed.kind !== "done") throw new Error(confirmed.kind);
    expect(await service.requests.openVisit(confirmed.visit)).toMatchObject({
      kind: "status",
      status: {
        reference,
        state: "confirmed",
        canCancel: true,
        daysLeft: 10,
        due: { date: Temporal.PlainDate.from("2026-12-06") },
      },
    });
    await service.round();
    expect(service.newest("confirmed").to).toBe("anika@uni.example");
    expect(service.newest("operator-new").to).toBe("desk@rides.example");
  });

  test("confirms once if the button is pressed twice", async () => {
    const { reference } = await service.submit();
    const visit = await service.openMail("confirm");
    const answers = await Promise.all([1, 2].map(() => service.requests.confirm(visit)));
    expect(answers.map((answer) => answer.kind)).toEqual(["done", "done"]);
    const story = await service.desk.readDetail(reference);
    expect(story?.events.filter((event) => event.type === "confirm")).toHaveLength(1);
  });

  test("writes emails in the language of the confirmation page, whoever submitted the newest form", async () => {
    await service.submit({}, "en");
    const visit = await service.openMail("confirm");
    await service.submit({}, "bn");
    await service.requests.confirm(visit, "en");
    await service.round();
    expect(service.newest("confirmed").language).toBe("en");
  });

  test("offers a new link after a confirmation link was used", async () => {
    const reference = await service.submitConfirmed();
    const visit = await service.follow(service.newest("confirm"));
    expect(await service.requests.openVisit(visit)).toEqual({ kind: "link-used", reference });
    expect(await service.requests.confirm(visit)).toEqual({ kind: "link-used", reference });
    expect(await service.requests.cancel(visit)).toEqual({ kind: "link-used", reference });
    expect((await service.requests.sendNewLink(visit)).kind).toBe("new-link-sent");
    const fresh = await service.openMail("reminder");
    expect((await service.requests.openVisit(fresh)).kind).toBe("status");
  });

  test("offers no new link if the request has ended", async () => {
    const reference = await service.submitConfirmed();
    const early = await service.openMail("confirm");
    await service.requests.cancel(await service.follow(service.newest("confirmed")));
    const late = await service.follow(service.newest("confirm"));
    const ended = { kind: "request-ended", reference };
    for (const visit of [early, late]) {
      expect(await service.requests.openVisit(visit)).toEqual(ended);
      expect(await service.requests.confirm(visit)).toEqual(ended);
      expect(await service.requests.sendNewLink(visit)).toEqual(ended);
    }
  });

  test("expires a confirmation link after 48 hours and then offers a new one", async () => {
    const { reference } = await service.submit();
    const early = await service.openMail("confirm");
    service.pass({ hours: 47, minutes: 59 });
    expect(await service.requests.openVisit(early)).toEqual({ kind: "visit-expired" });
    const inTime = await service.follow(service.newest("confirm"));
    expect(await service.requests.openVisit(inTime)).toMatchObject({ kind: "confirm" });
    service.pass({ minutes: 1 });
    const late = await service.follow(service.newest("confirm"));
    const linkExpired = { kind: "link-expired", reference, waitsUntil: undefined };
    expect(await service.requests.openVisit(late)).toEqual(linkExpired);
    await service.submit();
    const waitsUntil = Temporal.Instant.from("2026-11-26T04:00:00Z");
    const expired = { kind: "link-expired", reference, waitsUntil };
    expect(await service.requests.openVisit(late)).toEqual(expired);
    expect(await service.requests.confirm(late)).toEqual(expired);
    expect(await service.requests.sendNewLink(late)).toMatchObject({
      kind: "new-link-sent",
      facts: { address: { text: "a•••••@uni.example" } },
    });
    const fresh = await service.openMail("confirm");
    expect((await service.requests.confirm(fresh)).kind).toBe("done");
  });

  test("expires a visit session after half an hour even if buttons are pressed", async () => {
    await service.submit();
    let visit = await service.openMail("confirm");
    for (let press = 0; press < 2; press++) {
      service.pass({ minutes: 14 });
      const pressed = await service.requests.confirm(visit);
      if (pressed.kind !== "done") throw new Error(pressed.kind);
      visit = pressed.visit;
    }
    service.pass({ minutes: 2 });
    expect(await service.requests.confirm(visit)).toEqual({ kind: "visit-expired" });
    expect(await service.requests.cancel(visit)).toEqual({ kind: "visit-expired" });
  });

  test("rejects a mistyped or forged link as unknown", async () => {
    for (const token of ["x", "a".repeat(43), undefined, ["a"], 7]) {
      expect(await service.requests.openLink(token)).toEqual({ kind: "unknown" });
    }
    for (const visit of ["x", "1.abc", `1.${"a".repeat(80)}`, undefined, ["a"]]) {
      expect(await service.requests.openVisit(visit)).toEqual({ kind: "unknown" });
      expect(await service.requests.confirm(visit)).toEqual({ kind: "unknown" });
      expect(await service.requests.sendNewLink(visit)).toEqual({ kind: "unknown" });
    }
  });

  test("gives the request the reference of the confirmed form", async () => {
    const { reference } = await service.submitMailed();
    const first = service.newest("confirm");
    const second = await service.submitMailed();
    await service.requests.confirm(await service.follow(first));
    expect(await service.desk.find(second.reference)).toMatchObject({ reference });
  });
});

describe("the status page", () => {
  test("allows cancellation only until the work starts", async () => {
    await service.submitConfirmed();
    const visit = await service.openMail("confirmed");
    expect((await service.requests.cancel(visit)).kind).toBe("done");
    expect((await service.requests.cancel(visit)).kind).toBe("done");
    await service.round();
    expect(service.sent.filter((mail) => mail.kind === "cancelled")).toHaveLength(1);

    const reference = await service.submitConfirmed({ email: "kabir@uni.example" });
    await service.begin(reference);
    await service.round({ minutes: 10 });
    const later = await service.follow(service.newest("in-progress"));
    expect(await service.requests.cancel(later)).toMatchObject({
      kind: "too-late",
      status: { state: "in-progress", canCancel: false },
    });
  });

  test("considers a request late only after midnight of the due date", async () => {
    const reference = await service.submitConfirmed();
    service.setClock("2026-12-06T17:49:00Z");
    await service.begin(reference);
    await service.round({ minutes: 10 });
    expect(service.newest("in-progress").message).not.toHaveProperty("late");
    service.pass({ minutes: 2 });
    await service.submitMailed();
    expect(service.newest("reminder").message).toMatchObject({ dueOn: "2026-12-06", late: true });
  });

  test("opens the status page through earlier links after a refusal is undone", async () => {
    const reference = await service.submitConfirmed();
    await service.round();
    const mail = service.newest("confirmed");
    await service.refuse(reference);
    await service.desk.act(reference, { type: "undo", explanation: "A slip." }, "Nadia");
    await service.round({ days: 31 });
    const visit = await service.follow(mail);
    expect(await service.requests.openVisit(visit)).toHaveProperty("kind", "status");
  });

  test("shows the reasons for an extension and a refusal", async () => {
    const reference = await service.submitConfirmed();
    const visit = await service.openMail("confirmed");
    await service.extend(reference, 5, "Exam week.");
    await service.refuse(reference, "We found nothing.");
    await service.round({ minutes: 10 });
    expect(await service.requests.openVisit(visit)).toMatchObject({
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
