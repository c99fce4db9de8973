import { randomInt, randomUUID } from "node:crypto";
import { cpSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Request } from "autocannon";
import { paths } from "../server/platform/http/paths.ts";
import { startAttackedServer } from "../tests/abuse/attacked-server.ts";
import { filledForm, sendForm, takesMany } from "../tests/harness/deletion-form.ts";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { compare, type Serving, startServing } from "./processes.ts";
import { atLeast, median, type Row, ratio } from "./report.ts";

const leastRatios = {
  file: { 1: 0.7, 8: 0.8, 32: 1 },
  PostgreSQL: { 1: 0.7, 8: 0.7, 32: 0.7 },
} as const;
const loads = [1, 8, 32] as const;
/** Seconds of warm-up before the first measurement, because Node compiles hot code late. */
const warmingSeconds = 8;

const fromManyNetworks = () => `${randomInt(1, 223)}.${randomInt(256)}.${randomInt(256)}.7`;

/** Creates an HTTP request that submits a valid form, each time with a new email address. */
function formFrom(client: () => string): Request {
  return {
    method: "POST",
    path: paths.deletionRequests,
    setupRequest: (request) => {
      const fields = filledForm({ email: `${randomUUID()}@uni.example` });
      const headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": client(),
      };
      return { ...request, headers, body: String(new URLSearchParams(fields)) };
    },
  };
}

/**
 * Compares the site's form handling, including the email, with a plain handler that commits the
 * same rows and sends the same email.
 */
export async function measureForm(): Promise<Row[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const sink = await startServing("mail-sink.ts");
  const untilSent = () => untilSteady(sink.ask);
  const smtpUrl = `smtp://127.0.0.1:${sink.port}`;
  const settings = { ...takesMany, SMTP_URL: smtpUrl, TRUST_PROXY: "1", PUBLIC_URL: "" };
  const start = async (name: string, more: Record<string, string> = {}) => {
    const dataDir = join(folder.path, name);
    const { PUBLIC_URL: _, ...environment } = { ...settings, ...more };
    // The mail server is unreachable, so the email's text stays in the outbox, from which the plain
    // handler copies it.
    const first = await startServerProcess(
      { ...environment, SMTP_URL: "smtp://127.0.0.1:1" },
      dataDir,
    );
    await sendForm(first.url);
    await first.stop();
    return { dataDir, settings: environment, logFile: join(folder.path, `${name}.log`) };
  };

  const file = await start("file");
  const plainDir = join(folder.path, "plain");
  cpSync(file.dataDir, plainDir, { recursive: true });
  const rows = await measureStore("file", file, untilSent, () =>
    startServing("plain-forms.ts", plainDir, smtpUrl),
  );

  const postgres = await startPostgres({ durable: true });
  const target = await createTestDatabase(postgres.url);
  const shared = await start("shared", { DATABASE_URL: target.url, SECRET_KEYS: createKey() });
  rows.push(
    ...(await measureStore("PostgreSQL", shared, untilSent, () =>
      startServing("plain-forms-postgres.ts", target.url, smtpUrl),
    )),
  );
  await target.drop();
  await postgres.close();
  sink.stop();
  return rows;
}

/**
 * Waits until a count has not changed for two seconds. Returns how long it changed before that, in
 * seconds.
 */
async function untilSteady(count: () => Promise<number>): Promise<number> {
  const start = performance.now();
  let changedAt = start;
  for (let before = await count(); performance.now() - changedAt < 2_000; ) {
    await setTimeout(50);
    const now = await count();
    if (now !== before) changedAt = performance.now();
    before = now;
  }
  return (changedAt - start) / 1000;
}

const createKey = () => `1:${Buffer.from(randomUUID().replaceAll("-", "")).toString("base64url")}`;

async function measureStore(
  store: keyof typeof leastRatios,
  options: Parameters<typeof startAttackedServer>[0],
  untilSent: () => Promise<number>,
  startPlain: () => Promise<Serving & { stop(): unknown }>,
): Promise<Row[]> {
  const ours = await startAttackedServer(options);
  const plain = await startPlain();
  const rows: Row[] = [];
  const warming = { connections: 32, duration: warmingSeconds };
  await compare(ours, plain, 0, { ...warming, requests: [formFrom(fromManyNetworks)] }, untilSent);
  for (const networks of ["one network", "many networks"] as const) {
    for (const connections of loads) {
      // One network may send 25,000 forms in 48 hours (`takesMany`), so each load gets its own.
      const oneNetwork = () => `203.0.${connections}.5`;
      const client = networks === "one network" ? oneNetwork : fromManyNetworks;
      const requests = [formFrom(client)];
      const found = await compare(
        ours,
        plain,
        3,
        { connections, duration: 3, requests },
        untilSent,
      );
      const stored = median(found.map(({ our, bare }) => our.perSecond / bare.perSecond));
      const waits = median(found.map(({ our, bare }) => bare.medianMs / our.medianMs));
      const perSecond = median(found.map(({ our }) => our.perSecond));
      const later = median(found.map(({ our }) => our.laterSeconds));
      const plainLater = median(found.map(({ bare }) => bare.laterSeconds));
      const figure =
        `${ratio(stored)} (median wait ${ratio(waits)}; ${perSecond.toFixed(0)} a second; ` +
        `last email after ${later.toFixed(1)} s; plain handler: ${plainLater.toFixed(1)} s)`;
      const what = `${store}, ${connections} connections from ${networks}: forms stored`;
      rows.push(atLeast(what, stored, leastRatios[store][connections], figure));
    }
  }
  await ours.stop();
  plain.stop();
  return rows;
}
