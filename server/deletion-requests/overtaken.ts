import type { Write } from "../database/statement.ts";
import { type ConfirmedRequest, isConfirmed, type StoredRequest } from "./store/request.ts";
import { type EventRecord, listEventsAfter } from "./store/trail.ts";

/** What changes nothing that an operator decides by. */
const quiet = ["note", "resend", "retry", "late"];
const eventsTold = 100;

/**
 * What happened to a request since somebody looked at it; undefined where nothing did. The same act pressed twice by one
 * person overtakes nobody, and is done.
 * @param acts under which names the trail has what the operator does now
 * @param seen the id of the newest event when they looked; undefined for whoever acts on what is there now
 */
export async function findOvertaken(
  transaction: Write,
  request: StoredRequest,
  acts: readonly string[],
  name: string,
  seen: number | undefined,
): Promise<
  | { kind: "done"; request: ConfirmedRequest }
  | { kind: "overtaken"; request: StoredRequest; since: EventRecord[] }
  | undefined
> {
  if (seen === undefined) return undefined;
  const since = (await listEventsAfter(transaction, request.id, seen, eventsTold)).filter(
    ({ type }) => !quiet.includes(type),
  );
  if (since.length === 0) return undefined;
  const isOwn = since.every((event) => acts.includes(event.type) && event.name === name);
  return isOwn && isConfirmed(request)
    ? { kind: "done", request }
    : { kind: "overtaken", request, since };
}
