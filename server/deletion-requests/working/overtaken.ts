import type { Write } from "../../database/statement.ts";
import { type ConfirmedRequest, isConfirmed, type StoredRequest } from "../life/request.ts";
import { type EventRecord, listEvents, wasEnteredBy } from "../store/audit-log.ts";

/** What changes nothing that an operator decides by. */
const quiet = ["note", "resend", "retry", "late"];
const eventsTold = 100;

/**
 * What happened to a request since somebody looked at it; undefined where nothing did. The same act pressed twice by one
 * person overtakes nobody, and is done; so is a form that is sent again because its answer was lost.
 * @param acts under which names the trail has what the operator does now
 * @param page.seen the id of the newest event when they looked; undefined for whoever acts on what is there now
 */
export async function findOvertaken(
  transaction: Write,
  request: StoredRequest,
  acts: readonly string[],
  name: string,
  { seen, formKey }: { seen?: number | undefined; formKey?: string | undefined } = {},
): Promise<
  | { kind: "done"; request: ConfirmedRequest }
  | { kind: "overtaken"; request: StoredRequest; since: EventRecord[] }
  | undefined
> {
  if (formKey && isConfirmed(request)) {
    const wasDone = await wasEnteredBy(transaction, request.id, acts, formKey);
    if (wasDone) return { kind: "done", request };
  }
  if (seen === undefined) return undefined;
  const since = (
    await listEvents(transaction, { requestId: request.id, after: seen, limit: eventsTold })
  ).filter(({ type }) => !quiet.includes(type));
  if (since.length === 0) return undefined;
  const isOwn = since.every((event) => acts.includes(event.type) && event.name === name);
  return isOwn && isConfirmed(request)
    ? { kind: "done", request }
    : { kind: "overtaken", request, since };
}
