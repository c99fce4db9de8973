/**
 * npm run campus -- schemas
 *
 * Generates JSON Schemas for a campus's YAML files in schemas/, and references them in the first
 * line of this campus's files, so that editors complete and explain keys and highlight mistakes.
 */
import { globSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { z } from "zod";
import { faqSchema } from "../campus-reader/content-schema.ts";
import { createMarkdown } from "../campus-reader/markdown.ts";
import { isGroup, readProductWords, wordFiles } from "../campus-reader/product-words.ts";
import { calendarSchema, dataListSchema, settingsSchema } from "../campus-reader/schema.ts";
import { readTextFile } from "../campus-reader/text-files.ts";
import { campusDir, root } from "./project.mjs";

type Schema = Record<string, unknown>;

const schemas = join(root, "schemas");

/** Creates a schema for each file of a campus, keyed by file name. */
export function createSchemas(): Record<string, Schema> {
  const markdown = createMarkdown({ language: "en", product: "", developer: "", campus: "" });
  const ofData = { campus: settingsSchema, calendar: calendarSchema, faq: faqSchema(markdown) };
  const made = Object.entries(ofData).map(([name, schema]) => [name, toJson(schema)]);
  const words = wordFiles.map((name) => [name, describeWords(readProductWords("en", name), name)]);
  const all = Object.fromEntries([...made, ...words]);
  // The data list's schema has a different name, because the deletion page's text is in a file with
  // the same name, deletion.yaml.
  return { ...all, "data-list": toJson(dataListSchema) };
}

const toJson = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

/** Describes each string with the product's own text. */
function describeWords(words: unknown, name: string): Schema {
  if (Array.isArray(words)) return { type: "array" };
  if (!isGroup(words)) return { type: "string", description: String(words) };
  const fields = Object.entries(words).map(([key, value]) => [key, describeWords(value, name)]);
  // A campus may add its own keys to these two files.
  const isClosed = name !== "interface" && name !== "landing";
  return {
    type: "object",
    properties: Object.fromEntries(fields),
    ...(isClosed && { additionalProperties: false }),
  };
}

/** Adds a schema reference as the first line of each YAML file of a campus. */
export function nameSchemas(folder: string): void {
  for (const file of globSync(["*.yaml", "content/*/*.yaml"], { cwd: folder })) {
    const path = join(folder, file);
    const isList = basename(file) === "deletion.yaml" && dirname(file) === ".";
    const schema = join(schemas, `${isList ? "data-list" : basename(file, ".yaml")}.json`);
    const way = relative(dirname(path), schema).replaceAll("\\", "/");
    const text = readTextFile(path).replace(/^# yaml-language-server: .*\n/, "");
    writeFileSync(path, `# yaml-language-server: $schema=${way}\n${text}`);
  }
}

if (import.meta.main) {
  mkdirSync(schemas, { recursive: true });
  for (const [name, schema] of Object.entries(createSchemas())) {
    writeFileSync(join(schemas, `${name}.json`), `${JSON.stringify(schema, undefined, 2)}\n`);
  }
  nameSchemas(campusDir);
  console.log(`schemas/ is written, and each file of ${campusDir} names its schema.`);
}
