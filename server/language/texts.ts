import {
  isArgumentElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  type LiteralElement,
  type MessageFormatElement,
  type PoundElement,
  type TagElement,
} from "@formatjs/icu-messageformat-parser";
import { IntlMessageFormat } from "intl-messageformat";
import type { ProductWords } from "../../words/keys.d.ts";
import type { SkippedDay } from "../calendar/business-days.ts";

/**
 * Messages in the syntax of ICU, for texts whose grammar or digits depend on what is filled in:
 * `{count, plural, one {# day} other {# days}}`. Numbers are written in the digits of the language wherever they stand.
 */

declare const asked: unique symbol;

/**
 * A text that is no sentence before these values are filled in, which `say` does. At run time it is a string; its type
 * comes from the English words.
 */
export type Message<Values> = { readonly [asked]: Values };

/** A text with or without something to fill in. */
export type Text = string | Message<object>;

/** What must be given to say a text; to one of several texts, what any of them asks for. */
export type ValuesOf<Said> = (
  Said extends Message<infer Values>
    ? (values: Values) => void
    : (values: unknown) => void
) extends (values: infer Values) => void
  ? Values
  : never;

const compiled = new Map<string, IntlMessageFormat>();

/** Argument name for a number that is formatted already; a plural reads the number itself. */
const spelled = (name: string) => `${name} spelled`;

/** Texts may hold HTML, which stays as it is. */
function parse(message: string, locale: string): MessageFormatElement[] {
  return new IntlMessageFormat(message, locale, undefined, { ignoreTag: true }).getAst();
}

function compile(message: string, locale: string): IntlMessageFormat {
  const key = `${locale}\n${message}`;
  let format = compiled.get(key);
  if (!format) {
    const ast = parse(message, locale);
    visitArguments(ast, (element) => {
      if (isArgumentElement(element)) element.value = spelled(element.value);
    });
    format = new IntlMessageFormat(ast, locale);
    compiled.set(key, format);
  }
  return format;
}

/** An element whose value is the name of an argument. */
type WithArgument = Exclude<MessageFormatElement, LiteralElement | PoundElement | TagElement>;

function visitArguments(
  elements: MessageFormatElement[],
  visit: (element: WithArgument) => void,
): void {
  for (const element of elements) {
    if (isLiteralElement(element) || isPoundElement(element) || isTagElement(element)) continue;
    if (isSelectElement(element) || isPluralElement(element)) {
      for (const { value } of Object.values(element.options)) visitArguments(value, visit);
    }
    visit(element);
  }
}

/**
 * What a message asks for; a number is one that is counted or written as such.
 * @throws SyntaxError where it is no message
 */
export function readMessageArguments(message: string) {
  const found = new Map<string, boolean>();
  visitArguments(parse(message, "en"), (element) => {
    const isNumber = isNumberElement(element) || isPluralElement(element);
    found.set(element.value, isNumber || found.get(element.value) === true);
  });
  return [...found].map(([name, isNumber]) => ({ name, isNumber }));
}

/** A number in the digits of a language, without marks between thousands: years, pages, and telephone numbers, too. */
export function formatNumber(locale: string, number: number): string {
  return new Intl.NumberFormat(locale, { useGrouping: false }).format(number);
}

/** Digits in a text that is nothing but digits, in those of a language; other texts stay. */
export function localizeDigits(locale: string, text: string): string {
  if (!/^\d+$/.test(text)) return text;
  return text.replace(/\d/g, (digit) => formatNumber(locale, Number(digit)));
}

type Say = <Said extends Text>(text: Said, values: ValuesOf<Said>) => string;

/** Fills in the values of texts in one language; one that asks for none is said as it stands. @throws where one is unknown */
export function createSay(locale: string): Say {
  return (text, values) => {
    const message = text as unknown as string;
    if (!message.includes("{")) return message;
    const given = Object.entries(values as Record<string, string | number | undefined>).flatMap(
      ([name, value]) => [
        [name, value],
        [spelled(name), typeof value === "number" ? formatNumber(locale, value) : value],
      ],
    );
    const known = given.filter(([, value]) => value !== undefined);
    return String(compile(message, locale).format(Object.fromEntries(known)));
  };
}

/** What a language is called in a language, in letters that begin as in the middle of a sentence. */
export function nameLanguage(locale: string, language: string): string {
  return new Intl.DisplayNames(locale, { type: "language" }).of(language) ?? language;
}

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
  const toParts = createClock(locale, timeZone);
  const toText = (style: Intl.DateTimeFormat, at: Date | number) =>
    keepTogether(["day", "month"], toParts(style, at));
  const say = createSay(locale);
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
        toParts(formats.brief, instant.epochMilliseconds, true),
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

function createFormats(locale: string, timeZone: string) {
  const { hourCycle = clocks[new Intl.Locale(locale).language] } = new Intl.Locale(locale);
  const format = (style: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, {
      ...style,
      ...((style.timeStyle || style.hour) && { hourCycle: hourCycle as "h12" }),
    });
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
      const named = days.flatMap(({ date, holiday }) =>
        // A promise of former times has the name itself in place of the key.
        holiday === undefined
          ? []
          : [`${day(Temporal.PlainDate.from(date))}: ${holidays[holiday] ?? holiday}`],
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

/** Languages whose readers say 7:05 PM, whatever Unicode's data have; a locale such as en-GB-u-hc-h23 says otherwise. */
const clocks: Record<string, "h12"> = { en: "h12", bn: "h12" };

/** Parts of the day as people say them in Bangla before an hour; Unicode's data have AM and PM. */
const partsOfTheDay: readonly (readonly [fromHour: number, name: string])[] = [
  [20, "রাত"],
  [18, "সন্ধ্যা"],
  [15, "বিকেল"],
  [12, "দুপুর"],
  [6, "সকাল"],
  [4, "ভোর"],
  [0, "রাত"],
];

/** Formats moments with the hour as the language says it: 7:05 PM, সন্ধ্যা ৭:০৫, 19:05 Uhr. */
function createClock(locale: string, timeZone: string) {
  const { language } = new Intl.Locale(locale);
  const hourWord = hourWords[language] ?? "";
  return (style: Intl.DateTimeFormat, at: Date | number, isBrief = false) => {
    const parts = style.formatToParts(at);
    const isTwelve = parts.some(({ type }) => type === "dayPeriod");
    const { hour } = Temporal.Instant.fromEpochMilliseconds(Number(at)).toZonedDateTimeISO(
      timeZone,
    );
    const partOfTheDay = partsOfTheDay.find(([from]) => hour >= from)?.[1];
    const isBangla = isTwelve && language === "bn";
    return parts.flatMap((part, index): Intl.DateTimeFormatPart[] => {
      const { type, value } = part;
      const isBeforePeriod = type === "literal" && parts[index + 1]?.type === "dayPeriod";
      if (isBangla && (type === "dayPeriod" || isBeforePeriod)) return [];
      if (isBeforePeriod) return [{ type, value: "\u00a0" }];
      if (type === "dayPeriod") return [{ type, value: value.toUpperCase() }];
      if (type === "hour" && isTwelve) {
        const plain = value.replace(/^[0০](?=.)/, "");
        return [{ type, value: isBangla ? `${partOfTheDay}\u00a0${plain}` : plain }];
      }
      return [type === "minute" && !isBrief ? { type, value: value + hourWord } : part];
    });
  };
}

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

/**
 * What comes from outside holds text and nothing else: no control characters but line ends and tabs, no marks that turn
 * the direction of writing, no half characters. PostgreSQL cannot store some of them, and the rest makes whoever reads a
 * note see something else than what stands in it. Joiners stay: Bangla is written with them.
 */
const unwritten = /[\p{Bidi_Control}\p{Cs}]|[^\P{Cc}\n\t]/gu;

export function isPlainText(text: string): boolean {
  return text.search(unwritten) === -1;
}

/** What somebody typed, with one kind of line end and without what no keyboard writes. */
export function toPlainText(typed: string): string {
  return typed.replace(/\r\n?/g, "\n").replace(unwritten, "");
}
