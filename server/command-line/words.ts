import { parseArgs } from "node:util";
import { isPlainText, toPlainText } from "../language/plain-text.ts";
import { findNearest } from "./sentences.ts";

/** Reading what was typed after a command's name. */

export type Words<Option extends string, Flag extends string> = {
  positionals: string[];
  options: Partial<Record<Option, string>> & Partial<Record<Flag, boolean>>;
};

/**
 * Whatever stands behind an option that takes a value is its value, though it begins with a hyphen. Problems come as one
 * sentence.
 */
export function readWords<Option extends string, Flag extends string>(
  words: readonly string[],
  known: { options: readonly Option[]; flags: readonly Flag[] },
): Words<Option, Flag> | { problem: string } {
  const unseen = words.find((word) => !isPlainText(word));
  if (unseen !== undefined) {
    return {
      problem: `${JSON.stringify(toPlainText(unseen))} has signs in it that nobody can see. Type it anew.`,
    };
  }
  const args: string[] = [];
  const names = [...known.options, ...known.flags].map((name) => `--${name}`);
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const name = word.split("=", 1)[0] ?? "";
    if (name.startsWith("--") && name !== "--" && !names.includes(name)) {
      const meant = findNearest(name, names);
      const hint = meant ? ` Did you mean ${meant}?` : "";
      return { problem: `There is no option ${name}.${hint}` };
    }
    const takesValue = known.options.some((option) => word === `--${option}`);
    if (!takesValue) {
      args.push(word);
      continue;
    }
    const value = words[index + 1];
    if (value === undefined || names.includes(value.split("=", 1)[0] ?? "")) {
      return { problem: `${word} needs something behind it.` };
    }
    args.push(`${word}=${value}`);
    index++;
  }
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries([
        ...known.options.map((name) => [name, { type: "string" as const }]),
        ...known.flags.map((name) => [name, { type: "boolean" as const }]),
      ]),
    });
    return { positionals, options: values as Words<Option, Flag>["options"] };
  } catch (error) {
    return { problem: `That was not understood: ${(error as Error).message.split(".")[0]}.` };
  }
}
