import {
  atStart,
  type MovedTable,
  NotMovedError,
  type Progress,
} from "../platform/database/move-store.ts";
import { reasonOf } from "../platform/database/storage-errors.ts";
import { moveBetween } from "../platform/database/store-locations.ts";
import { print, wantsHelp } from "./program.ts";
import { failed, formatTable, type Outcome } from "./sentences.ts";

/**
 * `npm run store -- move-data`: moves the store from SQLite to PostgreSQL or back. It needs neither
 * keys nor a campus.
 */

const usage = `Move all data into another database

  npm run store -- move-data FROM TO      FROM and TO: a data folder, or an address of PostgreSQL such as
                                          postgres://site@db.example/requests; the word DATABASE_URL stands for the
                                          address in that setting, so that no password shows in the list of processes

The server must be stopped. FROM stays as it is. TO must be new, and can't be used until every row has been compared. If a
move breaks off, run the same command again: it starts over.
`;

const reportEveryMs = 2000;

export async function runCommand(
  words: readonly string[],
  env: Record<string, string | undefined> = process.env,
  print: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<Outcome> {
  const [from, to, ...rest] = words;
  if (from === undefined || wantsHelp(words)) return { code: 0, out: usage };
  if (to === undefined || rest.length > 0) return { code: 2, problem: usage };
  const [source = "", target = ""] = [from, to].map((word) =>
    word === "DATABASE_URL" ? (env.DATABASE_URL?.trim() ?? "") : word,
  );
  if (source === "" || target === "") return failed("DATABASE_URL is not set.");
  if ([from, to].some((word) => URL.parse(word)?.password)) {
    print(
      "Other users of this machine can read a password in a command. Write the word DATABASE_URL instead, and put the address into that setting.",
    );
  }
  try {
    const moved = await moveBetween(source, target, createProgressReport(print));
    return describe(moved, { toPostgres: target.startsWith("postgres") });
  } catch (error) {
    if (error instanceof NotMovedError) return failed(error.message);
    throw error;
  }
}

function createProgressReport(print: (line: string) => void): (progress: Progress) => void {
  let last = performance.now();
  return ({ step, table, rows }) => {
    if (performance.now() - last < reportEveryMs) return;
    last = performance.now();
    print(`${step} ${table}: ${toText(rows)} rows`);
  };
}

function toText(count: number): string {
  return count.toLocaleString("en");
}

function describe(
  { from, to, tables }: { from: string; to: string; tables: readonly MovedTable[] },
  { toPostgres }: { toPostgres: boolean },
): Outcome {
  const rows = toText(tables.reduce((sum, table) => sum + table.rows, 0));
  const table = formatTable(
    ["table", "rows, all the same"],
    tables.filter((moved) => moved.rows > 0).map((moved) => [moved.name, toText(moved.rows)]),
  );
  return {
    code: 0,
    out: `${table}
${rows} rows are in ${to}, each compared with the one in ${from}.
${atStart(from)} is as it was. Keep it until you have checked the new one, then remove it: it contains addresses.
${toPostgres ? `Next: set DATABASE_URL; leave DATA_DIR with its keys, or set the same SECRET_KEYS` : `Next: take DATABASE_URL out of the settings, set DATA_DIR, and the same SECRET_KEYS or a copy of the file keys there`}; start the server; npm run store -- ledger verify.
`,
  };
}

if (import.meta.main) {
  const moved = runCommand(process.argv.slice(2)).catch((error: unknown) =>
    failed(`The move broke off (${reasonOf(error)}). Run the same command again: it starts over.`),
  );
  process.exitCode = print(await moved);
}
