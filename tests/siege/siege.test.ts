import { afterAll, expect, test } from "vitest";
import { attacks, type Form } from "./attacks.ts";
import { besiege, memoryLimitMb, type Outcome, pageLimitMs } from "./siege.ts";

/**
 * No single client stops the site: the real server on one core with 512 MB, real connections, and other visitors whose
 * pages are timed. `npm run test:deep -- siege` tries every attack at full length.
 */
const form: Form = process.env.SIEGE === "long" ? "long" : "short";

const outcomes: Outcome[] = [];
const skipped: string[] = [];

for (const attack of attacks) {
  if (attack.seconds[form] === undefined) continue;
  test(`${attack.name}: the others keep their pages`, { timeout: 300_000 }, async ({ skip }) => {
    const outcome = await besiege(attack, form);
    if ("skipped" in outcome) {
      skipped.push(`Not tried: ${attack.name} (${outcome.skipped}).`);
      return skip(outcome.skipped);
    }
    outcomes.push(outcome);
    expect(outcome.waits.count).toBeGreaterThan(50);
    expect(outcome.broken, JSON.stringify(outcome)).toEqual([]);
  });
}

afterAll(() => {
  const rows = outcomes.map((outcome) => [
    outcome.attack,
    outcome.waits.p50,
    outcome.waits.p99,
    outcome.waits.max,
    outcome.bareP99,
    outcome.limitMs,
    Object.values(outcome.failures).reduce((sum, count) => sum + count, 0),
    outcome.peakMb || "?",
    memoryLimitMb,
    outcome.broken.length === 0 ? "held" : `BROKEN: ${outcome.broken.join(", ")}`,
  ]);
  const head = [
    "attack",
    "p50 ms",
    "p99",
    "max",
    "bare p99",
    "limit",
    "no page",
    "MB",
    "limit",
    "verdict",
  ];
  console.log(
    [
      `Other visitors' pages while one client does its worst (${form} form, p99 limit ${pageLimitMs[form]} ms)`,
      ...table([head, ...rows]),
      ...skipped,
    ].join("\n"),
  );
});

function table(rows: (string | number)[][]): string[] {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => String(row[column]).length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths?.[column] ?? 0;
        return typeof cell === "number" ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
