// Three servers on one PostgreSQL, long: 30 kills under load, a server that really stands still for longer than its
// leases, a database that stops and crashes. A short form of it is part of `npm test`.
import { spawnSync } from "node:child_process";
import { ensureBuilt, ensureInstalled, projectEnvironment, root } from "./project.mjs";

ensureInstalled();
ensureBuilt();
const { status } = spawnSync(
  "vitest",
  ["run", "--project=postgres", "tests/postgres/fleet.test.ts"],
  {
    cwd: root,
    env: { ...projectEnvironment, NODE_ENV: "test", FLEET: "long" },
    stdio: "inherit",
    shell: process.platform === "win32",
  },
);
process.exit(status ?? 1);
