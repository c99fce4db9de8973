import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { dropTestDatabase, settingsFor } from "../../server/database/database.fixture.ts";
import { root } from "../harness/campus.ts";
import { referencePattern, sendForm } from "../harness/deletion-form.ts";
import { findFreePort } from "../harness/free-port.ts";

test("with its log on a full disk the server serves, stores and stops as ever", {
  timeout: 600_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "full-log-"));
  const settings = await settingsFor(dataDir);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const full = openSync("/dev/full", "w");
  const { PATH, HOME } = process.env;
  const server = spawn(process.execPath, [join(root, "server/main.ts")], {
    cwd: root,
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: String(port), ...settings },
    stdio: ["ignore", full, "pipe"],
  });
  closeSync(full);
  const killWithUs = () => server.kill("SIGKILL");
  process.once("exit", killWithUs);
  let ended = false;
  const closed = once(server, "close").finally(() => {
    ended = true;
    process.off("exit", killWithUs);
  });

  // Where it serves cannot be read, so it is asked until it answers.
  const isServing = () => fetch(url).then(Boolean, () => false);
  while (!ended && !(await isServing())) await setTimeout(50);
  for (let round = 0; round < 100; round++) {
    const response = await fetch(`${url}/blog?round=${round}`, {
      signal: AbortSignal.timeout(60_000),
    });
    await response.text();
    expect(response.status).toBe(200);
  }
  expect(await (await sendForm(url)).text()).toMatch(referencePattern);

  server.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
  await dropTestDatabase(dataDir);
  await rm(dataDir, { recursive: true });
});
