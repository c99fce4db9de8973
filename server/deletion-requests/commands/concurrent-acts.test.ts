import { afterAll, expect, test } from "vitest";
import fc from "../../../tests/harness/fixed-seed.ts";
import { runsOnPostgres } from "../../platform/database/database.fixture.ts";
import { openDatabase } from "../../platform/database/database.ts";
import { sampleCompletion } from "../mails/receipt-mail.ts";
import { byOperator, bySystem, openTestService } from "../service.fixture.ts";
import type { StoredRequest } from "../state-machine/request.ts";
import { type Act, transition } from "../state-machine/state-machine.ts";

/**
 * Two clients act on one request concurrently, over separate connections. The result must match
 * some serial order of the acts in the pure state machine.
 */

type Press = { by: "Nadia" | "Rahim"; act: Act } | { by: undefined; act: SystemAct };
type SystemAct = Extract<Act, { type: "take" | "complete" }>;

const service = await openTestService();
const opened = await openDatabase({ dataDir: service.folder, url: service.databaseUrl });
if (!opened.ok) throw new Error(opened.problem);
const databases = [service.database, opened.database];
afterAll(async () => {
  await databases[1]?.close();
  await service.close();
});

async function press(client: number, reference: string, { by, act }: Press): Promise<string> {
  const database = databases[client];
  if (!database) throw new Error("There are only two clients");
  const services = { ...service, database };
  const decision = await (by === undefined
    ? bySystem(services, reference, act)
    : byOperator(services, reference, act, by));
  return decision?.ok ? "done" : (decision?.refusal ?? "not-found");
}

function interleave<T>(a: readonly T[], b: readonly T[]): T[][] {
  const [first, ...rest] = a;
  const [second, ...left] = b;
  if (first === undefined) return [[...b]];
  if (second === undefined) return [[...a]];
  return [
    ...interleave(rest, b).map((order) => [first, ...order]),
    ...interleave(a, left).map((order) => [second, ...order]),
  ];
}

// The hold ends before the due date, so it causes one event and no extension.
const until = Temporal.PlainDate.from("2026-12-05");
const presses: fc.Arbitrary<Press> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("Nadia" as const, "Rahim" as const),
      fc.constantFrom<Act>(
        { type: "take" },
        { type: "hand-back" },
        { type: "release" },
        { type: "hold", reason: "dues", until, explanation: "" },
        { type: "cancel", explanation: "" },
        { type: "reopen", explanation: "" },
      ),
    )
    .map(([by, act]) => ({ by, act })),
  fc
    .constantFrom<SystemAct>({ type: "take" }, { type: "complete", completion: sampleCompletion })
    .map((act) => ({ by: undefined, act })),
);

const sequences = fc.tuple(
  fc.array(presses, { minLength: 1, maxLength: 3 }),
  fc.array(presses, { minLength: 1, maxLength: 3 }),
);

const toText = (request: StoredRequest) => JSON.stringify(Object.entries(request).sort());
let count = 0;
let tried = 0;

async function readRequest(reference: string) {
  const request = await service.desk.find(reference);
  if (!request) throw new Error("Request not found");
  return request;
}

type Done = { press: Press; outcome: string };

/**
 * Checks whether some serial order of the acts produces this request, these outcomes and this
 * history.
 */
function canBecome(
  before: StoredRequest,
  [first = [], second = []]: Done[][],
  after: string,
  trail: readonly string[],
) {
  return interleave(first, second).some((order) => {
    let request = before;
    const happened: string[] = [];
    for (const { press, outcome } of order) {
      const { act, by } = press;
      const who = by ? { actor: "operator" as const, name: by } : { actor: "system" as const };
      const decision = transition(request, act, { rules: service, by: who, now: service.clock() });
      if ((decision.ok ? "done" : decision.refusal) !== outcome) return false;
      if (!decision.ok) continue;
      happened.push(...decision.happened.map(({ type }) => type));
      request = decision.after;
    }
    return toText(request) === after && happened.join() === trail.join();
  });
}

const numRuns = runsOnPostgres ? 25 : 10;

test("concurrent acts on one request are serializable", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sequences, { minLength: 1, maxLength: 5 }), async (rounds) => {
      const reference = await service.submitConfirmed({ email: `s${++count}@uni.example` });
      for (const both of rounds) {
        const before = await readRequest(reference);
        const known = (await service.desk.readDetail(reference))?.events.length ?? 0;
        const done = await Promise.all(
          both.map((steps, client) =>
            Array.fromAsync(steps, async (step) => ({
              press: step,
              outcome: await press(client, reference, step),
            })),
          ),
        );
        tried++;
        const after = toText(await readRequest(reference));
        const events = (await service.desk.readDetail(reference))?.events ?? [];
        const trail = events.slice(known).map(({ type }) => type);
        const details = JSON.stringify({ before, done, after, trail });
        expect(canBecome(before, done, after, trail), details).toBe(true);
        const states = ["", ...events.map(({ toState }) => toState)];
        expect(events.map(({ fromState }) => fromState)).toEqual(states.slice(0, -1));
      }
    }),
    { numRuns },
  );
  expect(tried).toBeGreaterThanOrEqual(numRuns);
});
