import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { referencePattern, sendForm } from "../harness/deletion-form.ts";
import { findFreePort } from "../harness/free-port.ts";
import { openDataFolder, spawnProgram } from "../harness/server-process.ts";

test("serves pages, stores forms and stops normally when the log's disk is full", async () => {
  await using data = await openDataFolder();
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const full = openSync("/dev/full", "w");
  const settings = { ...data.settings, PORT: String(port) };
  const server = spawnProgram("server/main.ts", settings, [], full);
  closeSync(full);
  const ended = once(server, "exit");

  // The server can't write its "Serving" line, so the test polls.
  const isServing = () => fetch(url).then(Boolean, () => false);
  while (server.exitCode === null && !(await isServing())) await setTimeout(50);
  for (let round = 0; round < 100; round++) {
    const signal = AbortSignal.timeout(60_000);
    const response = await fetch(`${url}/blog?round=${round}`, { signal });
    await response.text();
    expect(response.status).toBe(200);
  }
  expect(await (await sendForm(url)).text()).toMatch(referencePattern);
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}, 600_000);
