import { z } from "zod";
import { parseEmailAddress } from "../addresses/email-address.ts";

/** Text values, keyed by field name. A repeated field has several values. */
export type FormValues = Record<string, string[]>;

export function firstValue(typed: FormValues, name: string): string {
  return typed[name]?.[0]?.trim() ?? "";
}

export function toFormValues(fields: Readonly<Record<string, string>>): FormValues {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]));
}

/**
 * A mistake in a form field. `most` is the maximum length of the text. `about` is the key of the
 * store, or of the kind of data, that the mistake concerns.
 */
export type FieldError = {
  what: string;
  field?: string;
  most?: number;
  about?: string;
};

export type FieldsRead<Fields> =
  | { kind: "read"; fields: Fields }
  | { kind: "wrong"; wrong: FieldError[] };

/** Parses fields with a schema, using the first value of each field. */
export function readFields<Fields extends z.ZodObject>(
  schema: Fields,
  typed: FormValues,
): FieldsRead<z.output<Fields>> {
  const read = schema.safeParse(
    Object.fromEntries(namesOf(schema).map((name) => [name, firstValue(typed, name)])),
  );
  return read.success
    ? { kind: "read", fields: read.data }
    : { kind: "wrong", wrong: toFieldErrors(read.error) };
}

export function toFieldErrors({ issues }: z.ZodError): FieldError[] {
  return issues.map((issue) => ({
    field: String(issue.path[0]),
    what: issue.message,
    ...(issue.code === "too_big" && { most: Number(issue.maximum) }),
  }));
}

export const emailField = z
  .string()
  .transform(parseEmailAddress)
  .refine(({ ok }) => ok, { error: "email" })
  .transform((read) => (read.ok ? read.email : z.NEVER));

export const namesOf = (schema: z.ZodObject) => Object.keys(schema.shape);

export type FieldDeclaration = ReturnType<typeof describeFields>[number];

export function describeFields(schema: z.ZodObject) {
  const fields: Record<string, z.ZodType> = schema.shape as Record<string, z.ZodType>;
  return Object.entries(fields).map(([name, field]) => {
    const options = field instanceof z.ZodEnum ? field.options.map(String) : undefined;
    return {
      name,
      options,
      /** Maximum length, if the field is free text. */
      text: field instanceof z.ZodString ? { most: field.maxLength ?? undefined } : undefined,
      /**
       * Usage on the command line, such as `days=N`. The part after the name comes from the
       * schema's description.
       */
      hint: `${name}=${options?.join(" | ") ?? field.description}`,
      isOptional: field.safeParse("").success,
    };
  });
}
