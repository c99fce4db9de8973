import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import { type Foundation, openFoundation } from "../open.ts";
import { toMinute } from "../platform/calendar/business-days.ts";
import { isPlainText, toPlainText } from "../platform/i18n/texts.ts";
import { findOperator, listOperators } from "../team/roster/operators.ts";
import { failed, notUnderstood, type Outcome, toPrintable } from "./sentences.ts";

export type CommandServices = Omit<Foundation, "config" | "mailFiles">;

/** Types of a program's options. A string option takes a value, a boolean option doesn't. */
type OptionTypes = Readonly<Record<string, "string" | "boolean">>;

type Options<Of extends OptionTypes> = {
  [Name in keyof Of]?: Of[Name] extends "string" ? string : boolean;
};

/** A parsed command line, and the services that the command needs. */
export type CommandInvocation<Services, Of extends OptionTypes> = {
  services: Services;
  /** Positional arguments after the command's name, in order. */
  words: readonly string[];
  options: Options<Of>;
  /** Name of the person who runs the command, or an empty string if the command needs none. */
  name: string;
};

type Command<Services, Of extends OptionTypes> = {
  /** Positional arguments. "[X]" is optional, and "..." allows any number of arguments. */
  takes?: readonly string[];
  /** Who may run the command: an operator or, with "anybody", also this machine's OS user. */
  signed?: "operator" | "anybody";
  run(invocation: CommandInvocation<Services, Of>): Outcome | Promise<Outcome>;
};

/**
 * Creates a program from its commands. The program returns its output instead of printing it so
 * that tests can check it.
 */
export function createProgram<
  Services extends Pick<CommandServices, "database">,
  Of extends OptionTypes & { as: "string" },
>(
  usage: string,
  known: Of,
  commands: Record<string, Command<Services, Of>>,
): (typed: readonly string[], services: Services) => Promise<Outcome> {
  return async (typed, services) => {
    const read = readWords(typed, known);
    if (!read.ok) return notUnderstood(read.problem);
    const { options, positionals } = read;
    const [name = "help", ...words] = positionals;
    if (name === "help") return { code: 0, out: usage };
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) {
      const known = Object.keys(commands).join(", ");
      return notUnderstood(
        `There is no command ${toPrintable(name)}. The commands are: ${known}, help.`,
      );
    }
    const { takes = [], signed } = command;
    if (words.length > takes.length && takes.at(-1) !== "...") {
      const extra = words.slice(takes.length).join(" ");
      return notUnderstood(`“${toPrintable(extra)}” is one word too many after ${name}.`);
    }
    if (/^\w/.test(takes[words.length] ?? "")) {
      return notUnderstood(`Something is missing: ${[name, ...takes].join(" ")}.`);
    }
    const { as } = options as { as?: string };
    if (!signed) return command.run({ services, words, options, name: "" });
    const by = await sign(services, signed, as);
    return by.ok ? command.run({ services, words, options, name: by.name }) : by.outcome;
  };
}

/**
 * Parses a command line. A string option always takes the next word as its value, even if that word
 * starts with a hyphen. Describes invalid input in one line.
 */
export function readWords<Of extends OptionTypes>(
  typed: readonly string[],
  known: Of,
): { ok: true; positionals: string[]; options: Options<Of> } | { ok: false; problem: string } {
  const unseen = typed.find((word) => !isPlainText(word));
  if (unseen !== undefined) {
    const shown = JSON.stringify(toPlainText(unseen));
    return {
      ok: false,
      problem: `${shown} contains invisible characters. Type it again.`,
    };
  }
  const { positionals, values, tokens } = parseArgs({
    args: typed.some((word) => word === "--help" || word === "-h") ? ["help"] : [...typed],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(Object.entries(known).map(([name, type]) => [name, { type }])),
  });
  const names = Object.keys(known).map((name) => `--${name}`);
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value = "", inlineValue } = token;
    if (!names.includes(rawName)) {
      return {
        ok: false,
        problem: `There is no option ${rawName}. The options are: ${names.join(", ")}.`,
      };
    }
    if (
      known[name] === "string" &&
      (value === "" || names.includes(value.split("=", 1)[0] ?? ""))
    ) {
      return { ok: false, problem: `${rawName} needs a value after it.` };
    }
    // Otherwise, `--admin=false` would make an admin.
    if (known[name] === "boolean" && inlineValue) {
      return {
        ok: false,
        problem: `${rawName} takes no value. Leave it out if you don't want it.`,
      };
    }
  }
  return { ok: true, positionals, options: values as Options<Of> };
}

/**
 * Returns the name to record for a command. Finds the operator by any spelling of the name. With
 * "anybody", the default is this machine's OS user, because timers run such commands.
 */
export async function sign(
  { database }: Pick<CommandServices, "database">,
  by: "operator" | "anybody",
  typed: string | undefined,
): Promise<{ ok: true; name: string } | { ok: false; outcome: Outcome }> {
  if (typed === undefined && by === "anybody") {
    return { ok: true, name: `account ${userInfo().username}` };
  }
  const name = toPrintable(typed ?? "").trim();
  if (name === "") {
    const outcome = notUnderstood(
      "Say who you are with --as NAME. The name goes into the history.",
    );
    return { ok: false, outcome };
  }
  const operator = await findOperator(database.read, name);
  if (operator) return { ok: true, name: operator.name };
  const present = (await listOperators(database.read)).filter((member) => !member.leftAt);
  const names = present.map((member) => member.name).join(", ");
  const problem =
    names === ""
      ? `No one is on the team yet. Add yourself once: npm run operators -- add ${name}`
      : `No one on the team is called ${name}. The team is ${names}. To add someone: npm run operators -- add NAME`;
  return { ok: false, outcome: failed(problem) };
}

type Run = (services: CommandServices & Pick<Foundation, "config">) => Promise<Outcome>;

/** Checks whether the arguments ask for help. Printing help needs no database. */
export function wantsHelp(words: readonly string[]): boolean {
  const [first = "help"] = words;
  return first === "help" || words.some((word) => word === "--help" || word === "-h");
}

/** Opens the data folder, even while a server uses it, runs one command and sets the exit code. */
export async function runOnData(run: Run, usage: string): Promise<void> {
  if (wantsHelp(process.argv.slice(2))) {
    process.exitCode = print({ code: 0, out: usage });
    return;
  }
  process.exitCode = print(await openAndRun(run));
}

export function print({ code, out = "", problem = "" }: Outcome): Outcome["code"] {
  // A program such as `head` may close the pipe early.
  process.stdout.on("error", () => {}).write(out);
  process.stderr.write(problem);
  return code;
}

async function openAndRun(run: Run): Promise<Outcome> {
  const configured = readConfig(process.env);
  if (!configured.ok) return failed(configured.problems.join("\n"));
  const opened = await openFoundation(configured.config, { create: false });
  if (!opened.ok) {
    const { problem, missing }: { problem: string; missing?: true } = opened;
    return { code: missing ? 5 : 1, problem: `${problem}\n` };
  }
  const { calendar, clock, database } = opened.foundation;
  if (configured.config.isDrill) console.log(`--- A drill, ${toMinute(calendar, clock())}. ---`);
  try {
    return await run(opened.foundation);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`That could not be done: ${reason}.`);
  } finally {
    await database.close();
  }
}
