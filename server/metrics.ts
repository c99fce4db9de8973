import { createServer } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { mailChannels } from "./deletion-requests/mails/mails.ts";
import type { createSubmitting } from "./deletion-requests/self-service/submitting.ts";
import { findUnsent } from "./delivery/outbox.ts";
import type { Foundation } from "./open.ts";
import { copyKinds, readLastBackups } from "./platform/database/last-backups.ts";

type Submitting = ReturnType<typeof createSubmitting>;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates Prometheus metrics about forms, the oldest unsent email, backups, database connections
 * and Node itself (for example, the event loop delay). No metric contains personal data.
 */
export function createMetrics({ database, clock }: Pick<Foundation, "database" | "clock">) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const forms = new Counter({
    name: "campus_ride_forms_total",
    help: "Deletion forms by result: stored, refused (a field was invalid), not-stored (the database failed) and others.",
    labelNames: ["answer"],
    registers,
  });
  for (const answer of ["stored", "refused", "not-stored"]) forms.inc({ answer }, 0);

  const oldestMail = new Gauge({
    name: "campus_ride_oldest_unsent_mail_seconds",
    help: "Age of the oldest email that is due and unsent; 0 if there is none.",
    registers,
  });
  const copyAge = new Gauge({
    name: "campus_ride_copy_age_seconds",
    help: "Age of the newest backup and of the newest export of the ledger; infinite if there is none.",
    labelNames: ["kind"],
    registers,
  });
  const isUp = new Gauge({
    name: "campus_ride_database_up",
    help: "1 if the database can be read and written, 0 if not.",
    registers,
  });
  const connections = new Gauge({
    name: "campus_ride_database_connections",
    help: "Connections to PostgreSQL by pool and state; waiting counts queries without a connection.",
    labelNames: ["pool", "state"],
    registers,
  });

  async function readStore(): Promise<void> {
    const now = clock();
    const secondsSince = (at: Temporal.Instant) => now.since(at).total("seconds");
    const { since } = await findUnsent(database.read, mailChannels, now);
    oldestMail.set(since ? secondsSince(since) : 0);
    const copies = await readLastBackups(database.read);
    for (const kind of copyKinds) {
      const copy = copies[kind];
      copyAge.set({ kind }, copy ? secondsSince(copy.at) : Number.POSITIVE_INFINITY);
    }
  }

  return {
    /** Wraps the form service to count forms by result. */
    watch(submitting: Submitting): Submitting {
      return {
        ...submitting,
        async submit(...form) {
          const answer = await submitting.submit(...form);
          forms.inc({ answer: answer.kind });
          return answer;
        },
      };
    },

    /**
     * Returns all metrics as text. If the database can't be read, omits the metrics that come from
     * it.
     */
    async render(): Promise<string> {
      copyAge.reset();
      oldestMail.remove();
      const isWhole = await readStore().then(
        async () => (await database.findTrouble()) === undefined,
        () => false,
      );
      isUp.set(isWhole ? 1 : 0);
      for (const { pool, ...states } of database.countConnections?.() ?? []) {
        for (const [state, count] of Object.entries(states))
          connections.set({ pool, state }, count);
      }
      return registry.metrics();
    },
  };
}

/**
 * Serves `/metrics` to this machine only.
 * @returns a function that stops the server
 * @throws system errors such as EADDRINUSE
 */
export async function serveMetrics({ render }: Metrics, port: number): Promise<() => void> {
  const server = createServer(async ({ url }, answer) => {
    if (url !== "/metrics") {
      answer.writeHead(404, { "Content-Type": "text/plain" }).end("Metrics are at /metrics.\n");
      return;
    }
    const text = await render().catch(() => undefined);
    answer.writeHead(text === undefined ? 500 : 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
    });
    answer.end(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, "127.0.0.1", resolve);
  await promise;
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
