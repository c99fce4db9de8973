import { cpus } from "node:os";
import { measureForm } from "./form.ts";
import { measureMainThread } from "./main-thread.ts";
import { measurePages } from "./pages.ts";
import type { Row } from "./report.ts";
import { measureRoundTrips } from "./round-trips.ts";
import { measureStore } from "./store.ts";

/**
 * Benchmarks by name. Most figures are relative to a bare server, because ratios differ less
 * between machines than times do.
 */
const parts: Record<string, () => Promise<Row[]>> = {
  pages: measurePages,
  trips: measureRoundTrips,
  form: measureForm,
  work: measureMainThread,
  store: measureStore,
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown) {
  console.error(`There is no part ${unknown}. Parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
console.log(`Node ${process.versions.node}, ${cpus().length} processors (${cpus()[0]?.model})`);
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n## ${name}\n\n| what | figure | limit | |\n| --- | --- | --- | --- |`);
  for (const { what, figure, limit, held } of await measure()) {
    console.log(`| ${what} | ${figure} | ${limit} | ${held ? "held" : "MISSED"} |`);
    if (!held) process.exitCode = 1;
  }
}
