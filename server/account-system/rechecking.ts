import type { Database } from "../database/database.ts";
import {
  type CompletedDeletion,
  createLedger,
  namesInLedger,
  readAddresses,
} from "../deletion-requests/ledger/ledger.ts";
import { enterAct, findNewestAct } from "../deletion-requests/store/audit-log.ts";
import { addEvent, wasEnteredSince } from "../deletion-requests/store/events.ts";
import { findRequest, findRequestById } from "../deletion-requests/store/finding.ts";
import { isWorking } from "../deletion-requests/store/request.ts";
import type { Keys } from "../keys/keys.ts";
import { retryChannel } from "../outbox/outbox.ts";
import { accountChannel } from "./events.ts";
import {
  countRechecked,
  enterAsked,
  enterRecheck,
  enterStop,
  findHandOverOf,
} from "./hand-overs.ts";
import { announce, oweEvent } from "./handing-over.ts";

/**
 * After accounts were restored from a backup, every deletion that the ledger still knows is asked about, so that what
 * came back goes again. What the account system deleted itself, it is asked by its own ids. What a person deleted nobody
 * knows but by the keyed hash of an address: those are looked for in a list of the accounts that are there now, and each
 * stays open until it was not in such a list, or somebody says that it is gone. So it goes with what the account system
 * deleted without saying what it calls the account.
 */

type Services = { database: Database; keys: Keys; clock: () => Temporal.Instant };

/** How the newest recheck stands; undefined where there never was one. */
export type Recheck = {
  since: Temporal.Instant;
  /** Asked, and not answered by the account system yet. */
  unanswered: number;
  /** What only a person can look after, and nobody has yet. */
  byHand: CompletedDeletion[];
};

/**
 * Begins anew: asks about everything, whatever an earlier recheck found.
 * @param isLive whether the account system can be asked; if not, everything is for a person
 */
export async function beginRecheck(
  services: Services,
  isLive: boolean,
  name: string,
): Promise<{ asked: number; byHand: number }> {
  const { database, keys } = services;
  const now = services.clock();
  let asked = 0;
  let byHand = 0;
  for await (const { requestId } of createLedger(services).listCompleted()) {
    const isAsked = await database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id: requestId });
      const handOver = request && (await findHandOverOf(transaction, { requestId }));
      if (!isLive || !isTheirs(handOver) || !request) return false;
      await enterRecheck(transaction, { id: handOver.id, now });
      const kind = "account.deletion.recheck";
      await oweEvent(transaction, keys, handOver, request.reference, { kind }, now);
      return true;
    });
    if (isAsked) asked++;
    else byHand++;
  }
  await database.write((transaction) =>
    enterAct(transaction, {
      at: now,
      name,
      act: "account-recheck",
      about: `${asked} ${isLive ? "live" : "by-hand"}`,
    }),
  );
  return { asked, byHand };
}

type TheirHandOver = NonNullable<Awaited<ReturnType<typeof findHandOverOf>>>;

/** Whether the account system itself deleted it, and has a name by which it can be asked about it. */
function isTheirs(handOver: TheirHandOver | undefined): handOver is TheirHandOver {
  if (!handOver || handOver.test) return false;
  return handOver.state === "done" && handOver.accountId !== undefined;
}

export async function findRecheck(services: Services): Promise<Recheck | undefined> {
  const { read } = services.database;
  const begun = await findNewestAct(read, "account-recheck");
  if (!begun) return undefined;
  const wasLive = begun.about.endsWith("live");
  const byHand: CompletedDeletion[] = [];
  for await (const entry of createLedger(services).listCompleted()) {
    const { requestId } = entry;
    // What was completed since was deleted from the accounts as they are now.
    if (Temporal.Instant.compare(entry.completedAt, begun.at) > 0) continue;
    if (await wasEnteredSince(read, { requestId, ...settled, since: begun.at })) continue;
    if (wasLive && isTheirs(await findHandOverOf(read, { requestId }))) continue;
    byHand.push(entry);
  }
  return { since: begun.at, unanswered: await countRechecked(read), byHand };
}

/** Of the trail: the request needs no further look in the present recheck. */
const settled = { type: "recheck", code: "gone" };

export type Comparison = {
  /** Lines with a usable address, and without one. */
  read: number;
  unreadable: number;
  cameBack: { address: string; reference: string; completedAt: Temporal.Instant }[];
  /** Nobody can tell whom they mean: their key is gone. */
  unknownKeys: number;
  /** They are not there any more, and need no further look. */
  settled: number;
};

/**
 * Looks for what is still open in a list of all accounts that are there now. What is not among them is gone; nothing is
 * concluded from a list that is empty or has lines without a usable address.
 * @param lines one account each, as `npm run store -- ledger check` takes them
 */
export async function compareAccounts(
  services: Services,
  recheck: Recheck,
  lines: readonly string[],
  name: string,
): Promise<Comparison> {
  const { keys, database, clock } = services;
  const { addresses, unreadable } = readAddresses(lines);
  const there = new Map(
    addresses.flatMap((address) =>
      namesInLedger(keys, address).map((account) => [account, address] as const),
    ),
  );
  const isWhole = addresses.length > 0 && unreadable === 0;
  const found: Comparison = {
    read: addresses.length,
    unreadable,
    cameBack: [],
    unknownKeys: 0,
    settled: 0,
  };
  for (const { account, requestId, ...deletion } of recheck.byHand) {
    const address = there.get(account);
    if (address !== undefined) {
      found.cameBack.push({ ...deletion, address });
    } else if (!keys.versions.includes(Number(account.split(".")[0]))) {
      found.unknownKeys++;
    } else if (isWhole) {
      await settle(services, requestId, "", name);
      found.settled++;
    }
  }
  await database.write((transaction) =>
    enterAct(transaction, { at: clock(), name, act: "ledger-check", about: String(found.read) }),
  );
  return found;
}

export type TickResult = "done" | "not-found" | "not-open";

/** Somebody has looked: it is not there, or not any more, or what is there is a new account. */
export async function tickOff(
  services: Services,
  recheck: Recheck,
  reference: string,
  because: string,
  name: string,
): Promise<TickResult> {
  const request = await findRequest(services.database.read, { reference });
  if (!request) return "not-found";
  if (!recheck.byHand.some(({ requestId }) => requestId === request.id)) return "not-open";
  await settle(services, request.id, because, name);
  return "done";
}

function settle(
  { database, clock }: Services,
  requestId: number,
  note: string,
  name: string,
): Promise<void> {
  return database.write((transaction) =>
    addEvent(
      transaction,
      { id: requestId, state: "completed" },
      { ...settled, at: clock(), actor: "operator", name, note },
    ),
  );
}

/** Somebody has looked whether it may be deleted: the account system is asked for it, whatever was said of it before. */
export async function handOverAgain(
  { database, keys, clock }: Services,
  reference: string,
  name: string,
): Promise<"done" | "not-open"> {
  const now = clock();
  return database.write(async (transaction) => {
    const request = await findRequest(transaction, { reference });
    const handOver = request && (await findHandOverOf(transaction, { requestId: request.id }));
    const isOver = handOver?.state === "closed" || handOver?.state === "done";
    if (!request || !isWorking(request) || !handOver || isOver) return "not-open";
    await enterAsked(transaction, handOver, now);
    await announce(transaction, keys, { ...handOver, askedAt: now }, request, now);
    await addEvent(transaction, request, { actor: "operator", name, type: "retry", at: now });
    return "done";
  });
}

/** Sends on after the account system had said that it is gone. Returns how many events. */
export async function resume(
  services: { database: Database; clock: () => Temporal.Instant },
  name: string,
): Promise<number> {
  const now = services.clock();
  return services.database.write(async (transaction) => {
    await enterStop(transaction, { at: undefined });
    await enterAct(transaction, { at: now, name, act: "account-resume", about: "" });
    return retryChannel(transaction, { channel: accountChannel, now });
  });
}
