import { type CalendarWords, createCalendarWords } from "../../language/in-words.ts";
import type { MailWords } from "./mail-words.ts";
import type { DataKind } from "./receipt.ts";

/** What every part of a mail is written with: the words of one language, and days, moments and numbers in them. */
export type Wording = {
  words: MailWords;
  dataKinds: readonly DataKind[];
  inWords: CalendarWords;
  /** A text with what it asks for filled in. @throws where a value is missing */
  say: CalendarWords["say"];
  /** Of a day such as 2026-12-06. */
  day: (date: string) => string;
  /** Of a moment such as 2026-11-22T04:00:00Z, with its time zone. */
  time: (instant: string) => string;
  /** Of a moment that is told as the day on which it was. */
  dayOf: (instant: Temporal.Instant) => string;
  number: (count: number) => string;
  daysLeft: (count: number) => string;
  /** Absolute address of an operators' page: that of a request, by its reference, or of the day's work. */
  deskAt: (reference?: string) => string;
};

export function createWording(options: {
  words: MailWords;
  dataKinds: readonly DataKind[];
  /** What holidays are called, by key. */
  holidays?: Readonly<Record<string, string>>;
  timeZone: string;
  deskAt: (reference?: string) => string;
}): Wording {
  const { words, dataKinds, holidays = {}, timeZone, deskAt } = options;
  const { locale } = words;
  const inWords = createCalendarWords({ locale, timeZone, holidays });
  const numbers = new Intl.NumberFormat(locale);
  return {
    ...{ words, dataKinds, inWords, deskAt, say: inWords.say },
    day: (date) => inWords.dayInMail(Temporal.PlainDate.from(date)),
    time: (instant) => inWords.momentInMail(Temporal.Instant.from(instant)),
    dayOf: (instant) => inWords.dayInMail(instant.toZonedDateTimeISO(timeZone).toPlainDate()),
    number: (count) => numbers.format(count),
    daysLeft: (count) => inWords.daysLeft(count, words.shared),
  };
}
