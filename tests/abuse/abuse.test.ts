import { afterAll, expect, test } from "vitest";
import { attacks, type Form } from "./attacks.ts";
import { memoryLimitMb, type Outcome, pageLimitMs, runAttack } from "./run-attack.ts";

/**
 * Checks that no single attacker can take down the site. The real server runs on one core with 512
 * MB, and a prober times other visitors' page loads over real connections. `npm run test:deep --
 * abuse` runs every attack at full length.
 */
const form: Form = process.env.ABUSE === "long" ? "long" : "short";

const outcomes: Outcome[] = [];

for (const attack of attacks) {
  if (attack.seconds[form] === undefined) continue;
  test(`serves other visitors during the attack: ${attack.name}`, {
    timeout: 300_000,
  }, async () => {
    const outcome = await runAttack(attack, form);
    outcomes.push(outcome);
    expect(outcome.waits.count).toBeGreaterThan(50);
    expect(outcome.broken, JSON.stringify(outcome)).toEqual([]);
  });
}

afterAll(() => {
  const rows = outcomes.map(
    ({ attack, waits, bareP50, bareP99, timesBare, limitMs, failures, peakMb, broken }) => ({
      attack,
      ...{ "p50 ms": waits.p50, "bare p50": bareP50, times: Number(timesBare.toFixed(1)) },
      ...{ p99: waits.p99, max: waits.max, "bare p99": bareP99, limit: limitMs },
      "no page": Object.values(failures).reduce((sum, count) => sum + count, 0),
      ...{ MB: peakMb || "?", "most MB": memoryLimitMb },
      verdict: broken.length === 0 ? "held" : `BROKEN: ${broken.join(", ")}`,
    }),
  );
  console.log(
    `Other visitors' page loads during each attack (${form} run, p99 limit ${pageLimitMs[form]} ms)`,
  );
  console.table(rows);
});
