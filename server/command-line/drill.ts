import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { toMinute } from "../calendar/business-days.ts";
import { type Config, readConfig } from "../config.ts";
import { drillClock, isDrill, setDrillClock } from "../drill-mark.ts";
import { paths } from "../http/paths.ts";
import { openFoundation, readPromises } from "../open.ts";
import { createServices } from "../services.ts";
import { createTeam } from "../sign-in/team.ts";
import { openSiteBundle } from "../site-bundle.ts";
import { startServer } from "../start-server.ts";
import { drillRequests, passUntil, playedDays, playSemester } from "./drill-semester.ts";
import { print } from "./program.ts";
import { done, failed, type Outcome } from "./sentences.ts";

/**
 * `npm run drill`: a scratch site with forty requests and a clock of its own, to practise a
 * semester in an hour.
 */

const usage = `A drill: forty invented requests in the folder “drill”, and a clock that you set. No mail leaves.

  npm run drill -- new [2027-01-10T09:00]   make it, with that first moment on the campus
  npm run drill -- pages                    open its pages on this machine, with links to come in by
  npm run drill -- pass 15 minutes          let time pass: minutes, hours, days or weeks; the server does what it would do

Every command works on it that has DATA_DIR=drill in front, such as: DATA_DIR=drill npm run requests -- list. Its mails are
files in drill/mail. Remove the folder when you are through.
`;

type Environment = Record<string, string | undefined>;

/**
 * Runs the drill's commands.
 * @param environment used for the campus, its build and the port alone
 */
export async function runDrill(
  [command = "help", ...rest]: readonly string[],
  folder: string,
  environment: Environment,
): Promise<Outcome> {
  if (command === "new") return makeDrill(folder, environment, rest[0]);
  if (command !== "pages" && command !== "pass") {
    return command === "help" ? { code: 0, out: usage } : { code: 2, problem: usage };
  }
  if (!isDrill(folder)) return failed(`There is no drill in ${folder}: npm run drill -- new`);
  return command === "pass" ? letPass(folder, environment, rest) : inviteBoth(folder, environment);
}

function configOf(folder: string, { CAMPUS_DIR, BUILD_DIR, PORT }: Environment) {
  const read = readConfig({ DATA_DIR: folder, CAMPUS_DIR, BUILD_DIR, PORT });
  if (!read.ok) throw new Error(read.problems.join(" "));
  return read.config;
}

/** Opens the whole service on a drill, with a clock that stands still until it is set. */
async function openStill(config: Config, begin: Temporal.Instant, create: boolean) {
  let now = begin;
  const opened = await openFoundation(config, { create, clock: () => now });
  if (!opened.ok) throw new Error(opened.problem);
  const { foundation } = opened;
  const bundle = await openSiteBundle(config.buildDir);
  const log = pino({ enabled: false });
  return {
    foundation,
    campuses: [bundle.campus, ...bundle.translations],
    setClock(at: Temporal.Instant): void {
      now = at;
    },
    ...createServices(foundation, bundle, log),
    [Symbol.asyncDispose]: foundation.database.close,
  };
}

async function makeDrill(
  folder: string,
  environment: Environment,
  typed: string | undefined,
): Promise<Outcome> {
  if (isDrill(folder)) return failed(`There is a drill in ${folder}. Remove that folder first.`);
  if (existsSync(join(folder, "requests.sqlite")) || existsSync(join(folder, "keys"))) {
    return failed(`${folder} is the data folder of a server. A drill needs a folder of its own.`);
  }
  const read = readPromises(configOf(folder, environment).campusDir);
  if (!read.ok) return failed(read.problem);
  const firstDay = toMoment(typed, read.promises.calendar.timeZone);
  if (!firstDay) return { code: 2, problem: `${typed} is no moment such as 2027-01-10T09:00.\n` };
  const begin = firstDay.subtract({ hours: playedDays * 24 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  setDrillClock(folder, begin);
  await using site = await openStill(configOf(folder, environment), begin, true);
  await playSemester(site, firstDay);
  setDrillClock(folder, firstDay);
  return done(
    `${drillRequests} requests are in ${folder}. You are Nadia or Tariq. Begin with: npm run drill -- pages`,
  );
}

/** Parses a time on the campus; this morning by default. */
function toMoment(typed: string | undefined, timeZone: string): Temporal.Instant | undefined {
  try {
    const morning = Temporal.Now.plainDateISO(timeZone).toPlainDateTime("09:00");
    const moment = typed === undefined ? morning : Temporal.PlainDateTime.from(typed);
    return moment.toZonedDateTime(timeZone).toInstant();
  } catch {
    return undefined;
  }
}

async function letPass(
  folder: string,
  environment: Environment,
  [count = "", unit = ""]: readonly string[],
): Promise<Outcome> {
  const minutes = { minute: 1, hour: 60, day: 1440, week: 10_080 }[unit.replace(/s$/, "")];
  if (!/^\d{1,3}$/.test(count) || minutes === undefined) return { code: 2, problem: usage };
  const begin = drillClock(folder)();
  const later = begin.add({ minutes: Number(count) * minutes });
  await using site = await openStill(configOf(folder, environment), begin, false);
  await passUntil(site, later);
  setDrillClock(folder, later);
  return done(`It is ${toMinute(site.foundation.calendar, later)}.`);
}

/** Makes new links for both trainees. Passkeys from before stay valid. */
async function inviteBoth(folder: string, environment: Environment): Promise<Outcome> {
  const config = configOf(folder, environment);
  const opened = await openFoundation(config, { create: false });
  if (!opened.ok) return failed(opened.problem);
  await using _ = { [Symbol.asyncDispose]: opened.foundation.database.close };
  const { publicUrl } = config;
  const team = createTeam({ ...opened.foundation, publicUrl });
  const links: string[] = [];
  for (const name of ["Nadia", "Tariq"]) {
    const address = `${name.toLowerCase()}@uni.example`;
    const invitation = { name, address, admin: name === "Nadia", again: true };
    const made = await team.invite(invitation, "drill");
    if (made.kind === "invited") links.push(`  ${name.padEnd(6)} ${made.link}\n`);
  }
  return done(`The drill's pages are at ${publicUrl}${paths.operator}. Nothing there is real, and no mail leaves.
Make a passkey with one of these links, each good once (Nadia is an admin), or sign in with the one you have:
${links.join("")}Open the second one in another browser.`);
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const folder = resolve("drill");
  const outcome = await runDrill(words, folder, process.env);
  process.exitCode = print(outcome);
  if (words[0] === "pages" && outcome.code === 0) {
    process.env.DATA_DIR = folder;
    await startServer(({ buildDir }) => openSiteBundle(buildDir));
  }
}
