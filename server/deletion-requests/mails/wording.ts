import type { Campus } from "../../../campus-reader/campus.ts";
import type { MailTheme } from "../../delivery/blocks.ts";
import { paths } from "../../platform/http/paths.ts";
import { createLanguagePaths } from "../../platform/i18n/language-paths.ts";
import { createSplitRuns } from "../../platform/i18n/text-runs.ts";
import { createCalendarWords } from "../../platform/i18n/texts.ts";

export type SpokenCampus = Pick<Campus, "settings" | "dataKinds" | "holidays" | "mail">;

export type SpokenSite = {
  campus: SpokenCampus;
  /** The campus in each of its other languages. */
  translations: readonly SpokenCampus[];
  theme: MailTheme;
};

/** Text, URLs and formatting functions for one language. */
export type Wording = ReturnType<typeof createWording>;

export function createWording(
  { mail, dataKinds, holidays, settings }: SpokenCampus,
  site: SpokenSite,
  publicUrl: string,
) {
  const { language, firstLanguage, timeZone, motifs } = settings;
  const { locale } = mail;
  const inWords = createCalendarWords({ locale, timeZone, holidays });
  const numbers = new Intl.NumberFormat(locale);
  const addresses = createLanguagePaths(
    [site.campus, ...site.translations].map((edition) => edition.settings.language),
  );
  const at = (path: string) => publicUrl + addresses.to(path, language);
  const instant = (text: string) => Temporal.Instant.from(text);
  return {
    words: { ...mail, "cancelled-for-you": { ...mail.cancelled, ...mail["cancelled-for-you"] } },
    dataKinds,
    language,
    firstLanguage,
    theme: site.theme,
    hem: motifs === "delta" ? ("scallops" as const) : ("waves" as const),
    split: createSplitRuns(settings),
    inWords,
    /**
     * Fills in placeholders.
     * @throws if a placeholder has no value
     */
    say: inWords.say,
    /** Formats an ISO date such as 2026-12-06. */
    day: (date: string) => inWords.dayInMail(Temporal.PlainDate.from(date)),
    /** Formats an ISO instant such as 2026-11-22T04:00:00Z as a time in the campus's time zone. */
    time: (at: string) => inWords.momentInMail(instant(at)),
    /** Formats an ISO instant in the next few days, in the short format for deadlines. */
    deadline: (at: string) => inWords.deadline(instant(at)),
    number: (count: number) => numbers.format(count),
    linkTo: (token: string) => at(`${paths.deletion}?link=${token}`),
    deletionAt: at(paths.deletion),
    /**
     * Returns the URL of a request's operator page, or of the Today page if there is no request.
     */
    deskAt: (reference?: string) =>
      publicUrl + (reference === undefined ? paths.operator : paths.operatorRequest(reference)),
    receiptKeysAt: at(paths.receiptKeys),
    receiptKeyAt: (version: number) => publicUrl + paths.receiptKey(version),
  };
}
