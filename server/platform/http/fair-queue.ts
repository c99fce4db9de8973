import { setImmediate } from "node:timers/promises";
import type { NetworkBudget } from "./networks.ts";

/**
 * Fair queue for work that occupies the single thread, such as rendering a page. It serves networks
 * round-robin, a few jobs at a time. A client with a thousand requests therefore delays only its
 * own network. Each job is charged to the client's budget: an estimate in advance, to limit the
 * queue's length, and the difference afterward.
 */
export type Turns = ReturnType<typeof createFairQueue>;

type Turn<T> =
  | { kind: "done"; value: T }
  /** The client has used up its budget. */
  | { kind: "busy"; retryAfterMs: number }
  /** The client hung up before the work began. */
  | { kind: "gone" };

/** Minimum charge for a page, taken in advance, in milliseconds. */
const leastMs = 2;

export function createFairQueue({
  atOnce,
  budget,
}: {
  /** Maximum number of concurrent jobs. */
  atOnce: number;
  budget: Pick<NetworkBudget, "spendWork">;
}) {
  const queues = new Map<string, (() => void)[]>();
  let running = 0;

  async function release(): Promise<void> {
    await yieldToOthers();
    running--;
    startNext();
  }

  function startNext(): void {
    while (running < atOnce) {
      const first = queues.entries().next().value;
      if (!first) return;
      const [network, queue] = first;
      const start = queue.shift();
      queues.delete(network);
      if (queue.length > 0) queues.set(network, queue);
      if (start) {
        running++;
        start();
      }
    }
  }

  return {
    /**
     * Runs `work` when its turn comes. Returns `busy` immediately if the client's budget is spent.
     */
    async run<T>(
      client: string,
      work: () => Promise<T>,
      isDisconnected: () => boolean = () => false,
    ): Promise<Turn<T>> {
      const spent = budget.spendWork(client, leastMs);
      if (!spent.ok) return { kind: "busy", retryAfterMs: spent.retryAfterMs };
      const queue = queues.getOrInsert(spent.network, []);
      const turn = new Promise<void>((start) => queue.push(start));
      startNext();
      await turn;
      const before = process.threadCpuUsage();
      try {
        return isDisconnected() ? { kind: "gone" } : { kind: "done", value: await work() };
      } finally {
        const { user, system } = process.threadCpuUsage(before);
        // Divides the thread's time among the running jobs.
        budget.spendWork(client, Math.max(0, (user + system) / 1_000 / running - leastMs));
        void release();
      }
    },
  };
}

/** Limits on event-loop turns between two jobs. */
const pause = { mostTurns: 64, mostMs: 50 };

/**
 * Lets the event loop accept waiting connections between two jobs. The event loop accepts one
 * connection per turn (libuv since 1.46). With a single turn, a new client would wait one job for
 * each connection ahead of it. Idle turns take microseconds; `mostMs` matters only if the turns
 * serve other requests.
 */
export async function yieldToOthers(): Promise<void> {
  const until = performance.now() + pause.mostMs;
  for (let turn = 0; turn < pause.mostTurns && performance.now() < until; turn++) {
    await setImmediate();
  }
}
