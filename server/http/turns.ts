import { setImmediate } from "node:timers/promises";
import type { NetworkBudget } from "./networks.ts";

/**
 * Turns at work that holds the one thread, such as rendering a page. Networks are served in rotation, a few pieces of
 * work at once, so that whoever asks a thousand times waits behind themselves and nobody else. What it costs is spent
 * from the client's budget: an estimate before, so that no queue grows beyond it, and the rest after.
 */
export type Turns = ReturnType<typeof createTurns>;

export type Turn<T> =
  | { kind: "done"; value: T }
  /** This client has nothing left to spend. */
  | { kind: "busy"; retryAfterMs: number }
  /** Whoever wanted it went away meanwhile, so nothing was done. */
  | { kind: "gone" };

/** What a page takes at least, in milliseconds. */
const leastMs = 2;

export function createTurns({
  atOnce,
  budget,
}: {
  /** Pieces of work under way at once. */
  atOnce: number;
  budget: Pick<NetworkBudget, "spendWork">;
}) {
  const queues = new Map<string, (() => void)[]>();
  let underWay = 0;

  async function release(): Promise<void> {
    await letOthersIn();
    underWay--;
    startNext();
  }

  function startNext(): void {
    while (underWay < atOnce) {
      const first = queues.entries().next().value;
      if (!first) return;
      const [network, queue] = first;
      const start = queue.shift();
      queues.delete(network);
      if (queue.length > 0) queues.set(network, queue);
      if (start) {
        underWay++;
        start();
      }
    }
  }

  return {
    /** Whoever is told to be busy is told without waiting. */
    async run<T>(
      client: string,
      work: () => Promise<T>,
      isGone: () => boolean = () => false,
    ): Promise<Turn<T>> {
      const spent = budget.spendWork(client, leastMs);
      if (!spent.ok) return { kind: "busy", retryAfterMs: spent.retryAfterMs };
      const queue = queues.getOrInsert(spent.network, []);
      const turn = new Promise<void>((start) => queue.push(start));
      startNext();
      await turn;
      const before = process.threadCpuUsage();
      try {
        return isGone() ? { kind: "gone" } : { kind: "done", value: await work() };
      } finally {
        const { user, system } = process.threadCpuUsage(before);
        // What else was under way took its part of that time.
        budget.spendWork(client, Math.max(0, (user + system) / 1_000 / underWay - leastMs));
        void release();
      }
    },
  };
}

/** How long the event loop turns between two pieces of work, and how often at most. */
const pause = { mostTurns: 64, mostMs: 50 };

/**
 * Lets waiting connections in between two pieces of work that hold the one thread. The event loop accepts one new connection
 * on each turn (libuv since 1.46), so that after a single turn a newcomer would wait for one piece of work per connection
 * before theirs. Idle turns take microseconds; the limit in milliseconds is for turns in which other requests are answered.
 */
export async function letOthersIn(): Promise<void> {
  const until = performance.now() + pause.mostMs;
  for (let turn = 0; turn < pause.mostTurns && performance.now() < until; turn++) {
    await setImmediate();
  }
}
