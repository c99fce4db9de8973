import type { z } from "zod";
import type { Missing } from "../deletion-requests/life/checklist.ts";
import { first, type Typed } from "./walk.ts";

/** What is wrong with a field; `most` is how long it may be, `known` what it may say. */
type WrongField = { field: string; what: string; most?: number; known?: unknown[] };

/** What is wrong with a form. */
export type Wrong = WrongField | Missing;

/** What a form says, as its schema has it: values, or what is wrong with which field. */
export function readFields<Fields extends z.ZodObject>(
  schema: Fields,
  typed: Typed,
): { fields: z.output<Fields> } | { wrong: WrongField[] } {
  const read = schema.safeParse(
    Object.fromEntries(namesOf(schema).map((name) => [name, first(typed, name)])),
  );
  return read.success ? { fields: read.data } : { wrong: tellIssues(read.error) };
}

function tellIssues({ issues }: z.ZodError): WrongField[] {
  return issues.map((issue) => ({
    field: String(issue.path[0]),
    what: issue.message,
    ...(issue.code === "too_big" && { most: Number(issue.maximum) }),
    ...(issue.code === "invalid_value" && { known: issue.values }),
  }));
}

export const namesOf = (schema: z.ZodObject) => Object.keys(schema.shape);
