import type { Keys } from "../../platform/crypto/keys.ts";
import { isSignedBy } from "../../platform/crypto/signing.ts";
import { toText } from "../../platform/database/rows.ts";
import { listing, type Read, readAll } from "../../platform/database/statement.ts";
import { toRequest } from "../repository/request-row.ts";
import { endedUnconfirmed, isEnded } from "../state-machine/request.ts";
import { findEntry, listPublishedKeys, readEntries } from "./entries.ts";
import { readLine } from "./entry.ts";

/** A problem in the ledger. `where` is the affected entry or request. */
export type Finding = { where: string; problem: string };

const findingsListed = 50;

export type LedgerVerdict = Awaited<ReturnType<typeof checkLedger>>;

/** Verifies every entry's signature, and checks that each ended request matches its entry. */
export async function checkLedger({ read }: { read: Read }, keys: Keys) {
  const verdict = {
    entries: 0,
    findings: [] as Finding[],
    /** Number of findings beyond the listed ones. */
    moreFindings: 0,
    /** Number of signatures whose key is gone and was never published. */
    unknownKeys: 0,
  };
  const find = (where: string, problem: string) => {
    if (verdict.findings.length < findingsListed) verdict.findings.push({ where, problem });
    else verdict.moreFindings++;
  };
  const known = new Map(
    [...(await listPublishedKeys(read)), ...keys.publicKeys()].map((key) => [
      key.version,
      key.publicKey,
    ]),
  );
  for await (const entry of readEntries(read)) {
    verdict.entries++;
    const key = known.get(entry.keyVersion);
    if (key === undefined) verdict.unknownKeys++;
    const isSigned = key === undefined || isSignedBy(key, entry.text, entry.signature);
    if (!isSigned || readLine(entry.text, "What") !== entry.what) {
      find(`entry ${entry.sequence}`, "was changed");
    }
  }
  await checkEndedRequests(read, find);
  return verdict;
}

async function checkEndedRequests(
  read: Read,
  find: (where: string, problem: string) => void,
): Promise<void> {
  for await (const row of readAll(read, endedAfter, "id")) {
    const request = toRequest(row);
    if (!isEnded(request)) continue;
    const where = `request ${request.reference}`;
    const entry = await findEntry(read, { requestId: request.id });
    if (!entry || entry.what === "reopened") {
      find(where, "is closed, and its entry is missing");
      continue;
    }
    const expected: [line: string, value: string][] = [
      ["Reference", request.reference],
      ["Received", toText(request.receivedAt)],
      ["Ended", toText(request.endedAt)],
      ["Account", `${row.addressHashVersion}.${row.addressHash}`],
    ];
    if (!endedUnconfirmed(request)) expected.push(["Confirmed", toText(request.confirmedAt)]);
    const isSame = expected.every(([line, value]) => readLine(entry.text, line) === value);
    if (entry.what !== request.state || !isSame) find(where, "differs from its entry");
  }
}

const endedAfter = listing("requests", { id: ">", addressHash: "is not null" }, ["id"]);
