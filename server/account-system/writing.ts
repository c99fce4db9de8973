import { type Calendar, countDaysLeft, dateAt } from "../calendar/business-days.ts";
import type { Read } from "../database/statement.ts";
import { toText } from "../database/time.ts";
import { findRequestById } from "../deletion-requests/store/finding.ts";
import { isEnded, isWorking } from "../deletion-requests/store/request.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import type { AccountEvent, WrittenEvent } from "./events.ts";
import { findHandOver } from "./hand-overs.ts";

/** A kind of data in one of the places where it lies, by the keys of the campus's list. */
export type DataPlace = { store: string; kind: string };

export type EventWriter = (item: OutboxItem) => Promise<WrittenEvent | "key-missing" | undefined>;

/**
 * Makes what leaves out of what waits, with the facts of this moment. Undefined where there is nothing to tell any more:
 * the request has ended or its address is erased.
 */
export function createEventWriter(services: {
  read: Read;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  /** Kinds of accounts that a person may have; all of them are asked for. */
  accountKinds: readonly string[];
  /** What it is to answer about. */
  kinds: readonly DataPlace[];
}): EventWriter {
  return async (item) => {
    if (!item.message) return "key-missing";
    // Sealed by this server, so it is what it wrote.
    const event = item.message as AccountEvent;
    const handOver = await findHandOver(services.read, event.id);
    if (!handOver) return undefined;
    const common = { id: event.id, reference: event.reference, test: handOver.test };
    const write = (data: Record<string, unknown>): WrittenEvent => ({
      type: event.kind,
      timestamp: toText(item.createdAt),
      data: { ...common, ...data },
    });
    if (event.kind === "account.deletion.cancelled") return write({ because: event.because });

    const request = await findRequestById(services.read, handOver.requestId);
    if (!request) return undefined;
    if (event.kind === "account.deletion.recheck") {
      if (!isEnded(request)) return undefined;
      return write({
        accountId: handOver.accountId,
        kinds: services.kinds,
        completedAt: toText(request.endedAt),
      });
    }
    if (!isWorking(request)) return undefined;
    const today = dateAt(services.calendar, services.clock());
    return write({
      address: request.email,
      accounts: services.accountKinds,
      kinds: services.kinds,
      confirmedAt: toText(request.confirmedAt),
      dueOn: request.dueOn.toString(),
      begun: handOver.isBegun,
      ...(event.kind === "account.deletion.reminder" && {
        businessDaysLeft: countDaysLeft(services.calendar, today, request.dueOn),
      }),
    });
  };
}
