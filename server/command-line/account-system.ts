import { parseArgs } from "node:util";
import { checkAccountSystem } from "../account-system/checking.ts";
import { countOpen, findStanding, readCounts } from "../account-system/hand-overs.ts";
import { recheckAll, resume } from "../account-system/rechecking.ts";
import { dateAt } from "../calendar/business-days.ts";
import { type AccountSystemConfig, readConfig } from "../config.ts";
import { hookPaths } from "../http/paths.ts";
import { toMinute } from "./sentences.ts";
import { type CommandServices, type Outcome, runOnData, signature } from "./start.ts";
import { formatTable } from "./table.ts";

/** `npm run account-system`: the system that holds the accounts and deletes them. */

const usage = `Account system

  npm run account-system -- check              try both directions with a signed ping; changes nothing
  npm run account-system -- show               how it stands: what waits for an answer, and this month's calls
  npm run account-system -- recheck --as NAME  after accounts were restored from a backup: ask about every account that
                                               was deleted within 24 months
  npm run account-system -- resume --as NAME   send on after it had said that it is gone (410)

Settings: ACCOUNT_SYSTEM_URL, ACCOUNT_SYSTEM_SECRET, ACCOUNT_SYSTEM_INBOUND_SECRET, ACCOUNT_SYSTEM_POLL_TOKEN,
ACCOUNT_SYSTEM_MODE. docs/account-system.md says what the other side must do.

Exit codes: 0 done, 1 could not be done, 2 not understood, 3 something is wrong, 5 there is no database.
`;

const off =
  "No account system is connected: set ACCOUNT_SYSTEM_URL or ACCOUNT_SYSTEM_POLL_TOKEN.\n";

/** Runs one command. Prints nothing itself, so that a test can read what it says. */
export async function runCommand(
  words: readonly string[],
  services: Pick<CommandServices, "database" | "keys" | "clock" | "calendar">,
  config: { accountSystem: AccountSystemConfig; publicUrl: string },
): Promise<Outcome> {
  const read = readWords(words);
  if (!read || read.positionals.length > 1) return { code: 2, problem: usage };
  const [command = "help"] = read.positionals;
  const { accountSystem } = config;
  const name = signature(read.values.as);
  switch (command) {
    case "help":
      return { code: 0, out: usage };
    case "check": {
      if (accountSystem.mode === "off") return { code: 1, problem: off };
      const hook = config.publicUrl + hookPaths.accountSystem;
      const findings = await checkAccountSystem(accountSystem, hook, services.clock);
      const { stoppedAt } = await findStanding(services.database.read);
      if (stoppedAt) {
        const text = `Nothing has been sent since ${toMinute(services.calendar, stoppedAt)}, when it said that it is gone. Once it is right again: resume --as NAME.`;
        findings.push({ ok: false, text });
      }
      const lines = findings.map(({ ok, text }) => `${ok ? "good  " : "WRONG "} ${text}\n`);
      const trial = accountSystem.mode === "dry-run" ? dryRun : "";
      const isGood = findings.every(({ ok }) => ok);
      return { code: isGood ? 0 : 3, out: lines.join("") + trial };
    }
    case "show":
      return { code: 0, out: await show(services, accountSystem) };
    case "recheck": {
      if (accountSystem.mode !== "live") {
        return { code: 1, problem: "Only a live account system can be asked to delete again.\n" };
      }
      const { asked, byHand } = await recheckAll(services, name);
      const rest =
        byHand > 0
          ? `${byHand} deletions were done by hand, and it does not know them: write its addresses to a file and run npm run ledger -- check FILE.\n`
          : "";
      return { code: 0, out: `${asked} deletions are asked about.\n${rest}` };
    }
    case "resume": {
      const count = await resume(services, name);
      return { code: 0, out: `It is sent to again; ${count} events leave now.\n` };
    }
    default:
      return { code: 2, problem: usage };
  }
}

const dryRun =
  "Dry run: events say test, and answers change nothing. ACCOUNT_SYSTEM_MODE=live lets it delete.\n";

async function show(
  services: Pick<CommandServices, "database" | "clock" | "calendar">,
  accountSystem: AccountSystemConfig,
): Promise<string> {
  const { database, calendar, clock } = services;
  if (accountSystem.mode === "off") return off;
  const how =
    accountSystem.url === undefined
      ? "It fetches its events"
      : `Events are sent to ${new URL(accountSystem.url).host}`;
  const open = await countOpen(database.read);
  const month = dateAt(calendar, clock()).toString().slice(0, 7);
  const counts = await readCounts(database.read, month);
  const waiting = open.map(({ state, count, since }) => [
    state,
    String(count),
    toMinute(calendar, since),
  ]);
  return [
    `${how}; mode ${accountSystem.mode}.\n\n`,
    waiting.length > 0
      ? formatTable(["WAITING", "REQUESTS", "LAST TOLD, OLDEST"], waiting)
      : "Nothing waits for an answer.\n",
    counts.length > 0
      ? `\n${formatTable(
          [`CALLS IN ${month}`, "COUNT"],
          counts.map(([what, count]) => [what, String(count)]),
        )}`
      : "",
  ].join("");
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

if (import.meta.main) {
  // A mistake in the settings is told, in sentences, by whoever opens the data.
  const read = readConfig(process.env);
  await runOnData((services) =>
    read.ok
      ? runCommand(process.argv.slice(2), services, read.config)
      : Promise.resolve({ code: 1, problem: `${read.problems.join("\n")}\n` }),
  );
}
