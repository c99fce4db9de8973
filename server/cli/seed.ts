import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { pino } from "pino";
import type { Campus } from "../../campus-reader/campus.ts";
import { readConfig } from "../config.ts";
import type { DeskAct } from "../deletion-requests/commands/acts.ts";
import { addLink } from "../deletion-requests/repository/links.ts";
import { findSubmissionByReference } from "../deletion-requests/repository/submissions.ts";
import { placesToTick } from "../deletion-requests/state-machine/checklist.ts";
import { createFormKey } from "../deletion-requests/state-machine/request.ts";
import { claimMessages, failMessage } from "../delivery/outbox.ts";
import { setDrillClock } from "../drill-mark.ts";
import { type Foundation, openFoundation, readPromises } from "../open.ts";
import { dateAt } from "../platform/calendar/business-days.ts";
import { recordBackup } from "../platform/database/last-backups.ts";
import { toFormValues } from "../platform/forms/form-values.ts";
import { createServices, type SiteServices } from "../services.ts";
import { openSiteBundle } from "../site-bundle.ts";
import { addOperator } from "../team/roster/operators.ts";
import { print } from "./program.ts";
import { sampleWords } from "./sample-words.ts";
import { done, failed, type Outcome } from "./sentences.ts";

/**
 * `npm run seed`: fills the folder "drill" with invented requests in every state, by default forty.
 * The site's own commands submit, confirm and process each request while the program advances the
 * clock.
 */

/** A site whose clock is set by the program. */
type SeededSite = {
  foundation: Foundation;
  /** The campus in each of its languages. */
  campuses: readonly Campus[];
  site: Pick<SiteServices, "submitting" | "visits" | "desk">;
  rounds: { runOnce(): Promise<void> };
  setClock(at: Temporal.Instant): void;
};

/**
 * A step in a request's life: minutes since the form was submitted, the act, and the fields of the
 * operator's form.
 */
type Step = readonly [
  minutes: number,
  act: DeskAct | "send" | "confirm" | "withdraw" | "bounce",
  fields?: (person: Person) => Record<string, string>,
];

type Person = ReturnType<typeof inventPerson> & { reference: string };

/**
 * Days from the start of the simulated clock to the first day of a drill. No planned request is
 * older.
 */
export const seededDays = 36;

const day = 24 * 60;
const sent: Step[] = [[0, "send"]];
const confirmed: Step[] = [...sent, [25, "confirm"]];
const taken: Step[] = [...confirmed, [2 * day, "take"]];
const started: Step[] = [...taken, [2 * day + 20, "tick", ({ begin }) => begin]];
const complete = (minutes: number): Step => [minutes, "complete", ({ finish }) => finish];
const refuse: Step = [3 * day, "refuse", () => ({ reason: "no-account", explanation: "" })];
const extend: Step = [
  5 * day,
  "later",
  ({ explanation }) => ({ reason: "time", days: "5", explanation }),
];
const hold: Step = [3 * day, "later", ({ days }) => ({ reason: "dues", days, explanation: "" })];

/**
 * The invented requests. Each number in `daysAgo` is a request that goes through these steps and
 * was submitted that many days before the drill starts.
 */
const plan: readonly { steps: readonly Step[]; daysAgo: readonly number[] }[] = [
  { steps: [...started, complete(4 * day)], daysAgo: [34, 33, 31, 28, 27] },
  { steps: [...confirmed, refuse], daysAgo: [30, 26] },
  { steps: [...confirmed, [2 * day, "withdraw"]], daysAgo: [29, 12, 5] },
  // Overdue requests
  { steps: confirmed, daysAgo: [24, 20] },
  {
    steps: [
      ...started,
      complete(4 * day),
      [6 * day, "undo", ({ reopened }) => ({ explanation: reopened })],
    ],
    daysAgo: [16],
  },
  { steps: [...confirmed, extend], daysAgo: [19, 17] },
  { steps: [...started, hold], daysAgo: [15, 9, 6] },
  { steps: taken, daysAgo: [10, 5] },
  { steps: started, daysAgo: [13, 8] },
  { steps: confirmed, daysAgo: [14, 12, 11, 9, 7, 4, 3, 2, 1] },
  { steps: sent, daysAgo: [1.5, 1.25, 1, 0.5] },
  { steps: [[0, "enter", ({ entry }) => entry]], daysAgo: [4, 2] },
  { steps: [[0, "bounce"]], daysAgo: [1.5] },
  // Marked as done just before the drill starts, so the receipt hasn't been sent yet.
  { steps: [...taken, complete(seededDays * day)], daysAgo: [7, 5] },
];

/** The planned requests, each with its age in days. */
const lives = plan.flatMap(({ steps, daysAgo }) => daysAgo.map((days) => ({ steps, days })));

/** Invents a requester, the requester's form, and the fields that operators fill in. */
function inventPerson({ foundation, campuses }: SeededSite, number: number) {
  const { languages, dataList } = foundation;
  // Two consecutive requests share a language so that both operators get requests in every
  // language.
  const language = languages[Math.floor(number / 2) % languages.length];
  const campus = campuses.find(({ settings }) => settings.language === language) as Campus;
  const { feedback, ...words } = sampleWords(campus);
  const names = campus.settings.sampleNames;
  const name = `${names[number % names.length]}${number < names.length ? "" : number}`;
  const reasons = Object.keys(campus.deletion.form.reasons);
  const email = `${name}@uni.example`;
  const places = placesToTick(dataList).map((place) => [`at-${place}`, "done"]);
  return {
    ...words,
    language,
    email,
    operator: number % 2 === 0 ? "Nadia" : "Tariq",
    form: {
      email,
      reason: reasons[number % reasons.length] ?? "other",
      feedback: number % 7 === 0 ? feedback : "",
      confirmation: "on",
    },
    entry: {
      ...{ old: email, contact: `${name}@home.example`, language: "", reason: "other", note: "" },
      proof: dataList.ownershipProofs[0]?.key ?? "",
    },
    begin: { account: "both", ...Object.fromEntries(places.slice(0, 1)) },
    finish: { address: email, account: "both", ...Object.fromEntries(places) },
    /** Number of business days by which a hold extends the due date. */
    days: number % 2 === 0 ? "9" : "3",
  };
}

/** Advances the clock hour by hour and runs the due jobs. */
export async function passUntil(
  {
    foundation: { clock },
    rounds,
    setClock,
  }: Pick<SeededSite, "foundation" | "rounds" | "setClock">,
  later: Temporal.Instant,
): Promise<void> {
  while (Temporal.Instant.compare(clock(), later) < 0) {
    const next = clock().add({ hours: 1 });
    setClock(Temporal.Instant.compare(next, later) > 0 ? later : next);
    await rounds.runOnce();
  }
}

/**
 * Creates the planned requests, repeating the plan until there are `count`.
 * @param firstDay start of the drill. The clock starts `seededDays` before it
 */
export async function seedRequests(
  site: SeededSite,
  firstDay: Temporal.Instant,
  count = lives.length,
): Promise<void> {
  const { database, clock } = site.foundation;
  for (const name of ["Nadia", "Tariq"]) {
    await database.write((transaction) => addOperator(transaction, name, clock()));
  }
  const last = firstDay.subtract({ minutes: 4 });
  const steps = Array.from({ length: count }).flatMap((_, number) => {
    const { steps, days } = lives[number % lives.length] ?? { steps: [], days: 0 };
    const person = { ...inventPerson(site, number), reference: "" };
    return steps.map(([minutes, act, fields = () => ({})]) => {
      const at = firstDay.add({ minutes: (number % lives.length) * 3 + minutes - days * day });
      const isLate = Temporal.Instant.compare(at, last) > 0;
      return { at: isLate ? last : at, person, act, fields };
    });
  });
  for (const step of steps.sort((a, b) => Temporal.Instant.compare(a.at, b.at))) {
    await passUntil(site, step.at);
    const result = await perform(site, step.person, step.act, step.fields(step.person));
    if (!/^(?:done|stored)$/.test(result)) {
      throw new Error(`${step.act} of ${step.person.email}: ${result}`);
    }
    await site.rounds.runOnce();
  }
  await passUntil(site, firstDay);
  // Records recent backups so that the Health page doesn't raise an alarm.
  await database.write(async (transaction) => {
    for (const what of ["backup", "export"] as const) {
      await recordBackup(transaction, { what, at: firstDay, oldestAt: firstDay });
    }
  });
}

/** Performs an act and returns the kind of its result. */
async function perform(
  { foundation, site: { desk, submitting, visits } }: SeededSite,
  person: Person,
  act: Step[1],
  fields: Record<string, string>,
): Promise<string> {
  const { database, keys, clock, calendar } = foundation;
  const { reference, operator, language } = person;
  if (act === "send" || act === "bounce") {
    const form = toFormValues({ ...person.form, formKey: createFormKey() });
    const result = await submitting.submit(form, language);
    if (result.kind === "stored") person.reference = result.submission.reference;
    const bounced =
      act === "bounce"
        ? await claimMessages(database, keys, { at: clock(), recipient: "person", limit: 1 })
        : [];
    const problem = { problem: "recipient refused (550)", permanent: true };
    for (const item of bounced) {
      await database.write((transaction) =>
        failMessage(transaction, item, problem, { now: clock(), random: 0 }),
      );
    }
    return result.kind;
  }
  if (act === "confirm" || act === "withdraw") {
    const form = await findSubmissionByReference(database.read, { reference });
    if (!form) return "no form";
    const submissionId = act === "confirm" ? form.id : undefined;
    const link = await database.write((transaction) =>
      addLink(transaction, { requestId: form.requestId, submissionId }, clock()),
    );
    const opened = await visits.openLink(link);
    if (opened.kind !== "visit") return opened.kind;
    return (await visits[act === "confirm" ? "confirm" : "cancel"](opened.visit)).kind;
  }
  const received = dateAt(calendar, clock()).toString();
  const typed = toFormValues(act === "enter" ? { ...fields, received } : fields);
  return (await desk.submit({ act, reference, typed }, operator)).kind;
}

type Environment = Record<string, string | undefined>;

/** Reads a drill's settings. Only the campus, its build and the port come from the environment. */
export function configOf(folder: string, { CAMPUS_DIR, BUILD_DIR, PORT }: Environment) {
  const read = readConfig({ DATA_DIR: folder, CAMPUS_DIR, BUILD_DIR, PORT });
  if (!read.ok) throw new Error(read.problems.join(" "));
  return read.config;
}

/** Opens a drill's site with a clock that advances only through `setClock`. */
export async function openSeeded(
  config: ReturnType<typeof configOf>,
  { begin, create }: { begin: Temporal.Instant; create: boolean },
) {
  let now = begin;
  const opened = await openFoundation(config, { create, clock: () => now });
  if (!opened.ok) throw new Error(opened.problem);
  const bundle = await openSiteBundle(config.buildDir);
  return {
    foundation: opened.foundation,
    campuses: [bundle.campus, ...bundle.translations],
    setClock(at: Temporal.Instant): void {
      now = at;
    },
    ...createServices(opened.foundation, bundle, pino({ enabled: false })),
    [Symbol.asyncDispose]: opened.foundation.database.close,
  };
}

/** Fills a folder with invented requests, for a drill that starts this morning. */
export async function seedFolder(
  folder: string,
  environment: Environment,
  { today, count = lives.length }: { today?: Temporal.PlainDate; count?: number } = {},
): Promise<Outcome> {
  if (existsSync(folder)) return failed(`${folder} is there already. Remove that folder first.`);
  const config = configOf(folder, environment);
  const read = readPromises(config.campusDir);
  if (!read.ok) return failed(read.problem);
  const { timeZone } = read.promises.calendar;
  const on = today ?? Temporal.Now.plainDateISO(timeZone);
  const firstDay = on.toZonedDateTime({ timeZone, plainTime: "09:00" }).toInstant();
  const begin = firstDay.subtract({ hours: seededDays * 24 });
  await mkdir(folder, { mode: 0o700 });
  setDrillClock(folder, begin);
  await using site = await openSeeded(configOf(folder, environment), { begin, create: true });
  await seedRequests(site, firstDay, count);
  setDrillClock(folder, firstDay);
  return done(
    `${count} requests are in ${folder}. You are Nadia or Tariq. Begin with: npm run drill -- pages`,
  );
}

if (import.meta.main) {
  const usage =
    "npm run seed [COUNT]    fills the folder “drill” with invented requests for npm run drill\n";
  const count = process.argv[2] ?? `${lives.length}`;
  const outcome: Outcome = /^\d+$/.test(count)
    ? await seedFolder(resolve("drill"), process.env, { count: Number(count) })
    : { code: 0, out: usage };
  process.exitCode = print(outcome);
}
