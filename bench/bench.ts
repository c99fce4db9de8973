import { benchBrowser } from "./browser.ts";
import { benchForm } from "./form.ts";
import { benchPages } from "./pages.ts";
import { enter, type Part, toSection } from "./report.ts";
import { benchStore } from "./store.ts";

/**
 * Measures what was promised, side by side in one run, as ratios: machines differ, ratios hardly. Each part prints its
 * table and enters it into `bench/results/DATE.md`.
 */
const parts: Record<string, () => Promise<Part>> = {
  pages: benchPages,
  form: benchForm,
  store: benchStore,
  browser: benchBrowser,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
let missed = 0;
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name} ...`);
  const part = await measure();
  missed += part.rows.filter((row) => !row.held).length;
  const section = toSection(part);
  console.log(`${section}\nEntered into ${enter(section)}`);
}
process.exitCode = missed > 0 ? 1 : 0;
