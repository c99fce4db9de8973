import { IntlMessageFormat } from "intl-messageformat";

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

type Element = ReturnType<InstanceType<typeof IntlMessageFormat>["getAst"]>[number];

/** Kinds of elements as the parser numbers them. */
const argumentKind = 1;
const kindsWithValue = new Set([argumentKind, 2, 3, 4, 5, 6]);
const kindsWithOptions = new Set([5, 6]);

const compiled = new Map<string, IntlMessageFormat>();

/** Of a number that stands alone, as text; a plural reads the number itself. */
const spelled = (name: string) => `${name} spelled`;

/** Texts may hold HTML, which stays as it is. */
function parse(message: string, locale: string): Element[] {
  return new IntlMessageFormat(message, locale, undefined, { ignoreTag: true }).getAst();
}

function compile(message: string, locale: string): IntlMessageFormat {
  const key = `${locale}\n${message}`;
  let format = compiled.get(key);
  if (!format) {
    const ast = parse(message, locale);
    visitElements(ast, (element) => {
      if (element.type === argumentKind) element.value = spelled(element.value);
    });
    format = new IntlMessageFormat(ast, locale);
    compiled.set(key, format);
  }
  return format;
}

function visitElements(elements: Element[], see: (element: Element & { value: string }) => void) {
  for (const element of elements) {
    if (kindsWithOptions.has(element.type) && "options" in element) {
      for (const { value } of Object.values(element.options)) visitElements(value, see);
    }
    if (kindsWithValue.has(element.type) && "value" in element) see(element);
  }
}

/** What a message asks for; a number is one that is counted or written as such. */
export type Argument = { name: string; isNumber: boolean };

const kindsOfNumber = new Set([2, 6]);

/**
 * What a message asks for.
 * @throws SyntaxError where it is no message
 */
export function readMessageArguments(message: string): Argument[] {
  const found = new Map<string, boolean>();
  visitElements(parse(message, "en"), ({ value, type }) =>
    found.set(value, kindsOfNumber.has(type) || found.get(value) === true),
  );
  return [...found].map(([name, isNumber]) => ({ name, isNumber }));
}

/** The names alone. */
export function readMessageNames(message: string): string[] {
  return readMessageArguments(message).map(({ name }) => name);
}

/** A number in the digits of a language, without marks between thousands: years, pages, and telephone numbers, too. */
export function formatNumber(locale: string, number: number): string {
  return new Intl.NumberFormat(locale, { useGrouping: false }).format(number);
}

/** Digits in a text that is nothing but digits, in those of a language; other texts stay. */
export function localizeDigits(locale: string, text: string): string {
  if (!/^\d{1,15}$/.test(text)) return text;
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    minimumIntegerDigits: text.length,
  }).format(Number(text));
}

/** A text with its values filled in; one that asks for none is said as it stands. */
export function formatMessage<Said extends Text>(
  locale: string,
  text: Said,
  values: ValuesOf<Said>,
): string {
  const message = text as unknown as string;
  if (!message.includes("{")) return message;
  const given = Object.entries(values as Record<string, string | number>).flatMap(
    ([name, value]) => [
      [name, value],
      [spelled(name), typeof value === "number" ? formatNumber(locale, value) : value],
    ],
  );
  return String(compile(message, locale).format(Object.fromEntries(given)));
}

/** What a language is called in a language, in letters that begin as in the middle of a sentence. */
export function nameLanguage(locale: string, language: string): string {
  return new Intl.DisplayNames(locale, { type: "language" }).of(language) ?? language;
}
