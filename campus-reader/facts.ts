import { linkHours, linkMailsPerDay } from "../server/deletion-requests/life/request.ts";
import { formatNumber, localizeDigits } from "../server/language/message.ts";
import type { CampusSettings } from "./schema.ts";

/** Facts of the campus that texts name in braces; the rest of what stands there is filled in when a text is said. */
const namedFacts = [
  "product",
  "developer",
  "campus",
  "city",
  "country",
  "jurisdiction",
  "email",
  "wallet",
  "policyDate",
] as const;

/** Every such name. `{callLocalEmergency}` is a link in Markdown, on which a phone calls. */
export const campusFacts = [
  ...namedFacts,
  "emergency",
  "localEmergency",
  "callLocalEmergency",
  "currency",
  "legalPerson",
  "legalRegistration",
  "postalAddress",
  "enlistment",
  "dataLocation",
  "arbitrationSeat",
  "deletionDays",
  "linkHours",
  "mailsPerDay",
  "availableStore",
  "comingStore",
] as const;

type Facts = Partial<Record<(typeof campusFacts)[number], string>>;

/** The facts as they are said in the language that the settings name. */
function tellFacts(from: CampusSettings): Facts {
  const { language, legal, deletionBusinessDays } = from;
  const { target, limit } = deletionBusinessDays;
  const localEmergency = localizeDigits(language, from.localEmergency);
  const days = [...new Set([target, limit])].map((count) => formatNumber(language, count));
  return {
    ...Object.fromEntries(namedFacts.map((name) => [name, from[name]])),
    emergency: localizeDigits(language, from.emergency),
    localEmergency,
    callLocalEmergency: `[${localEmergency}](tel:${from.localEmergency.replaceAll(" ", "")})`,
    currency: from.currency.sign,
    legalPerson: legal.person,
    legalRegistration: legal.registration,
    postalAddress: legal.address,
    enlistment: legal.enlistment,
    dataLocation: legal.dataLocation,
    arbitrationSeat: legal.arbitrationSeat,
    deletionDays: days.join("-"),
    linkHours: formatNumber(language, linkHours),
    mailsPerDay: formatNumber(language, linkMailsPerDay),
    ...nameStores(from),
  };
}

/** The shops by their state. A text that speaks of one that there is not has an unknown placeholder. */
function nameStores({ stores, language }: CampusSettings): Facts {
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const live = stores.filter(({ url }) => url).map(({ name }) => name);
  const coming = stores.filter(({ url }) => !url).map(({ name }) => name);
  return {
    ...(live.length > 0 && { availableStore: list.format(live) }),
    ...(coming.length > 0 && { comingStore: list.format(coming) }),
  };
}

/** Puts the campus's facts into a text. */
export type Fill = (text: string) => string;

export function createFill(settings: CampusSettings): { fill: Fill; fillMessage: Fill } {
  const facts = tellFacts(settings);
  const put = (text: string, write: Fill) =>
    text.replace(/(?<!\{)\{([A-Za-z]+)\}(?!\})/g, (whole, name: keyof Facts) => {
      const fact = facts[name];
      return fact === undefined ? whole : write(fact);
    });
  const fill: Fill = (text) => put(text, (fact) => fact);
  return {
    fill,
    /** Where more is filled in when it is said, an apostrophe of a fact is no quotation mark of that syntax. */
    fillMessage(text) {
      const filled = fill(text);
      return filled.includes("{") ? put(text, (fact) => fact.replaceAll("'", "''")) : filled;
    },
  };
}

/** The month of both legal documents, written in the campus's language or in English. */
export function readPolicyMonth({
  policyDate,
  language,
}: Pick<CampusSettings, "policyDate" | "language">): Temporal.PlainYearMonth | undefined {
  const [name = "", year = ""] = policyDate.split(" ");
  for (const locale of [language, "en"]) {
    const format = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
    for (let month = 1; month <= 12; month += 1) {
      if (format.format(Date.UTC(2000, month - 1, 1)).toLowerCase() !== name.toLowerCase())
        continue;
      return Temporal.PlainYearMonth.from({ year: Number(year), month });
    }
  }
  return undefined;
}

/** The campus as it is said in one of its languages. */
export function settingsIn(settings: CampusSettings, language: string): CampusSettings {
  const translation = settings.translations[language];
  if (!translation) return settings;
  const month = readPolicyMonth(settings);
  const format = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return {
    ...settings,
    ...translation,
    language,
    ...(month && {
      policyDate: new Intl.DateTimeFormat(language, format).format(
        new Date(`${month.toPlainDate({ day: 1 })}T00:00:00Z`),
      ),
    }),
  };
}
