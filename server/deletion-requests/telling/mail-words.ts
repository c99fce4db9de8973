import { z } from "zod";
import {
  messageWith,
  words,
  wordsAllowing,
  wordsWith,
} from "../../../campus-reader/text-schema.ts";
import { deliveryProblems } from "../../mail/delivery-problem.ts";
import { holdReasons, refusalReasons } from "../life/life.ts";

/** The words of the mails, as `content/<language>/mail.yaml` has them. */

/**
 * The words around the facts of one kind of mail. Each kind knows facts of its own; `valuesOf` of the mail writer is
 * where they come from.
 */
function mailToOperators(...facts: string[]) {
  const line = wordsAllowing(...facts);
  return z.strictObject({ subject: line, preview: line, title: line, before: z.array(line) });
}

function mailToPerson(...facts: string[]) {
  return mailToOperators(...facts).extend({
    button: words,
    after: z.array(wordsAllowing(...facts)),
  });
}

/** A mail that names the promised day: what it says instead once that day has passed. */
function mailOfPromise(...facts: string[]) {
  return withOtherWords("late", mailToPerson(...facts));
}

/** @param when in which case it says something else */
function withOtherWords<When extends string>(when: When, mail: ReturnType<typeof mailToPerson>) {
  const other = mail.pick({ preview: true, before: true, after: true });
  return mail.extend({ [when]: other } as Record<When, typeof other>);
}

/** A language of dates, with or without a country. */
const locale = words.refine((text) => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}, "must be a language that dates can be written in, such as en-GB");

export const mailWordsSchema = z.strictObject({
  /** For dates, such as en-GB. */
  locale,
  shared: z.strictObject({
    brand: words,
    greeting: words,
    linkFallback: words,
    notYou: words,
    questions: words,
    footer: words,
    why: words,
    /** The same in mails to whoever named their address because the mailbox of the account is closed. */
    whyContact: words,
    /** The same in mails to the old mailbox, of which somebody said that it is closed. */
    whyNotice: words,
    skippedTitle: words,
    skippedWeekend: messageWith("count"),
    labels: z.strictObject({
      reference: words,
      received: words,
      confirmed: words,
      completed: words,
      due: words,
      /** In place of that, once the day has passed. */
      promised: words,
      previouslyDue: words,
      heldUntil: words,
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
    heldUntil: wordsWith("{date}"),
    /** Behind a list that is cut off. */
    more: messageWith("count"),
    daysLeft: messageWith("count"),
    overdue: messageWith("count"),
    /** Whether each promised date still holds: in the digest's subject and on the operators' pages. */
    standing: z.strictObject({
      none: words,
      fine: messageWith("open", "day"),
      late: messageWith("open", "late", "day"),
    }),
  }),
  /** The route that a request travels: names of its stops once reached and while ahead, on the page and in mails. */
  route: z.strictObject({
    label: words,
    here: words,
    reached: z.strictObject({
      received: words,
      confirmed: words,
      "in-progress": words,
      completed: words,
      cancelled: words,
      refused: words,
    }),
    ahead: z.strictObject({ confirmed: words, "in-progress": words, completed: words }),
    by: wordsWith("{date}"),
    /** In place of that, once the day has passed. */
    promised: wordsWith("{date}"),
    /** Once the work is done, until it cannot be taken back any more. */
    final: wordsWith("{date}"),
    until: wordsWith("{date}"),
    cancelUntil: words,
  }),
  confirm: mailToPerson("{reference}", "{validUntil}"),
  confirmed: mailToPerson("{reference}", "{dueDate}"),
  reminder: mailOfPromise("{reference}", "{dueDate}"),
  cancelled: mailToPerson("{reference}"),
  "cancelled-for-you": mailToPerson("{reference}"),
  held: withOtherWords("moved", mailToPerson("{reference}", "{dueDate}", "{until}")),
  released: mailOfPromise("{reference}", "{dueDate}"),
  reopened: mailToPerson("{reference}", "{dueDate}"),
  entered: mailToPerson("{reference}"),
  "notice-entered": mailToPerson("{reference}", "{contact}"),
  "notice-confirmed": mailToPerson("{reference}", "{dueDate}", "{contact}"),
  "in-progress": mailOfPromise("{reference}", "{dueDate}"),
  extended: mailToPerson("{reference}", "{dueDate}"),
  late: mailToPerson("{reference}", "{dueDate}").extend({
    /** Why, as far as the website can tell. */
    reasons: z.strictObject({ confirmed: words, "in-progress": words }),
  }),
  completed: mailToPerson("{reference}").extend({
    /** What the attached, signed receipt is for. */
    proof: words,
    attachment: wordsWith("{reference}"),
    /** Instead, where something had to stay that the table of everybody does not name. */
    kept: mailToOperators("{reference}"),
  }),
  /** What the receipt says of the data, in the mail, on the page and in the file. */
  receipt: z.strictObject({
    deletedTitle: words,
    dueTitle: words,
    dueBy: wordsWith("{date}"),
    noneTitle: words,
    keptTitle: words,
    keptUntil: wordsWith("{date}"),
    keptReasons: z.strictObject({ "open-matter": words, "legal-duty": words }),
    backups: wordsWith("{date}"),
    told: wordsWith("{date}", "{place}"),
    /** How the ledger ended when this was entered. */
    head: wordsWith("{entry}", "{hash}"),
    /** In the file, above the lines that programs read. */
    signed: z.array(words),
  }),
  refused: mailToPerson("{reference}"),
  refusalReasons: z.strictObject(
    Object.fromEntries(refusalReasons.map((reason) => [reason, words])) as Record<
      (typeof refusalReasons)[number],
      typeof words
    >,
  ),
  holdReasons: z.strictObject(
    Object.fromEntries(holdReasons.map((reason) => [reason, words])) as Record<
      (typeof holdReasons)[number],
      typeof words
    >,
  ),
  /** Where the operators' pages are in use: what leads to them. */
  operators: z.strictObject({ openRequest: words, openDesk: words, due: wordsWith("{date}") }),
  "operator-new": mailToOperators("{reference}", "{dueDate}", "{daysLeft}"),
  "operator-due-soon": mailToOperators("{reference}", "{dueDate}", "{daysLeft}"),
  "operator-digest": mailToOperators(
    "{date}",
    "{standing}",
    "{unconfirmed}",
    "{troubledCount}",
  ).extend({
    waiting: wordsWith("{since}"),
    silent: wordsWith("{since}"),
    freed: wordsWith("{references}"),
    calendarEnd: wordsWith("{date}"),
    noCalendar: words,
    nobodyThere: wordsWith("{date}"),
    /** How the ledger ended when the digest was written. */
    head: wordsWith("{entry}", "{hash}"),
  }),
  "operator-trouble": mailToOperators("{troubledCount}"),
  "operator-full": mailToOperators("{unconfirmed}"),
  "operator-invitation": mailToOperators("{name}", "{validUntil}").extend({ button: words }),
  "operator-moved": mailToOperators("{name}"),
  "operator-recovery": mailToOperators("{name}", "{device}"),
  "operator-account-system": mailToOperators("{troubledCount}"),
  "operator-deleted-held": mailToOperators("{reference}"),
  mailKinds: z.record(z.string(), words),
  deliveryProblems: z.strictObject(
    Object.fromEntries(deliveryProblems.map((problem) => [problem, words])),
  ),
  /** "All you hold about me", which an operator hands out to a person. */
  heldData: z.strictObject({
    title: wordsWith("{address}"),
    about: wordsWith("{date}"),
    nothing: words,
    request: wordsWith("{reference}"),
    erased: words,
    yes: words,
    none: words,
    titles: z.strictObject({ forms: words, trail: words, mails: words }),
    labels: z.strictObject({
      state: words,
      address: words,
      contact: words,
      received: words,
      expires: words,
      confirmed: words,
      due: words,
      firstDue: words,
      heldUntil: words,
      ended: words,
      erased: words,
      reason: words,
      hold: words,
      refusal: words,
      entered: words,
    }),
    columns: z.strictObject({
      reference: words,
      received: words,
      reason: words,
      feedback: words,
      when: words,
      who: words,
      what: words,
      why: words,
      mail: words,
      state: words,
      written: words,
    }),
    who: z.strictObject({ person: words, operator: words, system: words }),
  }),
});

export type MailWords = z.infer<typeof mailWordsSchema>;

/** The words of each reason, by what has reasons of its own: a fact, an act or a mail. Some share a code. */
export function reasonsOf(
  words: Pick<MailWords, "holdReasons" | "refusalReasons">,
  of: string,
): Record<string, string> | undefined {
  if (of === "hold" || of === "held") return words.holdReasons;
  return /^refus/.test(of) ? words.refusalReasons : undefined;
}
