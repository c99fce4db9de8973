import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildDir, root } from "../harness/campus.ts";
import { startServerProcess } from "../harness/server-process.ts";

/** Makes builds in a folder, as `npm run build` does. Each build has one asset of its own. */
function openBuilds() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "renewing-"));
  const ours = { BUILD_DIR: join(folder.path, "build") };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, ...ours } });
  return {
    ours,
    dataDir: join(folder.path, "data"),
    /**
     * Makes a build with the asset `text`.
     * @param sources a JavaScript expression for the digest of the sources
     */
    build(text: string, sources = JSON.stringify(text)) {
      const script = `import("./scripts/project.mjs").then((project) => {
        const folder = project.prepareBuild();
        require("node:fs").cpSync(${JSON.stringify(buildDir)}, folder, { recursive: true, dereference: true });
        require("node:fs").writeFileSync(folder + "/client/assets/" + ${JSON.stringify(text)} + ".js", "");
        project.exchangeBuild(folder, ${sources});
      })`;
      expect(run("-e", script).stderr.toString()).toBe("");
    },
    goBack: () => run("scripts/build.mjs", "--back"),
    served: () => readdirSync(join(ours.BUILD_DIR, "client/assets")),
    [Symbol.dispose]: () => folder.remove(),
  };
}

test("serves the assets of the running, the previous and the next build", async () => {
  using builds = openBuilds();
  const { ours, dataDir, build } = builds;
  build("old");
  const former = realpathSync(ours.BUILD_DIR);
  const running = await startServerProcess(ours, dataDir);
  build("new");
  const ask = async (server: typeof running, path: string) =>
    (await fetch(server.url + path)).status;
  for (const path of ["/assets/old.js", "/assets/new.js", "/faq"])
    expect(await ask(running, path), path).toBe(200);
  await running.stop();
  const renewed = await startServerProcess(ours, dataDir);
  expect(await ask(renewed, "/assets/old.js")).toBe(200);
  rmSync(former, { recursive: true });
  expect(await ask(renewed, "/assets/old.js")).toBe(404);
  expect(await ask(renewed, "/assets/new.js")).toBe(200);
  expect(await ask(renewed, "/faq")).toBe(200);
  await renewed.stop();
});

test("restores a kept build of the checked-out version", () => {
  using builds = openBuilds();
  builds.build("newer", '"of another version"');
  expect([builds.goBack().status, builds.goBack().stderr.toString()]).toEqual([
    1,
    expect.stringContaining("No build of this version was kept. Make one: npm run build"),
  ]);
  builds.build("of-this-version", "project.digestSources()");
  builds.build("newest", '"of another version"');
  expect(builds.served()).toContain("newest.js");
  expect(builds.goBack().stdout.toString()).toMatch(
    /^The next start serves build\.\d{4}-\d{2}-\d{2}T\d{4}-\d+\.\d+\.\d+-\w+\.$/m,
  );
  expect(builds.served()).toContain("of-this-version.js");
});
