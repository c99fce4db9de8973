import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseEmailAddress } from "../addresses/email-address.ts";
import {
  openOffice,
  type TestOffice,
  testSubjectWords,
} from "../deletion-requests/office.fixture.ts";
import { sampleCompletion } from "../deletion-requests/telling/sample-messages.ts";
import { createDesk } from "../deletion-requests/working/desk.ts";
import { runCommand as runOperators } from "./operators.ts";
import { runCommand } from "./requests.ts";

/** What keeps the slips of tired operators from harming anybody. Each by the words they type. */

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

const run = (...words: string[]) => runCommand(words, office, async () => testSubjectWords);
/** What Nadia does by `act`. */
const act = (...words: string[]) => said("act", ...words, "--as", "Nadia");
const said = async (...words: string[]) => {
  const { out, problem } = await run(...words);
  return `${typeof out === "string" ? out : ""}${problem ?? ""}`;
};
const stateOf = async (reference: string) => (await office.desk.find(reference))?.state;

async function taken(email = "anika@uni.example"): Promise<string> {
  const reference = await office.submitConfirmed({ email });
  await run("act", "take", reference, "--as", "Nadia");
  return reference;
}

const complete = (reference: string, address = "anika@uni.example", ...more: string[]) =>
  said(
    ...["act", "complete", reference, ...more, `address=${address}`, "account=user"],
    ...["at-accounts=done", "at-rides=done", "at-papers=none", "at-wallet=done", "--as", "Nadia"],
  );

async function tenMinutesLater(): Promise<void> {
  office.pass({ minutes: 10 });
  await office.rounds.runOnce();
}

describe("the wrong person", () => {
  test("is not told that the account is deleted: the address is asked for and compared", async () => {
    const [anika, kabir] = [await taken(), await taken("kabir@uni.example")];
    expect(await complete(anika, "kabir@uni.example")).toMatch(
      new RegExp(`^STOP: .* Nothing has changed .* That address asked with ${kabir}\\.`),
    );
    await tenMinutesLater();
    expect([await stateOf(anika), await stateOf(kabir)]).toEqual(["in-progress", "in-progress"]);
    expect(office.sent.map(({ kind }) => kind)).not.toContain("completed");
  });

  test("a slip is undone within ten minutes, and nobody hears of it", async () => {
    const reference = await taken();
    await complete(reference);
    office.pass({ minutes: 9 });
    await office.rounds.runOnce();
    expect(await said("act", "undo", reference, "--as", "Rahim")).toContain("undo is done");
    await tenMinutesLater();
    expect(await stateOf(reference)).toBe("in-progress");
    expect(office.sent.map(({ kind }) => kind)).not.toContain("completed");
    expect((await office.desk.find(reference))?.email).toBe("anika@uni.example");
  });

  test("an end whose mail did not arrive yet is opened again, in the ledger, too", async () => {
    const reference = await office.submitConfirmed();
    await act("refuse", reference, "reason=no-account");
    office.answer = () => ({
      kind: "failed",
      problem: "recipient put off (451)",
      permanent: false,
    });
    await tenMinutesLater();
    expect(await said("act", "undo", reference, "--as", "Nadia")).toContain("It is confirmed");
    office.answer = () => ({ kind: "delivered" });
    await tenMinutesLater();
    expect(await stateOf(reference)).toBe("confirmed");
    expect(office.sent.map(({ kind }) => kind)).not.toContain("refused");
    expect((await office.desk.happened()).refused).toBe(0);
    const entries = await office.kysely.selectFrom("ledger_entries").select("what").execute();
    expect(entries.map(({ what }) => what)).toEqual(["refused", "reopened"]);
  });

  test("what its person cancelled is opened again by nobody, nor what is erased", async () => {
    const cancelled = await office.submitConfirmed();
    await office.rounds.runOnce();
    await office.requests.cancel(await office.follow(office.newest("confirmed")));
    const reopen = (reference: string) => act("undo", reference, "explanation=A slip.");
    expect(await reopen(cancelled)).toMatch(/^Its person cancelled it/);
    const erased = await taken("kabir@uni.example");
    await complete(erased, "kabir@uni.example");
    await tenMinutesLater();
    expect(await reopen(erased)).toMatch(/^Nothing is left that says whose it was/);
  });
});

describe("a receipt says what was really there", () => {
  test("of a User no driver papers, of unpaid rides until when they stay", async () => {
    const reference = await taken();
    await complete(
      reference,
      undefined,
      "at-rides=kept",
      "kept-rides=ride-details",
      "why-rides=open-matter",
      "until-rides=2027-03-01",
    );
    await tenMinutesLater();
    const { completion } = (await office.desk.find(reference)) as { completion?: unknown };
    expect(completion).toEqual({
      lines: [
        { store: "accounts", kind: "identity", outcome: "deleted" },
        {
          store: "rides",
          kind: "ride-details",
          outcome: "kept",
          reason: "open-matter",
          until: "2027-03-01",
        },
        { store: "papers", kind: "driver-papers", outcome: "none" },
        { store: "wallet", kind: "payments", outcome: "kept", reason: "as-listed" },
        { store: "deletion-page", kind: "proof", outcome: "kept", reason: "as-listed" },
      ],
      told: [{ store: "wallet", on: "2026-11-22" }],
      backupsGoneBy: "2026-12-22",
    });
    const text = office.newest("completed").letter.text.replace(/\s+/g, " ");
    expect(text).toMatch(/Ride details \(routes, times\): until .*1 March 2027, because a payment/);
    expect(text).toContain("gone by Tuesday, 22 December 2026");
  });

  test("is not sent before each place was gone through and the recipients were told", async () => {
    const reference = await taken();
    const { code, out } = await run("act", "complete", reference, "--as", "Nadia");
    expect([code, out]).toEqual([3, expect.stringContaining("anika@uni.example")]);
    expect(out).toMatch(/ at-accounts=done .*\n +at-rides=done /);
    expect(out).toContain("at-wallet=done   once you have told them");
    expect(await act("complete", reference, "at-walet=done")).toContain("nothing called at-walet");
    await complete(reference);
    const ticked = (await office.desk.tell(reference))?.events.at(-1);
    expect(ticked).toMatchObject({ name: "Nadia", code: "accounts rides wallet" });
  });
});

describe("dates", () => {
  test("late is late from the day after, though it is a weekend", async () => {
    // Due on a Sunday would hide it: here the date is a Thursday, and Friday is no business day.
    office.setClock("2026-11-26T04:00:00Z");
    const reference = await office.submitConfirmed();
    expect((await office.desk.find(reference)) as object).toMatchObject({
      dueOn: Temporal.PlainDate.from("2026-12-10"),
    });
    office.setClock("2026-12-10T04:00:00Z");
    expect(await said("list")).toContain("due today");
    office.setClock("2026-12-11T04:00:00Z");
    expect(await said("list")).toContain("OVERDUE by 1 business day");
    expect(await said("figures")).toMatch(/Overdue +1\n/);
  });

  test("an extension of a late request counts from today, and does not make it on time", async () => {
    const reference = await taken();
    office.setClock("2026-12-20T04:00:00Z");
    const words = [reference, "reason=time", "days=1", "explanation=We were ill."];
    expect(await act("later", ...words)).toContain("due 2026-12-21");
    await complete(reference);
    await tenMinutesLater();
    expect(await said("figures")).toMatch(/Done on time +0 of 1/);
  });

  test("a hold says until when and why, the date moves behind it, and completing waits for it", async () => {
    const reference = await taken();
    const because = "- 45 taka of 12 November are open.";
    const words = ["reason=dues", "days=4", `explanation=${because}`];
    expect(await act("later", reference, ...words)).toContain(
      "on hold until 2026-12-08, due 2026-12-10",
    );
    await office.rounds.runOnce();
    const { text } = office.newest("held").letter;
    expect(text).toContain("> - 45 taka of 12 November are open.");
    expect(text).toContain("8 December 2026");
    expect(await said("list")).toContain("in progress, on hold until 2026-12-08");
    expect(await complete(reference)).toMatch(/^It is on hold/);
    const visit = await office.requests.openVisit(await office.follow(office.newest("held")));
    expect(visit).toMatchObject({ status: { hold: { reason: "dues", explanation: because } } });
    await run("act", "undo", reference, "--as", "Nadia");
    await office.rounds.runOnce();
    expect(office.newest("released").to).toBe("anika@uni.example");
    expect(await complete(reference)).toContain("is done");
  });
});

describe("mail in trouble", () => {
  const down = {
    kind: "failed",
    problem: "mail server down (ECONNREFUSED)",
    permanent: false,
    wide: true,
  } as const;

  test("is seen at once, and a link lives from the moment its mail left", async () => {
    office.answer = () => down;
    const { reference } = await office.submit();
    await office.rounds.runOnce();
    expect(await said("list")).toContain("Mails that could not leave yet");
    expect(await said("figures")).toMatch(/Mail +some wait since 2026-11-22 10:00/);
    office.pass({ hours: 50 });
    office.answer = () => ({ kind: "delivered" });
    await office.rounds.runOnce();
    const mail = office.newest("confirm");
    expect(mail.message).toMatchObject({ validUntil: "2026-11-26T06:00:00.000Z" });
    office.pass({ hours: 47 });
    await office.requests.confirm(await office.follow(mail));
    expect(await stateOf(reference)).toBe("confirmed");
  });

  test("nobody's request expires while its mail could not leave", async () => {
    office.answer = () => down;
    const { reference } = await office.submit();
    await office.rounds.runOnce();
    office.setClock("2026-11-29T05:00:00Z");
    await office.upkeep.run();
    expect(await stateOf(reference)).toBe("received");
  });

  test("the first success wakes what waits", async () => {
    office.answer = () => down;
    await office.submit({ email: "a@uni.example" });
    await office.rounds.runOnce();
    office.pass({ minutes: 6 });
    await office.rounds.runOnce();
    office.answer = () => ({ kind: "delivered" });
    await office.submit({ email: "b@uni.example" });
    await office.rounds.runOnce();
    expect(office.sent.map(({ to }) => to).sort()).toEqual(["a@uni.example", "b@uni.example"]);
  });

  test("the digest says since when, what is overdue and that the calendar ends", async () => {
    await office.submitConfirmed();
    office.setClock("2027-12-13T04:00:00Z");
    office.answer = (letter) => (letter.to === "desk@rides.example" ? { kind: "delivered" } : down);
    await office.submit({ email: "kabir@uni.example" });
    await office.outbox.sendAll();
    await office.rounds.runOnce();
    const { text } = office.newest("operator-digest").letter;
    expect(text).toContain("1 late, the first since");
    expect(text).toMatch(/Mail could not leave since Sunday, 22 November 2026 at 10:00/);
    expect(text).toContain("The calendar of holidays ends with Thursday, 16 December 2027");
  });
});

describe("a closed mailbox", () => {
  const addressOf = (typed: string) => {
    const read = parseEmailAddress(typed);
    if (!read.ok) throw new Error(`${typed} is no address`);
    return read.email;
  };
  const enter = (language?: string, desk = office.desk, email = "old@uni.example") =>
    desk.enterRequest(
      {
        email: addressOf(email),
        contact: addressOf("me@home.example"),
        proof: "last-ride",
        reason: "other",
        language,
        receivedAt: office.clock(),
      },
      "Nadia",
    );

  const toOld = () =>
    office.sent.filter(({ to }) => to === "old@uni.example").map(({ kind }) => kind);

  describe("whose mailbox is read all the same", () => {
    const notice = (kind: "notice-entered" | "notice-confirmed") => {
      const mail = office.newest(kind);
      expect(mail.to).toBe("old@uni.example");
      return mail;
    };

    test("is told of the entry, with a link that shows it and confirms nothing", async () => {
      await enter();
      await office.rounds.runOnce();
      const mail = notice("notice-entered");
      expect(mail.letter.text).toContain("m•••••@home.example");
      expect(mail.letter.text).not.toContain("me@home.example");
      const visit = await office.follow(mail);
      expect(await office.requests.openVisit(visit)).toMatchObject({ kind: "entered" });
      await office.requests.confirm(visit);
      expect((await office.queue())[0]?.state).toBe("received");
    });

    test("can cancel once it is confirmed, and the contact is told", async () => {
      await enter();
      const reference = (await office.queue())[0]?.reference ?? "";
      await said("act", "approve", reference, "--as", "Rahim");
      await office.rounds.runOnce();
      const visit = await office.follow(notice("notice-confirmed"));
      expect(await office.requests.cancel(visit)).toMatchObject({ kind: "done" });
      await office.rounds.runOnce();
      expect((await office.desk.find(reference))?.state).toBe("cancelled");
      expect(office.newest("cancelled").to).toBe("me@home.example");
    });

    test("and confirms by a form of its own: mails go to the contact, which it is told and can cancel", async () => {
      const { reference } = await office.submit({ email: "old@uni.example" });
      await office.rounds.runOnce();
      const confirm = office.newest("confirm");
      await enter();
      await office.requests.confirm(await office.follow(confirm));
      await office.rounds.runOnce();
      expect((await office.desk.find(reference))?.state).toBe("confirmed");
      expect(office.newest("confirmed").to).toBe("me@home.example");
      const visit = await office.follow(notice("notice-confirmed"));
      expect(await office.requests.openVisit(visit)).toMatchObject({
        kind: "status",
        status: { canCancel: true, maskedContact: { text: "m•••••@home.example" } },
      });
    });
  });

  test("that is really closed takes no notice, and that is no trouble of an operator's", async () => {
    office.answer = ({ to }) =>
      to === "old@uni.example"
        ? { kind: "failed", problem: "recipient refused (550)", permanent: true }
        : { kind: "delivered" };
    await enter();
    await office.rounds.runOnce();
    expect(toOld()).toEqual([]);
    expect(office.newest("entered").to).toBe("me@home.example");
    expect((await office.desk.troubled(10)).count).toBe(0);
  });

  test("gets the same life: two people, a date, mails to the contact, a ledger row of the old address", async () => {
    await enter();
    await office.rounds.runOnce();
    expect(office.newest("entered").to).toBe("me@home.example");
    const [request] = await office.queue();
    const reference = request?.reference ?? "";
    const seen = await office.requests.openVisit(await office.follow(office.newest("entered")));
    expect(seen).toMatchObject({ kind: "entered", reference });
    expect(await said("act", "approve", reference, "--as", "Nadia")).toMatch(
      /^You entered it yourself/,
    );
    expect(await said("act", "approve", reference, "--as", "Rahim")).toContain("due 2026-12-06");
    await office.rounds.runOnce();
    await run("act", "take", reference, "--as", "Nadia");
    await complete(reference, "old@uni.example");
    await tenMinutesLater();
    expect(toOld()).toEqual(["notice-entered", "notice-confirmed"]);
    expect(office.newest("completed").to).toBe("me@home.example");
    const found = await office.ledger.check(["old@uni.example", "me@home.example"], "Nadia");
    expect(found.mustBeErased.map(({ address }) => address)).toEqual(["old@uni.example"]);
    const left = await office.readFolder();
    for (const address of ["old@uni.example", "me@home.example"])
      expect(left).not.toContain(address);
  });

  describe("lets nobody past the second person by way of the contact", () => {
    const toContact = () => office.sent.filter(({ to }) => to === "me@home.example");

    test("who sends the form for the old address", async () => {
      await enter();
      await office.submit({ email: "old@uni.example" });
      await office.rounds.runOnce();
      expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
      expect(office.newest("confirm").to).toBe("old@uni.example");
    });

    test("whose form's mail still waits for the old mailbox", async () => {
      office.answer = () => ({
        kind: "failed",
        problem: "recipient put off (450)",
        permanent: false,
      });
      await office.submit({ email: "old@uni.example" });
      await office.rounds.runOnce();
      await enter();
      office.answer = () => ({ kind: "delivered" });
      office.pass({ hours: 1 });
      await office.rounds.runOnce();
      expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
    });

    test("who asks an operator for the link again", async () => {
      await enter();
      const [request] = await office.queue();
      await run("act", "resend", request?.reference ?? "", "--as", "Nadia");
      await office.rounds.runOnce();
      expect(toContact().map(({ kind }) => kind)).toEqual(["entered", "entered"]);
      const visit = await office.requests.openVisit(await office.follow(office.newest("entered")));
      expect(visit.kind).toBe("entered");
    });
  });

  describe("of somebody who reads another language", () => {
    /** Which mail left in which language, in any order. */
    const toldIn = async () => {
      await office.rounds.runOnce();
      return office.sent
        .filter(({ kind }) => !kind.startsWith("operator"))
        .map(({ kind, language }) => `${kind} ${language}`)
        .sort();
    };

    test("is entered in it, and every mail is in it, to whichever address", async () => {
      await enter("bn");
      const reference = (await office.queue())[0]?.reference ?? "";
      expect(await said("show", reference)).toMatch(/Language +bn/);
      await said("act", "approve", reference, "--as", "Rahim");
      expect(await toldIn()).toEqual([
        "confirmed bn",
        "entered bn",
        "notice-confirmed bn",
        "notice-entered bn",
      ]);
    });

    test("keeps that of their own form where nothing else is said", async () => {
      await office.submit({ email: "old@uni.example" }, "bn");
      await enter();
      expect(await toldIn()).toEqual(["confirm bn", "entered bn", "notice-entered bn"]);
      await enter("en");
      await office.rounds.runOnce();
      expect(office.newest("entered").language).toBe("en");
    });
  });

  test("where the team agreed that one is enough, it is confirmed at once", async () => {
    const services = { ...office, secondPerson: false };
    const { request } = await enter(undefined, createDesk(services));
    expect(request.state).toBe("confirmed");
  });

  test("a form that nobody could confirm becomes that request; a confirmed one is left alone", async () => {
    const { reference } = await office.submit({ email: "old@uni.example" });
    await enter();
    expect(await office.queue()).toHaveLength(1);
    expect(await office.desk.find(reference)).toMatchObject({ enteredBy: "Nadia", sent: 2 });
    await office.submitConfirmed({ email: "kabir@uni.example" });
    const { kind } = await enter(undefined, office.desk, "kabir@uni.example");
    expect(kind).toBe("already-confirmed");
  });
});

describe("people", () => {
  const operators = async (...words: string[]) => {
    const { out, problem } = await runOperators(words, office);
    return `${out ?? ""}${problem ?? ""}`;
  };

  test("act under a name that the team knows, however it is typed", async () => {
    const reference = await office.submitConfirmed();
    expect(await said("act", "take", reference, "--as", "Nadja")).toContain("Did you mean Nadia?");
    expect(await said("act", "take", reference, "--as", "NADIA")).toContain("--as Nadia");
    expect(await said("act", "take", reference, "--as", "Rahim")).toMatch(
      /^Nadia is at work on it/,
    );
    expect(await said("list")).toMatch(/ Nadia +anika@uni/);
  });

  test("who leaves hands everything back, and acts no longer", async () => {
    const reference = await taken();
    expect(await operators("add", "nadia")).toContain("with the team already");
    expect(await operators("remove", "nadia", "--as", "Rahim")).toContain(reference);
    expect(await said("act", "take", reference, "--as", "Nadia")).toContain(
      "knows nobody called Nadia",
    );
    expect(await said("act", "take", reference, "--as", "Rahim")).toContain("take is done");
    expect(office.sent.filter(({ kind }) => kind === "in-progress").length).toBeLessThan(2);
    expect(await operators("list")).toMatch(/^Nadia +\S+ \S+ +2026-11-22 10:00$/m);
  });

  test("cancel for a person who asked them to, who is told in other words", async () => {
    const reference = await taken();
    await act("cancel", reference, "explanation=You called us.");
    await tenMinutesLater();
    expect(office.newest("cancelled-for-you").letter.text).toContain("> You called us.");
  });

  test("write notes for each other, which the person reads in what is held, and which are erased", async () => {
    const reference = await taken();
    await act("note", reference, "note=Called <twice>.");
    const folder = join(office.folder, "held");
    await run("subject", "ANIKA@uni.example", "--out", folder, "--as", "Nadia");
    expect((await stat(join(folder, "held-data.json"))).mode & 0o777).toBe(0o600);
    const json = JSON.parse(await readFile(join(folder, "held-data.json"), "utf8"));
    expect(json.requests[0]).toMatchObject({ reference, address: "anika@uni.example" });
    expect(JSON.stringify(json)).toContain("Called <twice>.");
    expect(JSON.stringify(json)).not.toContain("Nadia");
    const page = await readFile(join(folder, "held-data.html"), "utf8");
    expect(page).toContain("Called &lt;twice&gt;.");
    expect(page).toContain(`<td>${testSubjectWords.mail.heldData.who.operator}</td><td>noted</td>`);
    await office.desk.report(reference, { type: "complete", completion: sampleCompletion });
    await office.rounds.runOnce();
    const { events = [] } = (await office.desk.tell(reference)) ?? {};
    expect(events.map(({ note }) => note).join("")).toBe("");
    expect(await act("note", reference, "note=x")).toMatch(/^Nothing is left/);
  });
});

describe("words", () => {
  test("a reference that is mistyped, unknown, expired or removed gets a sentence each", async () => {
    const { reference: expired } = await office.submit();
    await office.rounds.runOnce();
    office.pass({ days: 7 });
    await office.rounds.runOnce();
    const { reference: removed } = await office.submit();
    await run("delete", removed, "--as", "Nadia");
    expect(await said("show", "K7RM-4X0P")).toContain("is no reference");
    expect(await said("show", "anika@uni.example")).toContain("find anika@uni.example");
    expect(await said("show", "K7RM-4XQP")).toContain("There is no request with the reference");
    expect(await said("show", expired)).toContain("was never confirmed and has expired");
    expect(await said("show", removed)).toContain("was removed by an operator");
  });

  test("what is mistyped is told with what was probably meant", async () => {
    expect(await said("lsit")).toContain("Did you mean list?");
    expect(await said("list", "--onyl", "ended")).toContain("Did you mean --only?");
    expect(await said("list", "--only")).toBe("--only needs something behind it.\n");
    expect(await act("note", "x", "note=sw\u202emaxe")).toBe(
      '"note=swmaxe" has signs in it that nobody can see. Type it anew.\n',
    );
    expect(await said()).toContain("undo      explanation=");
  });

  test("a day of the campus is that day, though it is the one before in Greenwich", async () => {
    office.setClock("2026-11-26T19:00:00Z");
    await office.submit();
    expect(await said("list")).toContain("2026-11-27 01:00");
  });

  test("an export has the open ones and the first date, in a file that no banner spoils", async () => {
    const reference = await taken();
    await act("later", reference, "reason=time", "days=2", "explanation=Exams.");
    const ended = await office.submitConfirmed({ email: "kabir@uni.example" });
    await act("refuse", ended, "reason=no-account");
    const path = join(office.folder, "open.csv");
    await run("export", "--out", path, "--as", "Nadia");
    const lines = (await readFile(path, "utf8")).trim().split("\r\n");
    expect(lines[0]).toMatch(/^reference,.*,due,due first,/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(",2026-12-08,2026-12-06,");
    expect(await said("export", "--out", path)).toContain("is there already");
    const figures = join(office.folder, "figures.csv");
    await run("figures", "--out", figures);
    const [head = "", month = ""] = (await readFile(figures, "utf8")).split("\r\n");
    expect(head).toContain("refused: no-account");
    expect(month).toMatch(/^2026-11,2,2,0,0,0,,,1,0,0,1,0,1,/);
    expect(month).not.toContain("@");
  });
});
