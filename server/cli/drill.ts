import { resolve } from "node:path";
import { drillClock, isDrill, setDrillClock } from "../drill-mark.ts";
import { toMinute } from "../platform/calendar/business-days.ts";
import { paths } from "../platform/http/paths.ts";
import { openSiteBundle } from "../site-bundle.ts";
import { startServer } from "../start.ts";
import { runCommand as runOperators } from "./operators.ts";
import { print } from "./program.ts";
import { configOf, openSeeded, passUntil, seedFolder } from "./seed.ts";
import { done, failed, type Outcome } from "./sentences.ts";

/**
 * `npm run drill`: lets operators practice on invented requests, with a clock that they set
 * themselves.
 */

const usage = `A drill: forty invented requests in the folder “drill”, and a clock that you set. No email is sent.

  npm run drill -- new                make the drill, as npm run seed does
  npm run drill -- pages              open the drill's pages on this machine, with links to sign in
  npm run drill -- pass 15 minutes    let time pass, in minutes, hours, days or weeks; the server does its work meanwhile

Put DATA_DIR=drill in front of a command to use it on the drill: DATA_DIR=drill npm run requests -- list. Its emails are files in
drill/mail. Remove the folder when you are done.
`;

type Environment = Record<string, string | undefined>;

/**
 * Runs a drill command.
 * @param environment environment variables, of which the drill reads only the campus, its build and
 * the port
 */
export async function runDrill(
  [command = "help", ...rest]: readonly string[],
  folder: string,
  environment: Environment,
): Promise<Outcome> {
  if (command === "new") return seedFolder(folder, environment);
  if (command !== "pages" && command !== "pass") {
    return command === "help" ? { code: 0, out: usage } : { code: 2, problem: usage };
  }
  if (!isDrill(folder)) return failed(`There is no drill in ${folder}: npm run seed`);
  return command === "pass" ? letPass(folder, environment, rest) : inviteBoth(folder, environment);
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
  await using site = await openSeeded(configOf(folder, environment), { begin, create: false });
  await passUntil(site, later);
  setDrillClock(folder, later);
  return done(`It is ${toMinute(site.foundation.calendar, later)}.`);
}

/** Creates new invitation links for both operators. Existing passkeys keep working. */
async function inviteBoth(folder: string, environment: Environment): Promise<Outcome> {
  const begin = drillClock(folder)();
  await using site = await openSeeded(configOf(folder, environment), { begin, create: false });
  let out = "";
  for (const words of ["Nadia nadia@uni.example --admin", "Tariq tariq@uni.example"]) {
    const invited = await runOperators(["invite", ...words.split(" "), "--again"], site.foundation);
    if (invited.code !== 0) return invited;
    out += invited.out;
  }
  const address = site.foundation.config.publicUrl + paths.operator;
  return done(
    `The drill's pages are at ${address}. Nothing there is real, and no email is sent.\n${out}Open the second link in another browser.`,
  );
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
