import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import fc from "../../../tests/harness/fixed-seed.ts";
import { linkHours } from "../../periods.ts";
import { dateAt } from "../../platform/calendar/business-days.ts";
import { runsOnPostgres } from "../../platform/database/database.fixture.ts";
import { checkLedger } from "../ledger/verification.ts";
import { findRouting } from "../mails/messages.ts";
import { sampleCompletion } from "../mails/receipt-mail.ts";
import { addRequest, findRequestById, saveRequest } from "../repository/requests.ts";
import {
  byOperator,
  bySystem,
  failed,
  isToPerson,
  openTestService,
  type Sent,
  type TestService,
} from "../service.fixture.ts";
import {
  dueOf,
  holdReasons,
  isEnded,
  isWorking,
  refusalReasons,
  type StoredRequest,
} from "../state-machine/request.ts";
import { type Act, type By, transition } from "../state-machine/state-machine.ts";
import { sampleChecklist, testCalendar } from "../test-campus.fixture.ts";
import type { SubmittedAct } from "./acts.ts";

/**
 * Runs random commands by requesters, operators, the account system and the clock against a real
 * database, and checks the invariants after every step.
 */

const addresses = ["anika@uni.example", "kabir@uni.example"];
/** Contact address of the requester whose mailbox is closed. */
const contact = "kabir.home@mail.example";
const persons = [...addresses, contact];
const names = ["Nadia", "Rahim"];

/** The model. Contains what the last check saw of each request, keyed by id. */
type Seen = Map<
  number,
  { endState?: string; dueOn?: string; extensions: number; reopenings: number }
>;
type Command = fc.AsyncCommand<Seen, TestService>;

const service = await openTestService();
afterAll(() => service.close());

/** Number of runs that reached the final check for leftover personal data. */
let cleanRuns = 0;

async function reset(): Promise<void> {
  for (const table of [
    "requests",
    "outbox",
    "tallies",
    "doomed_mails",
    "journal",
    "ledger_entries",
    "gone_references",
  ] as const) {
    await service.kysely.deleteFrom(table).execute();
  }
  await service.database.erasePhysically();
  await rm(join(service.folder, "mail"), { recursive: true, force: true });
  service.sent.length = 0;
  service.logLines.length = 0;
  service.answer = () => ({ kind: "delivered" });
  service.setClock("2026-11-22T04:00:00Z");
}

async function checkInvariants(seen: Seen): Promise<void> {
  const requests = await service.queue();
  for (const request of requests) {
    const story = await service.desk.readDetail(request.reference);
    const events = story?.events ?? [];
    const before = seen.get(request.id) ?? { extensions: 0, reopenings: 0 };
    const countOf = (type: string) => events.filter((event) => event.type === type).length;

    // An ended request must keep its state until an operator reopens it or undoes its outcome.
    const undone = (...codes: string[]) =>
      events.filter(({ type, code }) => type === "undo" && codes.includes(code)).length;
    const reopenings = countOf("reopen") + undone("refuse", "cancel");
    if (before.endState && reopenings === before.reopenings) {
      expect(request.state).toBe(before.endState);
    }

    // A due date must not move without an event.
    const extensions = countOf("extend") + undone("extend", "hold");
    const dueOn = dueOf(request) || undefined;
    if (before.dueOn && before.dueOn !== dueOn) {
      expect(extensions).toBeGreaterThan(before.extensions);
      const last = events.findLast(({ type }) => type === "extend" || type === "undo");
      if (last?.type === "extend") expect(last.dueTo?.toString()).toBe(dueOn);
    }

    // The history must explain every state change.
    const states = ["", ...events.map(({ toState }) => toState)];
    expect([...events.map(({ fromState }) => fromState), request.state]).toEqual(states);

    // An erased request must have no addresses, feedback, notes or emails left.
    if (isErased(request)) {
      expect(request.email).toBeUndefined();
      expect(request.contact).toBeUndefined();
      const forms = story?.submissions ?? [];
      expect(forms.every((row) => row.email === undefined && row.feedback === "")).toBe(true);
      expect(events.every((event) => event.note === "")).toBe(true);
      expect(story?.mails).toEqual([]);
    }

    // Until it ends, a confirmed request must be in the operators' queue with its due date.
    if (isWorking(request)) {
      expect(request.daysLeft).toBeTypeOf("number");
      // No receipt may be queued while an operator can still undo the completion.
      const unread = story?.mails.filter((mail) => mail.kind === "completed") ?? [];
      if (request.done && reopenings === 0) expect(unread).toEqual([]);
      // Once any data is marked as deleted, the request must be in progress.
      const isDone = Object.values(request.checklist ?? {})
        .flat()
        .includes("done");
      if (isDone) expect(request.state).toBe("in-progress");
      expect(request.firstDueOn.toString() <= request.dueOn.toString()).toBe(true);
      expect(request.onTimeBy.toString() <= request.dueOn.toString()).toBe(true);
    }
    // Only a request that an operator entered may have a contact address.
    if (request.contact !== undefined) expect(request.enteredBy).toBe("Nadia");
    // A completion must list an outcome for each of our stores, regardless of who reports it.
    if (request.state === "completed") {
      const ours = sampleCompletion.lines.filter(({ store }) => store !== "deletion-page");
      expect(request.completion?.lines).toEqual(expect.arrayContaining(ours));
    }
    if (isEnded(request) && !isErased(request)) {
      const last = story?.mails.at(-1);
      expect(findRouting(last?.kind ?? "")?.end).toBeDefined();
    }

    seen.set(request.id, {
      ...(isEnded(request) && { endState: request.state }),
      ...(dueOn && { dueOn }),
      extensions,
      reopenings,
    });
  }
  // A mailbox may have at most one open request.
  const open = requests.filter((request) => !isEnded(request)).map((request) => request.email);
  expect(new Set(open).size).toBe(open.length);
}

function latestOf(requests: readonly StoredRequest[]): Temporal.Instant {
  return requests
    .map((request) => {
      if (request.state === "received") return request.expiresAt;
      return isEnded(request) ? request.endedAt : request.confirmedAt;
    })
    .concat(service.clock())
    .reduce((a, b) => (Temporal.Instant.compare(a, b) > 0 ? a : b));
}

function isErased(request: StoredRequest): boolean {
  return isEnded(request) && request.erasedAt !== undefined;
}

function command(name: string, run: () => Promise<unknown>): Command {
  return {
    check: () => true,
    run: async (seen) => {
      await run();
      await checkInvariants(seen);
    },
    toString: () => name,
  };
}

/** Opens the link in an email. If the link still works, calls `run` with the visit session. */
async function withVisit(mail: Sent | undefined, run: (visit: string) => Promise<unknown>) {
  if (!mail || !isToPerson(mail.message)) return;
  const opened = await service.requests.openLink(mail.message.token);
  if (opened.kind !== "visit") return;
  await service.requests.openVisit(opened.visit);
  await run(opened.visit);
}

async function referenceAt(pick: number): Promise<string> {
  const requests = await service.queue();
  return requests[pick % Math.max(requests.length, 1)]?.reference ?? "K7RM-4XQP";
}

const delivered = { kind: "delivered" } as const;
const passing = failed("content put off (451)");
const permanent = failed("recipient refused (550)", { permanent: true });

const pick = fc.nat(30);
const address = fc.constantFrom(...addresses);

const always = (name: string, run: () => Promise<unknown>) => fc.constant(command(name, run));

const onRequest = (name: string, run: (reference: string) => Promise<unknown>) =>
  pick.map((number) => command(`${name} ${number}`, async () => run(await referenceAt(number))));

const explanation = addresses.join();
const completing = { type: "complete", completion: sampleCompletion } as const;

const acts: fc.Arbitrary<SubmittedAct> = fc.oneof(
  fc.constant({ type: "take" } as const),
  fc.constantFrom("no", "yes").map((reply) => ({ type: "approve", reply }) as const),
  fc.constantFrom("undo", "cancel").map((type) => ({ type, explanation })),
  fc
    .constantFrom(...refusalReasons)
    .map((reason) => ({ type: "refuse" as const, reason, explanation })),
  fc
    .tuple(fc.integer({ min: 1, max: 99 }), fc.constantFrom("time" as const, ...holdReasons))
    .map(([days, reason]) => ({ type: "later" as const, reason, days, explanation })),
);

/**
 * Reads everything that undo must restore: the requests' rows, the figures and the emails to
 * requesters.
 */
async function snapshot() {
  const { kysely } = service;
  return {
    requests: await kysely.selectFrom("requests").selectAll().orderBy("id").execute(),
    tallies: await kysely
      .selectFrom("tallies")
      .selectAll()
      .where("count", "<>", 0)
      .orderBy("month")
      .orderBy("name")
      .execute(),
    mails: await kysely
      .selectFrom("outbox")
      .select(["id", "kind", "state", "last_problem"])
      .where("recipient", "=", "person")
      .orderBy("id")
      .execute(),
  };
}

/** Performs an act and undoes it before its email is sent. Nothing may have changed. */
async function actAndUndo(reference: string, submitted: SubmittedAct | "complete", name: string) {
  const before = await snapshot();
  const address = (await service.desk.find(reference))?.email ?? "";
  const { kind } =
    submitted === "complete"
      ? await service.desk.submit(
          { act: submitted, reference, typed: { ...sampleChecklist, address: [address] } },
          name,
        )
      : await service.desk.act(reference, submitted, name);
  if (kind !== "done") return;
  const undone = await service.desk.act(reference, { type: "undo", explanation: "" }, name);
  expect(undone.kind).toBe("done");
  expect(await snapshot()).toEqual(before);
}

const tick: SubmittedAct = {
  type: "tick",
  checklist: { account: ["user"], "at-accounts": ["done"] },
  begins: true,
  answered: ["accounts"],
};

const act = fc
  .tuple(pick, acts, fc.constantFrom(...names))
  .map(([number, act, name]) =>
    command(`${JSON.stringify(act)} ${number} by ${name}`, async () =>
      service.desk.act(await referenceAt(number), act, name),
    ),
  );

const onVisit = (name: string, run: (visit: string) => Promise<unknown>) =>
  pick.map((number) =>
    command(`${name} ${number}`, () => {
      const mails = service.sent.filter(({ message }) => isToPerson(message));
      return withVisit(mails[number % Math.max(mails.length, 1)], run);
    }),
  );

/** Sends all due emails, with `answer` as the mail server's response to each. */
async function deliver(answer: TestService["answer"]): Promise<void> {
  service.answer = answer;
  await service.round();
  service.answer = () => delivered;
}

const commands = fc.commands(
  [
    address.map((email) =>
      command(`submit ${email}`, () => service.submit({ email, feedback: `by ${email}` })),
    ),
    address.map((email) =>
      command(`submit and confirm ${email}`, async () => {
        await service.submit({ email });
        await service.rounds.runOnce();
        const mail = service.sent.findLast(
          (candidate) => candidate.kind === "confirm" && candidate.to === email,
        );
        await withVisit(mail, service.requests.confirm);
      }),
    ),
    always("deliver", () => service.round()),
    fc
      .constantFrom(delivered, delivered, passing, permanent)
      .map((answer) =>
        command(`deliver with ${JSON.stringify(answer)}`, () => deliver(() => answer)),
      ),
    onVisit("confirm", (visit) => service.requests.confirm(visit)),
    onVisit("cancel", (visit) => service.requests.cancel(visit)),
    onVisit("ask for a link", (visit) => service.requests.sendNewLink(visit)),
    ...Array.from({ length: 5 }, () => act),
    fc
      .tuple(
        pick,
        fc.oneof(
          acts.filter(({ type }) => type !== "undo" && type !== "approve"),
          fc.constant(tick),
          fc.constant("complete" as const),
        ),
        fc.constantFrom(...names),
      )
      .map(([number, submitted, name]) =>
        command(`${JSON.stringify(submitted)} ${number} by ${name}, undone`, async () =>
          actAndUndo(await referenceAt(number), submitted, name),
        ),
      ),
    onRequest("tick", (reference) => service.desk.act(reference, tick, "Nadia")),
    onRequest("the account system begins", (reference) =>
      bySystem(service, reference, { type: "take" }),
    ),
    fc.tuple(pick, fc.constantFrom(...names)).map(([number, name]) =>
      command(`complete ${number} by ${name}`, async () => {
        const reference = await referenceAt(number);
        const address = (await service.desk.find(reference))?.email ?? addresses[0] ?? "";
        const typed = { ...sampleChecklist, address: [address] };
        await service.desk.submit({ act: "complete", reference, typed }, name);
      }),
    ),
    onRequest("complete with another's address", async (reference) => {
      const before = await service.desk.find(reference);
      const address = addresses.find((candidate) => candidate !== before?.email) ?? "";
      const typed = { ...sampleChecklist, address: [address] };
      await service.desk.submit({ act: "complete", reference, typed }, "Nadia");
      expect(await service.desk.find(reference)).toEqual(before);
    }),
    onRequest("the account system completes", (reference) =>
      bySystem(service, reference, completing, { actor: "system", isAccountSystem: true }),
    ),
    onRequest("the clock completes", (reference) => bySystem(service, reference, completing)),
    fc
      .tuple(pick, fc.integer({ min: -2, max: 100 }), fc.constantFrom(...holdReasons))
      .map(([number, days, reason]) =>
        command(`hold ${number} for ${days} days`, async () => {
          const until = dateAt(testCalendar, service.clock()).add({ days });
          const hold = { type: "hold", reason, until, explanation } as const;
          await byOperator(service, await referenceAt(number), hold);
        }),
      ),
    onRequest("note", (reference) =>
      service.desk.act(reference, { type: "note", note: explanation }, "Nadia"),
    ),
    address.map((email) =>
      command(`enter ${email}`, () => service.enterClosed({ email, contact })),
    ),
    always("Nadia leaves", () => service.handBackAll("Nadia", "Rahim")),
    always("retry", () => service.desk.retry("Nadia")),
    onRequest("send the link again of", (reference) =>
      service.desk.act(reference, { type: "resend" }, "Nadia"),
    ),
    onRequest("delete", async (reference) => {
      const before = await service.desk.find(reference);
      const { kind } = await service.desk.act(reference, { type: "remove" }, "Nadia");
      if (before) expect(kind).toBe(before.state === "received" ? "done" : "refused");
      expect(await service.desk.find(reference)).toEqual(kind === "done" ? undefined : before);
    }),
    always("read the ledger through", async () => {
      const { findings } = await checkLedger(service.database, service.keys);
      expect(findings).toEqual([]);
    }),
    always("deliver into files", () => deliver((letter) => service.fileMailer.send(letter))),
    onRequest("while a mail is being written, forget", (reference) =>
      deliver(async (letter) => {
        await service.desk.act(reference, { type: "remove" }, "Nadia");
        return service.fileMailer.send(letter);
      }),
    ),
    fc.integer({ min: 1, max: 400 }).map((hours) =>
      command(`${hours} hours pass`, async () => {
        service.pass({ hours });
        await service.upkeep.run();
      }),
    ),
    fc
      .integer({ min: -2000, max: 2000 })
      .map((hours) => command(`the clock jumps by ${hours} hours`, () => service.round({ hours }))),
  ],
  { maxCommands: 20, size: "max" },
);

// Runs fewer cases on PostgreSQL, where each statement is a round trip.
const numRuns = runsOnPostgres ? 20 : 200;

test("maintains all invariants in any sequence of commands", {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc
      .asyncProperty(commands, async (steps) => {
        const seen: Seen = new Map();
        await fc.asyncModelRun(() => ({ model: seen, real: service }), steps);

        // End all open requests so that all personal data becomes due for erasure.
        for (const request of await service.queue(["working", "received"])) {
          await service.desk.act(request.reference, { type: "undo", explanation: "" }, "Nadia");
          await service.refuse(request.reference);
        }
        await service.desk.retry("Nadia");
        // A command may have set the clock back, so catch up with the latest event.
        service.setClock(latestOf(await service.queue()).toString());
        await service.round({ days: 31 });
        // A request is kept until its link expires, even if the link is sent only now.
        await service.round({ hours: linkHours + 1 });
        // Upkeep may have to wait for the lease of an email file that is still being written.
        await service.round({ minutes: 3 });
        await checkInvariants(seen);
        const left = await service.queue();
        expect(left.filter((request) => !isErased(request))).toEqual([]);
        cleanRuns++;
        // Upkeep doesn't rewrite the store twice in a row, so wait for a later run that rewrites
        // it.
        await vi.waitFor(
          async () => {
            await service.upkeep.run();
            const bytes = await service.readFolder();
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

const form = { reference: "7XQP-K4RM", reason: "privacy-concerns", language: "bn" } as const;
const receivedAt = Temporal.Instant.from("2026-11-20T04:00:00Z");
const until = Temporal.PlainDate.from("2026-11-30");

/**
 * Every act except `undo`, which returns a stored state, and `ask`, which only postpones the expiry.
 * Includes variants where the fields affect the result.
 */
const everyAct: Act[] = [
  { type: "repeat", ...form },
  { type: "enter", ...form, contact, receivedAt, proof: "last-ride" },
  { type: "confirm", reference: "7XQP-K4RM", reason: "other" },
  { type: "approve" },
  { type: "cancel" },
  { type: "take" },
  { type: "take", from: "Nadia" },
  { type: "hand-back" },
  completing,
  { type: "tick", checklist: { account: ["user"], "at-rides": ["done"] }, begins: true },
  { type: "refuse", reason: "no-account", explanation },
  { type: "extend", businessDays: 5, explanation },
  { type: "hold", reason: "dues", until, explanation },
  { type: "hold", reason: "dues", until, businessDays: 5, explanation },
  { type: "release" },
  { type: "reopen", explanation },
];

const everyActor: By[] = [
  { actor: "person" },
  ...names.map((name) => ({ actor: "operator", name }) as const),
  { actor: "system", isAccountSystem: true },
  { actor: "system" },
];

const fieldsOf = (life: StoredRequest | undefined) =>
  Object.entries(JSON.parse(JSON.stringify(life ?? {}))).sort();

/** Returns the same key for requests that differ only in dates, numbers and form fields. */
const kindOf = (life: StoredRequest) =>
  JSON.stringify({ ...life, ...form, skipped: [] }).replaceAll(/\d/g, "0");

test("reads back every request exactly as the state machine returned it", async () => {
  await reset();
  const fresh = { ...form, email: "anika@uni.example", sent: 0, receivedAt, expiresAt: receivedAt };
  const first = await service.database.write((transaction) => addRequest(transaction, fresh));
  const lives = new Map<string, StoredRequest>([["", first]]);
  // The map grows during the loop, so added requests are covered too.
  for (const before of lives.values()) {
    for (const [act, by] of everyAct.flatMap((act) => everyActor.map((by) => [act, by] as const))) {
      const decision = transition(before, act, { rules: service, by, now: service.clock() });
      if (!decision.ok) continue;
      const { after } = decision;
      const stored = await service.database.write(async (transaction) => {
        await saveRequest(transaction, before, { ...before });
        await saveRequest(transaction, before, after);
        return findRequestById(transaction, { id: after.id });
      });
      expect(fieldsOf(stored), JSON.stringify(act)).toEqual(fieldsOf(after));
      lives.getOrInsert(kindOf(after), after);
    }
  }
  expect(lives.size).toBeGreaterThan(100);
  expect(new Set([...lives.values()].map(({ state }) => state)).size).toBe(6);
});
