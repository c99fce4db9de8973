import {
  accessActs,
  type JournalAct,
  listActs,
  listActsAfter,
} from "./deletion-requests/repository/audit-log.ts";
import { type Calendar, dateAt } from "./platform/calendar/business-days.ts";
import type { Database } from "./platform/database/database.ts";
import { addRefusals, type Refused, type RefusedWay } from "./platform/database/refusal-counts.ts";
import type { SignIn } from "./team/sign-in/sign-in.ts";

/**
 * Security events, logged with `event: "security"` for monitoring: refusals, and every change of
 * access on the pages or in the shell. Changes are read from the audit log. A log line identifies
 * no one except operators. If several servers run, each server logs all changes. The Health page
 * shows the number of refusals.
 */
const acts: readonly JournalAct[] = [...accessActs, "sign-in", "sign-out"];

/** Acts whose audit log entry is about an operator or a role, not about a device. */
const aboutPeople: readonly string[] = ["add-operator", "remove-operator", "invite", "change-role"];

/** Maximum number of audit log entries to read per minute. The rest is read in the next minute. */
const atOnce = 1_000;

export function createSecurityEvents(services: {
  database: Database;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  log: Record<"info" | "warn", (facts: Record<string, unknown>, text: string) => void>;
}) {
  const { database, calendar, clock, log } = services;
  let last: number | undefined;
  let refusals = new Map<RefusedWay, Refused>();

  function count(way: RefusedWay, refusal: Refused = { count: 1, newestAt: clock() }): void {
    refusals.set(way, { ...refusal, count: (refusals.get(way)?.count ?? 0) + refusal.count });
  }

  /** Writes the counts in batches so that a flood of refusals costs at most two rows per minute. */
  async function writeRefusals(): Promise<void> {
    if (refusals.size === 0) return;
    const counted = refusals;
    refusals = new Map();
    const today = dateAt(calendar, clock());
    const written = database.write(async (transaction) => {
      for (const [way, refusal] of counted)
        await addRefusals(transaction, { day: today, way, ...refusal });
    });
    await written.catch((error: unknown) => {
      // Restores the counts so that the next call writes them.
      for (const refused of counted) count(...refused);
      throw error;
    });
  }

  /** Wraps a sign-in step to log its refusals with the reason. */
  function logged<Given extends unknown[], Result extends { kind: string; problem?: string }>(
    act: string,
    step: (...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return async (...given) => {
      const result = await step(...given);
      if (result.kind === "refused" && result.problem !== undefined) {
        log.warn({ event: "security", act, problem: result.problem }, "refused");
        count("sign-in");
      }
      return result;
    };
  }

  return {
    watch: (door: SignIn): SignIn => ({
      ...door,
      signIn: logged("sign-in", door.signIn),
      welcome: logged("invitation", door.welcome),
      enrol: logged("enrol", door.enrol),
      recover: logged("recovery", door.recover),
    }),

    /**
     * Counts a call from the account system with an invalid signature. The webhook handler has
     * already logged the call.
     */
    refusedSignature: () => count("signature"),

    /** Logs new audit log entries. The first call only records the position of the newest entry. */
    async follow(): Promise<void> {
      await writeRefusals();
      const before = Number.MAX_SAFE_INTEGER;
      last ??= (await listActs(database.read, { limit: 1, id: before }))[0]?.id ?? 0;
      const entered = await listActsAfter(database.read, { id: last, limit: atOnce });
      for (const { id, act, name, about } of entered) {
        last = id;
        if (!acts.some((candidate) => candidate === act)) continue;
        const whom = aboutPeople.includes(act) ? { about } : {};
        log.info({ event: "security", act, name, ...whom }, "access event");
      }
    },
  };
}
