// Builds the site next to the one being served, and moves the complete build to build/ (BUILD_DIR).
// A build contains the code of the pages and the files for browsers with their compressed versions.
// With --back, builds nothing and serves a retained build of the checked-out version again.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  digestSources,
  endWithUs,
  ensureInstalled,
  exchangeBuild,
  exitLike,
  fail,
  pinnedNode,
  prepareBuild,
  projectEnvironment,
  returnToBuild,
  root,
  stopSignals,
} from "./project.mjs";
import { listWhatRuns } from "./what-runs.mjs";

const options = process.argv.slice(2);
if (options.some((option) => option !== "--back")) {
  fail("npm run build takes one option, --back: serve a kept build of this version again.");
}
ensureInstalled();
if (options.includes("--back")) {
  const kept = returnToBuild();
  if (!kept) fail("No build of this version was kept. Make one: npm run build");
  console.log(`The next start serves ${basename(kept)}.`);
  process.exit(0);
}
const sources = digestSources();
// A signal must not end this process while it creates the folder, because the folder would be left
// behind. Node delivers the signal after this turn of the event loop. By then, `endWithUs` is
// listening.
const waitForListener = () => {};
for (const signal of stopSignals) process.on(signal, waitForListener);
const folder = prepareBuild();
const pictures = mkdtempSync(join(tmpdir(), "pictures-"));
process.on("exit", () => rmSync(pictures, { recursive: true, force: true }));
// This command reports the campus's mistakes as plain sentences, before a build tool can wrap them
// in its own output. It also draws the pictures, because the memory that drawing needs is freed
// when the command exits.
await runOrExit(pinnedNode(), ["vite/check-campus.ts", "--briefly", `--draw=${pictures}`]);
await runOrExit("react-router", ["build"], {
  BUILD_DIR: folder,
  DRAWN_PICTURES: pictures,
  NODE_ENV: "production",
});
for (const signal of stopSignals) process.off(signal, waitForListener);

// Keeps only the scripts for islands and operators' pages. Deletes the scripts that React Router
// generates for pages, because the pages work without them.
const client = join(folder, "client");
const manifest = JSON.parse(readFileSync(join(client, ".vite/manifest.json"), "utf8"));
const wanted = new Set();
const keep = (key) => {
  if (wanted.has(manifest[key].file)) return;
  wanted.add(manifest[key].file);
  for (const other of manifest[key].imports ?? []) keep(other);
};
const loaded = /\.(?:island\.tsx|script\.ts)$/;
for (const key of Object.keys(manifest)) if (loaded.test(key)) keep(key);
for (const name of readdirSync(join(client, "assets"))) {
  const isWanted = !name.endsWith(".js") || wanted.has(`assets/${name}`);
  if (!isWanted) rmSync(join(client, "assets", name));
}

for (const folder of ["assets", "art"]) {
  for (const name of readdirSync(join(client, folder), { recursive: true })) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = join(client, folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

writeFileSync(join(folder, "what-runs.cdx.json"), JSON.stringify(listWhatRuns(), undefined, 2));

exchangeBuild(folder, sources);
process.disconnect?.();

/** Runs a step of the build. If the step fails or is stopped, removes the folder and exits. */
async function runOrExit(program, args, environment = {}) {
  const tool = spawn(program, args, {
    cwd: root,
    env: { ...projectEnvironment, ...environment },
    stdio: "inherit",
    // On Windows, the commands of packages can be started only through a shell.
    shell: process.platform === "win32" && program === "react-router",
  });
  const { code, stoppedBy } = await endWithUs(tool);
  if (code === 0) return;
  rmSync(folder, { recursive: true, force: true });
  exitLike(1, stoppedBy ?? null);
}
