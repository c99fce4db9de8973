import { z } from "zod";
import { parseEmailAddress } from "../addresses/email-address.ts";

/** Submitted fields of a form, and mistakes in them. */

/** Plain text by field name; a repeated field has all its values. */
export type FormValues = Record<string, string[]>;

export function firstValue(typed: FormValues, name: string): string {
  return typed[name]?.[0]?.trim() ?? "";
}

/** Makes a submission with one value for each field. */
export function toFormValues(fields: Readonly<Record<string, string>>): FormValues {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
}

/**
 * A mistake in a form and its field. `most` is the longest text allowed, `about` the key of the
 * place or kind of data that it concerns.
 */
export type FieldError = {
  what: string;
  field?: string;
  most?: number;
  about?: string;
};

/** Parses the fields by a schema, one value each. Returns the values or all mistakes together. */
export function readFields<Fields extends z.ZodObject>(
  schema: Fields,
  typed: FormValues,
): { fields: z.output<Fields> } | { wrong: FieldError[] } {
  const read = schema.safeParse(
    Object.fromEntries(namesOf(schema).map((name) => [name, firstValue(typed, name)])),
  );
  return read.success ? { fields: read.data } : { wrong: toFieldErrors(read.error) };
}

export function toFieldErrors({ issues }: z.ZodError): FieldError[] {
  return issues.map((issue) => ({
    field: String(issue.path[0]),
    what: issue.message,
    ...(issue.code === "too_big" && { most: Number(issue.maximum) }),
  }));
}

/** Schema of an email address. */
export const emailField = z
  .string()
  .transform(parseEmailAddress)
  .refine(({ ok }) => ok, { error: "email" })
  .transform((read) => ("email" in read ? read.email : z.NEVER));

export const namesOf = (schema: z.ZodObject) => Object.keys(schema.shape);

export type FieldAsked = ReturnType<typeof describeFields>[number];

/** Describes the fields of a schema, in the order of the form. */
export function describeFields(schema: z.ZodObject) {
  const fields: Record<string, z.ZodType> = schema.shape as Record<string, z.ZodType>;
  return Object.entries(fields).map(([name, field]) => {
    const options = field instanceof z.ZodEnum ? field.options.map(String) : undefined;
    return {
      name,
      /** Choices of an enumeration. */
      options,
      /** Free text, with its longest length. */
      text: field instanceof z.ZodString ? { most: field.maxLength ?? undefined } : undefined,
      /**
       * Usage on the command line, such as `days=N`; the schema describes the part after the
       * name.
       */
      hint: `${name}=${options?.join(" | ") ?? field.description}`,
      isOptional: field.safeParse("").success,
    };
  });
}
