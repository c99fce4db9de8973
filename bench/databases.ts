import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMailServer } from "../tests/faults/mail-server.fixture.ts";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { startBesiegedServer } from "../tests/siege/besieged-server.ts";
import { load } from "./processes.ts";
import { median, type Row, ratio } from "./report.ts";

/** Forms stored on PostgreSQL by one, two and three servers, beside one server on the file; PostgreSQL waits for the disk. */
const fleets = [1, 2, 3];
const rounds = 3;
const seconds = 3;
const connections = 12;
const forms = "/deletion-requests";
/** Where visitors are, whichever server they get to. */
const origin = "http://rides.localhost";

type Served = Awaited<ReturnType<typeof startBesiegedServer>>;

export async function compareDatabases(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const postgres = await startPostgres({ durable: true });
  const mail = await startMailServer();
  try {
    const settings = {
      SUBMISSION_LIMIT: "1000000",
      MAX_UNCONFIRMED: "10000000",
      SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
      SMTP_URL: mail.url,
      SMTP_TLS: "optional",
      PUBLIC_URL: origin,
    };
    const start = (name: string, more: Record<string, string> = {}) =>
      startBesiegedServer({
        dataDir: join(folder, name),
        logFile: join(folder, `${name}.log`),
        settings: { ...settings, ...more },
      });
    const file = await start("file");
    const database = await createTestDatabase(postgres.url);
    const fleet: Served[] = [];
    while (fleet.length < Math.max(...fleets)) {
      fleet.push(await start(`instance-${fleet.length}`, { DATABASE_URL: database.url }));
    }
    /** What some servers store in a second, loaded together. */
    const measure = async (servers: readonly Served[], forSeconds: number) => {
      const each = {
        connections: connections / servers.length,
        seconds: forSeconds,
        ask: { forms },
        origin,
      };
      const loads = await Promise.all(servers.map((server) => load(server, each)));
      return loads.reduce((sum, { perSecond }) => sum + perSecond, 0);
    };
    await measure([file], 1);
    await measure(fleet, 1);
    const ratios = new Map(fleets.map((size) => [size, [] as number[]]));
    for (let round = 0; round < rounds; round++) {
      const beside = await measure([file], seconds);
      for (const [size, found] of ratios) {
        found.push((await measure(fleet.slice(0, size), seconds)) / beside);
      }
    }
    await Promise.all([file, ...fleet].map((server) => server.stop()));
    return [...ratios].map(([size, found]) => ({
      what: `forms stored on PostgreSQL by ${size === 1 ? "one server" : `${size} servers`}, beside one server on the file`,
      figure: ratio(median(found)),
      limit: "",
      held: undefined,
    }));
  } finally {
    await mail.close();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
