import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { parse } from "yaml";
import type { ReceivedEvent } from "../../server/account-system/account-system.fixture.ts";
import { root } from "./campus.ts";

/** Validates messages against `docs/account-system.openapi.yaml`. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Tree = { [key: string]: Json };

export const document = parse(
  readFileSync(join(root, "docs/account-system.openapi.yaml"), "utf8"),
) as Tree;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(document, "contract");

/**
 * Lists the violations of a schema from the contract. Returns an empty list if the value conforms.
 */
export function misfits(schema: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
  if (!validate) throw new Error(`There is no schema ${schema}`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Yields every value in the document with its path. */
function* visitTree(value: Json, at: string[] = []): Generator<{ at: string[]; value: Json }> {
  yield { at, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* visitTree(inner as Json, [...at, key]);
}

export const media = [...visitTree(document)].filter(({ at, value }) => {
  const isMedia = at.at(-2) === "content" && (at.at(-1) ?? "").startsWith("application/");
  return isMedia && typeof value === "object";
});

export const examples = media.flatMap(({ value }) => {
  const { schema, examples = {} } = value as { schema: { $ref: string }; examples: Tree };
  const name = schema.$ref.split("/").at(-1) ?? "";
  return Object.entries(examples).map(
    ([title, example]) => [name, title, (example as Tree).value as Tree] as const,
  );
});
export const examplesOf = (schema: string) => examples.filter(([name]) => name === schema);

/**
 * Expects every event to match the schema and to have the same fields as the documented example.
 */
export function expectAsAgreed(received: readonly ReceivedEvent[]): void {
  for (const { event } of received) {
    expect(misfits("Event", event), event.type).toEqual([]);
    const example = examplesOf("Event").find(([, , { type }]) => type === event.type)?.[2];
    const parts = Object.keys((example?.data ?? {}) as Tree);
    expect(Object.keys(event.data).sort(), event.type).toEqual(parts.sort());
  }
}
