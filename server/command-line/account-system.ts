import { checkAccountSystem } from "../account-system/checking.ts";
import { accountChannel } from "../account-system/events.ts";
import { countOpen, findStanding, readCounts } from "../account-system/hand-overs.ts";
import {
  beginRecheck,
  type Comparison,
  compareAccounts,
  findRecheck,
  handOverAgain,
  type Recheck,
  resume,
  tickOff,
} from "../account-system/rechecking.ts";
import { dateAt } from "../calendar/business-days.ts";
import type { AccountSystemConfig } from "../config.ts";
import { parseReference } from "../deletion-requests/life/reference.ts";
import { listTrials } from "../deletion-requests/store/events.ts";
import { hookPaths } from "../http/paths.ts";
import { listFailing, listTroubled } from "../outbox/outbox.ts";
import { readLines } from "./copies.ts";
import { type Asked, createProgram } from "./program.ts";
import { countOf, done, failed, toMinute } from "./sentences.ts";
import { type CommandServices, type Outcome, runOnData } from "./start.ts";
import { formatTable, toPrintable } from "./table.ts";

/** `npm run account-system`: the system that holds the accounts and deletes them. */

const usage = `Account system

  npm run account-system -- check              try both directions with a signed ping; changes nothing
  npm run account-system -- show               how it stands: what waits for an answer, and this month's calls
  npm run account-system -- resume --as NAME   send on after it had said that it is gone (410)
  npm run account-system -- hand-over REF --as NAME
                                               ask it for a request although it said that this was cancelled, or said
                                               nothing, after a backup was put back here: you have looked

After accounts were restored from a backup, perhaps with some that were deleted within 24 months
  npm run account-system -- recheck --as NAME  begin: ask it about every account that it deleted, and list the rest,
                                               which was deleted by hand
  npm run account-system -- compare FILE --as NAME
                                               which of those are there again, and tick the others off. FILE: every
                                               account that is there now, one address a line or CSV that contains one
  npm run account-system -- gone REF [--because TEXT] --as NAME
                                               tick one off: you have looked, it is not there or deleted again, or what
                                               is there is a new account

Settings: ACCOUNT_SYSTEM_URL, ACCOUNT_SYSTEM_SECRET, ACCOUNT_SYSTEM_INBOUND_SECRET, ACCOUNT_SYSTEM_POLL_TOKEN,
ACCOUNT_SYSTEM_MODE. docs/account-system.md says what the other side must do.

Exit codes: 0 done, 1 could not be done, 2 not understood, 3 something is wrong or still to do, 4 cannot tell, 5 there is
no database.
`;

const off =
  "No account system is connected: set ACCOUNT_SYSTEM_URL or ACCOUNT_SYSTEM_POLL_TOKEN.\n";

type Services = Pick<CommandServices, "database" | "keys" | "clock" | "calendar"> & {
  config: { accountSystem: AccountSystemConfig; publicUrl: string };
};

type Typed = Asked<Services, "as" | "because">;

export const runCommand = createProgram(
  usage,
  { options: ["as", "because"] },
  {
    check: { run: check },
    show: { run: show },
    resume: { signed: "operator", run: resumeSending },
    "hand-over": { takes: ["REF"], signed: "operator", run: handOver },
    recheck: { signed: "operator", run: recheck },
    compare: { takes: ["FILE"], signed: "operator", run: compare },
    gone: { takes: ["REF"], signed: "operator", run: tick },
  },
);

async function resumeSending({ services, name }: Typed): Promise<Outcome> {
  const count = await resume(services, name);
  return done(`It is sent to again; ${countOf(count, "event leaves", "events leave")} now.`);
}

async function handOver({ services, words: [typed = ""], name }: Typed): Promise<Outcome> {
  const reference = parseReference(typed);
  const result = reference ? await handOverAgain(services, reference, name) : "not-open";
  return result === "done"
    ? done(`The account system is asked for ${reference}.`)
    : failed(`${toPrintable(typed)} is no open request that was handed over.`);
}

async function check({ services }: Typed): Promise<Outcome> {
  const { accountSystem, publicUrl } = services.config;
  if (accountSystem.mode === "off") return { code: 1, problem: off };
  const findings = await checkAccountSystem(
    accountSystem,
    publicUrl + hookPaths.accountSystem,
    services.clock,
  );
  const stop = await tellStop(services);
  if (stop) findings.push({ ok: false, text: stop });
  const lines = findings.map(({ ok, text }) => `${ok ? "good  " : "WRONG "} ${text}\n`);
  const trial = accountSystem.mode === "dry-run" ? dryRun : "";
  const isGood = findings.every(({ ok }) => ok);
  return { code: isGood ? 0 : 3, out: lines.join("") + trial };
}

/** Undefined while it is sent to. */
async function tellStop({ database, calendar }: Services): Promise<string | undefined> {
  const { stoppedAt } = await findStanding(database.read);
  return (
    stoppedAt &&
    `Nothing has been sent since ${toMinute(calendar, stoppedAt)}, when it said that it is gone. Once it is right again: resume --as NAME.`
  );
}

/** What kept the oldest event that could not leave from leaving; undefined where all has left. */
async function tellLastProblem({ database, calendar }: Services): Promise<string | undefined> {
  const [failing] = await listFailing(database.read, 1, [accountChannel]);
  const [troubled] = (await listTroubled(database.read, 1, [accountChannel])).first;
  const stuck = failing ?? troubled;
  return (
    stuck &&
    `The oldest event that could not leave waits since ${toMinute(calendar, stuck.createdAt)}: ${stuck.lastProblem}.`
  );
}

async function recheck({ services, name }: Typed): Promise<Outcome> {
  const isLive = services.config.accountSystem.mode === "live";
  const { asked } = await beginRecheck(services, isLive, name);
  const begun = await findRecheck(services);
  const open = begun?.byHand ?? [];
  const first = isLive
    ? `The account system is asked about ${countOf(asked, "deletion", "deletions")} that it did itself.\n`
    : "No live account system is connected, so that nobody can be asked but you.\n";
  if (open.length === 0) return { code: 0, out: `${first}Nothing was deleted by hand.\n` };
  return { code: 3, out: `${first}\n${listByHand(services, open)}` };
}

const shownByHand = 50;

function listByHand({ calendar }: Services, open: Recheck["byHand"]): string {
  const rows = open
    .slice(0, shownByHand)
    .map(({ reference, completedAt }) => [reference, dateAt(calendar, completedAt).toString()]);
  const more = open.length - shownByHand;
  return `${countOf(open.length, "deletion was", "deletions were")} done by hand or without a name of the account, and only the hash of an address is left of each:

${formatTable(["REFERENCE", "DELETED"], rows)}${more > 0 ? `and ${more} more\n` : ""}
Write the addresses of all accounts that are there now to a file, and: npm run account-system -- compare FILE --as NAME
`;
}

const nothingRechecked = () => failed("Nothing is being rechecked. Begin with: recheck --as NAME");

async function compare({ services, words: [file = ""], name }: Typed): Promise<Outcome> {
  const current = await findRecheck(services);
  if (!current) return nothingRechecked();
  const lines = await readLines(file);
  if (!lines) return failed(`The file ${file} cannot be read.`);
  const found = await compareAccounts(services, current, lines, name);
  const { cameBack, settled } = found;
  const doubts = tellDoubts(found, file);
  const ticked = settled > 0 ? `${countOf(settled, "is", "are")} not there, and ticked off.\n` : "";
  if (cameBack.length === 0) {
    if (doubts !== "") return { code: 4, out: ticked, problem: doubts };
    return { code: 0, out: `${ticked}No account that was deleted by hand is left to look for.\n` };
  }
  const table = formatTable(
    ["ADDRESS", "DELETED", "REFERENCE"],
    cameBack.map(({ address, completedAt, reference }) => [
      address,
      dateAt(services.calendar, completedAt).toString(),
      reference,
    ]),
  );
  return {
    code: 3,
    out: `${countOf(cameBack.length, "account", "accounts")} came back:\n\n${table}\n${ticked}Delete each again, unless it was created after that day: then it is a new one. Then: npm run account-system -- gone REF --as NAME\n`,
    problem: doubts,
  };
}

function tellDoubts({ read, unreadable, unknownKeys }: Comparison, file: string): string {
  const doubts = [
    read === 0 ? `No line of ${file} holds an address.` : "",
    read > 0 && unreadable > 0
      ? `${countOf(unreadable, "line holds", "lines hold")} no usable address, so nothing is ticked off: an account may stand there.`
      : "",
    unknownKeys > 0
      ? `${countOf(unknownKeys, "deletion", "deletions")} cannot be compared: their key is missing from SECRET_KEYS.`
      : "",
  ];
  return doubts.flatMap((doubt) => (doubt === "" ? [] : [`${doubt}\n`])).join("");
}

async function tick({ services, words: [typed = ""], options, name }: Typed): Promise<Outcome> {
  const current = await findRecheck(services);
  if (!current) return nothingRechecked();
  const because = options.because ?? "";
  const reference = parseReference(typed);
  const result = reference
    ? await tickOff(services, current, reference, toPrintable(because).trim(), name)
    : "not-found";
  if (result === "not-found") return failed(`There is no request ${toPrintable(typed)}.`);
  if (result === "not-open") {
    return failed(`${toPrintable(typed)} is not among those that are still to be looked for.`);
  }
  const left = current.byHand.length - 1;
  return done(
    left === 0
      ? "That was the last one: nothing is left to look for."
      : `It is ticked off; ${countOf(left, "is", "are")} left.`,
  );
}

const dryRun =
  "Dry run: events say test, and answers change nothing. ACCOUNT_SYSTEM_MODE=live lets it delete.\n";

/** The newest answers of the dry run. */
const shownTrials = 30;

async function show({ services }: Typed): Promise<Outcome> {
  const told = [...(await tellStanding(services)), await tellRecheck(services)];
  return { code: 0, out: told.join("") };
}

async function tellStanding(services: Services): Promise<string[]> {
  const { database, calendar, clock } = services;
  const { accountSystem } = services.config;
  if (accountSystem.mode === "off") return [off];
  const { mode, url } = accountSystem;
  const how =
    url === undefined ? "It fetches its events" : `Events are sent to ${new URL(url).host}`;
  const trouble = (await tellStop(services)) ?? (await tellLastProblem(services));
  const open = await countOpen(database.read);
  const month = dateAt(calendar, clock()).toString().slice(0, 7);
  const counts = await readCounts(database.read, { month });
  const trials = mode === "dry-run" ? await listTrials(database.read, { limit: shownTrials }) : [];
  const table = (head: string[], rows: string[][]) => rows.length > 0 && formatTable(head, rows);
  const tables = [
    table(
      ["WAITING", "REQUESTS", "LAST TOLD, OLDEST"],
      open.map(({ state, count, since }) => [state, String(count), toMinute(calendar, since)]),
    ) || "Nothing waits for an answer.\n",
    table(
      [`CALLS IN ${month}`, "COUNT"],
      counts.map(([what, count]) => [what, String(count)]),
    ),
    table(
      ["SAID IN THE DRY RUN", "REFERENCE", "ANSWER", "WITH"],
      trials.map(({ at, reference, code, note }) => [
        ...[toMinute(calendar, at), reference, code],
        toPrintable(note) || "-",
      ]),
    ),
  ];
  return [
    `${how}; mode ${mode}.\n`,
    trouble ? `${trouble}\n` : "",
    ...tables.map((shown) => (shown ? `\n${shown}` : "")),
  ];
}

async function tellRecheck(services: Services): Promise<string> {
  const current = await findRecheck(services);
  if (!current || (current.unanswered === 0 && current.byHand.length === 0)) return "";
  const since = toMinute(services.calendar, current.since);
  const waiting = countOf(current.unanswered, "question is", "questions are");
  const byHand = current.byHand.length > 0 ? `\n${listByHand(services, current.byHand)}` : "";
  return `\nAccounts that came back are looked for since ${since}; ${waiting} not answered.\n${byHand}`;
}

if (import.meta.main) await runOnData((services) => runCommand(process.argv.slice(2), services));
