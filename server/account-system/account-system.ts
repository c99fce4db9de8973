import { dateAt } from "../calendar/business-days.ts";
import type { AccountSystemConfig } from "../config.ts";
import type { Database, Duty } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { tally } from "../deletion-requests/ledger/monthly-counters.ts";
import type { DataList } from "../deletion-requests/life/checklist.ts";
import type { Office } from "../deletion-requests/working/acts.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import type { Channel, Failure } from "../outbox/worker.ts";
import { createAnswering } from "./answering.ts";
import { createAccountChannel } from "./channel.ts";
import { accountChannel } from "./events.ts";
import { createHook, type Hook } from "./hook.ts";
import { createReconciliation, tellOperators } from "./reconciliation.ts";
import { createSend } from "./sending.ts";
import { createEventWriter } from "./writing.ts";

/**
 * The system that holds the accounts, as the server sees it: what is sent to it, what it may answer, and what time
 * brings between the two.
 */
export function createAccountSystem(
  services: Office & {
    database: Database;
    /** Within which one instance reconciles for all. */
    duty: Pick<Duty, "database">;
    clock: () => Temporal.Instant;
    onOutbox?: () => void;
    log: { warn(facts: Record<string, unknown>, text: string): void };
    /** Absolute address of the hook. */
    place: string;
    /** Where data lies. */
    dataList: DataList;
    /** Told of each call that was not believed. */
    onDisbelieved?: () => void;
  },
  config: AccountSystemConfig,
) {
  const { database, keys, clock, calendar } = services;
  const reconciliation = createReconciliation({
    ...services,
    database: services.duty.database,
    mode: config.mode,
  });
  const writeEvent = createEventWriter({ ...services, read: database.read });
  let counts = new Map<string, number>();

  function connect(): { channels: Record<string, Channel>; hook: Hook | undefined } {
    if (config.mode === "off") return { channels: {}, hook: undefined };
    const hook = createHook(
      {
        ...services,
        answering: createAnswering(services),
        writeEvent,
        count: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
      },
      config,
    );
    if (config.url === undefined) return { channels: {}, hook };
    const send = createSend(config);
    return {
      channels: { [accountChannel]: createAccountChannel({ ...services, writeEvent, send }) },
      hook,
    };
  }

  /** Calls are counted in memory, and written together: a flood of them writes no more than a few rows a minute. */
  async function writeCounts(): Promise<void> {
    if (counts.size === 0) return;
    const counted = counts;
    counts = new Map();
    const today = dateAt(calendar, clock());
    await database.write(async (transaction) => {
      for (const [name, count] of counted) {
        await tally(transaction, today, `account-system:${name}`, count);
      }
    });
  }

  return {
    /** What leaves by itself; empty where events are fetched or nothing is connected. */
    ...connect(),

    /** What was counted here; each instance has counts of its own. */
    writeCounts,

    /** What is owed between the two systems. */
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
