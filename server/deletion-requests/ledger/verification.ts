import type { Database } from "../../database/database.ts";
import { reading } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import { isSignedBy } from "../../keys/signing.ts";
import { findRequestById } from "../store/finding.ts";
import { isEnded } from "../store/request.ts";
import { toRequest } from "../store/request-row.ts";
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

export type ChainVerdict = {
  entries: number;
  /** Undefined where there is nothing yet. */
  forgottenUpTo: number | undefined;
  head: Place;
  /** The entry whose hash was asked after; undefined where none has it. */
  asked: number | undefined;
  findings: Finding[];
  /** Of so many more no more is told. */
  moreFindings: number;
  /** Signatures of keys that nobody knows any more: neither right nor wrong. */
  unknownKeys: number;
};

const findingsTold = 50;
/** A request goes after 24 months, and its entry when all before it are as old. */
const keptForCertainDays = 700;
/** More than there are days for which heads are kept. */
const keptForDays = 1000;
const readAtOnce = 500;

/**
 * Reads the whole ledger and tells every entry that was changed, is missing or stands in another place, and every ended
 * request that the ledger tells otherwise.
 * @param askedHash of an entry, as somebody outside has it
 */
export async function checkChain(
  database: Database,
  keys: Keys,
  now: Temporal.Instant,
  askedHash?: string,
): Promise<ChainVerdict> {
  const { read } = database;
  const soonForgotten = now.subtract({ hours: keptForCertainDays * 24 });
  const verdict: ChainVerdict = {
    entries: 0,
    forgottenUpTo: undefined,
    head: noEntry,
    asked: undefined,
    findings: [],
    moreFindings: 0,
    unknownKeys: 0,
  };
  const find = (where: string, problem: string) => {
    if (verdict.findings.length < findingsTold) verdict.findings.push({ where, problem });
    else verdict.moreFindings++;
  };
  // Of the keys at hand; of those that are gone what was published.
  const published = await listPublishedKeys(read);
  const known = new Map(published.map((key) => [key.version, key.publicKey]));
  for (const { version, publicKey } of keys.publicKeys()) {
    const told = known.get(version);
    if (told !== undefined && told !== publicKey) {
      find(`key ${version}`, "the published key is not the one that signs");
    }
    known.set(version, publicKey);
  }

  function checkSignature(where: string, text: string, by: ChainEntry["signature"]): void {
    const key = by && known.get(by.version);
    if (!by) find(where, "is not signed");
    else if (key === undefined) verdict.unknownKeys++;
    else if (!isSignedBy(key, text, by.signature)) find(where, "its signature does not fit it");
  }

  let previous: Place = noEntry;
  const checkpoint = await findCheckpoint(read);
  if (checkpoint) {
    const { sequence, hash, text, signature } = checkpoint;
    const forgotten = readLine(text, "Forgotten") ?? "";
    const at = Temporal.Instant.from(
      /^[\d-]+T[\d:.]+Z$/.test(forgotten) ? forgotten : toText(epoch),
    );
    if (text !== writeCheckpoint({ sequence, hash }, at)) find("the checkpoint", "was changed");
    checkSignature("the checkpoint", text, signature);
    previous = { sequence, hash };
    verdict.forgottenUpTo = sequence;
    if (hash === askedHash) verdict.asked = sequence;
  }
  // The day that is not over, too.
  const heads = await listHeads(read, now.add({ hours: 24 }), keptForDays);
  const headAt = new Map(heads.map((one) => [one.sequence, one]));

  for await (const entry of readEntries(read)) {
    verdict.entries++;
    const where = `entry ${entry.sequence}`;
    const expected = previous.sequence + 1;
    const missing = entry.sequence - expected;
    if (missing === 1) find(`entry ${expected}`, "is missing");
    if (missing > 1) find(`entries ${expected} to ${entry.sequence - 1}`, "are missing");
    const hash = hashEntry(entry.text);
    const place = readPlace(entry.text);
    if (place && place.sequence !== entry.sequence) {
      find(where, `holds the text of entry ${place.sequence}`);
    } else if (hash !== entry.hash || !place || !tellsTheSame(entry)) {
      find(where, "was changed");
    } else {
      if (missing === 0 && place.previous !== previous.hash) {
        find(where, `does not continue entry ${previous.sequence} as that stands here`);
      }
      checkSignature(where, entry.text, entry.signature);
      if (hash === askedHash) verdict.asked = entry.sequence;
      const ending = headAt.get(entry.sequence);
      if (ending && ending.hash !== hash) {
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
  verdict.head = previous;
  for (const { sequence, day } of heads) {
    if (sequence > previous.sequence) {
      find(`entry ${sequence}`, `is missing, with which the ledger ended on ${day}`);
    }
  }

  for (let last = 0; ; ) {
    const rows = await endedAfter(read, { last, limit: readAtOnce });
    for (const row of rows) {
      const request = toRequest(row);
      if (!isEnded(request)) continue;
      const entry = await findEntry(read, { requestId: request.id });
      if (!entry || entry.what === "reopened") {
        find(`request ${request.reference}`, "has ended, and its entry is missing");
      } else if (
        entry.what !== request.state ||
        readLine(entry.text, "Reference") !== request.reference ||
        readLine(entry.text, "Received") !== toText(request.receivedAt) ||
        readLine(entry.text, "Confirmed") !== toText(request.confirmedAt) ||
        readLine(entry.text, "Ended") !== toText(request.endedAt) ||
        readLine(entry.text, "Account") !== `${row.address_hash_version}.${row.address_hash}`
      ) {
        find(`request ${request.reference}`, `is not what entry ${entry.sequence} says`);
      }
    }
    const end = rows.at(-1);
    if (!end) return verdict;
    last = end.id;
  }
}

const epoch = Temporal.Instant.fromEpochMilliseconds(0);

/** Whether what stands beside the text, to be found by, is what the text says. */
function tellsTheSame(entry: ChainEntry): boolean {
  return (
    readLine(entry.text, "What") === entry.what &&
    readLine(entry.text, "Entered") === toText(entry.enteredAt)
  );
}

const endedAfter = reading((tables, { last, limit }: { last: number; limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("id", ">", last)
    .where("address_hash", "is not", null)
    .orderBy("id")
    .limit(limit),
);
