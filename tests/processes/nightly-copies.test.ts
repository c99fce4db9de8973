import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../harness/campus.ts";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

folderForEachTest();

const read = (name: string) => readFileSync(join(root, "examples/systemd", name), "utf8");

/**
 * The unit's command without the path of Node.js. The test runs the command with its own Node.js.
 */
const [, command = ""] =
  /^ExecStart=\S+\/node (.*)$/m.exec(read("campus-ride-copies.service")) ?? [];

test.runIf(process.platform === "linux")(
  "writes a nightly backup and export that a restore accepts",
  async () => {
    const server = await startServerProcess();
    const key = join(folder, "backup-key");
    const made = await runToEnd("server/cli/backup.ts", {}, ["new-key", key]);
    const copies = join(folder, "copies");
    const settings = { DATA_DIR: server.dataDir, COPIES: copies, BACKUP_KEY: made.stdout.trim() };
    const env = { ...process.env, ...settings };
    execFileSync(process.execPath, command.split(" "), { cwd: root, env });
    const only = (kind: string) => join(copies, kind, readdirSync(join(copies, kind)).join());
    const preview = await runToEnd("server/cli/restore.ts", { DATA_DIR: server.dataDir }, [
      ...[only("copies"), only("exports"), "--look", "--backup-key", key],
    ]);
    await server.stop();
    expect(preview).toMatchObject({ code: 0 });
  },
);

test("names a folder that it can't make", async () => {
  const settings = { COPIES: "/dev/null/copies", BACKUP_KEY: "key" };
  const { code, stderr } = await runToEnd("scripts/nightly-copies.mjs", settings);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([
    "The folder /dev/null/copies/copies cannot be made (ENOTDIR).",
    "The folder /dev/null/copies/exports cannot be made (ENOTDIR).",
  ]);
});

test("gives the nightly unit the same sandbox as the server's unit", () => {
  const confining = (unit: string) =>
    unit
      .split("\n")
      .filter((line) => /^(?:Protect|Private|Restrict|No|System|Cap|Lock)/.test(line));
  expect(confining(read("campus-ride-copies.service"))).toEqual(
    confining(read("campus-ride@.service")),
  );
  expect(read("campus-ride-copies.timer")).toMatch(/^Persistent=true$/m);
});
