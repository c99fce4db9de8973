import { dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { type QueuedRequest, withDaysLeft } from "../deletion-requests/desk.ts";
import { isHeld } from "../deletion-requests/life.ts";
import { listAwayOn } from "../deletion-requests/presence.ts";
import { countReceived } from "../deletion-requests/store/counts.ts";
import {
  isWorking,
  type StoredRequest,
  type WorkingRequest,
} from "../deletion-requests/store/request.ts";
import type { Office } from "../deletion-requests/transitions.ts";
import type { Group, View } from "./acts.ts";
import { listJustDone, listToApprove, listView } from "./lists.ts";

export type TodaysWork = {
  [Name in Group]: {
    requests: QueuedRequest[];
    /** There are more than are shown. */
    more: boolean;
  };
} & {
  /** How many wait for their person, of whom nobody can do anything. */
  unconfirmed: number;
};

/** So many on a card; a list has the others. */
const shown = 25;

/**
 * What there is to do today, for one operator: what is late whoever is at work on it, then what is theirs and nobody's
 * and can be done, then what waits.
 */
export async function readToday(
  {
    database,
    calendar,
    clock,
  }: Pick<Office, "calendar"> & { database: Database; clock: () => Temporal.Instant },
  name: string,
): Promise<TodaysWork> {
  const now = clock();
  const today = dateAt(calendar, now);
  const { read } = database;
  const card = (requests: readonly StoredRequest[], more: boolean) => ({
    requests: requests.slice(0, shown).map((request) => withDaysLeft(calendar, today, request)),
    more: more || requests.length > shown,
  });
  /** A view from today on, without what lies on another card. */
  const of = async (
    view: View,
    belongs: (request: WorkingRequest) => boolean,
    due = false,
    whose = name,
  ) => {
    // Everything before today is late.
    const after = due ? { key: today.toString(), id: 0 } : undefined;
    const page = await listView(read, { view, name: whose, today, after, limit: 2 * shown });
    return card(page.requests.filter(isWorking).filter(belongs), page.next !== undefined);
  };
  const isLate = ({ dueOn }: WorkingRequest) => Temporal.PlainDate.compare(dueOn, today) < 0;
  const isWaiting = ({ hold }: WorkingRequest) => isHeld({ heldUntil: hold?.until }, today);
  const canBeDone = (request: WorkingRequest) => !request.done && !isWaiting(request);
  /** What nobody has taken, and what those have who are away today; due soonest first. */
  const unattended = async () => {
    let all = await of("nobody", canBeDone, true);
    for (const [away] of await listAwayOn(read, today)) {
      if (away === name) continue;
      const theirs = await of("mine", canBeDone, true, away);
      const requests = [...all.requests, ...theirs.requests].sort(byDueDate);
      const more = all.more || theirs.more || requests.length > shown;
      all = { requests: requests.slice(0, shown), more };
    }
    return all;
  };
  const toApprove = await listToApprove(read, shown + 1);
  const justDone = await listJustDone(read, shown + 1);
  return {
    late: await of("late", ({ done }) => !done),
    mine: await of("mine", canBeDone, true),
    nobody: await unattended(),
    approve: card(toApprove, false),
    done: card(justDone, false),
    system: await of("system", (request) => canBeDone(request) && !isLate(request)),
    held: await of("held", (request) => !request.done && !isLate(request)),
    unconfirmed: (await countReceived(read)) - toApprove.length,
  };
}

function byDueDate(one: StoredRequest, other: StoredRequest): number {
  if (!isWorking(one) || !isWorking(other)) return 0;
  return Temporal.PlainDate.compare(one.dueOn, other.dueOn) || one.id - other.id;
}
