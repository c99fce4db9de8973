import { dateAt } from "../calendar/business-days.ts";
import type { AccountSystemConfig } from "../config.ts";
import type { Duty } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { tally } from "../deletion-requests/ledger/monthly-counters.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import type { Channel, Failure } from "../outbox/worker.ts";
import { accountChannel } from "./events.ts";
import { createHook, type HookServices } from "./hook.ts";
import { createReconciliation, tellOperators } from "./reconciliation.ts";
import { createAccountChannel } from "./sending.ts";

/**
 * The system that holds the accounts, as the server sees it: what is sent to it, what it may answer, and what time
 * brings between the two.
 */
export function createAccountSystem(
  services: Omit<HookServices, "count"> & {
    /** Within which one instance reconciles for all. */
    duty: Pick<Duty, "database">;
  },
  config: AccountSystemConfig,
) {
  const { database, keys, clock, calendar } = services;
  const isOn = config.mode !== "off";
  let counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const channels: Record<string, Channel> =
    isOn && config.url !== undefined
      ? { [accountChannel]: createAccountChannel(services, config) }
      : {};

  return {
    /** What leaves by itself; empty where events are fetched or nothing is connected. */
    channels,

    hook: isOn ? createHook({ ...services, count }, config) : undefined,

    /**
     * Calls are counted in memory, each instance has counts of its own, and written together: a flood of them writes no
     * more than a few rows a minute.
     */
    async writeCounts(): Promise<void> {
      if (counts.size === 0) return;
      const counted = counts;
      counts = new Map();
      const today = dateAt(calendar, clock());
      await database.write(async (transaction) => {
        for (const [name, count] of counted) {
          await tally(transaction, today, `account-system:${name}`, count);
        }
      });
    },

    /** What is owed between the two systems. */
    run: isOn
      ? createReconciliation({ ...services, database: services.duty.database, mode: config.mode })
      : async () => {},

    /** An event waits for a person: the operators hear of it once an hour. */
    async tellStuck(
      transaction: Write,
      item: OutboxItem,
      failure: Failure,
      now: Temporal.Instant,
    ): Promise<void> {
      const { reference, kind } = item;
      const troubled = [{ reference, kind, problem: failure.problem }];
      const hour = now.toString({ smallestUnit: "minute" }).slice(0, 13);
      await tellOperators(transaction, keys, troubled, 1, `stuck:${hour}`, now);
    },
  };
}
