import { z } from "zod";
import { emailField } from "../../platform/forms/form-values.ts";

const longestName = 40;

/**
 * Normalizes an operator's name. Returns `undefined` if the name is too long, doesn't start with a
 * letter or contains unsupported characters.
 */
export function parseOperatorName(typed: string): string | undefined {
  const name = typed.normalize("NFC").replace(/\s+/g, " ").trim();
  return name.length <= longestName && /^\p{L}[\p{L}\p{M}\p{N} .'’-]*$/u.test(name)
    ? name
    : undefined;
}

/** Schema of an invitation from the form or the command line. */
export const invitationSchema = z.object({
  name: z
    .string()
    .transform(parseOperatorName)
    .refine((name) => name !== undefined, { error: "name" })
    .transform((name) => name ?? z.NEVER),
  address: emailField,
});
