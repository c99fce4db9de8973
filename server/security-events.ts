import { type Calendar, dateAt } from "./calendar/business-days.ts";
import type { Database } from "./database/database.ts";
import { addRefusals, type Refused, type RefusedWay } from "./database/refusals.ts";
import {
  accessActs,
  type JournalAct,
  listActs,
  listActsAfter,
} from "./deletion-requests/store/audit-log.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

/**
 * What whoever watches over the service looks for, as one kind of line in the log (`event: "security"`): who was refused, and
 * every change of who may come in while it runs, made on the pages or in the shell, because both stand in the journal. A line
 * names an operator at most; each server of several writes them all. Who was refused is counted for Health, too.
 */
const acts: readonly JournalAct[] = [...accessActs, "sign-in", "sign-out"];

/** In these the journal says who or which role, and never a device. */
const aboutPeople: readonly string[] = ["add-operator", "remove-operator", "invite", "change-role"];

/** Each minute; what is beyond that comes with the next. */
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

  function count(way: RefusedWay, one: Refused = { count: 1, newestAt: clock() }): void {
    refusals.set(way, { ...one, count: (refusals.get(way)?.count ?? 0) + one.count });
  }

  /** Written together: a flood of them writes no more than two rows a minute. */
  async function writeRefusals(): Promise<void> {
    if (refusals.size === 0) return;
    const counted = refusals;
    refusals = new Map();
    const today = dateAt(calendar, clock());
    const written = database.write(async (transaction) => {
      for (const [way, one] of counted) await addRefusals(transaction, { day: today, way, ...one });
    });
    await written.catch((error: unknown) => {
      // They are written with the next ones.
      for (const refused of counted) count(...refused);
      throw error;
    });
  }

  /** Says of whoever is refused at one of the door's ways in why they were. */
  function told<Given extends unknown[], Result extends { kind: string }>(
    act: string,
    ask: (...given: Given) => Promise<Result>,
  ): (...given: Given) => Promise<Result> {
    return async (...given) => {
      const result = await ask(...given);
      if (result.kind === "refused" && "problem" in result) {
        log.warn({ event: "security", act, problem: result.problem }, "refused");
        count("sign-in");
      }
      return result;
    };
  }

  return {
    watch: (door: SignIn): SignIn => ({
      ...door,
      signIn: told("sign-in", door.signIn),
      welcome: told("invitation", door.welcome),
      enrol: told("enrol", door.enrol),
      recover: told("recovery", door.recover),
    }),

    /** The account system's call was not believed; whoever refused it has said so in the log. */
    refusedSignature: () => count("signature"),

    /** Writes down what was entered since the last time; the first time it only looks where the journal ends. */
    async follow(): Promise<void> {
      await writeRefusals();
      const before = Number.MAX_SAFE_INTEGER;
      last ??= (await listActs(database.read, { limit: 1, id: before }))[0]?.id ?? 0;
      const entered = await listActsAfter(database.read, { id: last, limit: atOnce });
      for (const { id, act, name, about } of entered) {
        last = id;
        if (!acts.some((one) => one === act)) continue;
        const whom = aboutPeople.includes(act) ? { about } : {};
        log.info({ event: "security", act, name, ...whom }, "who may act");
      }
    },
  };
}
