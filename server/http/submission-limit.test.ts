import { beforeEach, expect, test } from "vitest";
import { createOwnLimits } from "../database/limits.ts";
import { createTestKeys } from "../deletion-requests/office.fixture.ts";
import { createSubmissionLimit, type SubmissionLimit } from "./submission-limit.ts";

let now: Temporal.Instant;
let limit: SubmissionLimit;
beforeEach(() => {
  now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  limit = createSubmissionLimit({
    name: "forms",
    count: 2,
    windowMs: 600_000,
    clock: () => now,
    keys: createTestKeys(),
    database: { limits: createOwnLimits(), isShared: false },
  });
});

test("the third of two is told to wait", async () => {
  expect(await limit.take("203.0.113.7")).toEqual({ ok: true });
  expect(await limit.take("203.0.113.7")).toEqual({ ok: true });
  const third = await limit.take("203.0.113.7");
  expect(third.ok).toBe(false);
  if (third.ok) return;
  expect(third.retryAfterMs).toBeGreaterThan(0);
  expect(third.retryAfterMs).toBeLessThanOrEqual(600_000);
});

test("everybody has a turn of their own", async () => {
  for (const address of ["203.0.113.7", "203.0.113.8", "2001:db8::1"]) {
    expect((await limit.take(address)).ok).toBe(true);
    expect((await limit.take(address)).ok).toBe(true);
    expect((await limit.take(address)).ok).toBe(false);
  }
});

test("one IPv6 network is one client, and so is an address in both spellings", async () => {
  await limit.take("2001:db8:1:2::1");
  await limit.take("2001:db8:1:2::2");
  expect((await limit.take("2001:db8:1:2::3")).ok).toBe(false);
  await limit.take("203.0.113.9");
  await limit.take("::ffff:203.0.113.9");
  expect((await limit.take("203.0.113.9")).ok).toBe(false);
});

test("with the next day the key changes, and nobody is known any more", async () => {
  await limit.take("203.0.113.7");
  await limit.take("203.0.113.7");
  expect((await limit.take("203.0.113.7")).ok).toBe(false);
  now = now.add({ hours: 24 });
  expect((await limit.take("203.0.113.7")).ok).toBe(true);
});
