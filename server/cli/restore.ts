import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { readEnglish, readProductWords } from "../../campus-reader/product-words.ts";
import { listUnknownJobs } from "../account-system/deletion-jobs.ts";
import { type Config, readConfig } from "../config.ts";
import {
  compareCopies,
  confirmRestored,
  countUnwritten,
  findBreak,
  holdAsOlder,
  type RestoreReport,
  readFound,
  recordRestored,
  reportSchema,
  writeLetters,
} from "../deletion-requests/jobs/restore.ts";
import { createUpkeep } from "../deletion-requests/jobs/retention-jobs.ts";
import { checkLedger } from "../deletion-requests/ledger/verification.ts";
import type { MailWords } from "../deletion-requests/mails/messages.ts";
import { findRequestById } from "../deletion-requests/repository/requests.ts";
import { clockOf, type Promises, readPromises } from "../open.ts";
import { toMinute } from "../platform/calendar/business-days.ts";
import { loadKeys } from "../platform/crypto/keys.ts";
import { explainUnwritable } from "../platform/database/database.ts";
import { findLastRestore, findUnconfirmedRestore } from "../platform/database/restore-hold.ts";
import { isInUse } from "../platform/database/sqlite.ts";
import { everything } from "../platform/database/statement.ts";
import { listOperators } from "../team/roster/operators.ts";
import { listPasskeys } from "../team/sign-in/passkeys.ts";
import { type Copy, openCopy, putInPlace } from "./copies.ts";
import {
  type CommandInvocation,
  type CommandServices,
  createProgram,
  print,
  readWords,
  runOnData,
  sign,
  wantsHelp,
} from "./program.ts";
import { countOf, done, formatTable, notUnderstood, type Outcome } from "./sentences.ts";

/** `npm run store -- restore`: restores a backup and reports the result to the operator. */

const usage = `Restoring a copy

  npm run store -- restore COPY EXPORT [--backup-key KEYFILE] [--as NAME]
                                          stop the server first: puts back the newer of the two, and says what came back, what
                                          changed and who to write to. KEYFILE opens a COPY that is sealed for it
  npm run store -- restore COPY --without-export
                                          only if there is no readable export
  npm run store -- restore COPY EXPORT --look
                                          show the same without changing anything
  npm run store -- restore show           show the table again
  npm run store -- restore write --as NAME
                                          write to everyone whose request is open: what may be missing, and until when
                                          they can cancel again
  npm run store -- restore confirm --as NAME
                                          confirm that you have checked the table: everything carries on, and the emails go
                                          out

COPY comes from: requests -- backup. EXPORT comes from: store -- ledger export. Until you confirm the table,
the server lets nothing expire and sends nothing. After that, an open request from the copy stays as it is until its
email has gone out and the time in the email has passed, a day later. Until then, neither the account system nor your
team can act on it.

Exit codes: 0 done, 1 could not be done and nothing was changed, 2 not understood.
`;

const known = {
  as: "string",
  "backup-key": "string",
  "without-export": "boolean",
  look: "boolean",
} as const;

// Restoring a backup

export async function runRestore(
  words: readonly string[],
  services: { config: Config; clock: () => Temporal.Instant },
): Promise<Outcome> {
  const read = readWords(words, known);
  if (!read.ok) return notUnderstood(read.problem);
  const { positionals: files, options } = read;
  if (files.length === 0 || files[0] === "help") return { code: 0, out: usage };
  const wanted = options["without-export"] ? 1 : 2;
  if (files.length !== wanted) {
    const missing = files.length === 1 ? "Name the export, too. " : "";
    return { code: 2, problem: `${missing}\n${usage}`.trimStart() };
  }
  const { dataDir, secretKeys, databaseUrl } = services.config;
  if (!options.look && databaseUrl) {
    return failed(
      "DATABASE_URL is set, but a copy is first restored into a folder. Take DATABASE_URL out of the settings and set DATA_DIR to a new folder. Then npm run store -- move-data carries it into PostgreSQL (docs/your-week.md).",
    );
  }
  const obstacle = options.look ? undefined : await findObstacle(dataDir);
  if (obstacle !== undefined) return failed(obstacle);
  const promises = readPromises(services.config.campusDir);
  if (!promises.ok) return failed(promises.problem);
  const loaded = await loadKeys({ secretKeys, dataDir, mustExist: true });
  if (!loaded.ok) return failed(loaded.problem);

  // Personal data may be stored only in the data folder, so create the scratch folder there.
  const made = await makeScratch(dataDir);
  if (!made.ok) return failed(made.problem);
  const { scratch } = made;
  const copies: Copy[] = [];
  try {
    for (const file of files) {
      const backupKeyFile = options["backup-key"];
      const opened = await openCopy(file, { scratch, keys: loaded.keys, backupKeyFile });
      if (!opened.ok) {
        if (opened.isFileFine) return failed(opened.problem);
        const way = suggestRemedy(file, files);
        if (!opened.lacksKey) return failed(`${opened.problem} ${way}`);
        return failed(`${opened.problem} If that does not open it: ${way.replace(/^U/, "u")}`);
      }
      copies.push(opened.copy);
    }
    return await restoreCopy(copies, loaded.keys, options, { ...services, ...promises.promises });
  } finally {
    for (const { database } of copies) await database.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Returns why the store in the data folder can't be replaced, if there is a reason. */
async function findObstacle(dataDir: string): Promise<string | undefined> {
  try {
    return isInUse(join(dataDir, "requests.sqlite"))
      ? `The server is running on ${dataDir}. Stop it first, then run the command again.`
      : undefined;
  } catch (error) {
    return (await explainUnwritable(dataDir, error)).problem;
  }
}

async function makeScratch(dataDir: string) {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return { ok: true, scratch: await mkdtemp(join(dataDir, "restoring-")) } as const;
  } catch (error) {
    return explainUnwritable(dataDir, error);
  }
}

/** Suggests how to continue if one of the two files can't be used. */
function suggestRemedy(file: string, files: readonly string[]): string {
  const other = files.find((candidate) => candidate !== file);
  return other === undefined
    ? "Use the copy before it."
    : `Use the one before it. If there is none, restore the other alone: npm run store -- restore ${other} --without-export`;
}

async function restoreCopy(
  copies: Copy[],
  keys: Parameters<typeof checkLedger>[1],
  options: Invocation["options"],
  { config, clock, ...campus }: Promises & { config: Config; clock: () => Temporal.Instant },
): Promise<Outcome> {
  const sorted = copies.toSorted(newestFirst);
  const [newer, older] = sorted as [Copy, Copy | undefined];
  if (!newer.takenAt) return failed(`${newer.file} is empty.`);
  const broken = older && (await findBreak(older.database.read, newer.database.read));
  if (broken !== undefined) {
    return failed(
      `${older?.file} and ${newer.file} do not belong to one store: ${broken}. See which of them is yours.`,
    );
  }
  const now = clock();
  const signed = await sign(newer, "anybody", options.as);
  if (!signed.ok) return signed.outcome;
  const facts = { name: signed.name, at: now, knownUntil: newer.takenAt };
  const found = {
    copies: sorted.map(({ file, takenAt }) => ({ file, takenAt: takenAt?.toString() ?? "" })),
    ...(await compareCopies(older?.database.read, newer.database.read)),
  };
  const verdict = await checkLedger(newer.database, keys);
  const warnings = verdict.findings.map(({ where, problem }) => `  ${where} ${problem}\n`);
  const warning =
    warnings.length > 0 ? `THE LEDGER OF ${newer.file} IS NOT INTACT:\n${warnings.join("")}\n` : "";
  if (options.look) {
    const out = await printReport(
      newer.database,
      found,
      facts.knownUntil,
      campus.calendar.timeZone,
    );
    return { code: 0, out: `${warning}${out}\nNothing was changed.\n` };
  }
  const report = await recordRestored(
    { database: newer.database, keys },
    { ...facts, report: found },
  );
  const out = await printReport(newer.database, report, facts.knownUntil, campus.calendar.timeZone);
  await newer.database.close();
  const aside = await putInPlace(newer.folder, config.dataDir, now);
  const kept = aside
    ? `What was in the data folder before is in ${aside}. It contains addresses: remove it once everything works, after ${campus.dataList.backupDays} days at most.\n`
    : "";
  const steps = nextStepsOf(campus, facts.knownUntil);
  return { code: 0, out: `${warning}${out}${kept}${steps}` };
}

function newestFirst(a: Copy, b: Copy): number {
  if (!a.takenAt || !b.takenAt) return a.takenAt ? -1 : 1;
  return Temporal.Instant.compare(b.takenAt, a.takenAt);
}

// Reporting the result

const nextSteps = (language: string, knownUntil: string) => `
HELD: nothing expires and nothing is sent until you confirm. No one is signed in, and earlier invitations and recovery
codes don't work. Now:
  1. Read the first table above. Look up in the account system what has happened to every open request since then.
  2. Read who can sign in. Before you start the server, run npm run operators -- remove NAME for everyone who has left
     since, and for everyone who has lost a passkey or the role of an admin since. To let the latter in again, run
     npm run operators -- invite NAME ADDRESS.
  3. Find the requests that came after ${knownUntil}: they are in no table.
     In the team's mailbox, search for emails since then with these subjects:
${subjectsOf(language)}
     and for what people wrote themselves. “npm run requests -- list REF” says whether a reference is known here. If it is
     not, the request was lost with its form. Our emails to the team contain no address, but your mail provider's log says
     who received the other emails with that reference. Ask that person to send the form again.
     If an account system is connected, ask its team for the ids (del_...) that it has received since then:
     npm run account-system -- lost ID ...     says which of them are unknown here, and keeps them on a list
  4. Start the server.
  5. npm run store -- restore write --as NAME      an email to everyone whose request is open
  6. npm run store -- restore confirm --as NAME    everything carries on, and the emails go out
  7. npm run requests -- list               lists emails that may have gone out already: act resend REF --as NAME sends those of one request again
  8. npm run account-system -- resume --as NAME     sends what the account system may have missed, if one is connected
  9. npm run account-system -- lost         now and in a week: what the account system names and this database doesn't have
`;

/**
 * Lists the subjects of team emails that mention requests so that an operator can search a mailbox
 * for these emails.
 */
function subjectsOf(language: string): string {
  const words = (readProductWords(language, "mail") ?? readEnglish("mail")) as MailWords;
  const searched = ["operator-new", "operator-due-soon", "operator-account-system"] as const;
  return searched
    .map((kind) => `       “${words[kind].subject.replaceAll(/\{[^}]*\}/g, "…")}”`)
    .join("\n");
}

/** Formats the report. The report of a dry run has no `doubtfulMails`. */
async function printReport(
  database: Pick<CommandServices["database"], "read">,
  report: Omit<RestoreReport, "doubtfulMails"> & { doubtfulMails?: number },
  knownUntil: Temporal.Instant,
  timeZone: string,
): Promise<string> {
  const local = (instant: Temporal.Instant) =>
    instant.toLocaleString("en-GB", { timeZone, dateStyle: "full", timeStyle: "short" });
  const rows = await Array.fromAsync(report.restored, async (restored) => {
    const request = restored.open
      ? await findRequestById(database.read, { id: restored.id })
      : undefined;
    const address = request?.contact ?? request?.email;
    const what = restored.detail ? `${restored.what}: ${restored.detail}` : restored.what;
    return [restored.reference, restored.state, restored.due || "-", what, address ?? "-"];
  });
  const [newest, older] = report.copies;
  const count = (what: string) => report.restored.filter((request) => request.what === what).length;
  const olderUntil = older?.takenAt ? local(Temporal.Instant.from(older.takenAt)) : "empty";
  const differences = older
    ? `Beyond ${older.file} (${olderUntil}): ${count("came back")} came back that it did not have, ${count("changed")} changed, ${count("gone")} are missing. ${report.same} ended ones are the same in both.\n`
    : "There was nothing to compare it with.\n";
  const unknown = await listUnknownJobs(database.read, { limit: everything });
  const lost =
    unknown.length === 0
      ? ""
      : `The account system names ${countOf(unknown.length, "request", "requests")} that this database doesn't have: npm run account-system -- lost\n\n`;
  const mails = report.doubtfulMails;
  const doubt =
    mails === undefined
      ? ""
      : ` ${mails === 1 ? "1 message was being sent then" : `${mails} messages were being sent then`} and may have gone out.`;
  return `${mails === undefined ? "Would be put back" : "Put back"}: ${newest?.file}, which has everything until ${local(knownUntil)}.
${differences}
${rows.length > 0 ? formatTable(["REFERENCE", "STATE", "DUE", "SINCE THE OLDER COPY", "WRITE TO"], rows) : "There is no request.\n"}
No one here knows what happened after ${local(knownUntil)}: forms that were sent, and who confirmed, cancelled or was
deleted since.${doubt}

${lost}Who may come in, as it was then:

${await listWhoCanSignIn(database, timeZone)}`;
}

function nextStepsOf(
  { languages: [language = "en"], calendar }: Pick<Promises, "languages" | "calendar">,
  knownUntil: Temporal.Instant,
): string {
  return nextSteps(language, toMinute(calendar, knownUntil));
}

async function listWhoCanSignIn(
  { read }: Pick<CommandServices["database"], "read">,
  timeZone: string,
): Promise<string> {
  const day = (at: Temporal.Instant) => at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const rows: string[][] = [];
  for (const { id, name, role, leftAt } of await listOperators(read)) {
    if (leftAt) continue;
    const passkeys = (await listPasskeys(read, { operatorId: id })).filter(
      (passkey) => !passkey.doubtedAt,
    );
    if (passkeys.length === 0) rows.push([name, role, "none: only by commands", "-", "-"]);
    for (const { device, createdAt, usedAt } of passkeys) {
      rows.push([name, role, device, day(createdAt), day(usedAt)]);
    }
  }
  return formatTable(["NAME", "ROLE", "PASSKEY", "SINCE", "LAST USED"], rows);
}

// Commands after the restore

type Invocation = CommandInvocation<CommandServices, typeof known>;

/** Commands on the restored store. They also work while a server is running. */
const onStore = {
  show: { run: showLastRestore },
  confirm: { signed: "operator", run: confirm },
  write: { signed: "operator", run: write },
} as const;

export const runOnRestored = createProgram(usage, known, onStore);

const neverRestored = "No copy has ever been restored here.\n";

async function showLastRestore({ services }: Invocation): Promise<Outcome> {
  const last = await findLastRestore(services.database.read);
  if (!last) return { code: 0, out: neverRestored };
  const report = reportSchema.parse(JSON.parse(last.report));
  const held = await findUnconfirmedRestore(services.database.read);
  if (held && report.found === "moved") {
    return {
      code: 0,
      out: `HELD: this data folder was copied or moved from elsewhere. It has everything until ${toMinute(services.calendar, held.knownUntil)}. Nothing is sent.
If it is the real site, and nothing came after that: npm run store -- restore confirm --as NAME
If it is the real site as it was then, and more came after: npm run store -- restore write --as NAME, then show
If it is a copy, stop its server.
`,
    };
  }
  const rest = held
    ? nextStepsOf(services, last.knownUntil)
    : "\nIt is confirmed: everything carries on.\n";
  const { database, calendar } = services;
  const out = await printReport(database, report, last.knownUntil, calendar.timeZone);
  return { code: 0, out: `${out}${rest}` };
}

async function confirm({ services, name }: Invocation): Promise<Outcome> {
  const { database, clock } = services;
  const held = await findUnconfirmedRestore(database.read);
  if (!held) return failed("There is nothing to confirm: no copy has been restored since.");
  const unwritten = await countUnwritten(database.read, held);
  if (unwritten > 0) {
    return failed(
      `${countOf(unwritten, "person does", "people do")} not know yet that something may be missing. First run: npm run store -- restore write --as NAME`,
    );
  }
  await confirmRestored({ database, upkeep: createUpkeep(services) }, held, name, clock());
  return done(
    "Confirmed: everything carries on. An open request from the copy stays as it is until its email has gone out and the time in the email has passed, a day later.",
  );
}

async function write({ services, name }: Invocation): Promise<Outcome> {
  const { database, clock } = services;
  const held = await findUnconfirmedRestore(database.read);
  if (held && readFound(held) === "moved") await holdAsOlder(services, held, name, clock());
  const last = await findLastRestore(database.read);
  if (!last) return failed(neverRestored);
  const written = await writeLetters(services, last, name, clock());
  const letters = countOf(written, "email is", "emails are");
  return done(
    last.confirmedAt
      ? `${letters} written and on the way.`
      : `${letters} written. They go out when you confirm: npm run store -- restore confirm --as NAME`,
  );
}

function failed(sentence: string): Outcome {
  return { code: 1, problem: `${sentence.trim()}\nNothing was changed.\n` };
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const read = readWords(words, known);
  // These commands work on the current store, not on a backup.
  if (wantsHelp(words) || (read.ok && (read.positionals[0] ?? "") in onStore)) {
    await runOnData((services) => runOnRestored(words, services), usage);
  } else {
    const configured = readConfig(process.env);
    const run = (config: Config) => runRestore(words, { config, clock: clockOf(config) });
    process.exitCode = print(
      configured.ok ? await run(configured.config) : failed(configured.problems.join("\n")),
    );
  }
}
