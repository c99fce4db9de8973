import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
/** Simulates a fresh clone in which no server has ever run. */
const env = { ...process.env, DATA_DIR: join(root, "no-such-folder"), NODE_ENV: "production" };

test.each(["requests", "operators", "account-system", "ledger", "restore", "backup", "move-data"])(
  "%s prints its usage even without a database",
  async (name) => {
    const file = join(import.meta.dirname, `${name}.ts`);
    for (const word of ["--help", "help"]) {
      const { stdout } = await run(process.execPath, [file, word], { env, cwd: root });
      expect(stdout).toContain("npm run ");
    }
  },
);

test.each(["store", "campus"])("%s lists its subcommands", async (name) => {
  const file = join(root, "scripts/command.mjs");
  const { stdout } = await run(process.execPath, [file, name, "--help"], { env, cwd: root });
  expect(stdout).toContain(`npm run ${name} -- `);
});
