// Builds the site into build/ (BUILD_DIR): the pages' code, the files for browsers, and each of these compressed once.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  buildDir,
  digestSources,
  pinnedNode,
  projectEnvironment,
  root,
  stampBuild,
} from "./project.mjs";

const sources = digestSources();
// A mistake in the campus is told in its own sentence, before any tool can wrap it in others.
const check = spawnSync(pinnedNode(), ["vite/check-campus.ts"], {
  cwd: root,
  env: projectEnvironment,
  stdio: "inherit",
});
if (check.status !== 0) process.exit(1);
rmSync(buildDir, { recursive: true, force: true });
const result = spawnSync("react-router", ["build"], {
  cwd: root,
  env: { ...projectEnvironment, NODE_ENV: "production" },
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (result.status !== 0) process.exit(1);

// Only the scripts of islands are ever loaded by a page; the framework's client build of the routes is left out.
const client = join(buildDir, "client");
const manifest = JSON.parse(readFileSync(join(client, ".vite/manifest.json"), "utf8"));
const wanted = new Set();
const keep = (key) => {
  if (wanted.has(manifest[key].file)) return;
  wanted.add(manifest[key].file);
  for (const other of manifest[key].imports ?? []) keep(other);
};
for (const key of Object.keys(manifest)) if (key.endsWith(".island.tsx")) keep(key);
for (const name of readdirSync(join(client, "assets"))) {
  if (name.endsWith(".js") && !wanted.has(`assets/${name}`)) rmSync(join(client, "assets", name));
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

stampBuild(sources);
