import type { Site } from "./app.ts";
import { findClockProblem } from "./clock-trust.ts";
import { type Config, readConfig } from "./config.ts";
import { holdFound } from "./deletion-requests/jobs/restore.ts";
import { createLog } from "./log.ts";
import { serveMetrics } from "./metrics.ts";
import { type Foundation, openFoundation } from "./open.ts";
import {
  type Calendar,
  calendarWarning,
  dateAt,
  toMinute,
} from "./platform/calendar/business-days.ts";
import { explainUnwritable } from "./platform/database/database.ts";
import { readLastSeen } from "./platform/database/last-seen.ts";
import { errorCode, errorName } from "./platform/database/storage-errors.ts";
import { createLimitedServer } from "./platform/http/http-server.ts";
import { createTrust } from "./platform/http/networks.ts";
import { createServices, type SiteServices } from "./services.ts";
import { NotBuiltError, type SiteBundle } from "./site-bundle.ts";

/** The site's code and files, from the build or the development server. */
type SiteSource = Omit<SiteBundle, "createSite"> & {
  createSite: (
    services: SiteServices,
  ) => Pick<Site, "listener" | "prepare"> &
    Partial<Pick<Site, "answerBroken" | "answerExpectation">>;
};

/**
 * Reads the settings, opens the database, and starts the services, the HTTP server and the
 * scheduler. On a signal, stops everything in reverse order. If startup fails for a reason outside
 * the code, such as an invalid setting, prints an explanation of each problem and exits with a
 * nonzero code.
 */
export async function startServer(
  openSite: (config: Config) => Promise<SiteSource>,
): Promise<void> {
  const read = readConfig(process.env);
  if (!read.ok) fail(...read.problems);
  const { config } = read;

  const opened = await openFoundation(config, {
    create: true,
    join: {
      // A conflicting server has replaced this server while the process was paused.
      onLost: (problem) => fail(problem),
      onWait: () =>
        console.log(
          "Another server is registered on this database: checking whether it is still running ...",
        ),
    },
  });
  if (!opened.ok) fail(opened.problem);
  const { foundation, membership } = opened;
  const { calendar, clock } = foundation;

  /** Unregisters the server and exits. The next server then doesn't have to wait. */
  async function giveUp(sentence: string): Promise<never> {
    await membership?.leave();
    fail(sentence);
  }

  const log = createLog(config.logLevel);
  const { read: reader, isShared } = foundation.database;
  const whose = isShared ? "the database's machine" : "this machine";
  const clockProblem = findClockProblem(clock(), await readLastSeen(reader), whose);
  if (clockProblem) await giveUp(clockProblem);
  const held = await compareWithMark(foundation).catch(async (error: unknown) => {
    if (errorCode(error) === undefined) throw error;
    return giveUp((await explainUnwritable(foundation.dataDir, error)).problem);
  });
  if (held) console.log(`WARNING: ${held}`);
  const stopMarking = maintainMark(foundation, log);
  const bundle = await openSite(config).catch((error: unknown) => {
    if (error instanceof NotBuiltError) return giveUp(error.message);
    throw error;
  });
  const { site, rounds, metrics, stop: stopRounds } = createServices(foundation, bundle, log);
  const { listener, prepare, ...refusing } = bundle.createSite(site);
  prepare();

  const { listen, stop: stopServer } = createLimitedServer(listener, {
    isBehindProxy: config.trustProxy.kind !== "none",
    isProxy: createTrust(config.trustProxy),
    ...refusing,
  });
  let stopMetrics = () => {};
  stopOnSignal(async () => {
    stopMetrics();
    await Promise.all([stopServer(), stopRounds()]);
    await membership?.leave();
    await stopMarking();
    await foundation.database.close();
    await new Promise<void>((resolve) => log.flush(() => resolve()));
  });

  await listen(config.port, config.host).catch((error) =>
    giveUp(explainUnserved(error, config.port)),
  );
  if (metrics && config.metricsPort !== undefined) {
    const { metricsPort } = config;
    stopMetrics = await serveMetrics(metrics, metricsPort).catch((error) =>
      giveUp(explainUnserved(error, metricsPort, "METRICS_PORT")),
    );
  }
  printServed(config, calendar, dateAt(calendar, clock()), bundle);
  const { warning } = foundation.database;
  if (warning) console.log(`WARNING: ${warning}`);
  rounds.start();
}

type Warn = { warn(facts: Record<string, unknown>, text: string): void };

/**
 * Compares the mark file with the database to detect missing rows or a copied folder. In either
 * case, puts the database on hold and returns a warning.
 */
async function compareWithMark({
  database,
  keys,
  clock,
  dataDir,
  calendar,
}: Foundation): Promise<string | undefined> {
  const { mark } = database;
  if (!mark) return undefined;
  const finding = await mark.compare();
  const isHeld = finding === "shorter" || finding === "moved";
  const held = isHeld ? await holdFound({ database, keys }, finding, clock()) : undefined;
  await mark.write();
  if (!held) return undefined;
  return finding === "shorter"
    ? `HELD: the database in ${dataDir} lacks what it had before: its log was damaged or deleted, or an older file was put back. Nothing leaves. Put back a newer copy, or carry on with what is there: npm run store -- restore show (docs/your-week.md).`
    : `HELD: ${dataDir} was copied or moved from elsewhere; it knows everything until ${toMinute(calendar, held.knownUntil)}. Nothing leaves. If this one is the real site and nothing came after that: npm run store -- restore confirm --as NAME. If more came after it: npm run store -- restore write --as NAME. If it is a copy, stop it.`;
}

/** Time between updates of the mark, in milliseconds. */
const markEveryMs = 1000;

/**
 * Updates the database's mark file (`store-mark.ts`) periodically. Returns a function that writes
 * the file one last time and stops the updates.
 */
function maintainMark({ database: { mark } }: Foundation, log: Warn): () => Promise<void> {
  if (!mark) return async () => {};
  let last = Promise.resolve();
  let isLogged = false;
  const write = () => {
    last = last
      .then(() => mark.write())
      .then(() => {
        isLogged = false;
      })
      .catch((error: unknown) => {
        if (isLogged) return;
        isLogged = true;
        log.warn(
          { error: errorName(error) },
          "the mark file next to the database could not be written",
        );
      });
    return last;
  };
  const timer = setInterval(write, markEveryMs);
  return () => {
    clearInterval(timer);
    return write();
  };
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const end = async () => {
    if (stopping) return;
    stopping = true;
    await stop();
    process.exit(0);
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
}

/**
 * Prints the site's URL. Warns about settings that are only for trying the site out, a calendar
 * that ends soon, and a security.txt that expires within 30 days.
 */
function printServed(
  config: Config,
  calendar: Calendar,
  today: Temporal.PlainDate,
  { campus }: SiteSource,
): void {
  console.log(`Serving ${config.publicUrl} (data in ${config.dataDir}). Ctrl-C stops it.`);
  if (config.deletionMode === "simulated") {
    console.log(
      "DELETION_MODE=simulated: the deletion form is a demonstration and stores nothing.",
    );
  }
  if (!config.smtpUrl) {
    console.log(
      config.production
        ? `WARNING: SMTP_URL is not set, so NO EMAIL LEAVES THIS MACHINE: no one can confirm a request. Emails are only written to ${config.dataDir}/mail.`
        : `No SMTP_URL: emails are written to ${config.dataDir}/mail as .eml files.`,
    );
  }
  const warning = calendarWarning(calendar, today);
  if (warning) console.log(`WARNING: ${warning}`);
  const { expires } = campus.settings.security;
  if (Temporal.PlainDate.compare(today.add({ days: 30 }), expires) > 0) {
    console.log(
      `WARNING: security.txt ends with ${expires}. Check its contact, then set a later date in the campus's settings.`,
    );
  }
}

function explainUnserved(
  { code, message }: NodeJS.ErrnoException,
  port: number,
  setting: "PORT" | "METRICS_PORT" = "PORT",
): string {
  switch (code) {
    case "EADDRINUSE":
      return setting === "PORT"
        ? `Port ${port} is already taken. Stop the other program, or choose another port for all commands: export PORT=3001`
        : `Port ${port} is already taken. Stop the other program, or set another ${setting}.`;
    case "EACCES":
      return `Port ${port} may not be used by this account. Choose a port above 1023.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return `HOST must be an address or a name of this machine (${code}). Leave it out to listen on all interfaces.`;
    default:
      return `The server could not start: ${message}`;
  }
}

function fail(...sentences: string[]): never {
  for (const sentence of sentences) console.error(sentence);
  process.exit(1);
}
