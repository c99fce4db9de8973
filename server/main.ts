import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { pino } from "pino";
import { readConfig } from "./config.ts";
import { openDatabase } from "./database/database.ts";
import { createDeletionRequests } from "./deletion-requests/service.ts";
import { findClientAddress } from "./http/client-address.ts";
import { createSubmissionDoor } from "./http/submission-door.ts";
import { createSubmissionLimit } from "./http/submission-limit.ts";
import { openSiteBundle } from "./site-bundle.ts";

/**
 * Starts the site: settings, database, services, HTTP; stops in the reverse order. Every way in which starting can
 * fail for a reason outside the code ends with one clear sentence and a non-zero exit.
 */

const root = join(import.meta.dirname, "..");

function fail(...sentences: string[]): never {
  for (const sentence of sentences) console.error(sentence);
  process.exit(1);
}

const read = readConfig(process.env);
if (!read.ok) fail(...read.problems);
const { config } = read;

const opened = await openDatabase({ dataDir: config.dataDir });
if (!opened.ok) fail(opened.problem);
const { database } = opened;

const log = pino({
  level: config.logLevel,
  base: null,
  redact: { paths: ["email", "*.email", "token", "*.token", "req", "res"], censor: "[removed]" },
});
const clock = () => Temporal.Now.instant();
const deletionRequests = createDeletionRequests({
  database,
  clock,
  onStorageProblem: (error) => log.error({ error: describe(error) }, "a request could not be stored"),
});
const bundle = await openSiteBundle(root);
const site = bundle.createSite({
  publicUrl: config.publicUrl,
  deletionMode: config.deletionMode,
  deletionRequests,
  submissionDoor: createSubmissionDoor({
    deletionRequests,
    limit: createSubmissionLimit({ ...config.submissionLimit, clock }),
    mode: config.deletionMode,
  }),
  clock,
  clientDir: bundle.clientDir,
  readAsset: bundle.readAsset,
  islandUrl: bundle.islandUrl,
  clientAddress: (request, socketAddress) =>
    findClientAddress(config.trustProxy, socketAddress, request.headers.get("x-forwarded-for")),
  isHealthy: async () => {
    await deletionRequests.list();
    return true;
  },
  log,
  reportError: (error, path) => log.error({ path, error: describe(error) }, "a page failed"),
});

const server = createHttpServer(
  {
    // Slow or silent connections are closed: the limits of Node itself are minutes.
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
  },
  getRequestListener(site.fetch, { overrideGlobalObjects: false }),
);
server.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EADDRINUSE") {
    fail(`Port ${config.port} is already taken. Stop the other program, or choose a port: PORT=3001 npm start`);
  }
  if (error.code === "EACCES") fail(`Port ${config.port} may not be used by this account. Choose one above 1023.`);
  fail(`The server could not start: ${error.message}`);
});
server.listen({ port: config.port, host: config.host }, () => {
  console.log(`Serving ${config.publicUrl} (data in ${config.dataDir}). Ctrl-C stops it.`);
  if (config.deletionMode === "simulated") {
    console.log("DELETION_MODE=simulated: the deletion form is a demonstration and stores nothing.");
  }
});

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) process.exit(1);
  stopping = true;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 5_000).unref();
  await closed;
  await database.close();
  process.exit(0);
}
process.on("SIGINT", stop);
process.on("SIGTERM", stop);

/** An error as text without what a person typed: its name, code and where it happened. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = (error as NodeJS.ErrnoException).code;
  return [error.name, code, error.stack?.split("\n").slice(1, 6).join("\n")].filter(Boolean).join(" ");
}
