import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { ChainVerdict } from "../deletion-requests/chain-check.ts";
import {
  type CheckResult,
  createLedger,
  type LedgerEntry,
  ledgerEntrySchema,
} from "../deletion-requests/ledger.ts";
import { type CommandServices, type Outcome, runOnData, signature } from "./start.ts";
import { formatTable } from "./table.ts";

/** `npm run ledger`: what to erase again after a backup was restored. */

const usage = `Erasure ledger

  npm run ledger -- check FILE    which accounts in FILE were deleted before and must be erased again
                                  (FILE: one address a line, or CSV that contains one in each line)
  npm run ledger -- verify        whether every entry is there, unchanged and in its place
  npm run ledger -- export        the ledger, one line of JSON for each ended request, to standard output
  npm run ledger -- merge FILE    end and erase again in a restored database what an exported ledger knows

Each is entered in the journal under the name given with --as NAME, or under this machine's account.

Exit codes: 0 nothing to do or done, 1 could not be done, 2 not understood, 3 accounts must be erased again or the
ledger is not whole, 4 cannot tell (a key is missing, lines hold no address, the ledger is empty), 5 there is no database.
`;

/** Runs one command. Prints nothing itself, so that a test can read what it says. */
export async function runCommand(
  words: readonly string[],
  services: CommandServices,
): Promise<Outcome> {
  const read = readWords(words);
  if (!read) return { code: 2, problem: usage };
  const [command = "help", file, ...rest] = read.positionals;
  const name = signature(read.values.as);
  const takesFile = command === "check" || command === "merge";
  if (rest.length > 0 || (takesFile ? !file : file)) return { code: 2, problem: usage };
  const ledger = createLedger(services);
  if (command === "help") return { code: 0, out: usage };
  if (command === "export") {
    return { code: 0, out: toLines(ledger.list(name)) };
  }
  if (command === "verify") return tellVerdict(await ledger.verify(name));
  if (!takesFile) return { code: 2, problem: usage };

  const lines = await readLines(file ?? "");
  if (!lines) return { code: 1, problem: `The file ${file} cannot be read.\n` };
  if (command === "merge") {
    const entries = readEntries(lines);
    if (typeof entries === "number") {
      return {
        code: 1,
        problem: `Line ${entries} of ${file} is no entry of a ledger. Nothing was changed.\n`,
      };
    }
    const changed = await ledger.merge(entries, name);
    return { code: 0, out: `${entries.length} entries read, ${changed} applied.\n` };
  }

  return tellCheck(await ledger.check(lines, name), file ?? "");
}

/** Never says that nothing is to be done where only nothing could be compared. */
function tellCheck(result: CheckResult, file: string): Outcome {
  const doubts = [
    result.read === 0 ? `No line of ${file} holds an address.` : "",
    result.read > 0 && result.unreadable > 0
      ? `${count(result.unreadable, "line holds", "lines hold")} no usable address.`
      : "",
    result.hasEntries
      ? ""
      : "The ledger is empty: no deletion ever ended here. Is DATA_DIR the folder of the server?",
    result.unknownKeys > 0
      ? `${count(result.unknownKeys, "entry", "entries")} cannot be compared: their key is missing from SECRET_KEYS.`
      : "",
  ].filter((doubt) => doubt !== "");
  const problem = doubts.map((doubt) => `${doubt}\n`).join("");
  if (result.mustBeErased.length === 0) {
    return doubts.length > 0
      ? { code: 4, out: "Cannot tell whether accounts must be erased again.\n", problem }
      : {
          code: 0,
          out: `No account must be erased again, of ${count(result.read, "address", "addresses")}.\n`,
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

function tellVerdict(verdict: ChainVerdict): Outcome {
  const { findings, entries, head } = verdict;
  const forgotten = verdict.forgottenUpTo
    ? ` Entries up to ${verdict.forgottenUpTo} are forgotten, as a signed checkpoint says.`
    : "";
  const size = `${count(entries, "entry", "entries")}.${forgotten}`;
  if (findings.length > 0) {
    const more = verdict.moreFindings > 0 ? `and ${verdict.moreFindings} more\n` : "";
    const lines = findings.map(({ where, problem }) => `  ${where} ${problem}\n`).join("");
    return { code: 3, out: `THE LEDGER IS NOT WHOLE. It has ${size}\n${lines}${more}` };
  }
  if (verdict.unknownKeys > 0) {
    const unknown = count(verdict.unknownKeys, "signature was", "signatures were");
    return {
      code: 4,
      out: `Cannot tell whether the ledger is whole: ${unknown} made with keys that nobody knows here.\n`,
    };
  }
  if (head.sequence === 0) return { code: 0, out: "The ledger is empty: nothing ended yet.\n" };
  return {
    code: 0,
    out: `The ledger is whole: ${size}\nThe last one, ${head.sequence}, has the hash ${head.hash}\nWhoever keeps that line elsewhere can tell later that nothing before it was changed.\n`,
  };
}

function count(of: number, one: string, other: string): string {
  return `${of} ${of === 1 ? one : other}`;
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { as: { type: "string" } },
    });
  } catch {
    return undefined;
  }
}

async function* toLines(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

async function readLines(path: string): Promise<string[] | undefined> {
  try {
    return (await readFile(path, "utf8")).split(/\r?\n/);
  } catch {
    return undefined;
  }
}

/** The entries, or the number of the first line that is none. */
function readEntries(lines: readonly string[]): LedgerEntry[] | number {
  const entries: LedgerEntry[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      entries.push(ledgerEntrySchema.parse(JSON.parse(line)));
    } catch {
      return index + 1;
    }
  }
  return entries;
}

if (import.meta.main) await runOnData((services) => runCommand(process.argv.slice(2), services));
