import type { MoveResult, Progress } from "../database/moving.ts";
import { moveBetween } from "../database/places.ts";
import { print } from "./program.ts";
import { formatTable, type Outcome } from "./sentences.ts";

/** `npm run store -- move-data`: from the file to PostgreSQL, or back. Needs neither keys nor a campus. */

const usage = `Move everything that is stored into another database

  npm run store -- move-data FROM TO      FROM and TO: a data folder, or an address of PostgreSQL such as
                                          postgres://site@db.example/requests; the word DATABASE_URL stands for the
                                          address that this setting has, so that no password shows in the list of processes

The server must be stopped. FROM stays as it is; TO must be new, and is no store until every row was compared. A move
that was broken off begins anew when the same is said again.
`;

/** How often a long move says how far it is. */
const tellEveryMs = 2000;

export async function runCommand(
  words: readonly string[],
  env: Record<string, string | undefined> = process.env,
  tell: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): Promise<Outcome> {
  const [from, to, ...rest] = words;
  if (from === undefined || from === "help") return { code: 0, out: usage };
  if (to === undefined || rest.length > 0) return { code: 2, problem: usage };
  const [source = "", target = ""] = [from, to].map((word) =>
    word === "DATABASE_URL" ? (env.DATABASE_URL?.trim() ?? "") : word,
  );
  if (source === "" || target === "") {
    return { code: 1, problem: "DATABASE_URL is not set.\n" };
  }
  if ([from, to].some(holdsPassword)) {
    tell(
      "A password among the words of a command can be read by others on this machine: the word DATABASE_URL and that setting hide it.",
    );
  }
  const moved = await moveBetween(source, target, telling(tell));
  if (!moved.ok) return { code: 1, problem: `${moved.problem}\n` };
  return describe(moved, target.startsWith("postgres"));
}

function holdsPassword(word: string): boolean {
  return URL.canParse(word) && new URL(word).password !== "";
}

function telling(tell: (line: string) => void): (progress: Progress) => void {
  let last = performance.now();
  return ({ step, table, rows }) => {
    if (performance.now() - last < tellEveryMs) return;
    last = performance.now();
    tell(`${step} ${table}: ${toText(rows)} rows`);
  };
}

function toText(count: number): string {
  return count.toLocaleString("en");
}

/** A place at the beginning of a sentence. */
const atStart = (place: string) => place.replace(/^the /, "The ");

function describe(
  { from, to, result }: { from: string; to: string; result: MoveResult },
  toPostgres: boolean,
): Outcome {
  const cannot = (problem: string): Outcome => ({ code: 1, problem: `${problem}\n` });
  switch (result.kind) {
    case "older":
      return cannot(
        `What is in ${from} is of an older version. Start this version's server on it once, stop it, and say this again.`,
      );
    case "newer":
      return cannot(`What is in ${from} is of a newer version than this program.`);
    case "not-empty":
      return cannot(
        `There is something in ${to} already. Nothing was changed: choose an empty one.`,
      );
    case "different":
      return cannot(`What arrived is not what left: ${result.row}. ${atStart(to)} is no store.`);
    case "moved": {
      const rows = result.tables.reduce((sum, table) => sum + table.rows, 0);
      const counted = result.tables.filter((table) => table.rows > 0);
      return {
        code: 0,
        out: `${formatTable(
          ["table", "rows, all the same"],
          counted.map((table) => [table.name, toText(table.rows)]),
        )}
${toText(rows)} rows are in ${to}, each compared with the one in ${from}.
${atStart(from)} is as it was. Keep it until you have looked around on the other, then remove it: it holds addresses.
${toPostgres ? `Next: set DATABASE_URL; leave DATA_DIR with its keys, or set the same SECRET_KEYS` : `Next: take DATABASE_URL out of the settings, set DATA_DIR, and the same SECRET_KEYS or a copy of the file keys there`}; start the server; npm run store -- ledger verify.
`,
      };
    }
  }
}

if (import.meta.main) {
  try {
    process.exitCode = print(await runCommand(process.argv.slice(2)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    process.stderr.write(
      `The move was broken off (${code ?? message}). Say the same again and it begins anew.\n`,
    );
    process.exitCode = 1;
  }
}
