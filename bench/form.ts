import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailServer } from "../tests/faults/mail-server.fixture.ts";
import { filledForm } from "../tests/harness/deletion-form.ts";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { startBesiegedServer } from "../tests/siege/besieged-server.ts";
import { load, type Serving, startServing } from "./processes.ts";
import { atLeast, known, median, type Part, type Row, ratio } from "./report.ts";

const seconds = 3;
const leastRatio = 0.6;
const forms = "/deletion-requests";
const settings = { SUBMISSION_LIMIT: "1000000", MAX_UNCONFIRMED: "10000000" };

/**
 * Forms stored through the whole stack beside the least that storing them takes, and in PostgreSQL beside the file. What a
 * kill leaves is the deep test's `kills`.
 */
export async function benchForm(): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    return {
      name: "form",
      rows: [...(await compareHandlers(folder)), ...(await compareDatabases(folder))],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareHandlers(folder: string): Promise<Row[]> {
  const dataDir = join(folder, "ours");
  const first = await startServerProcess(settings, dataDir);
  await fetch(`${first.url}${forms}`, {
    method: "POST",
    body: new URLSearchParams(filledForm({ feedback: "I moved to another city." })),
  });
  await first.stop();
  cpSync(dataDir, join(folder, "plain"), { recursive: true });
  const ours = await startBesiegedServer({ dataDir, logFile: join(folder, "log"), settings });
  const plain = await startServing("plain-forms.ts", [join(folder, "plain")]);
  const order = { connections: 16, seconds, ask: { forms } };
  const passed: number[] = [];
  const spent: number[] = [];
  await load(ours, order);
  await load(plain, order);
  for (let round = 0; round < 5; round++) {
    const our = await load(ours, order);
    const least = await load(plain, order);
    passed.push(our.perSecond / least.perSecond);
    spent.push(least.perAnswer / our.perAnswer);
  }
  await ours.stop();
  plain.stop();
  return [
    atLeast(
      "forms stored in the same time, beside a plain handler that commits the same rows",
      median(passed),
      leastRatio,
    ),
    known(
      "the same for the same processor time, the mails that are written meanwhile included",
      ratio(median(spent)),
    ),
  ];
}

/** By one, two and three servers on PostgreSQL, beside one server on the file; PostgreSQL waits for the disk. */
async function compareDatabases(folder: string): Promise<Row[]> {
  const postgres = await startPostgres({ durable: true });
  const mail = await startMailServer();
  /** Where visitors are, whichever server they get to. */
  const origin = "http://rides.localhost";
  const start = (name: string, url?: string) =>
    startBesiegedServer({
      dataDir: join(folder, name),
      logFile: join(folder, `${name}.log`),
      settings: {
        ...settings,
        SECRET_KEYS: keys,
        SMTP_URL: mail.url,
        SMTP_TLS: "optional",
        PUBLIC_URL: origin,
        ...(url && { DATABASE_URL: url }),
      },
    });
  const keys = `1:${randomBytes(32).toString("base64url")}`;
  /** What some servers store in a second, loaded together. */
  const measure = async (servers: readonly Serving[]) => {
    const order = { connections: 12 / servers.length, seconds, ask: { forms }, origin };
    const loads = await Promise.all(servers.map((server) => load(server, order)));
    return loads.reduce((sum, { perSecond }) => sum + perSecond, 0);
  };
  try {
    const file = await start("file");
    const { url } = await createTestDatabase(postgres.url);
    const fleet = [await start("one", url), await start("two", url), await start("three", url)];
    await measure([file]);
    await measure(fleet);
    const ratios = fleet.map((_, index) => ({ size: index + 1, found: [] as number[] }));
    for (let round = 0; round < 3; round++) {
      const beside = await measure([file]);
      for (const { size, found } of ratios) {
        found.push((await measure(fleet.slice(0, size))) / beside);
      }
    }
    await Promise.all([file, ...fleet].map((server) => server.stop()));
    return ratios.map(({ size, found }) =>
      known(
        `forms stored on PostgreSQL, servers: ${size}; beside one server on the file`,
        ratio(median(found)),
      ),
    );
  } finally {
    await mail.close();
    await postgres.close();
  }
}
