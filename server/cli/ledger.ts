import { readFile } from "node:fs/promises";
import { createOperatorCommands } from "../deletion-requests/commands/operator-commands.ts";
import { findEntry } from "../deletion-requests/ledger/entries.ts";
import { checkAccounts } from "../deletion-requests/ledger/returned-accounts.ts";
import { checkLedger, type LedgerVerdict } from "../deletion-requests/ledger/verification.ts";
import { writeAbout } from "../deletion-requests/repository/audit-log.ts";
import { findRequest } from "../deletion-requests/repository/requests.ts";
import { parseReference } from "../deletion-requests/state-machine/request.ts";
import { writeCopy } from "./copies.ts";
import { recordCopy } from "./old-copies.ts";
import {
  type CommandInvocation,
  type CommandServices,
  createProgram,
  runOnData,
} from "./program.ts";
import { countOf, failed, formatTable, type Outcome, toPrintable } from "./sentences.ts";

/**
 * `npm run store -- ledger`: verifies, shows and exports the erasure ledger, and finds the accounts
 * that must be deleted again after the account system restored a backup.
 */

const usage = `Erasure ledger

  npm run store -- ledger check FILE    which accounts in FILE were deleted before and must be erased again
                                        (FILE: one address a line, or CSV that contains one in each line)
  npm run store -- ledger verify        whether every ended request has its entry, signed and unchanged
  npm run store -- ledger show REF      the entry of a request as it was signed
  npm run store -- ledger export FILE   the daily export: everything, including open requests, encrypted with SECRET_KEYS, in a
                                        new file. npm run store -- restore puts it back

The history records each command, under the name of the team member given with --as NAME or under this machine's
account.

Exit codes: 0 nothing to do or done, 1 could not be done, 2 not understood, 3 accounts must be erased again or the
ledger is not intact, 4 can't tell (a key is missing, lines have no address, the ledger is empty), 5 there is no database.
`;

const known = { as: "string" } as const;

type Invocation = CommandInvocation<CommandServices, typeof known>;

export const runCommand = createProgram(usage, known, {
  check: { takes: ["FILE"], signed: "anybody", run: check },
  verify: { signed: "anybody", run: verify },
  show: { takes: ["REF"], run: showEntry },
  export: { takes: ["FILE"], signed: "anybody", run: exportTo },
});

/** Checks a list of accounts against the ledger, and records the check in the history. */
async function check({ services, words: [file = ""], name }: Invocation): Promise<Outcome> {
  const list = await readFile(file, "utf8").catch(() => undefined);
  if (list === undefined) return failed(`We can't read the file ${file}.`);
  return formatCheck(await checkAccounts(services, list.split(/\r?\n/), name), file);
}

async function verify({ services, name }: Invocation): Promise<Outcome> {
  const verdict = await checkLedger(services.database, services.keys);
  const result = verdict.findings.length === 0 ? "whole" : "not whole";
  const about = writeAbout("ledger-verify", { verdict: result });
  await createOperatorCommands(services).enter(name, "ledger-verify", about);
  return describeVerdict(verdict);
}

async function exportTo({ services, words: [file = ""], name }: Invocation): Promise<Outcome> {
  const { database, keys } = services;
  const [newest] = keys.fileKeys();
  if (!newest) throw new Error("There are no keys");
  await createOperatorCommands(services).enter(name, "ledger-export", "");
  const problem = await writeCopy(database, file, newest.sealing);
  if (problem !== undefined) return failed(problem);
  return recordCopy(
    services,
    "export",
    file,
    `Everything is in ${file}, encrypted. You need the present SECRET_KEYS to open it.`,
  );
}

async function showEntry({ services, words: [which = ""] }: Invocation): Promise<Outcome> {
  const { database } = services;
  const reference = parseReference(which);
  const request = reference && (await findRequest(database.read, { reference }));
  const entry = request && (await findEntry(database.read, { requestId: request.id }));
  if (!entry) return failed(`The ledger has no entry for ${toPrintable(which)}.`);
  const { keyVersion, signature, text } = entry;
  return { code: 0, out: `Key: ${keyVersion}\nSignature: ${signature}\n\n${text}` };
}

function formatCheck(result: Awaited<ReturnType<typeof checkAccounts>>, file: string): Outcome {
  const doubts = [
    result.read === 0 ? `No line of ${file} contains an address.` : "",
    result.read > 0 && result.unreadable > 0
      ? `${countOf(result.unreadable, "line contains", "lines contain")} no usable address.`
      : "",
    result.hasEntries
      ? ""
      : "The ledger is empty: no deletion has ever ended here. Is DATA_DIR the server's folder?",
    result.unknownKeys > 0
      ? `${countOf(result.unknownKeys, "entry", "entries")} can't be compared: their key is missing from SECRET_KEYS.`
      : "",
  ].filter((doubt) => doubt !== "");
  const problem = doubts.map((doubt) => `${doubt}\n`).join("");
  if (result.mustBeErased.length === 0) {
    return doubts.length > 0
      ? { code: 4, out: "We can't tell whether accounts must be erased again.\n", problem }
      : {
          code: 0,
          out: `We checked ${countOf(result.read, "address", "addresses")}. No account has to be erased again.\n`,
        };
  }
  const table = formatTable(
    ["ADDRESS", "DELETED", "REFERENCE"],
    result.mustBeErased.map((account) => [
      account.address,
      account.completedAt.toString({ smallestUnit: "minute" }),
      account.reference,
    ]),
  );
  return { code: 3, out: table, problem };
}

function describeVerdict(verdict: LedgerVerdict): Outcome {
  const { findings, moreFindings, unknownKeys } = verdict;
  const size = countOf(verdict.entries, "entry", "entries");
  if (findings.length > 0) {
    const more = moreFindings > 0 ? `and ${moreFindings} more\n` : "";
    const lines = findings.map(({ where, problem }) => `  ${where} ${problem}\n`).join("");
    return { code: 3, out: `THE LEDGER IS NOT INTACT. It has ${size}.\n${lines}${more}` };
  }
  if (unknownKeys > 0) {
    const unknown = countOf(unknownKeys, "signature was", "signatures were");
    return {
      code: 4,
      out: `We can't tell whether the ledger is intact: ${unknown} made with keys that are unknown here.\n`,
    };
  }
  return { code: 0, out: `The ledger is intact: ${size}.\n` };
}

if (import.meta.main) {
  await runOnData((services) => runCommand(process.argv.slice(2), services), usage);
}
