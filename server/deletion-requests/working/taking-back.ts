import { encode, type RowIn, tell } from "../../database/rows.ts";
import { columnsIn } from "../../database/schema.ts";
import { mayHaveArrived } from "../../mail/delivery-problem.ts";
import type { OutboxRecord } from "../../outbox/outbox.ts";
import { type Act, type By, isSameName, type Refusal, type Undone } from "../life/life.ts";
import {
  type ConfirmedRequest,
  endedUnconfirmed,
  isEnded,
  isWorking,
  ownerOf,
  type StoredRequest,
  waitOf,
} from "../life/request.ts";
import type { EventRecord } from "../store/audit-log.ts";
import { toRequest, toRow } from "../store/request-row.ts";

/**
 * Undo. The event of an act keeps what the act changed in the request's row, so that undoing any act is one thing: the row
 * is as it was before. Nobody hears of it, because the act's email waits for ten minutes. Once that has left, its person
 * knows, and there is nothing to undo: another act follows, of which they are told as well.
 */

/** What follows where undoing comes too late. */
export const laterWays = ["release", "hand-back", "reopen"] as const;

export type TakingBack =
  | { undone: Undone }
  | { act: (typeof laterWays)[number] }
  | { because: Refusal };

type Mail = Pick<OutboxRecord, "id" | "kind" | "state" | "lastProblem" | "nextAt">;
type Event = Pick<EventRecord, "at" | "name" | "type" | "change">;
type Row = RowIn<"requests">;

/** Acts of an operator that can be undone. */
const undoable: readonly Act["type"][] = [
  "take",
  "tick",
  "complete",
  "extend",
  "hold",
  "release",
  "refuse",
  "cancel",
  "ask",
];

/** Whether the event of an act keeps what undoing it gives back. A machine's last word is not believed right away either. */
export function canBeUndone({ type }: Act, { actor, isAccountSystem }: By): boolean {
  if (actor === "operator") return undoable.includes(type);
  return isAccountSystem === true && (type === "complete" || type === "refuse");
}

/** Tells what was already said, and no life of a request: undoing restores it, but it may change meanwhile. */
const marks = ["warned_at", "told_late_at", "told_at"];
/** Follow from the end itself. */
const hashes = ["address_hash", "address_hash_version"];

/** As JSON: each column that an act changed, before and after; its emails; and those that it held back. */
type Change = {
  row: Record<string, readonly [before: unknown, after: unknown]>;
  mails: number[];
  parked: (readonly [id: number, state: string])[];
};

export function writeChange(
  before: Row,
  after: Row,
  more: Pick<Change, "mails" | "parked">,
): string {
  const row: Change["row"] = {};
  const [one, other] = [rawOf(before), rawOf(after)];
  for (const [column, value] of Object.entries(one)) {
    if (value === other[column]) continue;
    row[column] = [value, hashes.includes(column) ? null : other[column]];
  }
  return JSON.stringify({ row, ...more } satisfies Change);
}

/** A row as the tables hold it, without what names its person: no act changes that. */
function rawOf(row: Row): Record<string, unknown> {
  const told: Record<string, unknown> = row;
  return Object.fromEntries(
    columnsIn("requests").flatMap(([column, { whose }]) => {
      const name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return whose === "person" ? [] : [[column, encode(told[name])]];
    }),
  );
}

/** What can be undone of a request, the newest act first: each act whose changes are still there as it left them. */
function* findKept(
  request: StoredRequest,
  events: readonly Event[],
): Generator<Undone & { event: Event }> {
  const own = toRow(request);
  const now = rawOf(own);
  for (const event of events.toReversed()) {
    if (!event.change) continue;
    const { row, mails, parked } = JSON.parse(event.change) as Change;
    const isStill = Object.entries(row).every(
      ([column, [, after]]) =>
        marks.includes(column) || hashes.includes(column) || now[column] === after,
    );
    // What has ended since is not changed behind its end.
    if (!isStill || (isEnded(request) && !("state" in row))) continue;
    const before = Object.fromEntries(Object.entries(row).map(([name, [value]]) => [name, value]));
    const to = toRequest({ ...own, ...(tell(before) as Partial<Row>) });
    if (isEnded(to)) continue;
    yield { act: event.type as Act["type"], at: event.at, to, row: before, mails, parked, event };
  }
}

/** How an operator would take the last step back now. */
export function findTakingBack(
  request: StoredRequest,
  events: readonly Event[],
  mails: readonly Mail[],
  name: string,
): TakingBack {
  const [last] = findKept(request, events);
  const isOwn = last && isSameName(last.event.name, name);
  // Among the team anyone corrects what a person would be told; what somebody is at work on stays with them.
  const isOthers = last && !isOwn && (last.act === "take" || last.act === "tick");
  if (last && !isOthers && isUntold(last, mails)) {
    const { event: _, ...undone } = last;
    return { undone };
  }
  if (request.state === "received") return { because: "not-confirmed" };
  // What its contact heard was refused is entered anew.
  if (endedUnconfirmed(request)) return { because: "already-ended" };
  if (isEnded(request)) return { act: "reopen" };
  if (waitOf(request)) return { act: "release" };
  const owner = ownerOf(request);
  return owner !== undefined && isSameName(owner, name)
    ? { act: "hand-back" }
    : { because: "not-done" };
}

/** Whether no email of an act can have arrived. */
function isUntold({ mails: ids }: Undone, mails: readonly Mail[]): boolean {
  return ids.every((id) => {
    const mail = mails.find((one) => one.id === id);
    const isUnsent = mail?.state === "waiting" || mail?.state === "needs-person";
    return mail !== undefined && isUnsent && !mayHaveArrived(mail.lastProblem);
  });
}

/** Acts that promise something else, and nothing has become of it yet. */
const promising: readonly string[] = ["hold", "extend", "release"];

/**
 * A request as its person knows it: a new date or a hold shows on their page when its email is due, and not while an
 * operator may still undo it.
 */
export function asTold<One extends EventRecord>(
  request: ConfirmedRequest,
  events: readonly One[],
  mails: readonly Mail[],
  now: Temporal.Instant,
): { request: ConfirmedRequest; events: readonly One[] } {
  let known = request;
  const hidden: unknown[] = [];
  for (const { event, to, ...undone } of findKept(request, events)) {
    const isPending = mails.some(
      ({ id, nextAt }) => undone.mails.includes(id) && Temporal.Instant.compare(nextAt, now) > 0,
    );
    if (!promising.includes(event.type) || !isPending) continue;
    if (!isUntold({ ...undone, to }, mails)) continue;
    const row = { ...toRow(known), ...(tell(undone.row) as Partial<Row>) };
    const before = toRequest(row);
    if (!isWorking(before)) continue;
    known = before;
    hidden.push(event);
  }
  return { request: known, events: withoutUndone(events, hidden) };
}

/** A history without what was undone before anyone heard of it, or is `hidden`; the undoing of an end stays. */
function withoutUndone<One extends EventRecord>(
  events: readonly One[],
  hidden: readonly unknown[],
): readonly One[] {
  const gone = new Set<unknown>(hidden);
  events.forEach((event, index) => {
    if (event.type !== "undo" || !event.code) return;
    const isUndone = (one: One) =>
      one.change !== undefined && one.type === event.code && !gone.has(one);
    gone.add(events.slice(0, index).findLast(isUndone));
    if (!["complete", "refuse", "cancel"].includes(event.code)) gone.add(event);
  });
  // A hold that moves the date has a second event.
  return events.filter((event, index) => {
    const isSecond = event.type === "extend" && event.change === undefined;
    return !gone.has(event) && !(isSecond && gone.has(events[index - 1]));
  });
}
