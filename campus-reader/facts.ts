import * as terms from "../server/periods.ts";
import type { Kind } from "../server/platform/database/schema.ts";
import { addNoBreaks } from "../server/platform/i18n/no-breaks.ts";
import { formatNumber, localizeDigits } from "../server/platform/i18n/texts.ts";
import type { ProductWords } from "../words/keys.d.ts";
import type { Report } from "./mistakes.ts";
import { findUnknown } from "./placeholders.ts";
import type { CampusCalendar, CampusSettings, DataKind, DataListSetting } from "./schema.ts";

/**
 * Formatters for the campus's facts, keyed by placeholder. Other placeholders are filled in when a
 * page is rendered. If a fact is missing, its placeholder counts as unknown so that no text can
 * mention, for example, a store that doesn't exist.
 */
const facts: Record<string, (settings: CampusSettings) => string | undefined> = {
  product: (of) => of.product,
  developer: (of) => of.developer,
  campus: (of) => of.campus,
  city: (of) => of.city,
  country: (of) => of.country,
  jurisdiction: (of) => of.jurisdiction,
  email: (of) => of.email,
  wallet: (of) => of.wallet,
  policyDate: (of) => formatPolicyMonth(of, of.language),
  currency: (of) => of.currency.sign,
  emergency: (of) => localizeDigits(of.language, of.emergency),
  localEmergency: (of) => localizeDigits(of.language, of.localEmergency),
  // A Markdown link that calls the number on a phone.
  callLocalEmergency: ({ language, localEmergency: number }) =>
    `[${localizeDigits(language, number)}](tel:${number.replaceAll(" ", "")})`,
  legalPerson: ({ legal }) => legal.person,
  legalRegistration: ({ legal }) => legal.registration,
  postalAddress: ({ legal }) => legal.address,
  enlistment: ({ legal }) => legal.enlistment,
  dataLocation: ({ legal }) => legal.dataLocation,
  arbitrationSeat: ({ legal }) => legal.arbitrationSeat,
  deletionDays: ({ language, deletionBusinessDays: { target, limit } }) =>
    [...new Set([target, limit])].map((count) => formatNumber(language, count)).join("-"),
  linkHours: ({ language }) => formatNumber(language, terms.linkHours),
  mailsPerDay: ({ language }) => formatNumber(language, terms.linkMailsPerDay),
  statusDays: ({ language }) => formatNumber(language, terms.statusDays),
  eraseDays: ({ language }) => formatNumber(language, terms.eraseAfterDays),
  recordMonths: ({ language }) => formatNumber(language, terms.record.months),
  visitMinutes: ({ language }) => formatNumber(language, terms.visitMinutes),
  noticeHours: ({ language }) => formatNumber(language, terms.noticeHours),
  approvalDays: ({ language }) => formatNumber(language, terms.approvalDays),
  undoMinutes: ({ language }) => formatNumber(language, terms.undoMinutes),
  backupDays: ({ language, backupDays }) =>
    backupDays === undefined ? undefined : formatNumber(language, backupDays),
  ridesFrom: ({ hours }) => keepTogether(hours?.from),
  ridesUntil: ({ hours }) => keepTogether(hours?.until),
  cheaperFrom: ({ hours }) => keepTogether(hours?.cheaperFrom),
  cheaperUntil: ({ hours }) => keepTogether(hours?.cheaperUntil),
  reachKm: ({ language, ride }) => ride && formatNumber(language, ride.reachKm),
  usualWait: ({ language, ride }) => ride && formatNumber(language, ride.waitMinutes.usual),
  longestWait: ({ language, ride }) => ride && formatNumber(language, ride.waitMinutes.longest),
  baseFare: ({ language, ride }) => ride && formatAmount(language, ride.fare.base),
  distanceFare: ({ language, ride }) => ride && formatAmount(language, ride.fare.distance),
  timeFare: ({ language, ride }) => ride && formatAmount(language, ride.fare.time),
  exampleFare: ({ language, ride }) => ride && formatAmount(language, exampleFareOf(ride)),
  higherOffer: ({ language, ride }) => ride && formatAmount(language, offerOf(ride, 1.15)),
  lowerOffer: ({ language, ride }) => ride && formatAmount(language, offerOf(ride, 0.9)),
  mostPerKm: ({ language, ride }) =>
    ride?.mostPerKm === undefined ? undefined : formatAmount(language, ride.mostPerKm),
  feedbackLimit: ({ language }) => terms.feedbackLimit.toLocaleString(language),
  availableStore: (of) => nameStores(of, ({ url }) => url !== ""),
  comingStore: (of) => nameStores(of, ({ url }) => url === ""),
};

function exampleFareOf({ fare }: NonNullable<CampusSettings["ride"]>): number {
  return fare.base + fare.distance + fare.time;
}

/**
 * Returns an example offer: a multiple of the example fare, rounded down to a whole amount if it is
 * 10 or more.
 */
function offerOf(ride: NonNullable<CampusSettings["ride"]>, factor: number): number {
  const offer = exampleFareOf(ride) * factor;
  return offer < 10 ? offer : Math.floor(offer);
}

const keepTogether = (text: string | undefined) => text?.replaceAll(" ", "\u00a0");

/** Formats an amount without the currency. Whole amounts have no decimals. */
export function formatAmount(language: string, amount: number): string {
  const rounded = Math.round(amount * 100) / 100;
  const digits = Number.isInteger(rounded) ? 0 : 2;
  const style = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, { ...style, useGrouping: false }).format(rounded);
}

export const campusFacts: readonly string[] = Object.keys(facts);

function nameStores(
  { stores, language }: CampusSettings,
  isMeant: (store: CampusSettings["stores"][number]) => boolean,
): string | undefined {
  const names = stores.filter(isMeant).map(({ name }) => name);
  return names.length === 0 ? undefined : new Intl.ListFormat(language).format(names);
}

/**
 * Fills the campus's facts into a text. Also adds no-break characters to keep numbers on one line
 * with their units, and suffixes with their words.
 */
export type Fill = (text: string) => string;

export function createFill(settings: CampusSettings): { fill: Fill; fillMessage: Fill } {
  const values = new Map(Object.entries(facts).map(([name, toValue]) => [name, toValue(settings)]));
  // A currency sign made of letters needs a space before the amount.
  const gap = /\p{L}\.?$/u.test(settings.currency.sign) ? "\u00a0" : "";
  const put = (text: string, write: Fill) =>
    text
      .replace(/\{currency\}(?=\p{Nd}|\{\w+(?:Fare|Offer)\})/gu, `$&${gap}`)
      .replace(/(?<!\{)\{([A-Za-z]+)\}(?!\})/g, (whole, name: string) => {
        const fact = values.get(name);
        return fact === undefined ? whole : write(fact);
      });
  const fill: Fill = (text) => addNoBreaks(put(text, (fact) => fact));
  return {
    fill,
    /**
     * Fills facts into an ICU message. Escapes apostrophes in the facts, because an apostrophe
     * starts a quotation in ICU syntax.
     */
    fillMessage(text) {
      const filled = fill(text);
      return filled.includes("{")
        ? addNoBreaks(put(text, (fact) => fact.replaceAll("'", "''")))
        : filled;
    },
  };
}

/**
 * Parses the month of the legal documents. The month's name can be in the campus's language or in
 * English.
 */
export function readPolicyMonth({
  policyDate,
  language,
}: Pick<CampusSettings, "policyDate" | "language">): Temporal.PlainYearMonth | undefined {
  const [name = "", year = ""] = policyDate.split(" ");
  for (const locale of [language, "en"]) {
    for (let month = 1; month <= 12; month += 1) {
      const first = Temporal.PlainDate.from({ year: Number(year), month, day: 1 });
      const called = first.toLocaleString(locale, { month: "long" });
      if (called.toLowerCase() === name.toLowerCase()) return first.toPlainYearMonth();
    }
  }
  return undefined;
}

function formatPolicyMonth(settings: CampusSettings, language: string): string | undefined {
  const first = readPolicyMonth(settings)?.toPlainDate({ day: 1 });
  return first?.toLocaleString(language, { month: "long", year: "numeric" });
}

/**
 * Returns the campus's settings in one of its languages. `policyDate` is always in English so that
 * callers can parse it in any language.
 */
export function settingsIn(settings: CampusSettings, language: string): CampusSettings {
  const policyDate = formatPolicyMonth(settings, "en") ?? settings.policyDate;
  const firstLanguage = settings.firstLanguage ?? settings.language;
  const { currencySign: sign, places: names, ...words } = settings.translations[language] ?? {};
  const currency = sign === undefined ? settings.currency : { ...settings.currency, sign };
  const places = settings.places?.map(({ id, name }) => ({ id, name: names?.[id] ?? name }));
  return { ...settings, ...words, places, currency, language, firstLanguage, policyDate };
}

export type DataNames = {
  dataKinds: DataKind[];
  /** Names of holidays, keyed by the holiday's key. */
  holidays: Record<string, string>;
};

/**
 * The product's text about this website and about each kind of data that it stores. `when` states
 * how long the website retains the data.
 */
type HeldWords = ProductWords["deletion"]["held"] & { kinds: Record<Kind, { when: string }> };

/**
 * Returns the names of holidays and kinds of data in one language.
 * @param to.held the product's names for this website and its data, which the campus's list can
 * override
 */
export function nameData(
  data: { calendar?: CampusCalendar | undefined; dataList?: DataListSetting | undefined },
  to: { language: string; held: HeldWords; fill: Fill; report: Report },
): DataNames {
  const { language, held, fill, report } = to;
  type Rows<Row, Words> = (Row & { key: string; words: Record<string, Words> })[];
  const sayWith = <Row, Words>(rows: Rows<Row, Words> = [], ours: Record<string, Words>) =>
    rows.map((row) => ({ ...row, words: { [language]: ours[row.key], ...row.words } }));
  const stores = sayWith(data.dataList?.stores, held.places);
  const kinds = sayWith(data.dataList?.kinds, held.kinds);
  const { ownershipProofs = [] } = data.dataList ?? {};
  const names = Object.entries(data.calendar?.names ?? {});
  const lacking = (file: string, place: string) => {
    const todo = `has no words in the language ${language}; write them there as ${language}:`;
    report(file, place, todo);
  };
  for (const [key, name] of names) if (!name[language]) lacking("calendar.yaml", `names.${key}`);
  for (const list of Object.entries({ ownershipProofs, stores, kinds })) {
    for (const { key, words } of list[1]) {
      if (!words[language]) lacking("deletion.yaml", `${list[0]}.${key}.words`);
    }
  }
  const places = new Map(stores.map(({ key, words }) => [key, words[language] ?? key]));
  return {
    dataKinds: kinds.flatMap(({ words, ...kind }): DataKind[] => {
      const translated = words[language];
      const filled = Object.entries(translated ?? {}).map(([name, text]) => [
        name,
        fill(text ?? ""),
      ]);
      for (const [name, text] of filled) {
        for (const reason of findUnknown(text ?? ""))
          report("deletion.yaml", `kinds.${kind.key}.words.${language}.${name}`, reason);
      }
      const texts: typeof translated = translated && Object.fromEntries(filled);
      return texts ? [{ ...kind, ...texts, place: places.get(kind.store) ?? kind.store }] : [];
    }),
    holidays: Object.fromEntries(names.map(([key, name]) => [key, name[language] ?? key])),
  };
}
