import { setTimeout } from "node:timers/promises";
import type { Dialect } from "kysely";
import { upgradeStore } from "./migrate.ts";
import { openPostgres, type PostgresStore } from "./postgres.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { errorCode } from "./storage-errors.ts";

/** Requirements for the PostgreSQL server, and explanations for a database that can't be opened. */

/** Oldest major version that we accept. Its last security update was in November 2026. */
const oldestVersion = 14;

/**
 * Opens a database if it meets all requirements. Otherwise, explains the first unmet requirement.
 */
export async function openFitting(
  address: PostgresAddress,
  lockWaitMs?: number,
): Promise<{ ok: true; store: PostgresStore; warning?: string } | { ok: false; problem: string }> {
  const store = openPostgres(address, lockWaitMs);
  const fail = async (problem: string) => {
    await store.close();
    return { ok: false, problem } as const;
  };
  try {
    const unfit = await findUnfit(store);
    if (unfit !== undefined) return fail(`The database ${address.name} ${unfit}`);
    if (!(await store.losesStatements())) return { ok: true, store };
    const warning = `A pooler in front of the database ${address.name} loses prepared statements, which makes every query slower. Use pgbouncer 1.21 or newer with max_prepared_statements = 200.`;
    return { ok: true, store, warning };
  } catch (error) {
    return fail(explainUnopened(address, error));
  }
}

/** Returns the first unmet requirement, worded to follow the database's name, or `undefined`. */
async function findUnfit(store: PostgresStore): Promise<string | undefined> {
  const [found] = await store.command(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as copies, current_setting('default_transaction_read_only') as frozen,
      current_setting('synchronous_commit') as durable`,
  );
  const major = Math.floor(Number(found?.version) / 10_000);
  if (major < oldestVersion) {
    return `is PostgreSQL ${major}, which is too old. Version ${oldestVersion} or newer is needed.`;
  }
  if (found?.encoding !== "UTF8") {
    return `keeps its text as ${found?.encoding}, which cannot hold every name. Make one with: createdb --encoding=UTF8 --template=template0.`;
  }
  if (found?.copies === 1) {
    return "is a replica that only reads. Set DATABASE_URL to the server that it follows.";
  }
  if (found?.frozen === "on") {
    return "only reads. Set default_transaction_read_only to off for it, or DATABASE_URL to one that can be written.";
  }
  if (found?.durable === "off") {
    return "tells what is not on its disk yet as stored. Set synchronous_commit to on for it.";
  }
  return undefined;
}

/**
 * Checks whether the tables exist, and whether the database is the target of an unfinished move
 * (`move-store.ts`).
 */
export async function readProgress(store: PostgresStore) {
  const [found] = await store.command(
    "select to_regclass('kysely_migration') as tables, to_regclass('unfinished_move') as moving",
  );
  return { hasTables: found?.tables !== null, isBeingMoved: found?.moving !== null };
}

/**
 * Migrates while servers with the previous version are running. Their statements have priority, so
 * each attempt waits only briefly for locks.
 */
export async function upgradeBeside(upgrading: Dialect, tries = 60): Promise<void> {
  try {
    await upgradeStore(upgrading);
  } catch (error) {
    if (!/^(?:40P01|55P03)$/.test(errorCode(error) ?? "") || tries === 1) throw error;
    await setTimeout(1000 + Math.random() * 1000);
    await upgradeBeside(upgrading, tries - 1);
  }
}

/** Explains why the database could not be opened. Never includes the password. */
export function explainUnopened(address: PostgresAddress, error: unknown): string {
  const { name, client, hosts } = address;
  const cause = rootOf(error);
  const code = errorCode(cause) ?? "";
  const host = hosts.map((candidate) => candidate.host).join(" or ");
  const user = client.user === undefined ? "this user" : `the user ${client.user}`;
  switch (code) {
    case "ECONNREFUSED":
    case "ENOENT":
      return `No PostgreSQL answers for the database ${name} (${code}). Start it, or set DATABASE_URL to where it is.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The host ${host} of the database cannot be found (${code}). Check its name in DATABASE_URL.`;
    case "EACCES":
      return `The database ${name} cannot be reached (${code}): this user may not use its socket.`;
    case "28P01":
      return `The database ${name} refuses the password of ${user}. Check it in DATABASE_URL.`;
    case "28000":
      return `The database ${name} refuses ${user} from this machine. Allow the connection in its pg_hba.conf, and check that the user may log in.`;
    case "3D000":
      return `There is no database ${name}. Make one with: createdb --encoding=UTF8 --template=template0 ${client.database}.`;
    case "42501":
      return `${user.replace(/^t/, "T")} may not create or use tables in the database ${name}. Make that user its owner.`;
    case "55000":
      return `The database ${name} accepts no connections at the moment. Ask its administrator to allow them.`;
    case "25006":
      if (hosts.length > 1) {
        return `None of the servers of the database ${name} takes changes. Promote one, or add the one that takes them to DATABASE_URL.`;
      }
      return `The database ${name} is read-only. Set DATABASE_URL to one that can be written.`;
    case "53300":
      return `The database ${name} accepts no more connections. Each instance of the server uses up to 17. Raise max_connections, or stop other clients.`;
    case "40P01":
    case "55P03":
      return `Another client, such as a backup, blocks changes to the tables of the database ${name}. Start again once it has finished.`;
    case "57P03":
      return `The database ${name} is starting or stopping. Try again in a moment.`;
    case "08P01":
      return explainPooler(name, cause.message);
    case "53100":
      return `The disk of the database ${name} is full.`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `The certificate of the database ${name} is for another name than ${host}. Set DATABASE_URL to the name that it is for.`;
    case "CERT_HAS_EXPIRED":
      return `The certificate of the database ${name} has expired.`;
  }
  if (certificateCodes.test(code)) {
    return `The certificate of the database ${name} cannot be trusted (${code}). Name the one that signed it: ?sslrootcert=/path/of/it.pem in DATABASE_URL.`;
  }
  if (cause.message === "There was an error establishing an SSL connection") {
    return `The program that answers for the database ${name} is not PostgreSQL. Check the machine and the port in DATABASE_URL.`;
  }
  if (cause.message === "The server does not support SSL connections") {
    return `The database ${name} does not encrypt its connections. Give it a certificate (ssl = on), or use it on this machine.`;
  }
  const isSilent = /^(?:timeout|Connection terminated due)/;
  if (code === "ETIMEDOUT" || code === "EHOSTUNREACH" || hasMessage(error, isSilent)) {
    return `The database ${name} does not answer. Check DATABASE_URL, and whether a firewall is in between.`;
  }
  if (code === "ECONNRESET" || cause.message === "Connection terminated unexpectedly") {
    return `The program that answers for the database ${name} hung up. Check that it is PostgreSQL, and the machine and the port in DATABASE_URL.`;
  }
  return `The database ${name} cannot be opened (${code || withoutPassword(cause.message, client.password)}).`;
}

/** Explains a protocol error that only a pooler in front of PostgreSQL raises. */
function explainPooler(name: string, message: string): string {
  const [, parameter] = /unsupported startup parameter:? *([\w.]+)/.exec(message) ?? [];
  if (parameter !== undefined) {
    const remedy =
      parameter === "options"
        ? "Unset PGOPTIONS for the site"
        : `Add ${parameter} to its ignore_startup_parameters`;
    return `A pooler such as pgbouncer in front of the database ${name} refuses the parameter ${parameter}. ${remedy}.`;
  }
  if (/statement pooling mode/.test(message)) {
    return `A pooler such as pgbouncer in front of the database ${name} allows no transactions. Set its pool_mode to transaction.`;
  }
  return `A pooler such as pgbouncer in front of the database ${name} refuses the connection (08P01). Check that it knows the database and the user in DATABASE_URL.`;
}

const certificateCodes = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS|ERR_SSL)/;

/** Returns the root cause: the error that the database or the network raised. */
function rootOf(error: unknown): Error {
  let root = error instanceof Error ? error : new Error(String(error));
  while (root.cause instanceof Error) root = root.cause;
  // A host name with several IP addresses fails with one error per address.
  return root instanceof AggregateError ? rootOf(root.errors[0]) : root;
}

/**
 * Searches the messages of an error and all its causes. A timeout also closes the connection, so
 * the outermost error may report only a disconnect.
 */
function hasMessage(error: unknown, words: RegExp): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (words.test(cause.message)) return true;
  }
  return false;
}

function withoutPassword(text: string, password: unknown): string {
  return typeof password === "string" ? text.replaceAll(password, "…") : text;
}
