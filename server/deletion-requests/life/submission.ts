import { z } from "zod";
import { type EmailProblem, parseEmailAddress } from "../../addresses/email-address.ts";
import { type Typed, tellIssues, type Wrong } from "../../forms/typed.ts";
import { toPlainText } from "../../language/texts.ts";
import { feedbackLimit } from "../../terms.ts";
import { isFormKey, reasonCodes } from "./request.ts";

type ProblemCode =
  | EmailProblem
  | "reasonMissing"
  | "reasonUnknown"
  | "feedbackTooLong"
  | "confirmationMissing"
  | "honeypot"
  | "malformed";

const malformed: ProblemCode = "malformed";
/** A field that is given twice is none that people filled in. */
const text = z
  .array(z.string())
  .max(1, { error: malformed })
  .default([])
  .transform(([said = ""]) => said);

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
  formKey: text.refine(isFormKey, { error: malformed }),
  // Hidden from people; whatever fills it in is a program.
  website: text.transform((value, context) => (value ? refuse(context, "honeypot") : "")),
});

type FormField = keyof typeof formSchema.shape;

/** Every field that is read. */
export const formFields = Object.keys(formSchema.shape) as FormField[];

/** What the form sends, once it is known to be right. */
export type Submission = Omit<z.infer<typeof formSchema>, "confirmation" | "website"> & {
  /** Of the page that the form stood on; empty for the campus's first. */
  language: string;
};

/** What is wrong with the form, and where. */
export type WrongField = Wrong & { field: FormField; what: ProblemCode };

/** All that is wrong is told at once, in the order of the form; fields that the form does not have are ignored. */
export function parseSubmission(
  typed: Typed,
  language = "",
): { ok: true; submission: Submission } | { ok: false; wrong: WrongField[] } {
  const read = formSchema.safeParse(typed);
  if (!read.success) return { ok: false, wrong: tellIssues(read.error) as WrongField[] };
  const { confirmation: _, website: __, ...submission } = read.data;
  return { ok: true, submission: { ...submission, language } };
}
