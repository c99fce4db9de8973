import { z } from "zod";
import { feedbackLimit } from "../../periods.ts";
import { cleanAddress } from "../../platform/addresses/clean-address.ts";
import { type EmailProblem, parseEmailAddress } from "../../platform/addresses/email-address.ts";
import { suggestAddress } from "../../platform/addresses/suggest-address.ts";
import {
  type FieldError,
  type FormValues,
  firstValue,
  toFieldErrors,
} from "../../platform/forms/form-values.ts";
import { toPlainText } from "../../platform/i18n/texts.ts";
import { type FormField, isFormKey, reasonCodes } from "./request.ts";

type ProblemCode =
  | EmailProblem
  | "emailMistyped"
  | "reasonMissing"
  | "reasonUnknown"
  | "feedbackTooLong"
  | "confirmationMissing"
  | "honeypot"
  | "malformed";

const malformed: ProblemCode = "malformed";
/**
 * Reads a single value. The form never sends a field twice, so a second value makes it malformed.
 */
const text = z
  .array(z.string())
  .max(1, { error: malformed })
  .default([])
  .transform(([value = ""]) => value);

function refuse(context: z.RefinementCtx, code: ProblemCode): never {
  context.addIssue(code);
  return z.NEVER;
}

const formSchema = z.object({
  email: text.transform((typed, context) => {
    const result = parseEmailAddress(typed);
    return result.ok ? result.email : refuse(context, result.code);
  }),
  reason: text.transform((chosen, context) => {
    if (!chosen) return refuse(context, "reasonMissing");
    return reasonCodes.find((code) => code === chosen) ?? refuse(context, "reasonUnknown");
  }),
  feedback: text.transform((typed, context) => {
    const feedback = toPlainText(typed).trim();
    return [...feedback].length <= feedbackLimit ? feedback : refuse(context, "feedbackTooLong");
  }),
  confirmation: text.transform((value, context) =>
    /^(?:on|yes|true|1)$/.test(value) ? true : refuse(context, "confirmationMissing"),
  ),
  // A browser without JavaScript sends no key. `submitting.ts` then derives one.
  formKey: text.refine((key) => key === "" || isFormKey(key), { error: malformed }),
  // Honeypot: a hidden field that bots fill in and visitors never see.
  website: text.transform((value, context) => (value ? refuse(context, "honeypot") : "")),
} satisfies Record<FormField, z.ZodType>);

/**
 * Number of UTF-16 code units of the typed email address that are checked for typos. No valid
 * address is longer.
 */
const longestSuggested = 400;

export type Submission = Omit<z.infer<typeof formSchema>, "confirmation" | "website"> & {
  /** Language of the form's page. Empty for the campus's default language. */
  language: string;
};

export type WrongField = FieldError & { field: FormField; what: ProblemCode; suggestion?: string };

/**
 * Parses a form, or returns all of its errors in form order. Ignores unknown fields. Asks about a
 * mistyped domain only once. In a resent form, `asked` is the address that the question was about,
 * and `take` is the suggestion that the visitor accepted.
 * @param mailDomains the campus's own mail domains, for suggestions
 */
export function parseSubmission(
  typed: FormValues,
  language = "",
  mailDomains: readonly string[] = [],
): { ok: true; submission: Submission } | { ok: false; wrong: WrongField[] } {
  const email = cleanAddress(firstValue(typed, "email").slice(0, longestSuggested));
  const suggestion = suggestAddress(email, mailDomains);
  const isTaken = suggestion !== undefined && firstValue(typed, "take") === suggestion;
  const read = formSchema.safeParse(isTaken ? { ...typed, email: [suggestion] } : typed);
  const wrong = read.success ? [] : (toFieldErrors(read.error) as WrongField[]);
  if (suggestion !== undefined && !isTaken && cleanAddress(firstValue(typed, "asked")) !== email) {
    const otherProblems = wrong.filter(({ field }) => field !== "email");
    return {
      ok: false,
      wrong: [{ field: "email", what: "emailMistyped", suggestion }, ...otherProblems],
    };
  }
  if (!read.success) return { ok: false, wrong };
  const { confirmation: _, website: __, ...submission } = read.data;
  return { ok: true, submission: { ...submission, language } };
}
