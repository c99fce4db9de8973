import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { toMinute } from "../calendar/business-days.ts";
import { readConfig } from "../config.ts";
import { isPlainText, toPlainText } from "../language/texts.ts";
import { type Foundation, openFoundation } from "../open.ts";
import { findOperator, listOperators } from "../operators/operators.ts";
import { failed, notUnderstood, type Outcome, toPrintable } from "./sentences.ts";

export type CommandServices = Omit<Foundation, "config" | "mailFiles">;

/** The options of a program: those that take a value, and those that are only said. */
type Known = Readonly<Record<string, "string" | "boolean">>;

type Options<Of extends Known> = {
  [Name in keyof Of]?: Of[Name] extends "string" ? string : boolean;
};

/** What somebody typed, and who. */
export type Asked<Services, Of extends Known> = {
  services: Services;
  /** What followed the command's name, in order. */
  words: readonly string[];
  options: Options<Of>;
  /** Empty where the command needs no name. */
  name: string;
};

type Command<Services, Of extends Known> = {
  /** What follows its name, a word each; one in brackets may be left out, and behind "..." may follow as many as somebody likes. */
  takes?: readonly string[];
  /** Whose name stands behind it: one that the team knows, or without any that of this machine's account. */
  signed?: "operator" | "anybody";
  run(asked: Asked<Services, Of>): Outcome | Promise<Outcome>;
};

/** A program of its commands, each declared once. It prints nothing itself, so that a test can read what it says. */
export function createProgram<
  Services extends Pick<CommandServices, "database">,
  Of extends Known & { as: "string" },
>(
  usage: string,
  known: Of,
  commands: Record<string, Command<Services, Of>>,
): (typed: readonly string[], services: Services) => Promise<Outcome> {
  return async (typed, services) => {
    const read = readWords(typed, known);
    if ("problem" in read) return notUnderstood(read.problem);
    const { options, positionals } = read;
    const [name = "help", ...words] = positionals;
    if (name === "help") return { code: 0, out: usage };
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) {
      const known = Object.keys(commands).join(", ");
      return notUnderstood(`There is no command ${toPrintable(name)}. There are: ${known}, help.`);
    }
    const { takes = [], signed } = command;
    if (words.length > takes.length && takes.at(-1) !== "...") {
      const extra = words.slice(takes.length).join(" ");
      return notUnderstood(`“${toPrintable(extra)}” is too much behind ${name}.`);
    }
    if (/^\w/.test(takes[words.length] ?? "")) {
      return notUnderstood(`Something is missing: ${[name, ...takes].join(" ")}.`);
    }
    const { as } = options as { as?: string };
    const by = signed ? await sign(services, signed, as) : { name: "" };
    return "problem" in by ? by.problem : command.run({ services, words, options, name: by.name });
  };
}

/**
 * Reads what was typed behind a program's name. Whatever stands behind an option that takes a value is its value, though it
 * begins with a hyphen. Problems come as one sentence.
 */
export function readWords<Of extends Known>(
  typed: readonly string[],
  known: Of,
): { positionals: string[]; options: Options<Of> } | { problem: string } {
  const unseen = typed.find((word) => !isPlainText(word));
  if (unseen !== undefined) {
    const shown = JSON.stringify(toPlainText(unseen));
    return { problem: `${shown} has signs in it that nobody can see. Type it anew.` };
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
    const { name, rawName, value = "" } = token;
    if (!names.includes(rawName)) {
      return { problem: `There is no option ${rawName}. There are: ${names.join(", ")}.` };
    }
    if (
      known[name] === "string" &&
      (value === "" || names.includes(value.split("=", 1)[0] ?? ""))
    ) {
      return { problem: `${rawName} needs something behind it.` };
    }
  }
  return { positionals, options: values as Options<Of> };
}

/**
 * Whose name stands behind what a command does: somebody the team knows, however it was typed. What a timer may do, too, is
 * signed by this machine's account where nobody is named.
 */
export async function sign(
  { database }: Pick<CommandServices, "database">,
  by: "operator" | "anybody",
  typed: string | undefined,
): Promise<{ name: string } | { problem: Outcome }> {
  if (typed === undefined && by === "anybody") return { name: `account ${userInfo().username}` };
  const name = toPrintable(typed ?? "").trim();
  if (name === "") {
    return { problem: notUnderstood("Say who you are with --as NAME; it goes into the history.") };
  }
  const operator = await findOperator(database.read, name);
  if (operator) return { name: operator.name };
  const present = (await listOperators(database.read)).filter((one) => !one.leftAt);
  const names = present.map((one) => one.name).join(", ");
  const problem =
    names === ""
      ? `The team knows nobody yet. Say once who you are: npm run operators -- add ${name}`
      : `The team knows nobody called ${name}. It knows ${names}. New ones: npm run operators -- add NAME`;
  return { problem: failed(problem) };
}

type Run = (services: CommandServices & Pick<Foundation, "config">) => Promise<Outcome>;

/** Whether someone asks how a program is used: that is answered without a database. */
export function asksForHelp(words: readonly string[]): boolean {
  const [first = "help"] = words;
  return first === "help" || words.some((word) => word === "--help" || word === "-h");
}

/** Opens the data folder of the server, which may be running, for one command. Sets the exit code. */
export async function runOnData(run: Run, usage: string): Promise<void> {
  if (asksForHelp(process.argv.slice(2))) {
    process.exitCode = print({ code: 0, out: usage });
    return;
  }
  process.exitCode = print(await openAndRun(run));
}

/** Says what a command has to say, and returns its exit code. */
export function print({ code, out = "", problem = "" }: Outcome): Outcome["code"] {
  // Whoever reads its beginning, such as `head`, closes the pipe.
  process.stdout.on("error", () => {}).write(out);
  process.stderr.write(problem);
  return code;
}

async function openAndRun(run: Run): Promise<Outcome> {
  const configured = readConfig(process.env);
  if (!configured.ok) return failed(configured.problems.join("\n"));
  const opened = await openFoundation(configured.config, { create: false });
  if (!opened.ok) return { code: "missing" in opened ? 5 : 1, problem: `${opened.problem}\n` };
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
