import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { openFoundation, type Promises } from "./open.ts";
import {
  forgoDisk,
  provideTestDatabase,
  returnTestDatabase,
} from "./platform/database/database.fixture.ts";
import { type BuiltFiles, createServices, type Means } from "./services.ts";

export type TestServicesOptions = {
  /** Initial time. The clock stands still until the test advances it. */
  now: Temporal.Instant | string;
  /** Data folder with the database. Defaults to a temporary folder. */
  dataDir?: string;
  settings?: Record<string, string | undefined>;
  /** Overrides the configuration that was read from `settings`. */
  config?: Partial<Config>;
  promises?: Promises;
  means?: Partial<Means>;
};

/**
 * Opens the data folder and creates every service as the server does, but with a clock that the
 * test controls. Messages are sent and data is erased only when the test runs a round.
 */
export async function openTestServices(bundle: BuiltFiles, options: TestServicesOptions) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "rides-")));
  const databaseUrl = options.settings?.DATABASE_URL ?? (await provideTestDatabase(dataDir));
  const read = readConfig({ ...options.settings, DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  if (!read.ok) throw new Error(read.problems.join(" "));
  const config = { ...read.config, ...options.config };

  let now = Temporal.Instant.from(options.now);
  const clock = () => now;
  const { promises } = options;
  const opened = await openFoundation(config, { create: true, clock, promises });
  if (!opened.ok) throw new Error(opened.problem);
  const { foundation, store } = opened;
  const kysely = await forgoDisk(foundation.database, store);

  const logLines: string[] = [];
  const log = createLog("trace", {
    write: (line) => void logLines.push(line),
    flush: (done) => done(),
  });
  const services = createServices(foundation, bundle, log, options.means);
  const { site, rounds, outbox } = services;

  /** Stops the services as a server does, but keeps the data folder and the database. */
  async function stop(): Promise<void> {
    await services.stop();
    await foundation.database.close();
  }

  return {
    foundation,
    site,
    rounds,
    outbox,
    /** Direct access to the database, for changes that no service makes. */
    kysely,
    /** PostgreSQL connection URL. `undefined` if the database is a file in the data folder. */
    databaseUrl,
    logLines,

    /** Advances the clock. A day has 24 hours. */
    pass({
      days = 0,
      hours = 0,
      minutes = 0,
      seconds = 0,
      milliseconds = 0,
      microseconds = 0,
      nanoseconds = 0,
    }: Omit<Temporal.DurationLikeObject, "years" | "months" | "weeks">): void {
      // A spread would copy nothing, because a Temporal.Duration has no own properties.
      const time = { hours, minutes, seconds, milliseconds, microseconds, nanoseconds };
      // Adds days separately, because days and the time of day may have different signs.
      now = now.add({ hours: days * 24 }).add(time);
    },
    setClock(instant: Temporal.Instant | string): void {
      now = Temporal.Instant.from(instant);
    },

    stop,
    /** Stops the services, then deletes the data folder and the database. */
    async close(): Promise<void> {
      await stop();
      await returnTestDatabase(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
