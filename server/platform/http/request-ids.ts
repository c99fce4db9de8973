import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** Header with the request's id, in responses and in a trusted proxy's requests. */
export const requestIdHeader = "X-Request-Id";

/**
 * Ids that proxies create: UUIDs, nginx's `$request_id`, trace ids. They consist of hexadecimal
 * digits, so they can't carry a name, email address or token into the log.
 */
const saneId = /^[\da-f-]{16,64}$/i;

/**
 * An id for each request, by which an administrator gets from the proxy's log to ours, and from a
 * failure page to its cause.
 */
export type RequestIds = ReturnType<typeof createRequestIds>;

/** @param isProxy whether a connection comes from a trusted proxy, whose ids we take over */
export function createRequestIds(isProxy: (socketAddress: string) => boolean) {
  const current = new AsyncLocalStorage<string>();
  return {
    /** Returns the id that a trusted proxy gave to a request, or a new one. */
    idOf(socketAddress: string, given: string | null | undefined): string {
      return given && saneId.test(given) && isProxy(socketAddress) ? given : randomUUID();
    },
    /** Runs a request's work, in which `current()` returns the request's id. */
    within: <Result>(id: string, work: () => Result): Result => current.run(id, work),
    /** Returns the current request's id. Undefined outside requests. */
    current: () => current.getStore(),
  };
}
