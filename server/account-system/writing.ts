import { type Calendar, countDaysLeft, dateAt } from "../calendar/business-days.ts";
import type { Read } from "../database/statement.ts";
import { toText } from "../database/time.ts";
import {
  type DataList,
  kindsToAnswer,
  recipientsToTell,
} from "../deletion-requests/life/checklist.ts";
import { findRequestById } from "../deletion-requests/store/finding.ts";
import { isEnded, isWorking, waitOf } from "../deletion-requests/store/request.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import type { AccountEvent, WrittenEvent } from "./events.ts";
import { findHandOver, isDoubted } from "./hand-overs.ts";
import { isKeptWaiting } from "./handing-over.ts";

export type EventWriter = (item: OutboxItem) => Promise<WrittenEvent | "key-missing" | undefined>;

/**
 * Makes what leaves out of what waits, with the facts of this moment. Undefined where there is nothing to tell any more:
 * the request has ended or its address is erased.
 */
export function createEventWriter(services: {
  read: Read;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  dataList: DataList;
}): EventWriter {
  const { dataList } = services;
  const kinds = kindsToAnswer(dataList);
  // Whichever kind of account it is: all of them are asked for.
  const accounts = [...new Set(dataList.kinds.flatMap((row) => row.accounts))];
  return async (item) => {
    if (!item.message) return "key-missing";
    // Sealed by this server, so it is what it wrote.
    const event = item.message as AccountEvent;
    const handOver = await findHandOver(services.read, { publicId: event.id });
    if (!handOver) return undefined;
    const common = { id: event.id, reference: event.reference, test: handOver.test };
    const write = (data: Record<string, unknown>): WrittenEvent => ({
      type: event.kind,
      timestamp: toText(item.createdAt),
      data: { ...common, ...data },
    });
    if (event.kind === "account.deletion.cancelled") return write({ because: event.because });

    const request = await findRequestById(services.read, { id: handOver.requestId });
    if (!request) return undefined;
    if (event.kind === "account.deletion.recheck") {
      if (!isEnded(request)) return undefined;
      return write({
        accountId: handOver.accountId,
        kinds,
        completedAt: toText(request.endedAt),
      });
    }
    if (!isWorking(request)) return undefined;
    if (event.kind === "account.deletion.held") {
      const until = waitOf(request)?.until;
      return until && write({ until: until.toString() });
    }
    if (event.kind === "account.deletion.standing") return write({});
    // Written before an operator made it wait, or before a copy was put back.
    if (isKeptWaiting(request) || (await isDoubted(services.read, handOver))) return undefined;
    const today = dateAt(services.calendar, services.clock());
    return write({
      address: request.email,
      accounts,
      kinds,
      tell: recipientsToTell(dataList),
      confirmedAt: toText(request.confirmedAt),
      dueOn: request.dueOn.toString(),
      begun: handOver.isBegun,
      ...(event.kind === "account.deletion.reminder" && {
        businessDaysLeft: countDaysLeft(services.calendar, today, request.dueOn),
      }),
    });
  };
}
