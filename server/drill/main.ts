import { join } from "node:path";
import { print } from "../command-line/start.ts";
import { openSiteBundle } from "../site-bundle.ts";
import { converse, runDrill } from "./drill.ts";

const root = join(import.meta.dirname, "../..");
const services = {
  openBundle: () => openSiteBundle(root),
  campusDir: process.env.CAMPUS_DIR?.trim() || undefined,
  clock: () => Temporal.Now.instant(),
};
const words = process.argv.slice(2);
if (words.length > 0) {
  process.exitCode = await print(await runDrill(words, services));
} else if (process.stdin.isTTY) {
  await converse(services, { input: process.stdin, output: process.stdout });
} else {
  process.exitCode = await print(await runDrill(["help"], services));
}
