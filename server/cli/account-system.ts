import {
  countRechecked,
  deleteUnknownJob,
  findJob,
  findStanding,
  isOwnName,
  listUnknownJobs,
  recordUnknownJob,
} from "../account-system/deletion-jobs.ts";
import { checkAccountSystem } from "../account-system/outbound/connection-check.ts";
import { accountChannel } from "../account-system/outbound/events.ts";
import { beginRecheck, resume } from "../account-system/outbound/queue-events.ts";
import type { AccountSystemConfig } from "../config.ts";
import { recordAct } from "../deletion-requests/repository/audit-log.ts";
import { findRequestById } from "../deletion-requests/repository/requests.ts";
import { listFailing, listTroubled } from "../delivery/outbox.ts";
import { dateAt, toMinute } from "../platform/calendar/business-days.ts";
import { listRefusals } from "../platform/database/refusal-counts.ts";
import { everything } from "../platform/database/statement.ts";
import { hookPaths } from "../platform/http/paths.ts";
import {
  type CommandInvocation,
  type CommandServices,
  createProgram,
  runOnData,
} from "./program.ts";
import {
  countOf,
  done,
  failed,
  formatTable,
  notUnderstood,
  type Outcome,
  toPrintable,
} from "./sentences.ts";

/** `npm run account-system`: manages the connection to the account system. */

const usage = `Account system

  npm run account-system -- check              try both directions with a signed ping, without changing anything; also say
                                               why events can't be sent or answers were refused, and how many rechecks
                                               have no answer yet
  npm run account-system -- resume --as NAME   start sending again after it answered 410 (gone); also send what failed for three days
  npm run requests -- act hand-over REF --as NAME
                                               ask it about a request again, once you have checked what it said

After a backup of this database was restored
  npm run account-system -- lost               the deletions that the account system named and this database doesn't have
  npm run account-system -- lost ID ...        check which of these ids of the account system (del_...) are missing from
                                               this database, and put those on that list
  npm run account-system -- found ID --as NAME take an id off the list, once you know whose it was and have written to them

After accounts were restored from a backup, perhaps with some that were deleted within 24 months
  npm run account-system -- recheck --as NAME  ask it about every account that it deleted; for what was deleted by hand:
                                               npm run store -- ledger check FILE

Settings: ACCOUNT_SYSTEM_URL, ACCOUNT_SYSTEM_SECRET, ACCOUNT_SYSTEM_INBOUND_SECRET, ACCOUNT_SYSTEM_POLL_TOKEN,
ACCOUNT_SYSTEM_MODE. docs/connect-your-accounts.md says what the other side must do.

Exit codes: 0 done, 1 could not be done, 2 not understood, 3 something is wrong or still to do, 4 can't tell, 5 there is
no database.
`;

const off =
  "No account system is connected: set ACCOUNT_SYSTEM_URL or ACCOUNT_SYSTEM_POLL_TOKEN.\n";

type AccountCommandServices = Pick<CommandServices, "database" | "keys" | "clock" | "calendar"> & {
  config: { accountSystem: AccountSystemConfig; publicUrl: string };
};

const known = { as: "string" } as const;

type Invocation = CommandInvocation<AccountCommandServices, typeof known>;

export const runCommand = createProgram(usage, known, {
  check: { run: check },
  resume: { signed: "operator", run: resumeSending },
  recheck: { signed: "operator", run: recheck },
  lost: { takes: ["[ID]", "..."], run: lost },
  found: { takes: ["ID"], signed: "operator", run: found },
});

async function resumeSending({ services, name }: Invocation): Promise<Outcome> {
  const count = await resume(services, name);
  return done(
    `We are sending to the account system again, starting with ${countOf(count, "event", "events")}.`,
  );
}

async function check({ services }: Invocation): Promise<Outcome> {
  const { accountSystem, publicUrl } = services.config;
  if (accountSystem.mode === "off") return { code: 1, problem: off };
  const findings = await checkAccountSystem(
    accountSystem,
    publicUrl + hookPaths.accountSystem,
    services.clock,
  );
  const troubles = [
    await reportRefused(services),
    (await reportStop(services)) ?? (await reportLastProblem(services)),
  ];
  for (const text of troubles) if (text) findings.push({ ok: false, text });
  const unanswered = await countRechecked(services.database.read);
  const back =
    unanswered > 0
      ? `A recheck is running: ${countOf(unanswered, "question has", "questions have")} no answer yet.\n`
      : "";
  const lines = findings.map(({ ok, text }) => `${ok ? "good  " : "WRONG "} ${text}\n`);
  const trial = accountSystem.mode === "dry-run" ? dryRun : "";
  const isGood = findings.every(({ ok }) => ok);
  return { code: isGood ? 0 : 3, out: lines.join("") + back + trial };
}

/**
 * Reports a call with a wrong signature, unless a call was accepted after it. Our own signed call
 * can't show that the account system signs with the right secret.
 */
async function reportRefused({
  database,
  calendar,
  clock,
}: AccountCommandServices): Promise<string | undefined> {
  const day = dateAt(calendar, clock()).subtract({ days: 1 });
  const refusals = await listRefusals(database.read, { day, limit: everything });
  const newest = refusals.findLast(({ way }) => way === "signature");
  const { answeredAt } = await findStanding(database.read);
  if (!newest || (answeredAt && Temporal.Instant.compare(newest.newestAt, answeredAt) <= 0)) {
    return undefined;
  }
  return `Someone called us at ${toMinute(calendar, newest.newestAt)} with a wrong signature, time or token, and we have accepted no answer since. If it was the account system, our response named the mistake. Does it sign with ACCOUNT_SYSTEM_INBOUND_SECRET?`;
}

/** Reports when sending was stopped. Returns `undefined` if it isn't stopped. */
async function reportStop({
  database,
  calendar,
}: AccountCommandServices): Promise<string | undefined> {
  const { stoppedAt } = await findStanding(database.read);
  return (
    stoppedAt &&
    `We have sent nothing since ${toMinute(calendar, stoppedAt)}, when it answered that it no longer exists. Once it works again, run: resume --as NAME.`
  );
}

/** Reports why the oldest unsent event failed. Returns `undefined` if no event has failed. */
async function reportLastProblem({
  database,
  calendar,
}: AccountCommandServices): Promise<string | undefined> {
  const [failing] = await listFailing(database.read, 1, [accountChannel]);
  const [troubled] = (await listTroubled(database.read, 1, [accountChannel])).first;
  const stuck = failing ?? troubled;
  return (
    stuck &&
    `The oldest unsent event has been waiting since ${toMinute(calendar, stuck.createdAt)}: ${stuck.lastProblem}.`
  );
}

async function recheck({ services, name }: Invocation): Promise<Outcome> {
  const isLive = services.config.accountSystem.mode === "live";
  const { requested, byHand } = await beginRecheck(services, { isLive, name });
  const first = isLive
    ? `We are asking the account system about ${countOf(requested, "deletion", "deletions")} that it did itself.\n`
    : "No live account system is connected, so you have to find out yourself.\n";
  if (byHand === 0) return { code: 0, out: `${first}Nothing was deleted by hand.\n` };
  return {
    code: 3,
    out: `${first}${countOf(byHand, "deletion was", "deletions were")} done by hand or without an account number, so we only have the hash of each address. Write the addresses of all accounts that exist now to a file, then run: npm run store -- ledger check FILE\n`,
  };
}

async function lost({ services, words }: Invocation): Promise<Outcome> {
  const { database, calendar, clock } = services;
  const strange = words.find((id) => !isOwnName(id));
  if (strange !== undefined) {
    return notUnderstood(
      `“${toPrintable(strange)}” is not the id of a deletion. Such an id is del_ and 20 letters, digits, - or _.`,
    );
  }
  const rows: string[][] = [];
  const named = await listUnknownJobs(database.read, { limit: everything });
  for (const publicId of words) {
    // Keeps what the account system itself has said about the job, such as that it is completed.
    if (named.some((job) => job.publicId === publicId)) continue;
    const job = await findJob(database.read, { publicId });
    const request = job && (await findRequestById(database.read, { id: job.requestId }));
    if (request) {
      rows.push([publicId, `${request.reference}, ${request.state}`]);
      continue;
    }
    const unknownJob = { publicId, said: "asked", at: clock() };
    await database.write((transaction) => recordUnknownJob(transaction, unknownJob));
  }
  const unknown = await listUnknownJobs(database.read, { limit: everything });
  for (const { publicId, said, at } of unknown) {
    rows.push([publicId, `NOT KNOWN HERE, ${said} ${toMinute(calendar, at)}`]);
  }
  if (rows.length === 0)
    return done("The account system has not named any deletion that is unknown here.");
  const table = formatTable(["ID", "HERE"], rows);
  if (unknown.length === 0) return { code: 0, out: table };
  return {
    code: 3,
    out: `${table}\n${lostSteps}`,
  };
}

const lostSteps = `These were sent or confirmed after the copy was made. For each, ask the account system's team for the address and
what happened to the account, and write to that address. If the account is not deleted yet, ask the person to send the
form again, or to confirm again if “npm run requests -- list ADDRESS” shows their request. If it is deleted, tell them
so, and that they don't need to do anything; you can't make a receipt. Then: npm run account-system -- found ID --as NAME
`;

async function found({ services, words, name }: Invocation): Promise<Outcome> {
  const [publicId = ""] = words;
  const { database, clock } = services;
  const dropped = await database.write(async (transaction) => {
    const count = await deleteUnknownJob(transaction, { publicId });
    if (count > 0) {
      await recordAct(transaction, { at: clock(), name, act: "account-found", about: publicId });
    }
    return count;
  });
  return dropped > 0
    ? done(`${publicId} is off the list.`)
    : failed(`${toPrintable(publicId)} is not on the list.`);
}

const dryRun =
  "Dry run: events are marked as a test, and answers don't change anything. ACCOUNT_SYSTEM_MODE=live lets it delete.\n";

if (import.meta.main) {
  await runOnData((services) => runCommand(process.argv.slice(2), services), usage);
}
