import { z } from "zod";
import { parseEmailAddress } from "../addresses/email-address.ts";

/** What somebody typed into a form, and what is wrong with it. */

/** As plain text, by the names of the fields; a field that stands several times has all its values. */
export type Typed = Record<string, string[]>;

export function first(typed: Typed, name: string): string {
  return typed[name]?.[0]?.trim() ?? "";
}

/** As if each field had been typed once. */
export function fillIn(fields: Readonly<Record<string, string>>): Typed {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
}

/**
 * What is wrong with a form, and in which field; `most` is how long it may be, `about` the key of the place or the kind of data
 * that it is about.
 */
export type Wrong = {
  what: string;
  field?: string;
  most?: number;
  about?: string;
};

/** What a form says, each field once, as its schema has it: values, or what is wrong with which field. All is told at once. */
export function readFields<Fields extends z.ZodObject>(
  schema: Fields,
  typed: Typed,
): { fields: z.output<Fields> } | { wrong: Wrong[] } {
  const read = schema.safeParse(
    Object.fromEntries(namesOf(schema).map((name) => [name, first(typed, name)])),
  );
  return read.success ? { fields: read.data } : { wrong: tellIssues(read.error) };
}

export function tellIssues({ issues }: z.ZodError): Wrong[] {
  return issues.map((issue) => ({
    field: String(issue.path[0]),
    what: issue.message,
    ...(issue.code === "too_big" && { most: Number(issue.maximum) }),
  }));
}

/** An e-mail address in a form. */
export const emailField = z
  .string()
  .transform(parseEmailAddress)
  .refine(({ ok }) => ok, { error: "email" })
  .transform((read) => ("email" in read ? read.email : z.NEVER));

export const namesOf = (schema: z.ZodObject) => Object.keys(schema.shape);

export type FieldAsked = ReturnType<typeof tellFields>[number];

/** The fields of a form as its schema has them, in the order in which they are asked for. */
export function tellFields(schema: z.ZodObject) {
  const fields: Record<string, z.ZodType> = schema.shape as Record<string, z.ZodType>;
  return Object.entries(fields).map(([name, field]) => {
    const options = field instanceof z.ZodEnum ? field.options.map(String) : undefined;
    return {
      name,
      /** What can be chosen. */
      options,
      /** What somebody writes in their own words, of so many signs at most. */
      text: field instanceof z.ZodString ? { most: field.maxLength ?? undefined } : undefined,
      /** As it is written where there is no page, such as `days=N`; what stands behind the name the schema describes. */
      hint: `${name}=${options?.join(" | ") ?? field.description}`,
      isOptional: field.safeParse("").success,
    };
  });
}
