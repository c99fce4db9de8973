import { z } from "zod";
import { markUnsentDoubtful } from "../../delivery/outbox.ts";
import type { Calendar } from "../../platform/calendar/business-days.ts";
import type { Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { readLastSeen } from "../../platform/database/last-seen.ts";
import {
  deleteRestore,
  findLastRestore,
  findRestore,
  findUnconfirmedRestore,
  type Restore,
  recordRestore,
  recordRestoreConfirmed,
} from "../../platform/database/restore-hold.ts";
import {
  finding,
  listing,
  type Read,
  updating,
  type Write,
} from "../../platform/database/statement.ts";
import { revokeAccess } from "../../team/roster/sessions.ts";
import { findEntryAt, findLastEntry } from "../ledger/entries.ts";
import { enqueueRestoreLetter, wasRestoreLetterWritten } from "../mails/mails.ts";
import { recordAct, writeAbout } from "../repository/audit-log.ts";
import { renewLink } from "../repository/links.ts";
import { listById, listReceived, readRequests } from "../repository/request-lists.ts";
import { findRequest, findRequestById, saveRequest } from "../repository/requests.ts";
import { startGrace } from "../repository/restore-letters.ts";
import {
  dueOf,
  type EndedRequest,
  holdOf,
  isEnded,
  isWorking,
  type StoredRequest,
} from "../state-machine/request.ts";
import { postponeExpiry } from "../state-machine/state-machine.ts";
import type { Upkeep } from "./retention-jobs.ts";

/**
 * Restores a backup of the store without resending emails, breaking promised dates or shortening
 * anyone's deadlines. Uses the newest of several backups. Until an operator confirms the restore,
 * nothing is sent and nothing expires.
 */

/** An entry of the restore report, for an operator to check. Contains no personal data. */
const restoredSchema = z.strictObject({
  id: z.int(),
  reference: z.string(),
  state: z.string(),
  due: z.string(),
  /** How the request differs between the two backups. */
  what: z.enum(["came back", "changed", "gone", "as it was"]),
  detail: z.string(),
  /**
   * Whether the request was open in the backup. If so, the lost data may include acts by the
   * requester.
   */
  open: z.boolean(),
});
type Restored = z.infer<typeof restoredSchema>;

export const reportSchema = z.strictObject({
  /** The restored backup, followed by the backup it was compared with, if any. */
  copies: z.array(z.strictObject({ file: z.string(), takenAt: z.string() })).min(1),
  restored: z.array(restoredSchema),
  /**
   * Number of ended requests that `restored` leaves out: those that are the same in both backups or,
   * if there is only one backup, all of them.
   */
  same: z.int(),
  /** Number of emails that may have been sent before the data loss. */
  doubtfulMails: z.int(),
  /** How the server detected the restore. Unset if an operator ran the restore command. */
  found: z.enum(["shorter", "moved"]).optional(),
});
export type RestoreReport = z.infer<typeof reportSchema>;

/** Returns the time of a backup's latest record, or undefined if the backup is empty. */
export async function findTakenAt(database: Read): Promise<Temporal.Instant | undefined> {
  const found = [await readLastSeen(database)];
  for (const last of lastOfEach) found.push(await last(database, { id: Number.MAX_SAFE_INTEGER }));
  return found
    .filter((at) => at !== undefined)
    .sort(Temporal.Instant.compare)
    .at(-1);
}

const lastOfEach = [
  finding("request_events", { id: "<=" }, ({ at }) => at, "id"),
  finding("submissions", { id: "<=" }, ({ receivedAt }) => receivedAt, "id"),
  finding("journal", { id: "<=" }, ({ at }) => at, "id"),
];

/**
 * Returns why two backups can't come from the same store, or undefined if they can. The newer backup
 * must contain the older one's latest ledger entry and latest restore, unless their retention period
 * has ended. The older one's first request, if it still exists, must have kept its reference.
 */
export async function findBreak(older: Read, newer: Read): Promise<string | undefined> {
  const last = await findLastEntry(older);
  const newest = await findLastEntry(newer);
  if (last && newest && last.sequence > newest.sequence) {
    return `the older one ends with entry ${last.sequence} of the ledger, the newer one with ${newest.sequence}`;
  }
  const same = last && (await findEntryAt(newer, { sequence: last.sequence }));
  if (last && same && same.signature !== last.signature) {
    return `entry ${last.sequence} of the ledger differs`;
  }
  const restored = await findRecentRestore(older);
  if (restored && !(await findRestore(newer, restored))) {
    return "the older one was restored from a copy, but the newer one has no record of that";
  }
  const [first] = await listById(older, { limit: 1, id: 0 });
  const there = first && (await findRequestById(newer, { id: first.id }));
  const named = first && (await findRequest(newer, { reference: first.reference }));
  return there && named?.id !== there.id ? `request ${there.id} is a different request` : undefined;
}

/**
 * Finds the last restore, if a newer backup must still contain it: the restore is recent, and isn't
 * a "moved" one, whose record is deleted when an operator confirms it.
 */
async function findRecentRestore(copy: Read): Promise<Restore | undefined> {
  const restore = await findLastRestore(copy);
  if (!restore || readFound(restore) === "moved") return undefined;
  const takenAt = (await findTakenAt(copy)) ?? restore.at;
  const confirmedAt = restore.confirmedAt ?? takenAt;
  return takenAt.since(confirmedAt).total("hours") < 365 * 24 ? restore : undefined;
}

/**
 * Lists the requests that differ between two backups and all requests that are open in the newer
 * one.
 */
export async function compareCopies(
  older: Read | undefined,
  newer: Read,
): Promise<{ restored: Restored[]; same: number }> {
  const restored: Restored[] = [];
  let same = 0;
  for await (const request of readRequests(newer)) {
    const before = older && (await findRequestById(older, { id: request.id }));
    const change = older === undefined ? unchanged : describeChange(before, request);
    if (change.what === "as it was" && isEnded(request)) same++;
    else restored.push(toRestored(request, change));
  }
  if (older) {
    for await (const request of readRequests(older)) {
      if (await findRequestById(newer, { id: request.id })) continue;
      const detail =
        request.state === "received" ? "no one confirmed it, or it was removed" : "forgotten";
      restored.push({ ...toRestored(request, { what: "gone", detail }), open: false });
    }
  }
  return { restored, same };
}

type Change = Pick<Restored, "what" | "detail">;

const unchanged: Change = { what: "as it was", detail: "" };

function describeChange(before: StoredRequest | undefined, after: StoredRequest): Change {
  if (!before) return { what: "came back", detail: "" };
  const wasDone = isDone(before);
  const details = [
    before.state === after.state ? "" : `was ${before.state}`,
    dueOf(before) === dueOf(after) || dueOf(before) === "" ? "" : `was due ${dueOf(before)}`,
    describeHold(before) === describeHold(after)
      ? ""
      : `was ${describeHold(before) || "not on hold"}`,
    wasDone === isDone(after) || isEnded(after) ? "" : `was ${wasDone ? "" : "not "}called done`,
    before.sent === after.sent ? "" : "was sent again",
    before.email !== undefined && after.email === undefined ? "was erased" : "",
  ].filter((detail) => detail !== "");
  return details.length === 0 ? unchanged : { what: "changed", detail: details.join(", ") };
}

function describeHold(request: StoredRequest): string {
  const wait = holdOf(request);
  return wait ? `on hold until ${wait.until} (${wait.reason})` : "";
}

function isDone(request: StoredRequest): boolean {
  return isWorking(request) && request.done !== undefined;
}

function toRestored(request: StoredRequest, change: Change): Restored {
  const { id, reference, state } = request;
  return { id, reference, state, due: dueOf(request), open: !isEnded(request), ...change };
}

export function readFound(restore: Restore): RestoreReport["found"] {
  const read = z
    .object({ found: reportSchema.shape.found })
    .safeParse(JSON.parse(restore.report || "{}"));
  return read.success ? read.data.found : undefined;
}

/**
 * Puts the database on hold, as after a restore. The server calls this function if the database is
 * older than before or was copied from elsewhere. An existing hold keeps its reason.
 */
export async function holdFound(
  services: { database: Database; keys: Keys },
  found: "shorter" | "moved",
  at: Temporal.Instant,
): Promise<Restore | undefined> {
  const { database } = services;
  const held = await findUnconfirmedRestore(database.read);
  if (held) return held;
  const knownUntil = (await findTakenAt(database.read)) ?? at;
  const name = "the server";
  if (found === "moved") {
    const copies = copiesFound(knownUntil);
    const report = { copies, restored: [], same: 0, doubtfulMails: 0, found };
    await database.write((transaction) =>
      recordRestore(transaction, { at, name, knownUntil, report: JSON.stringify(report) }),
    );
  } else {
    await recordFound(services, { name, at, knownUntil });
  }
  return findUnconfirmedRestore(database.read);
}

const copiesFound = (knownUntil: Temporal.Instant) => [
  { file: "the database as it was found", takenAt: knownUntil.toString() },
];

/** Puts the current database on hold, because it lacks the data after `knownUntil`. */
async function recordFound(
  services: { database: Database; keys: Keys },
  how: { name: string; at: Temporal.Instant; knownUntil: Temporal.Instant },
): Promise<void> {
  const compared = await compareCopies(undefined, services.database.read);
  const report = { copies: copiesFound(how.knownUntil), ...compared, found: "shorter" as const };
  await recordRestored(services, { ...how, report });
}

/**
 * Treats a copied data folder as an outdated backup, after an operator confirmed that later data is
 * missing.
 */
export async function holdAsOlder(
  services: { database: Database; keys: Keys },
  held: Restore,
  name: string,
  at: Temporal.Instant,
): Promise<void> {
  await recordFound(services, { name, at, knownUntil: held.knownUntil });
  await services.database.write((transaction) => deleteRestore(transaction, { id: held.id }));
}

/**
 * Puts the restored database on hold and marks unsent messages as doubtful. Revokes all sessions,
 * invitations and recovery codes, because an operator may have left the team or lost a phone since
 * the backup. Passkeys keep working.
 */
export async function recordRestored(
  services: { database: Database; keys: Keys },
  restore: {
    name: string;
    at: Temporal.Instant;
    knownUntil: Temporal.Instant;
    report: Omit<RestoreReport, "doubtfulMails">;
  },
): Promise<RestoreReport> {
  const { name, at, knownUntil } = restore;
  return services.database.write(async (transaction) => {
    const doubtfulMails = await markUnsentDoubtful(transaction);
    const report = { ...restore.report, doubtfulMails };
    const stored = JSON.stringify(report);
    await recordRestore(transaction, { at, name, knownUntil, report: stored });
    for (const { id, state } of report.restored.filter(({ open }) => open)) {
      // Unconfirmed requests get no grace period, because the acts that it blocks (taking,
      // completing) need a confirmed request.
      if (state !== "received") await startGrace(transaction, id);
    }
    await revokeAccess(transaction);
    const about = writeAbout("restore", { at: knownUntil });
    await recordAct(transaction, { at, name, act: "restore", about });
    return report;
  });
}

/**
 * Yields the requests that were open in the backup and are still open. Their requesters may have
 * acted after the time of the backup.
 */
async function* readConcerned(database: Read, restore: Restore): AsyncGenerator<OpenRequest> {
  const report = reportSchema.parse(JSON.parse(restore.report));
  for (const { id, open } of report.restored) {
    const request = open ? await findRequestById(database, { id }) : undefined;
    if (request && !isEnded(request)) yield request;
  }
}

type OpenRequest = Exclude<StoredRequest, EndedRequest>;

/** Counts the requesters who still need a restore letter. */
export async function countUnwritten(database: Read, restore: Restore): Promise<number> {
  let count = 0;
  for await (const { id } of readConcerned(database, restore)) {
    if (!(await wasRestoreLetterWritten(database, restore.id, id))) count++;
  }
  return count;
}

/**
 * Queues a restore letter to each requester whose request was open in the backup and still is.
 * Returns the number of new letters, without those that were already queued.
 */
export async function writeLetters(
  services: { database: Database; keys: Keys; calendar: Calendar },
  restore: Restore,
  name: string,
  now: Temporal.Instant,
): Promise<number> {
  const { database } = services;
  const about = { restoreId: restore.id, copiedAt: restore.knownUntil };
  let count = 0;
  for await (const { id } of readConcerned(database.read, restore)) {
    const isNew = await database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id });
      if (!request || isEnded(request)) return false;
      return enqueueRestoreLetter({ services, transaction, now }, request, about);
    });
    if (isNew) count++;
  }
  await database.write((transaction) =>
    recordAct(transaction, { at: now, name, act: "restore-write", about: String(count) }),
  );
  return count;
}

/**
 * Confirms a restore and resumes the service. Extends expiry times by the time since the backup but
 * keeps promised dates. Marks current notices as sent, because the operator has just read them. If
 * the data folder was only moved, nothing was lost, so this only deletes the hold.
 */
export async function confirmRestored(
  services: { database: Database; upkeep: Pick<Upkeep, "settleNotifications"> },
  restore: Restore,
  name: string,
  now: Temporal.Instant,
): Promise<void> {
  if (readFound(restore) === "moved") {
    await services.database.write(async (transaction) => {
      await deleteRestore(transaction, { id: restore.id });
      await recordAct(transaction, { at: now, name, act: "restore-confirm", about: "" });
    });
    return;
  }
  const lostMs = now.epochMilliseconds - restore.knownUntil.epochMilliseconds;
  const lost = { milliseconds: Math.max(0, lostMs) };
  await services.database.write(async (transaction) => {
    await giveTimeBack(transaction, restore.knownUntil, lost);
    await services.upkeep.settleNotifications(transaction, now);
    await recordRestoreConfirmed(transaction, { confirmedAt: now });
    await recordAct(transaction, { at: now, name, act: "restore-confirm", about: "" });
  });
}

async function giveTimeBack(
  transaction: Write,
  knownUntil: Temporal.Instant,
  lost: { milliseconds: number },
): Promise<void> {
  // Reads each list completely before changing its rows, so that no deadline is extended twice.
  const limit = Number.MAX_SAFE_INTEGER;
  const lastBefore = { expiresAt: knownUntil, id: limit };
  for (const request of await listReceived(transaction, limit, lastBefore)) {
    const after = { requestId: request.id, expiresAt: knownUntil, limit };
    for (const { hash, expiresAt } of await linksOf(transaction, after)) {
      await renewLink(transaction, { hash, expiresAt: expiresAt?.add(lost) });
    }
    await saveRequest(transaction, request, postponeExpiry(request, request.expiresAt.add(lost)));
  }
  for (const { id, closesAt } of await closingAfter(transaction, { closesAt: knownUntil, limit })) {
    await moveClosing(transaction, { id, closesAt: closesAt?.add(lost) });
  }
}

const linksOf = listing("tokens", { requestId: "=", expiresAt: ">" }, ["id"]);
const closingAfter = listing("tokens", { closesAt: ">" }, ["closesAt"]);
const moveClosing = updating("tokens", ["closesAt"]);
