import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

/** Header that contains the request's id, in responses and in requests from a trusted proxy. */
export const requestIdHeader = "X-Request-Id";

/**
 * Matches the ids that proxies create: UUIDs, nginx's `$request_id` and trace ids. Allows only
 * hexadecimal digits so that no name, email address or token gets into the log.
 */
const saneId = /^[\da-f-]{16,64}$/i;

/**
 * Request ids, by which an administrator can follow a request from the proxy's log to ours, and
 * from a failure page to its cause.
 */
export type RequestIds = ReturnType<typeof createRequestIds>;

/** @param isProxy checks whether a connection comes from a trusted proxy, whose ids we adopt */
export function createRequestIds(isProxy: (socketAddress: string) => boolean) {
  const current = new AsyncLocalStorage<string>();
  return {
    /** Returns the id from a trusted proxy, or a new id. */
    idOf(socketAddress: string, given: string | null | undefined): string {
      return given && saneId.test(given) && isProxy(socketAddress) ? given : randomUUID();
    },
    /** Runs `work`, in which `current()` returns the request's id. */
    within: <Result>(id: string, work: () => Result): Result => current.run(id, work),
    /** Returns the current request's id, or `undefined` outside of requests. */
    current: () => current.getStore(),
  };
}
