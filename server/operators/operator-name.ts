import { z } from "zod";
import { emailField } from "../forms/typed.ts";

const longestName = 40;

/** A name as it is kept: one line, letters first. Undefined for what cannot be one. */
export function parseOperatorName(typed: string): string | undefined {
  const name = typed.normalize("NFC").replace(/\s+/g, " ").trim();
  return name.length <= longestName && /^\p{L}[\p{L}\p{M}\p{N} .'’-]*$/u.test(name)
    ? name
    : undefined;
}

/** Whom a form or a command invites, and where to. */
export const invitationSchema = z.object({
  name: z
    .string()
    .transform(parseOperatorName)
    .refine((name) => name !== undefined, { error: "name" })
    .transform((name) => name ?? z.NEVER),
  address: emailField,
});
