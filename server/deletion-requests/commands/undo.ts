import { mayHaveArrived } from "../../delivery/delivery-problem.ts";
import type { OutboxRecord } from "../../delivery/outbox.ts";
import { decodeRow, encode, type RowIn } from "../../platform/database/rows.ts";
import { columnsIn } from "../../platform/database/schema.ts";
import { finalAt } from "../presenters/request.ts";
import type { EventRecord } from "../repository/audit-log.ts";
import { toRequest, toRow } from "../repository/request-row.ts";
import {
  endedUnconfirmed,
  holdOf,
  isEnded,
  isWorking,
  ownerOf,
  type StoredRequest,
} from "../state-machine/request.ts";
import {
  type Act,
  type By,
  isSameName,
  type Refusal,
  type Undone,
} from "../state-machine/state-machine.ts";

/**
 * Undo of operators' acts. Each act's event stores the changed columns of the request's row so that
 * undo can restore them. The act's email waits ten minutes, so the requester doesn't notice an undo
 * in that time. Later, only another act can reverse the first, and the requester gets an email
 * about both.
 */

/** Acts that reverse an earlier act that can no longer be undone. */
export const reversingActs = ["release", "hand-back", "reopen"] as const;

type Reversal =
  | { kind: "undo"; undone: Undone }
  | { kind: "reverse"; act: (typeof reversingActs)[number] }
  | { kind: "refused"; refusal: Refusal };

const reverse = (act: (typeof reversingActs)[number]): Reversal => ({ kind: "reverse", act });
const refuse = (refusal: Refusal): Reversal => ({ kind: "refused", refusal });

type ActEmail = Pick<OutboxRecord, "id" | "kind" | "state" | "lastProblem">;
type Event = Pick<EventRecord, "at" | "name" | "type" | "change">;
type Row = RowIn<"requests">;

const undoable: readonly Act["type"][] = [
  "take",
  "tick",
  "complete",
  "extend",
  "hold",
  "release",
  "refuse",
  "cancel",
  "approve",
  "ask",
];

/**
 * Checks whether an act can be undone: one of the operators' acts in `undoable`, or an outcome that
 * the account system reported.
 */
export function canBeUndone({ type }: Act, { actor, isAccountSystem }: By): boolean {
  if (actor === "operator") return undoable.includes(type);
  return isAccountSystem === true && (type === "complete" || type === "refuse");
}

/**
 * Timestamps of sent emails. Undo restores these columns, even if they have changed since the act.
 */
const marks = ["warned_at", "told_late_at", "told_at"];
/** Columns computed when the request ends. */
const hashes = ["address_hash", "address_hash_version"];

/**
 * Undo data of an event, stored as JSON. `mails` lists the ids of the act's emails, and `parked`
 * the emails that the act held back.
 */
type StoredChange = {
  row: Record<string, readonly [before: unknown, after: unknown]>;
  mails: number[];
  parked: (readonly [id: number, state: string])[];
};

export function writeChange(
  before: Row,
  after: Row,
  more: Pick<StoredChange, "mails" | "parked">,
): string {
  const row: StoredChange["row"] = {};
  const [old, current] = [storedColumns(before), storedColumns(after)];
  for (const [column, value] of Object.entries(old)) {
    if (value === current[column]) continue;
    row[column] = [value, hashes.includes(column) ? null : current[column]];
  }
  return JSON.stringify({ row, ...more } satisfies StoredChange);
}

/**
 * Returns a row's columns in their stored format. Leaves out personal data, because no undoable act
 * changes it.
 */
function storedColumns(row: Row): Record<string, unknown> {
  const fields: Record<string, unknown> = row;
  return Object.fromEntries(
    columnsIn("requests").flatMap(([column, { whose }]) => {
      const name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return whose === "person" ? [] : [[column, encode(fields[name])]];
    }),
  );
}

/**
 * Finds the state before an act. Returns undefined if the event has no undo data, or if a later act
 * changed the same columns.
 */
function findChange(request: StoredRequest, event: Event): Undone | undefined {
  if (!event.change) return undefined;
  const current = toRow(request);
  const now = storedColumns(current);
  const { row, mails, parked: heldBack } = JSON.parse(event.change) as StoredChange;
  const isStill = Object.entries(row).every(
    ([column, [, after]]) =>
      marks.includes(column) || hashes.includes(column) || now[column] === after,
  );
  // If the request has ended since then, an operator must undo the outcome first.
  if (!isStill || (isEnded(request) && !Object.hasOwn(row, "state"))) return undefined;
  const before = Object.fromEntries(Object.entries(row).map(([name, [value]]) => [name, value]));
  const to = toRequest({ ...current, ...(decodeRow(before) as Partial<Row>) });
  if (isEnded(to)) return undefined;
  return { act: event.type as Act["type"], at: event.at, to, row: before, mails, heldBack };
}

/** Determines how the operator can reverse the last step now. */
export function findUndo(
  request: StoredRequest,
  events: readonly Event[],
  mails: readonly ActEmail[],
  name: string,
): Reversal {
  const event = events.findLast((candidate) => findChange(request, candidate));
  const last = event && findChange(request, event);
  const isOwn = event && isSameName(event.name, name);
  // Only the same operator may undo taking a request or saving the checklist. Any operator may undo
  // other acts.
  const isOthers = last && !isOwn && (last.act === "take" || last.act === "tick");
  if (last && !isOthers && isUnannounced(last, mails)) {
    return { kind: "undo", undone: last };
  }
  if (request.state === "received") return refuse("not-confirmed");
  // A refused entry can't be reopened after its email is sent. An operator has to enter it again.
  if (endedUnconfirmed(request)) return refuse("already-ended");
  if (isEnded(request)) return reverse("reopen");
  if (holdOf(request)) return reverse("release");
  const owner = ownerOf(request);
  return owner !== undefined && isSameName(owner, name) ? reverse("hand-back") : refuse("not-done");
}

/** Checks whether none of an act's emails can have reached the requester. */
function isUnannounced({ mails: ids }: Undone, mails: readonly ActEmail[]): boolean {
  return ids.every((id) => {
    const mail = mails.find((candidate) => candidate.id === id);
    const isUnsent = mail?.state === "waiting" || mail?.state === "needs-person";
    return mail !== undefined && isUnsent && !mayHaveArrived(mail.lastProblem);
  });
}

/**
 * Acts that stay hidden from the requester until their email is due. Starting the work isn't
 * hidden, because it ends the right to cancel.
 */
const promising: readonly Act["type"][] = [
  "approve",
  "hold",
  "extend",
  "release",
  "refuse",
  "cancel",
];

export type RequesterView<One> = {
  request: StoredRequest;
  events: readonly One[];
  /** Acts hidden from the requester, newest first. */
  hidden: readonly Undone[];
};

/**
 * Returns the requester's view of a request. An act appears once its undo period is over and its
 * email is due. A completion appears once it is final.
 */
export function asPersonKnowsIt<One extends EventRecord>(
  request: StoredRequest,
  events: readonly One[],
  mails: readonly ActEmail[],
  now: Temporal.Instant,
): RequesterView<One> {
  let known = withoutDone(request);
  let unsent = mails;
  const undone: Undone[] = [];
  const hidden: One[] = [];
  for (const event of events.toReversed()) {
    const isUndoable = Temporal.Instant.compare(finalAt(event.at), now) > 0;
    if (!isUndoable || !promising.includes(event.type as Act["type"])) continue;
    const change = findChange(known, event);
    if (!change || !isUnannounced(change, unsent)) continue;
    known = withoutDone(change.to);
    unsent = withHeldBack(unsent, change.heldBack);
    undone.push(change);
    hidden.push(event);
  }
  return { request: known, events: withoutUndone(events, hidden), hidden: undone };
}

const withoutDone = (request: StoredRequest): StoredRequest =>
  isWorking(request) ? { ...request, done: undefined } : request;

/** Returns the emails in the states they had before an act held some of them back. */
function withHeldBack(mails: readonly ActEmail[], heldBack: Undone["heldBack"]): ActEmail[] {
  const states = new Map(heldBack);
  return mails.map((mail) => ({
    ...mail,
    state: (states.get(mail.id) ?? mail.state) as ActEmail["state"],
  }));
}

/**
 * Filters the history for the requester's page. Drops hidden events, undone events and the undo
 * events themselves. Keeps the undo event only if it reversed an outcome that the page may have
 * shown.
 */
function withoutUndone<One extends EventRecord>(
  events: readonly One[],
  hidden: readonly unknown[],
): readonly One[] {
  const dropped = new Set<unknown>(hidden);
  events.forEach((event, index) => {
    if (event.type !== "undo" || !event.code) return;
    const isUndone = (candidate: One) =>
      candidate.change !== undefined && candidate.type === event.code && !dropped.has(candidate);
    const undone = events.slice(0, index).findLast(isUndone);
    dropped.add(undone);
    const wasShown = undone && Temporal.Instant.compare(event.at, finalAt(undone.at)) >= 0;
    if (!wasShown || !["refuse", "cancel"].includes(event.code)) dropped.add(event);
  });
  // A hold that moves the due date causes two events. Drops both.
  return events.filter((event, index) => {
    const isSecond = event.type === "extend" && event.change === undefined;
    return !dropped.has(event) && !(isSecond && dropped.has(events[index - 1]));
  });
}
