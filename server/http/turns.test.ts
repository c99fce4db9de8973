import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("a client who asks a hundred times waits behind themselves, not before others", async () => {
  const turns = createTurns({ atOnce: 1, waitingEach: 200 });
  const order: string[] = [];
  const ask = (client: string) => turns.run(client, async () => void order.push(client));
  const greedy = Array.from({ length: 100 }, () => ask("greedy"));
  await Promise.all([ask("modest"), ask("other")]);
  expect(order.length).toBeLessThan(8);
  await Promise.all(greedy);
  expect(order).toHaveLength(102);
});

test("no more than so many pieces of work are under way at once", async () => {
  const turns = createTurns({ atOnce: 3, waitingEach: 100 });
  let now = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 50 }, (_, client) =>
      turns.run(String(client), async () => {
        most = Math.max(most, ++now);
        await Promise.resolve();
        now--;
      }),
    ),
  );
  expect(most).toBe(3);
});

test("a client with too much waiting is sent away at once, others are not", async () => {
  const turns = createTurns({ atOnce: 1, waitingEach: 2 });
  const gate = Promise.withResolvers<void>();
  const first = turns.run("greedy", () => gate.promise);
  const waiting = [1, 2].map(() => turns.run("greedy", async () => "done"));
  expect(await turns.run("greedy", async () => "done")).toBeUndefined();
  const other = turns.run("modest", async () => "done");
  gate.resolve();
  await first;
  expect(await Promise.all([...waiting, other])).toEqual(["done", "done", "done"]);
});

test("work that fails gives its turn on", async () => {
  const turns = createTurns({ atOnce: 1, waitingEach: 2 });
  await expect(turns.run("one", () => Promise.reject(new Error("broken")))).rejects.toThrow();
  expect(await turns.run("two", async () => "done")).toBe("done");
});

test("whoever connects while something is worked on is let in before the next piece of work", async () => {
  let letIn = 0;
  const server = createServer().on("connection", () => letIn++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connected = new Int32Array(new SharedArrayBuffer(4));
  const people = new Worker(
    `const { connected, port } = require("node:worker_threads").workerData;
    for (let person = 0; person < 40; person++) {
      require("node:net").connect(port, "127.0.0.1", () => Atomics.add(connected, 0, 1));
    }`,
    { eval: true, workerData: { connected, port: (server.address() as AddressInfo).port } },
  );
  try {
    const turns = createTurns({ atOnce: 1, waitingEach: 10 });
    const first = turns.run("one", async () => {
      // The system completes connections by itself; our thread is busy and takes none of them.
      while (Atomics.load(connected, 0) < 40);
      return letIn;
    });
    const second = turns.run("another", async () => letIn);
    expect(await first).toBeLessThan(40);
    expect(await second).toBe(40);
  } finally {
    await people.terminate();
    server.close();
  }
});
