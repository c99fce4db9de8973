import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { createFairQueue } from "./fair-queue.ts";
import { type NetworkBudget, networksOf } from "./networks.ts";

const networkOf = (client: string) => networksOf(client).at(-1)?.prefix ?? client;
const rich: Pick<NetworkBudget, "spendWork"> = {
  spendWork: (client) => ({ ok: true, network: networkOf(client) }),
};

test("runs at most `atOnce` jobs concurrently", async () => {
  const turns = createFairQueue({ atOnce: 3, budget: rich });
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

test("charges jobs for their CPU time and refuses a client without budget", async () => {
  let spentMs = 0;
  const turns = createFairQueue({
    atOnce: 1,
    budget: {
      spendWork: (network, ms) => {
        if (network === "greedy") return { ok: false, retryAfterMs: 700, network };
        spentMs += ms;
        return { ok: true, network };
      },
    },
  });
  expect(await turns.run("greedy", async () => "done")).toEqual({
    kind: "busy",
    retryAfterMs: 700,
  });
  const work = async () => {
    const until = process.threadCpuUsage().user + 30_000;
    while (process.threadCpuUsage().user < until);
    return "done";
  };
  expect(await turns.run("modest", work)).toEqual({ kind: "done", value: "done" });
  expect(spentMs).toBeGreaterThan(29);
});

test("starts the next job after a few busy turns of the event loop", async () => {
  const turns = createFairQueue({ atOnce: 1, budget: rich });
  let busyTurns = 0;
  let isOver = false;
  const keepBusy = () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    busyTurns++;
    if (!isOver) setImmediate(keepBusy);
  };
  const first = turns.run("one", async () => setImmediate(keepBusy));
  const second = turns.run("two", async () => {
    isOver = true;
  });
  await Promise.all([first, second]);
  expect(busyTurns).toBeLessThan(30);
});

test("serves networks round-robin so that a crowd delays only its own network", async () => {
  const turns = createFairQueue({ atOnce: 1, budget: rich });
  const order: string[] = [];
  const ask = (client: string) => turns.run(client, async () => void order.push(client));
  const crowd = Array.from({ length: 100 }, (_, number) => ask(`2001:db8:1:${number}::1`));
  await Promise.all([ask("203.0.113.7"), ask("2001:db8:2::1")]);
  expect(order.length).toBeLessThan(8);
  await Promise.all(crowd);
});

test("skips a job whose client has hung up", async () => {
  const turns = createFairQueue({ atOnce: 1, budget: rich });
  const work = vi.fn(async () => "done");
  expect(await turns.run("one", work, () => true)).toEqual({ kind: "gone" });
  expect(work).not.toHaveBeenCalled();
});

test("starts the next job after a failed job", async () => {
  const turns = createFairQueue({ atOnce: 1, budget: rich });
  await expect(turns.run("one", () => Promise.reject(new Error("broken")))).rejects.toThrow();
  expect(await turns.run("two", async () => "done")).toEqual({ kind: "done", value: "done" });
});

test("lets the server accept waiting connections between two jobs", async () => {
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
    const turns = createFairQueue({ atOnce: 1, budget: rich });
    const first = turns.run("one", async () => {
      // The operating system completes the connections, but the busy thread accepts none of them.
      while (Atomics.load(connected, 0) < 40);
      return letIn;
    });
    const second = turns.run("another", async () => letIn);
    expect(await first).toMatchObject({ value: expect.toSatisfy((taken) => taken < 40) });
    expect(await second).toMatchObject({ value: 40 });
  } finally {
    await people.terminate();
    server.close();
  }
});
