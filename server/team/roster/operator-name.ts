import { z } from "zod";
import { emailField } from "../../platform/forms/form-values.ts";

const longestName = 40;

/**
 * Normalizes a name to one line that starts with a letter. Returns undefined if the text can't be a
 * name.
 */
export function parseOperatorName(typed: string): string | undefined {
  const name = typed.normalize("NFC").replace(/\s+/g, " ").trim();
  return name.length <= longestName && /^\p{L}[\p{L}\p{M}\p{N} .'’-]*$/u.test(name)
    ? name
    : undefined;
}

/** Fields of an invitation, from the form or the command line. */
export const invitationSchema = z.object({
  name: z
    .string()
    .transform(parseOperatorName)
    .refine((name) => name !== undefined, { error: "name" })
    .transform((name) => name ?? z.NEVER),
  address: emailField,
});
