import { letOthersIn } from "../let-others-in.ts";

/**
 * Turns at work that holds the one thread, such as rendering a page. Clients are served in rotation, a few pieces of
 * work at once, so that whoever asks a thousand times waits behind themselves and nobody else.
 */
export type Turns = ReturnType<typeof createTurns>;

export function createTurns(options: {
  /** Pieces of work under way at once. */
  atOnce: number;
  /** Pieces of work that one client may have waiting. */
  waitingEach: number;
}) {
  const queues = new Map<string, (() => void)[]>();
  let underWay = 0;

  async function release(): Promise<void> {
    await letOthersIn();
    underWay--;
    startNext();
  }

  function startNext(): void {
    while (underWay < options.atOnce) {
      const first = queues.entries().next().value;
      if (!first) return;
      const [client, queue] = first;
      const start = queue.shift();
      queues.delete(client);
      if (queue.length > 0) queues.set(client, queue);
      if (start) {
        underWay++;
        start();
      }
    }
  }

  return {
    /** Undefined, without waiting, when this client has too much waiting already. */
    async run<T>(client: string, work: () => Promise<T>): Promise<T | undefined> {
      const queue = queues.get(client) ?? [];
      if (queue.length >= options.waitingEach) return undefined;
      const turn = new Promise<void>((start) => queue.push(start));
      queues.set(client, queue);
      startNext();
      await turn;
      try {
        return await work();
      } finally {
        void release();
      }
    },
  };
}
