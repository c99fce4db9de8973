import { readFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../harness/campus.ts";
import { sendForm } from "../harness/deletion-form.ts";
import { findFreePort } from "../harness/free-port.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

const valuesOf = async (port: number, path = "/metrics") => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  const lines = (await answer.text()).split("\n").filter((line) => !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => line.split(" ")));
};

test("serves metrics on a separate port", async () => {
  const port = await findFreePort();
  const server = await startServerProcess({ METRICS_PORT: String(port) });
  const settings = { DATA_DIR: server.dataDir };
  const before = await valuesOf(port);
  expect(before).toMatchObject({
    'campus_ride_forms_total{answer="stored"}': "0",
    'campus_ride_forms_total{answer="not-stored"}': "0",
    campus_ride_oldest_unsent_mail_seconds: "0",
    campus_ride_database_up: "1",
  });
  expect(Number(before.nodejs_eventloop_lag_p99_seconds)).toBeGreaterThan(0);
  expect(before['campus_ride_copy_age_seconds{kind="export"}']).toBe("+Inf");

  expect((await sendForm(server.url)).status).toBe(200);
  expect((await sendForm(server.url, { email: "nobody" })).status).toBe(422);
  const file = `${server.dataDir}/export`;
  expect((await runToEnd("server/cli/ledger.ts", settings, ["export", file])).code).toBe(0);
  const after = await valuesOf(port);
  expect(after).toMatchObject({
    'campus_ride_forms_total{answer="stored"}': "1",
    'campus_ride_forms_total{answer="refused"}': "1",
  });
  expect(Number(after['campus_ride_copy_age_seconds{kind="export"}'])).toBeLessThan(600);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  await server.stop();
});

test("reports a removed database as down", async () => {
  const port = await findFreePort();
  const server = await startServerProcess({ METRICS_PORT: String(port) });
  await rename(`${server.dataDir}/requests.sqlite`, `${server.dataDir}/elsewhere`);
  expect(await valuesOf(port)).toMatchObject({ campus_ride_database_up: "0" });
  await server.stop();
});

test("serves every metric of the sample's alerts and dashboard", async () => {
  const port = await findFreePort();
  const server = await startServerProcess({ METRICS_PORT: String(port) });
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const served = [...(await answer.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const samples = ["campus-ride.rules.yaml", "dashboard.json"].map((file) =>
    readFileSync(join(root, "examples/prometheus", file), "utf8"),
  );
  const queries = samples.flatMap((text) => text.match(/"?expr"?: .*/g) ?? []);
  const named = queries.join().match(/\b(?:campus_ride|nodejs|process)_\w+/g) ?? [];
  expect(queries.length).toBeGreaterThan(10);
  expect(served).toEqual(expect.arrayContaining(named));
  await server.stop();
});

test("refuses to start if the metrics port is taken", async () => {
  const server = await startServerProcess();
  const { code, stderr } = await runToEnd("server/main.ts", {
    DATA_DIR: `${server.dataDir}/other`,
    PORT: String(await findFreePort()),
    METRICS_PORT: String(server.port),
  });
  expect(code).toBe(1);
  expect(stderr).toContain(`Port ${server.port} is already taken.`);
  expect(stderr).toContain("METRICS_PORT");
  expect(stderr).not.toContain("export PORT");
  await server.stop();
});
