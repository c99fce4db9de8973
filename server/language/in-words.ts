import type { ProductWords } from "../../words/keys.d.ts";
import type { SkippedDay } from "../calendar/business-days.ts";
import { formatMessage, type Message, type Text, type ValuesOf } from "./message.ts";

type CountWords = string | Message<{ count: number }>;

export type CalendarWords = ReturnType<typeof createCalendarWords>;

/** Days, moments and counts of days in the words of one language: on pages, in mails and in files. */
export function createCalendarWords(options: {
  /** Such as en-GB. */
  locale: string;
  /** IANA name of the campus's time zone. */
  timeZone: string;
  /** What holidays are called, by key. */
  holidays: Readonly<Record<string, string>>;
}) {
  const { locale, timeZone, holidays } = options;
  const formats = createFormats(locale, timeZone);
  const toDate = (date: Temporal.PlainDate) => new Date(`${date.toString()}T00:00:00Z`);
  const hourWord = hourWords[new Intl.Locale(locale).language] ?? "";
  const toParts = (style: Intl.DateTimeFormat, at: Date | number) =>
    style
      .formatToParts(at)
      .map((part) => (part.type === "minute" ? { ...part, value: part.value + hourWord } : part));
  const toText = (style: Intl.DateTimeFormat, at: Date | number) =>
    keepTogether(["day", "month"], toParts(style, at));

  const say: Say = (text, values) => formatMessage(locale, text, values);

  return {
    /** A message with its values filled in. */
    say,
    /** Such as "Sunday 6 December 2026". */
    day: (date: Temporal.PlainDate) => toText(formats.day, toDate(date)),
    /** The same without its year, for days that are near. */
    dayNear: (date: Temporal.PlainDate) => toText(formats.near, toDate(date)),
    /** A moment in the campus's time zone. */
    moment: (instant: Temporal.Instant) => toText(formats.moment, instant.epochMilliseconds),
    /** The same in few characters, for what is over and nobody has to remember. It breaks before its hour alone. */
    momentBriefly: (instant: Temporal.Instant) =>
      keepTogether(
        ["day", "month", "year"],
        formats.brief.formatToParts(instant.epochMilliseconds),
      ),
    /** The time alone, of a moment that is near. */
    time: (instant: Temporal.Instant) => toText(formats.time, instant.epochMilliseconds),
    /** The same day as mails have it, which are read by themselves: such as "Sunday, 6 December 2026". */
    dayInMail: (date: Temporal.PlainDate) => toText(formats.mailDay, toDate(date)),
    /** A moment with its time zone. */
    momentInMail: (instant: Temporal.Instant) =>
      toText(formats.mailMoment, instant.epochMilliseconds),
    ...createCountWords(say, holidays, (date) => toText(formats.near, toDate(date))),
  };
}

type Say = <Said extends Text>(text: Said, values: ValuesOf<Said>) => string;

function createFormats(locale: string, timeZone: string) {
  const format = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, style);
  const longDay = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  return {
    day: format({ dateStyle: "full", timeZone: "UTC" }),
    near: format({ weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }),
    moment: format({ dateStyle: "full", timeStyle: "short", timeZone }),
    brief: format({
      dateStyle: hasNoWord(format({ dateStyle: "medium" })) ? "long" : "medium",
      timeStyle: "short",
      timeZone,
    }),
    time: format({ timeStyle: "short", timeZone }),
    mailDay: format({ ...longDay, timeZone: "UTC" }),
    mailMoment: format({
      ...longDay,
      hour: "2-digit",
      minute: "2-digit",
      timeZone,
      timeZoneName: hasInitials(format({ timeZone, timeZoneName: "short" }))
        ? "short"
        : "shortGeneric",
    }),
  };
}

function createCountWords(
  say: Say,
  holidays: Readonly<Record<string, string>>,
  dayNear: (date: Temporal.PlainDate) => string,
) {
  return {
    /**
     * The days a due date leaps over: each holiday with its name, the weekends as a number.
     * @param day how a day is written there
     */
    skipped(
      days: readonly SkippedDay[],
      weekend: CountWords,
      day: (date: Temporal.PlainDate) => string,
    ): string[] {
      const named = days.flatMap((skip) =>
        // A promise of former times has the name itself in place of the key.
        skip.reason === "holiday" ? [`${day(skip.date)}: ${holidays[skip.name] ?? skip.name}`] : [],
      );
      const count = days.length - named.length;
      return count === 0 ? named : [...named, say(weekend, { count })];
    },

    /** Whether each promised date still holds, in one line. */
    standing(
      { open, late, first }: { open: number; late: number; first: Temporal.PlainDate | undefined },
      words: ProductWords["mail"]["shared"]["standing"],
    ): string {
      const values = { open, late, day: first ? dayNear(first) : "" };
      return say(first ? words[late > 0 ? "late" : "fine"] : words.none, values);
    },

    /**
     * Business days until a due date.
     * @param count negative when the date has passed
     */
    daysLeft(count: number, words: Record<"daysLeft" | "overdue", CountWords>): string {
      return count < 0 ? say(words.overdue, { count: -count }) : say(words.daysLeft, { count });
    },
  };
}

/** Whether a zone is told by initials (CET) and not by its distance from Greenwich (GMT+6), which nobody reckons with. */
function hasInitials(zone: Intl.DateTimeFormat): boolean {
  const name = zone.formatToParts(0).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return !/\p{Nd}/u.test(name);
}

/** What a language says after an hour, and Unicode's data leave out. */
const hourWords: Record<string, string> = { de: "\u00a0Uhr" };

/** Whether a month is cut to what nobody writes (নভে): in Latin letters, cut months are words of their own. */
function hasNoWord(day: Intl.DateTimeFormat): boolean {
  const month = day.formatToParts(0).find(({ type }) => type === "month")?.value ?? "";
  return /\p{L}/u.test(month) && !/\p{Script=Latin}/u.test(month);
}

/** A word for "at" between day and hour, where Unicode's data have it and the language does not. */
const noWord = " এ ";

/** A date of which these parts stay in one line, in whichever order the language has them. */
function keepTogether(
  types: readonly Intl.DateTimeFormatPartTypes[],
  parts: readonly Intl.DateTimeFormatPart[],
): string {
  const isOneOf = (part?: Intl.DateTimeFormatPart) =>
    part !== undefined && types.includes(part.type);
  return parts
    .map(({ type, value }, at) =>
      type === "literal" && isOneOf(parts[at - 1]) && isOneOf(parts[at + 1])
        ? value.replaceAll(" ", "\u00a0")
        : value.replace(noWord, ", "),
    )
    .join("");
}
