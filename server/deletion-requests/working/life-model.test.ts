import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import fc from "../../../tests/harness/same-chance.ts";
import { dateAt } from "../../calendar/business-days.ts";
import { runsOnPostgres } from "../../database/database.fixture.ts";
import type { SendResult } from "../../mail/mailer.ts";
import { removeUnconfirmed } from "../keeping/erasing.ts";
import { checkChain } from "../ledger/verification.ts";
import {
  holdReasons,
  isEnded,
  isWorking,
  linkHours,
  refusalReasons,
  type StoredRequest,
} from "../life/request.ts";
import {
  bySystem,
  openOffice,
  type Sent,
  sampleFound,
  type TestOffice,
  testCalendar,
} from "../office.fixture.ts";
import { sampleCompletion } from "../telling/sample-messages.ts";
import type { OperatorAct } from "./desk.ts";

/**
 * Persons, operators, the system and the clock do what they like, in any order, over a real database file; what the
 * promise says must hold after every step.
 */

const addresses = ["anika@uni.example", "kabir@uni.example"];
/** Where somebody whose mailbox is closed reads mail. */
const contact = "kabir.home@mail.example";
const persons = [...addresses, contact];
const names = ["Nadia", "Rahim"];
const ended = ["completed", "cancelled", "refused"];

/** What was seen of each request so far. */
type Seen = Map<
  number,
  { endState?: string; dueOn?: string; extensions: number; reopenings: number }
>;
type Command = fc.AsyncCommand<{ seen: Seen }, TestOffice>;

let office: TestOffice;

/** How often a run came to the point where no byte of anybody may be left. */
let cleanRuns = 0;

beforeAll(async () => {
  office = await openOffice();
});

afterAll(() => office.close());

async function reset(): Promise<void> {
  for (const table of [
    "requests",
    "outbox",
    "tallies",
    "doomed_mails",
    "journal",
    "ledger_entries",
    "ledger_heads",
    "gone_references",
  ] as const) {
    await office.kysely.deleteFrom(table).execute();
  }
  await office.database.erasePhysically();
  await rm(join(office.folder, "mail"), { recursive: true, force: true });
  office.sent.length = 0;
  office.log.length = 0;
  office.answer = () => ({ kind: "delivered" });
  office.setClock("2026-11-22T04:00:00Z");
}

async function checkInvariants(seen: Seen): Promise<void> {
  const requests = await office.queue();
  for (const request of requests) {
    const story = await office.desk.tell(request.reference);
    const events = story?.events ?? [];
    const before = seen.get(request.id) ?? { extensions: 0, reopenings: 0 };
    const countOf = (type: string) => events.filter((event) => event.type === type).length;

    // Terminal stays terminal, unless somebody said that it was a slip while the address was there.
    const reopenings = countOf("reopen");
    if (before.endState && reopenings === before.reopenings) {
      expect(request.state).toBe(before.endState);
    }

    // A due date never moves silently.
    const extensions = countOf("extend");
    const dueOn = "dueOn" in request ? request.dueOn.toString() : undefined;
    if (before.dueOn && before.dueOn !== dueOn) {
      expect(extensions).toBeGreaterThan(before.extensions);
      expect(events.findLast((event) => event.type === "extend")?.dueTo?.toString()).toBe(dueOn);
    }

    // The trail explains the state, step by step.
    let state = "";
    for (const event of events) {
      expect(event.fromState).toBe(state);
      state = event.toState;
    }
    expect(state).toBe(request.state);

    // An erased request has no address, no feedback and no mail.
    if (isErased(request)) {
      expect(ended).toContain(request.state);
      expect(request.email).toBeUndefined();
      expect(request.contact).toBeUndefined();
      const forms = story?.submissions ?? [];
      expect(forms.every((one) => one.email === undefined && one.feedback === "")).toBe(true);
      expect(events.every((event) => event.note === "")).toBe(true);
      expect(story?.mails).toEqual([]);
    }

    // What is confirmed has ended, or stands in the operators' queue with its date.
    if (isWorking(request)) {
      expect(request.daysLeft).toBeTypeOf("number");
      // Nobody is told that it is done while that can be taken back, and nobody is asked to wait without a reason.
      const unread = story?.mails.filter((mail) => mail.kind === "completed") ?? [];
      if (request.done && reopenings === 0) expect(unread).toEqual([]);
      // What nobody has begun is nobody's.
      if (request.state === "confirmed") expect(request.owner).toBeUndefined();
      expect(request.firstDueOn.toString() <= request.dueOn.toString()).toBe(true);
      expect(request.onTimeBy.toString() <= request.dueOn.toString()).toBe(true);
    }
    // A closed mailbox gets no mail: all goes to the contact.
    if (request.contact !== undefined) expect(request.enteredBy).toBe("Nadia");
    // What was said of our places stands there, whoever said it.
    if (request.state === "completed") {
      const ours = sampleCompletion.lines.filter(({ store }) => store !== "deletion-page");
      expect(request.completion?.lines).toEqual(expect.arrayContaining(ours));
    }
    if (isEnded(request) && !isErased(request)) {
      const last = story?.mails.at(-1);
      expect(["completed", "cancelled", "cancelled-for-you", "refused"]).toContain(last?.kind);
    }

    seen.set(request.id, {
      ...(ended.includes(request.state) && { endState: request.state }),
      ...(dueOn && { dueOn }),
      extensions,
      reopenings,
    });
  }
  // One open request for each mailbox at most.
  const open = requests.filter((request) => !isEnded(request)).map((request) => request.email);
  expect(new Set(open).size).toBe(open.length);
}

/** The latest instant that a request knows of, or now. */
function latestOf(requests: readonly StoredRequest[]): Temporal.Instant {
  return requests
    .map((request) => {
      if (request.state === "received") return request.expiresAt;
      return isEnded(request) ? request.endedAt : request.confirmedAt;
    })
    .concat(office.clock())
    .reduce((one, other) => (Temporal.Instant.compare(one, other) > 0 ? one : other));
}

function isErased(request: StoredRequest): boolean {
  return isEnded(request) && request.erasedAt !== undefined;
}

function command(name: string, run: (real: TestOffice) => Promise<unknown>): Command {
  return {
    check: () => true,
    run: async ({ seen }, real) => {
      await run(real);
      await checkInvariants(seen);
    },
    toString: () => name,
  };
}

/** Runs `run` with the visit behind one of the mails sent so far. */
async function withVisit(
  real: TestOffice,
  pick: number,
  run: (visit: string) => Promise<unknown>,
): Promise<void> {
  const mails = real.sent.filter((mail) => "token" in mail.message);
  const mail = mails[pick % Math.max(mails.length, 1)];
  if (!mail) return;
  const opened = await real.requests.openLink(tokenOf(mail));
  if (opened.kind === "visit") {
    await real.requests.openVisit(opened.visit);
    await run(opened.visit);
  }
}

function tokenOf({ message }: Sent): string | undefined {
  return "token" in message ? message.token : undefined;
}

async function referenceAt(real: TestOffice, pick: number): Promise<string> {
  const requests = await real.queue();
  return requests[pick % Math.max(requests.length, 1)]?.reference ?? "K7RM-4XQP";
}

const answers: SendResult[] = [
  { kind: "delivered" },
  { kind: "delivered" },
  { kind: "failed", problem: "content put off (451)", permanent: false },
  { kind: "failed", problem: "recipient refused (550)", permanent: true },
];

const pick = fc.nat(30);
const address = fc.constantFrom(...addresses);

/** Does something to one of the requests. */
const onOne = (name: string, run: (real: TestOffice, reference: string) => Promise<unknown>) =>
  pick.map((number) =>
    command(`${name} ${number}`, async (real) => run(real, await referenceAt(real, number))),
  );

const explanation = addresses.join();

const acts: fc.Arbitrary<OperatorAct> = fc.oneof(
  fc.constant({ type: "take" }),
  fc.constantFrom("undo", "release", "hand-back", "approve").map((type) => ({ type })),
  fc.constantFrom("reopen", "cancel").map((type) => ({ type, explanation })),
  fc
    .constantFrom(...refusalReasons)
    .map((reason) => ({ type: "refuse" as const, reason, explanation })),
  fc
    .integer({ min: 1, max: 99 })
    .map((businessDays) => ({ type: "extend" as const, businessDays, explanation })),
);

/** An act of an operator on one of the requests. */
const act = fc.tuple(pick, acts, fc.constantFrom(...names)).map(([number, act, name]) =>
  command(`${JSON.stringify(act)} ${number} by ${name}`, async (real) => {
    await real.desk.act(await referenceAt(real, number), act, name);
  }),
);

/** Follows the link of one of the mails. */
const onVisit = (name: string, run: (real: TestOffice, visit: string) => Promise<unknown>) =>
  pick.map((number) =>
    command(`${name} ${number}`, (real) => withVisit(real, number, (visit) => run(real, visit))),
  );

/** Whatever is due is sent, and answered so. */
async function deliver(real: TestOffice, answer: TestOffice["answer"]): Promise<void> {
  real.answer = answer;
  await real.round();
  real.answer = () => ({ kind: "delivered" });
}

const commands = fc.commands(
  [
    address.map((email) =>
      command(`submit ${email}`, (real) => real.submit({ email, feedback: `by ${email}` })),
    ),
    address.map((email) =>
      command(`submit and confirm ${email}`, async (real) => {
        await real.submit({ email });
        await real.rounds.runOnce();
        const mail = real.sent.findLast((one) => one.kind === "confirm" && one.to === email);
        if (!mail) return;
        const opened = await real.requests.openLink(tokenOf(mail));
        if (opened.kind === "visit") await real.requests.confirm(opened.visit);
      }),
    ),
    fc.constant(command("deliver", (real) => real.round())),
    fc
      .constantFrom(...answers)
      .map((answer) =>
        command(`deliver with ${JSON.stringify(answer)}`, (real) => deliver(real, () => answer)),
      ),
    onVisit("confirm", (real, visit) => real.requests.confirm(visit)),
    onVisit("cancel", (real, visit) => real.requests.cancel(visit)),
    onVisit("ask for a link", (real, visit) => real.requests.askNewLink(visit)),
    ...Array.from({ length: 5 }, () => act),
    onOne("the account system begins", (real, reference) =>
      bySystem(real, reference, { type: "take" }),
    ),
    fc.tuple(pick, fc.constantFrom(...names)).map(([number, name]) =>
      command(`complete ${number} by ${name}`, async (real) => {
        const reference = await referenceAt(real, number);
        const address = (await real.desk.find(reference))?.email ?? addresses[0] ?? "";
        await real.desk.complete(reference, { address, found: sampleFound }, name);
      }),
    ),
    onOne("complete with another's address", async (real, reference) => {
      const before = await real.desk.find(reference);
      const address = addresses.find((one) => one !== before?.email) ?? "";
      await real.desk.complete(reference, { address, found: sampleFound }, "Nadia");
      expect(await real.desk.find(reference)).toEqual(before);
    }),
    onOne("a machine says that it has completed", (real, reference) =>
      bySystem(
        real,
        reference,
        { type: "complete", completion: sampleCompletion },
        { actor: "system", isAccountSystem: true },
      ),
    ),
    onOne("what is done is final of", (real, reference) =>
      bySystem(real, reference, { type: "complete", completion: sampleCompletion }),
    ),
    fc
      .tuple(pick, fc.integer({ min: -2, max: 100 }), fc.constantFrom(...holdReasons))
      .map(([number, days, reason]) =>
        command(`hold ${number} for ${days} days`, async (real) => {
          const until = dateAt(testCalendar, real.clock()).add({ days });
          const hold = { type: "hold", reason, until, explanation } as const;
          await real.desk.act(await referenceAt(real, number), hold, "Nadia");
        }),
      ),
    onOne("note", (real, reference) => real.desk.note(reference, explanation, "Nadia")),
    address.map((email) =>
      command(`enter ${email}`, async (real) => {
        await real.enterClosed({ email, contact });
      }),
    ),
    fc.constant(command("Nadia leaves", (real) => real.desk.handBackAll("Nadia", "Rahim"))),
    fc.constant(command("retry", (real) => real.desk.retry("Nadia"))),
    onOne("send the link again of", (real, reference) => real.desk.resendLink(reference, "Nadia")),
    onOne("delete", async (real, reference) => {
      const before = await real.desk.find(reference);
      const result = await removeUnconfirmed(real, reference, "Nadia");
      if (before) expect(result).toBe(before.state === "received" ? "done" : "confirmed");
      expect(await real.desk.find(reference)).toEqual(result === "done" ? undefined : before);
    }),
    fc.constant(
      command("read the ledger through", async (real) => {
        const { findings } = await checkChain(real.database, real.keys, real.clock());
        expect(findings).toEqual([]);
      }),
    ),
    fc.constant(
      command("deliver into files", (real) =>
        deliver(real, (letter) => real.fileMailer.send(letter)),
      ),
    ),
    onOne("while a mail is being written, forget", (real, reference) =>
      deliver(real, async (letter) => {
        await removeUnconfirmed(real, reference, "Nadia");
        return real.fileMailer.send(letter);
      }),
    ),
    fc.integer({ min: 1, max: 400 }).map((hours) =>
      command(`${hours} hours pass`, async (real) => {
        real.pass({ hours });
        await real.upkeep.run();
      }),
    ),
    fc.integer({ min: -2000, max: 2000 }).map((hours) =>
      command(`the clock jumps by ${hours} hours`, async (real) => {
        await real.round({ hours });
      }),
    ),
  ],
  { maxCommands: 20, size: "max" },
);

// Each statement is a way to PostgreSQL and back.
const numRuns = runsOnPostgres ? 20 : 200;

test("whatever everybody does, the promise holds", { timeout: 900_000 }, async () => {
  await fc.assert(
    fc
      .asyncProperty(commands, async (steps) => {
        const seen: Seen = new Map();
        await fc.asyncModelRun(() => ({ model: { seen }, real: office }), steps);

        // Operators end what is open, so that in the end nothing may be left of anybody.
        for (const request of await office.queue(["working"])) {
          await office.desk.act(request.reference, { type: "undo" }, "Nadia");
          const act = { type: "refuse", reason: "other", explanation: "" } as const;
          await office.desk.act(request.reference, act, "Nadia");
        }
        // In the end every person was told, and everything that ended is erased to the last byte.
        await office.desk.retry("Nadia");
        // The clock may have been turned back beyond what it told before.
        office.setClock(latestOf(await office.queue()).toString());
        await office.round({ days: 31 });
        // A link that left only now can be followed for as long as any other, and its request goes after that.
        await office.round({ hours: linkHours + 1 });
        // A file that was being written when its request went is looked for again after its lease.
        await office.round({ minutes: 3 });
        await checkInvariants(seen);
        const left = await office.queue();
        expect(left.filter((request) => !isErased(request))).toEqual([]);
        cleanRuns++;
        // A store that was rewritten a moment ago is rewritten again by a later round.
        await vi.waitFor(
          async () => {
            await office.upkeep.run();
            const bytes = await office.readFolder();
            expect(persons.filter((address) => bytes.includes(address))).toEqual([]);
          },
          { timeout: 120_000, interval: 200 },
        );
      })
      .beforeEach(reset),
    { numRuns },
  );
  expect(cleanRuns).toBe(numRuns);
});
