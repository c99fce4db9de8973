import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readPromises } from "../open.ts";
import { openSiteBundle, type SiteBundle } from "../site-bundle.ts";
import { showPages } from "./drill-pages.ts";
import { actAsPerson, drillRequests, playedDays, playSemester } from "./drill-semester.ts";
import {
  configOf,
  type Environment,
  isDrill,
  makeDrillFolder,
  openDrill,
  readClock,
  removeDrill,
  textOfMail,
} from "./drill-site.ts";
import { runCommand as runLedger } from "./ledger.ts";
import { runCommand as runOperators } from "./operators.ts";
import { runCommand as runRequests } from "./requests.ts";
import { needsStore, runOnRestored, runRestore } from "./restore.ts";
import { failed } from "./sentences.ts";
import { type CommandServices, type Outcome, print } from "./start.ts";

/** `npm run drill`: a scratch site with forty requests and a clock of its own, to practise a semester on in an hour. */

const usage = `A drill: forty invented requests in a folder of their own, and a clock that you set. No mail leaves.

  npm run drill -- new [--now 2027-01-10T09:00]
                                            make it, with that first moment on the campus
  npm run drill -- pass 15 minutes          let time pass: minutes, hours, days or weeks; the server does what it would do
  npm run drill -- requests list            any command of: npm run requests; likewise ledger, operators and restore
  npm run drill -- pages [--port 3100]      open the operators' pages on it, with links to come in by
  npm run drill -- person REF confirm       press the button in the newest mail as its person; or: cancel
  npm run drill -- mails                    the mails that were written, newest last
  npm run drill -- mail 3                   the third last of them
  npm run drill -- end                      remove it all

Put --in FOLDER in front for another folder than “drill”. A drill's folder is opened by nothing but this command.
`;

export type DrillServices = {
  environment: Environment;
  openBundle: (buildDir: string) => Promise<SiteBundle>;
  /** The first moment of a drill that nobody gave one. */
  clock: () => Temporal.Instant;
  /** How its pages are shown; without it, there are only commands. */
  pages?: { say: (text: string) => void; until: Promise<unknown> };
};

const commands: Record<
  string,
  (words: readonly string[], services: CommandServices) => Promise<Outcome>
> = { requests: runRequests, ledger: runLedger, operators: runOperators };

export async function runDrill(
  typed: readonly string[],
  services: DrillServices,
): Promise<Outcome> {
  const isElsewhere = typed[0] === "--in";
  const folder = resolve((isElsewhere && typed[1]) || "drill");
  const [command = "help", ...rest] = isElsewhere ? typed.slice(2) : typed;
  if (command === "help") return { code: 0, out: usage };
  if (command === "new") return makeDrill(folder, rest, services);
  if (!isDrill(folder)) {
    return failed(`There is no drill in ${folder}. Make one: npm run drill -- new`);
  }
  if (command === "end") {
    await removeDrill(folder);
    return { code: 0, out: `The drill in ${folder} is gone.\n` };
  }
  if (command === "pages") return showDrill(folder, rest, services);
  const restored = command === "restore" && !needsStore(rest);
  const outcome = restored
    ? await runRestore(rest, {
        config: configOf(folder, services.environment),
        clock: await fixedClock(folder),
      })
    : await inDrill(folder, services, command, rest);
  return { ...outcome, ...(await mark(folder, services, outcome)) };
}

async function showDrill(
  folder: string,
  rest: readonly string[],
  services: DrillServices,
): Promise<Outcome> {
  const [option, value = ""] = rest;
  const isUnderstood = rest.length === 0 || (option === "--port" && /^\d{2,5}$/.test(value));
  if (!services.pages || !isUnderstood) return { code: 2, problem: usage };
  try {
    const port = option === undefined ? undefined : Number(value);
    await showPages(folder, { ...services, ...services.pages }, port);
    return { code: 0, out: "" };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return failed("This port is taken. Choose another: npm run drill -- pages --port 3101");
  }
}

async function fixedClock(folder: string): Promise<() => Temporal.Instant> {
  const now = await readClock(folder);
  return () => now;
}

async function makeDrill(
  folder: string,
  [option, now]: readonly string[],
  services: DrillServices,
): Promise<Outcome> {
  if (option !== undefined && (option !== "--now" || now === undefined)) {
    return { code: 2, problem: usage };
  }
  if (isDrill(folder)) {
    return failed(`There is a drill in ${folder}. Remove it first: npm run drill -- end`);
  }
  if (existsSync(join(folder, "requests.sqlite")) || existsSync(join(folder, "keys"))) {
    return failed(`${folder} is the data folder of a server. A drill needs a folder of its own.`);
  }
  const { timeZone } = readZone(services.environment, folder);
  const firstDay =
    now === undefined ? morningOf(services.clock(), timeZone) : toMoment(now, timeZone);
  if (!firstDay) return { code: 2, problem: `${now} is no moment such as 2027-01-10T09:00.\n` };
  await makeDrillFolder(folder, firstDay.subtract({ hours: playedDays * 24 }));
  const drill = await openDrill(folder, { ...services, create: true });
  try {
    await playSemester(drill, firstDay);
  } finally {
    await drill.close();
  }
  const out = `${drillRequests} requests are in ${folder}. You are Nadia or Tariq. Begin with: npm run drill -- requests list\n`;
  return { code: 0, ...(await mark(folder, services, { code: 0, out })) };
}

function readZone(environment: Environment, folder: string): { timeZone: string } {
  const read = readPromises(configOf(folder, environment).campusDir);
  if (!read.ok) throw new Error(read.problem);
  return read.promises.calendar;
}

function morningOf(at: Temporal.Instant, timeZone: string): Temporal.Instant {
  return at
    .toZonedDateTimeISO(timeZone)
    .with({ hour: 9, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
    .toInstant();
}

/** A moment on the campus; a date alone is its morning. */
function toMoment(text: string, timeZone: string): Temporal.Instant | undefined {
  try {
    const local = Temporal.PlainDateTime.from(text.includes("T") ? text : `${text}T09:00`);
    return local.toZonedDateTime(timeZone).toInstant();
  } catch {
    return undefined;
  }
}

async function inDrill(
  folder: string,
  services: DrillServices,
  command: string,
  rest: string[],
): Promise<Outcome> {
  const drill = await openDrill(folder, services);
  try {
    const before = new Set(await drill.listMails());
    const outcome = await act(drill, command, rest);
    await drill.settle();
    const written = (await drill.listMails()).filter((name) => !before.has(name));
    return {
      ...outcome,
      out: `${await read(outcome.out)}${tellWritten(written, drill.foundation.calendar.timeZone)}`,
    };
  } finally {
    await drill.close();
  }
}

async function act(
  drill: Awaited<ReturnType<typeof openDrill>>,
  command: string,
  rest: string[],
): Promise<Outcome> {
  const run = commands[command];
  if (run) return run(rest, drill.foundation);
  switch (command) {
    case "pass": {
      const [count = "", unit = ""] = rest;
      const hours = { minute: 1 / 60, hour: 1, day: 24, week: 168 }[unit.replace(/s$/, "")];
      if (!/^\d{1,3}$/.test(count) || hours === undefined) return { code: 2, problem: usage };
      await drill.passUntil(drill.now().add({ minutes: Math.round(Number(count) * hours * 60) }));
      return { code: 0, out: "" };
    }
    case "restore":
      return runOnRestored(rest, drill.foundation);
    case "person": {
      const [reference = "", what] = rest;
      if (what !== "confirm" && what !== "cancel") return { code: 2, problem: usage };
      const result = await actAsPerson(drill, reference.toUpperCase(), what);
      if (result === "done") return { code: 0, out: `The person pressed: ${what}.\n` };
      return failed(
        result === "no-mail"
          ? `No mail with a link went to the person of ${reference}.`
          : `The page behind the newest link does not offer that to the person of ${reference} now.`,
      );
    }
    case "mails":
      return {
        code: 0,
        out: tellMails((await drill.listMails()).slice(-20), drill.foundation.calendar.timeZone),
      };
    case "mail": {
      const name = (await drill.listMails()).at(-Number(rest[0] ?? 1));
      if (name === undefined) return failed("There is no such mail.");
      const source = await drill.readMail(name);
      const line = (label: string) => new RegExp(`^${label}: .*$`, "m").exec(source)?.[0] ?? "";
      return { code: 0, out: `${line("To")}\n${line("Subject")}\n\n${textOfMail(source)}\n` };
    }
    default:
      return { code: 2, problem: usage };
  }
}

/** What the names of mail files tell, the last being number 1. */
function tellMails(names: readonly string[], timeZone: string): string {
  return names
    .map((name, index) => {
      const [time = "", ...about] = name.replace(/ [^ ]+\.eml$/, "").split(" ");
      return `${String(names.length - index).padStart(3)}  ${toLocal(time, timeZone)}  ${about.join(" ")}\n`;
    })
    .join("");
}

/** Mail files are named by the time in Greenwich. */
function toLocal(time: string, timeZone: string): string {
  const [, hours, minutes] = /T(\d\d)(\d\d)/.exec(time) ?? [];
  const local = Temporal.Instant.from(`${time.slice(0, 10)}T${hours}:${minutes}Z`)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime();
  return local.toString({ smallestUnit: "minute" }).replace("T", " ");
}

function tellWritten(names: readonly string[], timeZone: string): string {
  if (names.length === 0) return "";
  const title = names.length === 1 ? "1 mail was written" : `${names.length} mails were written`;
  return `\n${title} (npm run drill -- mail N):\n${tellMails(names.slice(-10), timeZone)}`;
}

async function read(out: Outcome["out"]): Promise<string> {
  if (out === undefined || typeof out === "string") return out ?? "";
  return (await Array.fromAsync(out)).join("");
}

/** Everything that a drill says says that it is one, and names the drill's own commands. */
async function mark(
  folder: string,
  services: DrillServices,
  outcome: Outcome,
): Promise<{ out: string; problem?: string }> {
  const { timeZone } = readZone(services.environment, folder);
  const now = isDrill(folder) ? (await readClock(folder)).toZonedDateTimeISO(timeZone) : undefined;
  const time = now?.toLocaleString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: undefined,
  });
  const head = `--- DRILL, ${time}. Nothing here is real, and no mail leaves. ---\n`;
  const own = (text: string) =>
    text.replaceAll(
      /npm run (requests|ledger|operators|restore)\b(?: --)?/g,
      "npm run drill -- $1",
    );
  return {
    out: head + own(await read(outcome.out)),
    ...(outcome.problem !== undefined && { problem: own(outcome.problem) }),
  };
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const services: DrillServices = {
    environment: process.env,
    openBundle: openSiteBundle,
    clock: () => Temporal.Now.instant(),
  };
  const until = new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  const pages = { say: (text: string) => console.log(text), until };
  process.exitCode = await print(await runDrill(words, { ...services, pages }));
}
