import type { Calendar } from "../calendar/business-days.ts";
import type { AccountSystemConfig } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import type { Keys } from "../keys/keys.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import type { Channel, Failure } from "../outbox/worker.ts";
import { createAccountChannel } from "./channel.ts";
import { accountChannel } from "./events.ts";
import { createReconciliation, tellOperators } from "./reconciliation.ts";
import { createSend } from "./sending.ts";
import { createEventWriter } from "./writing.ts";

/**
 * The system that holds the accounts, as the server sees it: what is sent to it, what it may answer, and what time
 * brings between the two.
 */
export function createAccountSystem(
  services: {
    database: Database;
    keys: Keys;
    calendar: Calendar;
    clock: () => Temporal.Instant;
    onOutbox?: () => void;
  },
  config: AccountSystemConfig,
  accountKinds: readonly string[],
) {
  const { database, keys } = services;
  const reconciliation = createReconciliation({ ...services, mode: config.mode });
  const writeEvent = createEventWriter({ ...services, read: database.read, accountKinds });
  const channels: Record<string, Channel> =
    config.mode === "off" || config.url === undefined
      ? {}
      : {
          [accountChannel]: createAccountChannel({
            ...services,
            writeEvent,
            send: createSend(config),
          }),
        };

  return {
    /** What leaves by itself; empty where events are fetched or nothing is connected. */
    channels,
    run: reconciliation.run,
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
