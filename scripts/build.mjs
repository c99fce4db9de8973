// Builds the site into build/: the pages' code, the files for browsers, and each of these compressed once.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { projectEnvironment, root } from "./project.mjs";

rmSync(join(root, "build"), { recursive: true, force: true });
const result = spawnSync("react-router", ["build"], {
  cwd: root,
  env: { ...projectEnvironment, NODE_ENV: "production" },
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (result.status !== 0) process.exit(1);

for (const folder of ["assets", "art"]) {
  for (const name of readdirSync(join(root, "build/client", folder))) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const file = join(root, "build/client", folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
