import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** Response header, and request header of a trusted proxy, with the request's id. */
export const requestIdHeader = "X-Request-Id";

/**
 * Ids that proxies make: UUIDs, nginx's `$request_id`, trace ids. They consist of hexadecimal digits,
 * so no name, email address or token fits into the log this way.
 */
const saneId = /^[\da-f-]{16,64}$/i;

/**
 * An id for each request, which leads from the proxy's log to ours and from a fault page to its
 * cause.
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
    /** Returns the id of the request that runs; undefined outside of requests. */
    current: () => current.getStore(),
  };
}
