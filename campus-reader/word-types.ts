import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMessageArguments } from "../server/language/message.ts";
import { campusFacts } from "./facts.ts";
import { isGroup, productWords, readProductWords, wordFiles } from "./product-words.ts";

/**
 * Types of the product's words, made from the English files into `words/keys.d.ts`: every key, and what each text asks for.
 * React Router's configuration calls it, so that they are there when types are checked and when the site is built.
 */
export function writeWordTypes(): void {
  const file = join(productWords, "keys.d.ts");
  const groups = wordFiles.map((name) => `  ${name}: ${typeOf(readProductWords("en", name))};`);
  const text = `// Made from words/en by campus-reader/word-types.ts.
import type { Message } from "../server/language/message.ts";

type Value = string | number;

export type ProductWords = {
${groups.join("\n")}
};
`;
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  writeFileSync(file, text);
}

function typeOf(words: unknown): string {
  if (Array.isArray(words)) {
    const kinds = new Set(words.map(typeOf));
    return `readonly (${[...kinds].join(" | ") || "string"})[]`;
  }
  if (isGroup(words)) {
    const fields = Object.entries(words).map(([key, value]) => `"${key}": ${typeOf(value)}`);
    return `{ ${fields.join("; ")} }`;
  }
  const names = typeof words === "string" ? asksFor(words) : [];
  if (names.length === 0) return "string";
  return `Message<{ ${names.map(([name, kind]) => `${name}: ${kind}`).join("; ")} }>`;
}

/** What a text asks for when it is said; the campus's own names are filled in when it is read. */
function asksFor(text: string): [name: string, kind: string][] {
  if (!text.includes("{")) return [];
  return readMessageArguments(text)
    .filter(({ name }) => !campusFacts.includes(name))
    .map(({ name, isNumber }) => [name, isNumber ? "number" : "Value"]);
}
