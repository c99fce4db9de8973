import type { AccountSystemConfig } from "../config.ts";
import type { Duty } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import type { Failure, OutboxItem } from "../outbox/outbox.ts";
import type { Channel } from "../outbox/worker.ts";
import { accountChannel } from "./events.ts";
import { createHook, type HookServices } from "./hook.ts";
import { createReconciliation, tellOperators } from "./reconciliation.ts";
import { createAccountChannel } from "./sending.ts";

/**
 * The system that holds the accounts, as the server sees it: what is sent to it, what it may answer, and what time
 * brings between the two.
 */
export function createAccountSystem(
  services: HookServices & {
    /** Within which one instance reconciles for all. */
    duty: Pick<Duty, "database">;
  },
  config: AccountSystemConfig,
) {
  const { keys } = services;
  const isOn = config.mode !== "off";
  const channels: Record<string, Channel> =
    isOn && config.url !== undefined
      ? { [accountChannel]: createAccountChannel(services, config) }
      : {};

  return {
    /** What leaves by itself; empty where events are fetched or nothing is connected. */
    channels,

    hook: isOn ? createHook(services, config) : undefined,

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
