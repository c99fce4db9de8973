import type { DataKind } from "../../../campus-reader/schema.ts";
import type { ProductWords } from "../../../words/keys.d.ts";
import { createCalendarWords } from "../../language/in-words.ts";

/** The words of the mails, as `mail.yaml` has them. */
export type MailWords = ProductWords["mail"] & {
  /** By the kind of a mail, which may be one of former times. */
  mailKinds: Readonly<Record<string, string>>;
};

/** The words of each reason, by what has reasons of its own: a fact, an act or a mail. Some share a code. */
export function reasonsOf(
  words: Pick<MailWords, "holdReasons" | "refusalReasons">,
  of: string,
): Record<string, string> | undefined {
  if (of === "hold" || of === "held") return words.holdReasons;
  return /^refus/.test(of) ? words.refusalReasons : undefined;
}

/** What every part of a mail is written with: the words of one language, and days, moments and numbers in them. */
export type Wording = ReturnType<typeof createWording>;

export function createWording(options: {
  words: MailWords;
  dataKinds: readonly DataKind[];
  /** What holidays are called, by key. */
  holidays?: Readonly<Record<string, string>>;
  timeZone: string;
  /** Absolute address of an operators' page: that of a request, by its reference, or of the day's work. */
  deskAt: (reference?: string) => string;
}) {
  const { words, dataKinds, holidays = {}, timeZone, deskAt } = options;
  const { locale } = words;
  const inWords = createCalendarWords({ locale, timeZone, holidays });
  const numbers = new Intl.NumberFormat(locale);
  return {
    ...{ words, dataKinds, inWords, deskAt },
    /** A text with what it asks for filled in. @throws where a value is missing */
    say: inWords.say,
    /** Of a day such as 2026-12-06. */
    day: (date: string) => inWords.dayInMail(Temporal.PlainDate.from(date)),
    /** Of a moment such as 2026-11-22T04:00:00Z, with its time zone. */
    time: (instant: string) => inWords.momentInMail(Temporal.Instant.from(instant)),
    /** Of a moment that is told as the day on which it was. */
    dayOf: (instant: Temporal.Instant) =>
      inWords.dayInMail(instant.toZonedDateTimeISO(timeZone).toPlainDate()),
    number: (count: number) => numbers.format(count),
    daysLeft: (count: number) => inWords.daysLeft(count, words.shared),
  };
}
