import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLoop } from "./scheduler.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts a loop and lets its first round pass. `rounds` has the times of the later ones in ms. */
async function startLoop() {
  const loop = createLoop();
  const rounds: number[] = [];
  const start = performance.now();
  loop.start(async () => {
    rounds.push(performance.now() - start);
  });
  await vi.advanceTimersByTimeAsync(0);
  rounds.length = 0;
  return { loop, rounds };
}

test("starts a round 20 ms after the last message", async () => {
  const { loop, rounds } = await startLoop();
  loop.messageAdded();
  await vi.advanceTimersByTimeAsync(13);
  loop.messageAdded();
  await vi.advanceTimersByTimeAsync(100);
  expect(rounds).toEqual([33]);
});

test("starts a round every 200 ms while messages keep coming", async () => {
  const { loop, rounds } = await startLoop();
  for (let form = 0; form < 1000; form++) {
    loop.messageAdded();
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(rounds).toEqual([200, 400, 600, 800, 1000]);
});

test("starts a round right away when woken, unless a message was just added", async () => {
  const { loop, rounds } = await startLoop();
  loop.messageAdded();
  await vi.advanceTimersByTimeAsync(50);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toEqual([20, 50]);
});
