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
import type { ProductWords } from "../../../words/keys.d.ts";
import type { SkippedDay } from "../calendar/business-days.ts";
import { keepUnits } from "./no-breaks.ts";

/**
 * ICU messages, for text whose grammar or digits depend on values: `{count, plural, one {# day}
 * other {# days}}`. Numbers are always written in the digits of the language.
 */

declare const placeholders: unique symbol;

/**
 * Text with placeholders for `Values`, which `say` fills in. A string at run time. The type is
 * derived from the English text.
 */
export type Message<Values> = { readonly [placeholders]: Values };

export type Text = string | Message<object>;

/** Values for the placeholders of a text. For a union of texts, the values for all of them. */
export type ValuesOf<Template> = (
  Template extends Message<infer Values>
    ? (values: Values) => void
    : (values: unknown) => void
) extends (values: infer Values) => void
  ? Values
  : never;

const compiled = new Map<string, IntlMessageFormat>();

/**
 * Returns the name of the argument for a value as formatted text. The argument `name` contains the
 * value as a number, which plurals need.
 */
const spelled = (name: string) => `${name} spelled`;

/** Parses a message. HTML tags count as plain text. */
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

/** A message element whose `value` is the name of an argument. */
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
 * Lists a message's arguments, and whether each is a number.
 * @throws SyntaxError if the message is invalid
 */
export function readMessageArguments(message: string) {
  const found = new Map<string, boolean>();
  visitArguments(parse(message, "en"), (element) => {
    const isNumber = isNumberElement(element) || isPluralElement(element);
    found.set(element.value, isNumber || found.get(element.value) === true);
  });
  return [...found].map(([name, isNumber]) => ({ name, isNumber }));
}

/** Lists the plural forms that each plural in a message has, such as `["one", "other"]`. */
export function readPluralForms(message: string): string[][] {
  const found: string[][] = [];
  visitArguments(parse(message, "en"), (element) => {
    if (isPluralElement(element)) found.push(Object.keys(element.options));
  });
  return found;
}

/** Number formats by locale, because creating one takes much longer than using it. */
const numberFormats = new Map<string, Intl.NumberFormat>();

/** Formats a number without grouping separators, as required for years and telephone numbers. */
export function formatNumber(locale: string, number: number): string {
  let format = numberFormats.get(locale);
  if (!format) {
    format = new Intl.NumberFormat(locale, { useGrouping: false });
    numberFormats.set(locale, format);
  }
  return format.format(number);
}

/** Converts a string of digits to the digits of a language. Returns any other string unchanged. */
export function localizeDigits(locale: string, text: string): string {
  if (!/^\d+$/.test(text)) return text;
  return text.replace(/\d/g, (digit) => formatNumber(locale, Number(digit)));
}

type Say = <Template extends Text>(text: Template, values: ValuesOf<Template>) => string;

/**
 * Creates a function that fills values into text in one language. The function returns text without
 * placeholders unchanged, and throws if a value is missing.
 */
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
    return keepUnits(String(compile(message, locale).format(Object.fromEntries(known))));
  };
}

/** Returns the name of `language` in `locale`, capitalized as in the middle of a sentence. */
export function nameLanguage(locale: string, language: string): string {
  return new Intl.DisplayNames(locale, { type: "language" }).of(language) ?? language;
}

type CountWords = string | Message<{ count: number }>;

export type CalendarWords = ReturnType<typeof createCalendarWords>;

/**
 * Creates formatters for days, instants and counts of days in one language, for pages, emails and
 * files.
 */
export function createCalendarWords(options: {
  locale: string;
  /** IANA name of the campus's time zone. */
  timeZone: string;
  holidays: Readonly<Record<string, string>>;
}) {
  const { locale, timeZone, holidays } = options;
  const formats = createFormats(locale, timeZone);
  const toDate = (date: Temporal.PlainDate) => new Date(`${date.toString()}T00:00:00Z`);
  const toParts = createClock(locale, timeZone);
  const toText = (style: Intl.DateTimeFormat, at: Date | number) =>
    keepTogether(["day", "month"], toParts(style, at));
  const say = createSay(locale);
  const lists = new Intl.ListFormat(locale, { type: "unit", style: "short" });
  return {
    say,
    /** Formats a list, such as "phone, email". */
    list: (items: readonly string[]) => lists.format(items),
    /** Formats a date, such as "Sunday 6 December 2026". */
    day: (date: Temporal.PlainDate) => toText(formats.day, toDate(date)),
    /** Formats a near date, without its year. */
    dayNear: (date: Temporal.PlainDate) => toText(formats.near, toDate(date)),
    /** Formats an instant in the campus's time zone. */
    moment: (instant: Temporal.Instant) => toText(formats.moment, instant.epochMilliseconds),
    /** Formats a past instant in short form. Lines can break only before the hour. */
    momentBriefly: (instant: Temporal.Instant) =>
      keepTogether(
        ["day", "month", "year"],
        toParts(formats.brief, instant.epochMilliseconds, { isBrief: true }),
      ),
    time: (instant: Temporal.Instant) => toText(formats.time, instant.epochMilliseconds),
    /** Formats a date for emails, such as "Sunday, 6 December 2026". */
    dayInMail: (date: Temporal.PlainDate) => toText(formats.mailDay, toDate(date)),
    /** Formats a near date for emails, without its year and line breaks. */
    dayNearInMail: (date: Temporal.PlainDate) =>
      keepTogether(["weekday", "day", "month"], toParts(formats.near, toDate(date))),
    /** Formats an instant for emails, with its time zone. */
    momentInMail: (instant: Temporal.Instant) =>
      toText(formats.mailMoment, instant.epochMilliseconds),
    /** Formats an instant within the next days, such as "Wed 16 Dec, 11:00 AM". */
    deadline: (instant: Temporal.Instant) =>
      keepTogether(
        ["weekday", "day", "month"],
        toParts(formats.deadline, instant.epochMilliseconds),
      ),
    ...createCountWords(say, holidays, (date) => toText(formats.near, toDate(date))),
  };
}

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
    deadline: format({
      weekday: "short",
      day: "numeric",
      month: hasNoWord(format({ dateStyle: "medium" })) ? "long" : "short",
      hour: "numeric",
      minute: "2-digit",
      timeZone,
    }),
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
     * Lists the days that a due date skips: holidays by name, weekend days as a number.
     * @param day formats a date
     */
    skipped(
      days: readonly SkippedDay[],
      weekend: CountWords,
      day: (date: Temporal.PlainDate) => string,
    ): string[] {
      const named = days.flatMap(({ date, holiday }) =>
        // Due dates stored by old versions contain the holiday's name instead of its key.
        holiday === undefined
          ? []
          : [`${day(Temporal.PlainDate.from(date))}: ${holidays[holiday] ?? holiday}`],
      );
      const count = days.length - named.length;
      return count === 0 ? named : [...named, say(weekend, { count })];
    },

    /**
     * Summarizes in one line whether the promised dates can still be met.
     * @param day formats the earliest due date
     */
    standing(
      { open, late, first }: { open: number; late: number; first: Temporal.PlainDate | undefined },
      words: ProductWords["mail"]["shared"]["standing"],
      day = dayNear,
    ): string {
      const values = { open, late, day: first ? day(first) : "" };
      return say(first ? words[late > 0 ? "late" : "fine"] : words.none, values);
    },

    /**
     * Describes how many business days remain until a due date.
     * @param count negative if the date has passed
     */
    daysLeft(count: number, words: Record<"daysLeft" | "overdue", CountWords>): string {
      return count < 0 ? say(words.overdue, { count: -count }) : say(words.daysLeft, { count });
    },
  };
}

/**
 * Checks whether a time zone's short name is an abbreviation (CET) rather than an offset (GMT+6).
 * Few people know their offset.
 */
function hasInitials(zone: Intl.DateTimeFormat): boolean {
  const name = zone.formatToParts(0).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return !/\p{Nd}/u.test(name);
}

/** Words that people say after a time but that CLDR doesn't have, keyed by language. */
const hourWords: Record<string, string> = { de: "\u00a0Uhr" };

/** Everyday names of day periods, keyed by their names in CLDR. */
const spokenParts: Record<string, string> = { রাত্রি: "রাত", বিকাল: "বিকেল" };

/** Hours that people assign to a different day period than CLDR does, keyed by language. */
const spokenHours: Record<string, Record<number, string>> = { bn: { 15: "বিকেল" } };

/** Creates a function that formats times as people say them: 7:05 PM, সন্ধ্যা ৭:০৫, 19:05 Uhr. */
function createClock(locale: string, timeZone: string) {
  const { language, script } = new Intl.Locale(locale).maximize();
  const hourWord = hourWords[language] ?? "";
  const dayParts = new Intl.DateTimeFormat(locale, {
    hour: "numeric",
    dayPeriod: "short",
    hourCycle: "h12",
    timeZone,
  });
  const hour24 = new Intl.DateTimeFormat("en", { hour: "numeric", hourCycle: "h23", timeZone });
  const nameDayPart = (at: Date | number) => {
    const spoken = spokenHours[language]?.[Number(hour24.format(at))];
    if (spoken !== undefined) return spoken;
    const name = dayParts.formatToParts(at).find(({ type }) => type === "dayPeriod")?.value ?? "";
    return spokenParts[name] ?? name;
  };
  const zero = formatNumber(locale, 0);
  const withoutZero = (hour: string) =>
    hour !== zero && hour.startsWith(zero) ? hour.slice(zero.length) : hour;

  return (style: Intl.DateTimeFormat, at: Date | number, { isBrief = false } = {}) => {
    const parts = style.formatToParts(at);
    const period = parts.find(({ type }) => type === "dayPeriod")?.value;
    if (period === undefined) {
      return parts.map(({ type, value }) => ({
        type,
        value: type === "minute" && !isBrief ? value + hourWord : value,
      }));
    }
    const isLatin = /^[ap]m$/i.test(period);
    // CLDR has only the Latin AM and PM for languages that put the day period before the hour.
    const dayPart = isLatin && script !== "Latn" ? `${nameDayPart(at)}\u00a0` : "";
    const shown = isLatin ? period.toUpperCase() : period;
    // These languages also put the time zone first: বাংলাদেশ সময় সন্ধ্যা ৭:০৫.
    const zone = dayPart ? parts.find(({ type }) => type === "timeZoneName")?.value : undefined;
    const beforeHour = zone === undefined ? dayPart : `${zone} ${dayPart}`;
    return parts.map(({ type, value }, index) => {
      if (type === "hour") return { type, value: beforeHour + withoutZero(value) };
      if (
        zone !== undefined &&
        (type === "timeZoneName" || parts[index + 1]?.type === "timeZoneName")
      )
        return { type, value: "" };
      if (type === "dayPeriod") return { type, value: dayPart ? "" : shown };
      const isBeforePeriod = type === "literal" && parts[index + 1]?.type === "dayPeriod";
      return { type, value: isBeforePeriod ? (dayPart ? "" : "\u00a0") : value };
    });
  };
}

/**
 * Checks whether CLDR abbreviates months in a way that no one writes (নভে). Latin abbreviations are
 * in common use.
 */
function hasNoWord(day: Intl.DateTimeFormat): boolean {
  const month = day.formatToParts(0).find(({ type }) => type === "month")?.value ?? "";
  return /\p{L}/u.test(month) && !/\p{Script=Latin}/u.test(month);
}

/** Word for "at" that CLDR puts between day and hour. Everyday Bangla doesn't use it. */
const noWord = " এ ";

/** Formats a date in the language's order and keeps the given parts on one line. */
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
 * Matches characters that we remove from all input: control characters except line feeds and tabs,
 * bidirectional controls and lone surrogates. PostgreSQL can't store some of them. Others would
 * make a note look different from its content. Zero-width joiners are kept, because Bangla needs
 * them.
 */
const unwritten = /[\p{Bidi_Control}\p{Cs}]|[^\P{Cc}\n\t]/gu;

export function isPlainText(text: string): boolean {
  return text.search(unwritten) === -1;
}

/** Cleans typed text: normalizes line endings and removes characters that `isPlainText` rejects. */
export function toPlainText(typed: string): string {
  return typed.replace(/\r\n?/g, "\n").replace(unwritten, "");
}
