import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildDir, root } from "../harness/campus.ts";
import { startServerProcess } from "../harness/server-process.ts";

test("a running server keeps its build when a newer one replaces it, and serves the newer one after a restart", async () => {
  // Inside the project, so that the copies find their packages.
  using folder = mkdtempDisposableSync(join(root, "node_modules/.renewing-"));
  const ours = { BUILD_DIR: join(folder.path, "build") };
  /** Makes a build like `npm run build`, marked with a file for browsers. */
  const build = (text: string) => {
    const script = `import("./scripts/project.mjs").then((project) => {
      const folder = project.prepareBuild();
      require("node:fs").cpSync(${JSON.stringify(buildDir)}, folder, { recursive: true, dereference: true });
      require("node:fs").writeFileSync(folder + "/client/assets/" + ${JSON.stringify(text)} + ".js", "");
      project.exchangeBuild(folder, ${JSON.stringify(text)});
    })`;
    const made = spawnSync(process.execPath, ["-e", script], {
      cwd: root,
      env: { ...process.env, ...ours },
    });
    expect(made.stderr.toString()).toBe("");
  };
  build("old");
  const dataDir = join(folder.path, "data");
  const running = await startServerProcess(ours, dataDir);
  build("new");
  const ask = async (server: typeof running, path: string) =>
    (await fetch(server.url + path)).status;
  expect(await ask(running, "/assets/old.js")).toBe(200);
  expect(await ask(running, "/assets/new.js")).toBe(404);
  expect(await ask(running, "/faq")).toBe(200);
  await running.stop();
  const renewed = await startServerProcess(ours, dataDir);
  expect(await ask(renewed, "/assets/new.js")).toBe(200);
  expect(await ask(renewed, "/faq")).toBe(200);
  await renewed.stop();
});
