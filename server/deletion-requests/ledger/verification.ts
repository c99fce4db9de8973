import { toText } from "../../database/rows.ts";
import { listing, type Read, readAll } from "../../database/statement.ts";
import type { Keys } from "../../keys/keys.ts";
import { isSignedBy } from "../../keys/signing.ts";
import { endedUnconfirmed, isEnded } from "../life/request.ts";
import { toRequest } from "../store/request-row.ts";
import { findRequestById } from "../store/requests.ts";
import {
  type ChainEntry,
  findCheckpoint,
  findEntry,
  listHeads,
  listPublishedKeys,
  readEntries,
  writeCheckpoint,
} from "./chain.ts";
import { hashEntry, noEntry, type Place, readLine, readPlace } from "./entry.ts";

/** What is wrong with the ledger, and with which entry or request. */
export type Finding = { where: string; problem: string };

const findingsTold = 50;
/** A request goes after 24 months, and its entry when all before it are as old. */
const keptForCertainDays = 700;
/** More than there are days for which heads are kept. */
const keptForDays = 1000;

export type ChainVerdict = Awaited<ReturnType<typeof checkChain>>;

/**
 * Reads the whole ledger and tells every entry that was changed, is missing or stands in another place, and every ended
 * request that the ledger tells otherwise.
 * @param askedHash of an entry, as somebody outside has it
 */
export async function checkChain(
  { read }: { read: Read },
  keys: Keys,
  now: Temporal.Instant,
  askedHash?: string,
) {
  const check = await beginCheck(read, keys);
  const checkpoint = await checkCheckpoint(check, askedHash);
  const head = await checkEntries(check, checkpoint, now, askedHash);
  await checkEnded(check);
  return { ...check.verdict, head };
}

type Signed = Pick<ChainEntry, "keyVersion" | "signature">;
type Check = Awaited<ReturnType<typeof beginCheck>>;

/** Of the keys at hand; of those that are gone what was published. */
async function beginCheck(read: Read, keys: Keys) {
  const verdict = {
    entries: 0,
    /** Undefined where there is nothing yet. */
    forgottenUpTo: undefined as number | undefined,
    /** The entry whose hash was asked after; undefined where none has it. */
    asked: undefined as number | undefined,
    findings: [] as Finding[],
    /** Of so many more no more is told. */
    moreFindings: 0,
    /** Signatures of keys that nobody knows any more: neither right nor wrong. */
    unknownKeys: 0,
  };
  const find = (where: string, problem: string) => {
    if (verdict.findings.length < findingsTold) verdict.findings.push({ where, problem });
    else verdict.moreFindings++;
  };
  const published = await listPublishedKeys(read);
  const known = new Map(published.map((key) => [key.version, key.publicKey]));
  for (const { version, publicKey } of keys.publicKeys()) {
    const told = known.get(version);
    if (told !== undefined && told !== publicKey) {
      find(`key ${version}`, "the published key is not the one that signs");
    }
    known.set(version, publicKey);
  }
  const checkSignature = (where: string, text: string, by: Signed) => {
    const key = known.get(by.keyVersion);
    if (key === undefined) verdict.unknownKeys++;
    else if (!isSignedBy(key, text, by.signature)) find(where, "its signature does not fit it");
  };
  return { read, verdict, find, checkSignature };
}

/** Up to where the ledger has forgotten; what follows continues it. */
async function checkCheckpoint(
  { read, verdict, find, checkSignature }: Check,
  askedHash: string | undefined,
): Promise<Place> {
  const checkpoint = await findCheckpoint(read);
  if (!checkpoint) return noEntry;
  const { sequence, hash, text } = checkpoint;
  const forgotten = readLine(text, "Forgotten") ?? "";
  if (text !== writeCheckpoint({ sequence, hash }, forgotten))
    find("the checkpoint", "was changed");
  checkSignature("the checkpoint", text, checkpoint);
  verdict.forgottenUpTo = sequence;
  if (hash === askedHash) verdict.asked = sequence;
  return { sequence, hash };
}

/** Every entry, each against the one before and the heads that were told outside. Returns the last. */
async function checkEntries(
  check: Check,
  checkpoint: Place,
  now: Temporal.Instant,
  askedHash: string | undefined,
): Promise<Place> {
  const { read, verdict, find } = check;
  const soonForgotten = now.subtract({ hours: keptForCertainDays * 24 });
  // The day that is not over, too.
  const heads = await listHeads(read, now.add({ hours: 24 }), keptForDays);
  const headAt = new Map(heads.map((one) => [one.sequence, one]));
  let previous = checkpoint;
  for await (const entry of readEntries(read)) {
    verdict.entries++;
    const where = `entry ${entry.sequence}`;
    const expected = previous.sequence + 1;
    const missing = entry.sequence - expected;
    if (missing === 1) find(`entry ${expected}`, "is missing");
    if (missing > 1) find(`entries ${expected} to ${entry.sequence - 1}`, "are missing");
    if (checkEntry(check, entry, missing === 0 ? previous : undefined)) {
      if (entry.hash === askedHash) verdict.asked = entry.sequence;
      const ending = headAt.get(entry.sequence);
      if (ending && ending.hash !== entry.hash) {
        find(where, `is not the one with which the ledger ended on ${ending.day}`);
      }
      const { requestId } = entry;
      const isKept = Temporal.Instant.compare(entry.enteredAt, soonForgotten) > 0;
      if (requestId !== undefined && isKept && !(await findRequestById(read, { id: requestId }))) {
        find(where, "tells of a request that is no longer stored");
      }
    }
    // What follows is held against what this one says of itself, so that one changed entry is told once.
    previous = { sequence: entry.sequence, hash: entry.hash };
  }
  for (const { sequence, day } of heads) {
    if (sequence > previous.sequence) {
      find(`entry ${sequence}`, `is missing, with which the ledger ended on ${day}`);
    }
  }
  return previous;
}

/**
 * Whether an entry is what it was when it was entered.
 * @param previous the one that it continues, where that is here
 */
function checkEntry(
  { find, checkSignature }: Check,
  entry: ChainEntry,
  previous: Place | undefined,
): boolean {
  const where = `entry ${entry.sequence}`;
  const place = readPlace(entry.text);
  if (place && place.sequence !== entry.sequence) {
    find(where, `holds the text of entry ${place.sequence}`);
    return false;
  }
  // What stands beside the text, to be found by, is what the text says.
  const isSame =
    readLine(entry.text, "What") === entry.what &&
    readLine(entry.text, "Entered") === toText(entry.enteredAt);
  if (hashEntry(entry.text) !== entry.hash || !place || !isSame) {
    find(where, "was changed");
    return false;
  }
  if (previous && place.previous !== previous.hash) {
    find(where, `does not continue entry ${previous.sequence} as that stands here`);
  }
  checkSignature(where, entry.text, entry);
  return true;
}

/** Every ended request against its entry. */
async function checkEnded({ read, find }: Check): Promise<void> {
  for await (const row of readAll(read, endedAfter, "id")) {
    const request = toRequest(row);
    if (!isEnded(request)) continue;
    const entry = await findEntry(read, { requestId: request.id });
    if (!entry || entry.what === "reopened") {
      find(`request ${request.reference}`, "has ended, and its entry is missing");
      continue;
    }
    const said: [line: string, is: string][] = [
      ["Reference", request.reference],
      ["Received", toText(request.receivedAt)],
      ["Ended", toText(request.endedAt)],
      ["Account", `${row.addressHashVersion}.${row.addressHash}`],
    ];
    if (!endedUnconfirmed(request)) said.push(["Confirmed", toText(request.confirmedAt)]);
    const isSame = said.every(([line, is]) => readLine(entry.text, line) === is);
    if (entry.what !== request.state || !isSame) {
      find(`request ${request.reference}`, `is not what entry ${entry.sequence} says`);
    }
  }
}

const endedAfter = listing("requests", { id: ">", addressHash: "is not null" }, ["id"]);
