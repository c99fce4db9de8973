import { z } from "zod";
import { refusalReasons } from "./life.ts";

/** The words of the mails, as `content/<language>/mail.yaml` has them. */

const words = z.string().trim().min(1, "must not be empty");
const paragraphs = z.array(words);

const operatorMail = z.strictObject({
  subject: words,
  preview: words,
  title: words,
  before: paragraphs,
});

const personMail = operatorMail.extend({
  button: words,
  after: paragraphs,
});

export const mailWordsSchema = z.strictObject({
  /** For dates, such as en-GB. */
  locale: words,
  shared: z.strictObject({
    brand: words,
    greeting: words,
    linkFallback: words,
    notYou: words,
    questions: words,
    footer: words,
    why: words,
    skippedTitle: words,
    skippedWeekend: words,
    skippedWeekendOne: words,
    labels: z.strictObject({
      reference: words,
      received: words,
      confirmed: words,
      completed: words,
      due: words,
      previouslyDue: words,
      validUntil: words,
      reason: words,
      state: words,
      left: words,
    }),
    states: z.strictObject({
      received: words,
      confirmed: words,
      "in-progress": words,
      completed: words,
      cancelled: words,
      refused: words,
      expired: words,
    }),
    daysLeft: z.strictObject({
      today: words,
      one: words,
      other: words,
      overdueOne: words,
      overdueOther: words,
    }),
  }),
  confirm: personMail,
  confirmed: personMail,
  reminder: personMail,
  cancelled: personMail,
  "in-progress": personMail,
  extended: personMail,
  completed: personMail.extend({ deletedTitle: words, keptTitle: words }),
  refused: personMail,
  refusalReasons: z.strictObject(
    Object.fromEntries(refusalReasons.map((reason) => [reason, words])) as Record<
      (typeof refusalReasons)[number],
      typeof words
    >,
  ),
  "operator-new": operatorMail,
  "operator-due-soon": operatorMail,
  "operator-digest": operatorMail.extend({ none: words }),
  "operator-trouble": operatorMail,
  mailKinds: z.record(z.string(), words),
});

export type MailWords = z.infer<typeof mailWordsSchema>;
