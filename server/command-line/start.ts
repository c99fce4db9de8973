import { calendar } from "../../campus/calendar.ts";
import { campus } from "../../campus/campus.ts";
import { readConfig } from "../config.ts";
import { type Database, openDatabase } from "../database/database.ts";
import type { Office } from "../deletion-requests/transitions.ts";
import { checkKeys } from "../keys/key-check.ts";
import { loadKeys } from "../keys/keys.ts";
import { createMailFiles } from "../mail/files.ts";

/** What a command says, and its exit code: 0 done, 1 could not be done, 2 not understood, 3 found something to do. */
export type Outcome = { code: 0 | 1 | 2 | 3; out?: string; problem?: string };

export type CommandServices = Office & {
  database: Database;
  clock: () => Temporal.Instant;
  removeMailFiles: (messageKeys: readonly string[]) => Promise<void>;
};

/** Opens the data folder of the server, which may be running, for one command. Sets the exit code. */
export async function runOnData(
  run: (services: CommandServices) => Promise<Outcome>,
): Promise<void> {
  const outcome = await openAndRun(run);
  if (outcome.out) process.stdout.write(outcome.out);
  if (outcome.problem) process.stderr.write(outcome.problem);
  process.exitCode = outcome.code;
}

async function openAndRun(run: (services: CommandServices) => Promise<Outcome>): Promise<Outcome> {
  const configured = readConfig(process.env);
  if (!configured.ok) {
    return { code: 1, problem: configured.problems.map((problem) => `${problem}\n`).join("") };
  }
  const { dataDir, secretKeys } = configured.config;
  const opened = await openDatabase({ dataDir });
  if (!opened.ok) return { code: 1, problem: `${opened.problem}\n` };
  const { database } = opened;
  try {
    const loaded = await loadKeys({ secretKeys, dataDir });
    if (!loaded.ok) return { code: 1, problem: `${loaded.problem}\n` };
    const checked = await checkKeys(database, loaded.keys);
    if (!checked.ok) return { code: 1, problem: `${checked.problem}\n` };
    return await run({
      database,
      keys: loaded.keys,
      calendar,
      businessDays: campus.deletionBusinessDays.limit,
      clock: () => Temporal.Now.instant(),
      removeMailFiles: createMailFiles(dataDir).remove,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { code: 1, problem: `That could not be done: ${reason}.\n` };
  } finally {
    await database.close();
  }
}
