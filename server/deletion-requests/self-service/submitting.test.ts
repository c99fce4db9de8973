import { describe, expect, test } from "vitest";
import { linkHours } from "../../periods.ts";
import { isToPerson } from "../service.fixture.ts";
import { createFormKey, formsKeptWhole } from "../state-machine/request.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { createSubmitting } from "./submitting.ts";

serviceForEachTest();

describe("submitting the form", () => {
  test("returns a reference, the masked address and the upcoming dates", async () => {
    expect(await service.submit()).toEqual({
      formKey: expect.any(String),
      reference: expect.stringMatching(/^.{4}-.{4}$/),
      maskedEmail: { text: "a•••••@uni.example", firstLetter: "a", domain: "uni.example" },
      receivedAt: service.clock(),
      linkValidUntil: Temporal.Instant.from("2026-11-24T04:00:00Z"),
      dueIfConfirmedToday: {
        date: Temporal.PlainDate.from("2026-12-06"),
        skipped: ["11-27", "11-28", "12-04", "12-05"].map((day) => ({ date: `2026-${day}` })),
      },
    });
  });

  test("counts a form once even if it is sent several times concurrently", async () => {
    const fields = service.form();
    const answers = await Promise.all([1, 2, 3].map(() => service.requests.submit(fields)));
    service.pass({ minutes: 5 });
    answers.push(await service.requests.submit(fields));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await service.queue()).toHaveLength(1);
    await service.round();
    expect(service.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(1);
  });

  test("treats a form resent with a corrected address as a new form", async () => {
    const typo = service.form({ email: "anikka@uni.example" });
    const first = await service.requests.submit(typo);
    const corrected = { ...typo, email: ["zara@uni.example"] };
    const answers = await Promise.all([1, 2].map(() => service.requests.submit(corrected)));
    expect(answers[1]).toEqual(answers[0]);
    const [answer] = answers;
    if (answer?.kind !== "stored") throw new Error(answer?.kind);
    expect(answer.submission.maskedEmail.firstLetter).toBe("z");
    expect(await service.requests.findSubmission(answer.formKey)).toEqual(answer);
    expect(await service.requests.submit({ ...typo, email: ["Anikka@uni.example"] })).toEqual(
      first,
    );
    await service.round();
    const mails = service.sent.filter(({ kind }) => kind === "confirm");
    expect(mails.map(({ to }) => to)).toEqual([typo.email, corrected.email].flat());
  });

  test("stores a form with a corrected address even if the first form's request was erased", async () => {
    const first = service.form();
    await service.requests.submit(first);
    await service.requests.confirm(await service.openMail("confirm"));
    await service.requests.cancel(await service.openMail("confirmed"));
    await service.round();
    await service.requests.submit({ ...first, email: ["zara@uni.example"] });
    await service.round();
    expect(service.newest("confirm").to).toBe("zara@uni.example");
  });

  test.each([
    [
      "confirmed",
      async () => void (await service.requests.confirm(await service.openMail("confirm"))),
    ],
    ["not confirmed", async () => {}],
  ])(
    "answers a form that is resent after two days like a new form if its request was %s",
    async (_, act) => {
      const form = service.form();
      const reference = async () => {
        const answer = await service.requests.submit(form);
        await service.round();
        return answer.kind === "stored" ? answer.submission.reference : answer.kind;
      };
      const first = await reference();
      await act();
      await service.round({ hours: 49 });
      expect(await reference()).not.toBe(first);
    },
  );

  describe("a form without a key, from a browser without JavaScript", () => {
    const client = "203.0.113.7";
    const submit = async (change: Record<string, string> = {}, from = client) => {
      const answer = await service.requests.submit(
        { ...service.form(change), formKey: [""] },
        "",
        from,
      );
      if (answer.kind !== "stored") throw new Error(answer.kind);
      return answer.submission;
    };
    const mailed = async () => {
      await service.round();
      return service.sent.filter((mail) => mail.kind === "confirm").length;
    };

    test("treats a form resent within five minutes as the same form", async () => {
      const first = await Promise.all([submit(), submit()]);
      service.pass({ minutes: 4, seconds: 59 });
      const references = [...first, await submit()].map(({ reference }) => reference);
      expect(new Set(references).size).toBe(1);
      expect(await mailed()).toBe(1);
      service.pass({ minutes: 6 });
      expect(references).not.toContain((await submit()).reference);
      expect(await mailed()).toBe(2);
    });

    test.each([
      ["another address", { email: "zara@uni.example" }, client],
      ["another feedback", { feedback: "Another one" }, client],
      ["another network", {}, "198.51.100.1"],
    ])("treats a form resent with %s as a new form", async (_, change, from) => {
      const { reference } = await submit();
      expect((await submit(change, from)).reference).not.toBe(reference);
    });

    test("creates a new request for a resent form if the first request has ended", async () => {
      const { reference } = await submit();
      await service.round();
      await service.requests.confirm(await service.follow(service.newest("confirm")));
      await service.round();
      await service.requests.cancel(await service.follow(service.newest("confirmed")));
      expect((await submit()).reference).not.toBe(reference);
      expect(await mailed()).toBe(2);
    });

    test("doesn't reveal to others at the same IP address when a form was first sent", async () => {
      const { reference } = await submit();
      const linkEnds = service.clock().add({ hours: linkHours });
      service.pass({ minutes: 4 });
      const [known, strange] = [await submit(), await submit({ email: "amina@uni.example" })];
      expect(known.reference).toBe(reference);
      const shape = (answer: typeof known) => ({ ...answer, reference: "", maskedEmail: "" });
      expect(shape(known)).toEqual(shape(strange));
      // The page must not promise a longer lifetime than the link has.
      expect(Temporal.Instant.compare(known.linkValidUntil, linkEnds)).toBe(-1);
    });
  });

  test("gives the same answer for a known and an unknown address", async () => {
    await service.submitConfirmed({ email: "known@uni.example" });
    const known = await service.submit({ email: "known@uni.example" });
    const strange = await service.submit({ email: "kabir@uni.example" });
    const shape = (answer: typeof known) => ({ ...answer, reference: "", formKey: "" });
    expect(shape(known)).toEqual(shape(strange));
  });

  test("sends an address at most three emails a day, and another link the next day", async () => {
    for (let count = 0; count < 20; count++) {
      await service.submit();
      service.pass({ minutes: 1 });
    }
    await service.round();
    expect(service.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(3);
    service.pass({ hours: 24 });
    await service.submitMailed();
    expect(service.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(4);
    const visit = await service.follow(service.newest("confirm"));
    expect((await service.requests.confirm(visit)).kind).toBe("done");
  });

  test("shows the success panel again for one hour, then only that the form was sent", async () => {
    const { formKey, ...shown } = await service.submit();
    service.pass({ minutes: 59 });
    expect(await service.requests.findSubmission(formKey)).toMatchObject({ submission: shown });
    service.pass({ minutes: 1 });
    expect(await service.requests.findSubmission(formKey)).toEqual({ kind: "panel-closed" });
    expect(await service.requests.findSubmission(createFormKey())).toBeUndefined();
    expect(await service.requests.findSubmission("nonsense")).toBeUndefined();
    expect(await service.requests.findSubmission(["a"])).toBeUndefined();
  });

  test("stores neither form keys nor tokens in plain text", async () => {
    const stored = await service.submit();
    expect(await service.readFolder()).not.toContain(stored.formKey);
    await service.round();
    const { message } = service.newest("confirm");
    if (!isToPerson(message)) throw new Error("The newest email isn't to a requester");
    expect(await service.readFolder()).not.toContain(message.token);
  });
});

describe("a program that sends many forms", () => {
  test("does a constant amount of work for each further form with the same address", async () => {
    const repeat = (count: number) => service.submitMany(count, () => ({ feedback: "again" }));
    await repeat(formsKeptWhole);
    const before = await service.costOf({});
    await repeat(300);
    service.pass({ minutes: 1 });
    const { formKey, ...last } = await service.submit({ feedback: "x".repeat(5000) });
    expect(await service.costOf({})).toEqual(before);
    expect((await service.desk.find(last.reference))?.sent).toBe(formsKeptWhole + 303);
    expect(await service.requests.findSubmission(formKey)).toMatchObject({ submission: last });
  });

  test("stores the feedback and events of at most twenty forms per request", async () => {
    const first = await service.submit({ feedback: "I moved." });
    await service.submitMany(40, () => ({ feedback: "spam" }));
    const story = await service.desk.readDetail(first.reference);
    expect(story?.submissions[0]?.feedback).toBe("I moved.");
    expect(story?.submissions.filter((form) => form.feedback !== "")).toHaveLength(formsKeptWhole);
    expect(story?.events).toHaveLength(formsKeptWhole);
    expect(story?.submissions).toHaveLength(41);
  });

  test("refuses forms at the limit of unconfirmed requests and alerts operators once an hour", async () => {
    const known = await service.submitConfirmed();
    const { submit } = createSubmitting({ ...service, maxUnconfirmed: 3 });
    const same = service.form({ email: "s0@uni.example" });
    await submit(same);
    for (const name of ["s1", "s2"]) await submit(service.form({ email: `${name}@uni.example` }));
    // The answer must be the same for a new, a confirmed and an unconfirmed address.
    for (const email of ["kabir@uni.example", "anika@uni.example", "s1@uni.example"]) {
      expect(await submit(service.form({ email }))).toEqual({ kind: "not-stored" });
    }
    // Resending a stored form returns the form's original answer.
    expect((await submit(same)).kind).toBe("stored");
    expect((await service.desk.find(known))?.sent).toBe(1);
    await service.round();
    expect(service.sent.filter((mail) => mail.kind === "operator-full")).toHaveLength(1);
    expect(service.newest("operator-full").letter.subject).toContain("3 unconfirmed");
    await service.round({ hours: 48 });
    expect((await submit(service.form({ email: "kabir@uni.example" }))).kind).toBe("stored");
  });
});

describe("networks that send many forms", () => {
  let names = 0;
  /** Returns a different IP address for each form, in another /56 of the same /48. */
  const attacker = (subnet: number) =>
    `2001:db8:${subnet.toString(16)}:${((names % 256) * 256).toString(16)}::1`;
  async function send(client: string, change = {}): Promise<string> {
    const form = service.form({ email: `n${names++}@uni.example`, ...change });
    return (await service.requests.submit(form, "", client)).kind;
  }
  const student = () => send("203.0.113.9", { email: "kabir@uni.example" });

  test("limits each network without affecting other networks", async () => {
    const answers = await Array.fromAsync({ length: 30 }, () => send(attacker(1)));
    expect(answers.indexOf("network-full")).toBe(10);
    expect(await student()).toBe("stored");
    await service.round();
    expect(service.sent.map(({ to }) => to)).toContain("kabir@uni.example");
  });

  test("limits each client to a quarter of its /24 network's share", async () => {
    const from = (host: number) => send(`198.51.100.${host}`);
    const countStored = async (hosts: number[]) => {
      const answers = await Array.fromAsync(hosts, from);
      return answers.filter((answer) => answer === "stored").length;
    };
    const neighbours = Array.from({ length: 20 }, (_, host) => host + 100);
    // A client's share is 1/400 of the capacity, which is 2.5 forms here.
    expect(await countStored(Array(20).fill(1))).toBe(3);
    expect(await countStored(neighbours)).toBe(7);
    await service.round({ hours: 50 });
    for (const host of [1, 2, 3, 4]) await countStored(Array(20).fill(host));
    expect(await countStored(neighbours)).toBe(0);
    expect(await student()).toBe("stored");
  });

  test("limits a hundred networks together to half of the store", async () => {
    for (let form = 0; form < 12; form++) {
      for (let subnet = 0; subnet < 100; subnet++) await send(attacker(subnet));
    }
    expect((await service.queue()).length).toBeLessThanOrEqual(510);
    expect(await student()).toBe("stored");
  });

  test("limits a network's forms for known addresses too, and later erases the counts", async () => {
    await service.submitConfirmed({ email: "known@uni.example" });
    const known = { email: "known@uni.example" };
    const answers = await Array.fromAsync({ length: 11 }, () => send(attacker(1), known));
    expect(answers.indexOf("network-full")).toBe(10);
    await service.round({ hours: 50 });
    expect(await service.kysely.selectFrom("network_forms").selectAll().execute()).toEqual([]);
    expect(await send(attacker(1))).toBe("stored");
  });
});
