import { pictures } from "virtual:pictures";
import { createContext } from "react";
import type { EntryContext } from "react-router";
import { directionOf } from "../../server/platform/i18n/direction.ts";
import bengali from "../components/bengali.css?inline";
import joinedLetters from "../components/joined-letters.css?inline";
import { isDrawing } from "../components/picture.tsx";
import rightToLeft from "../components/right-to-left.css?inline";
import heroPhoto from "../pages/landing/hero-photo.css?inline";

/**
 * A page's inline styles and the URLs of its deferred stylesheets. The stylesheets of sections
 * below the fold (`*.late.module.css`) and of the footer are deferred. The page links to them after
 * the content above the fold so that they don't delay that content's first paint.
 */
export const StylesContext = createContext({ inside: "", late: [] as string[], footer: "" });

/**
 * Additional styles for each script, keyed by ISO 15924 code. Scripts that aren't listed use the
 * styles for joined letters.
 */
const stylesOfScripts: Record<string, string> = { Beng: bengali, Latn: "", Cyrl: "", Grek: "" };

/**
 * Returns the additional styles for a language's script and direction, and for the campus's hero
 * photo, if any. Returns an empty string if there are none.
 */
export function findAddedStyles(language: string): string {
  const ofScript =
    stylesOfScripts[new Intl.Locale(language).maximize().script ?? ""] ?? joinedLetters;
  const ofDirection = directionOf(language) === "rtl" ? rightToLeft : "";
  const isPhoto = pictures.hero?.own && !isDrawing(pictures.hero);
  return [ofScript, ofDirection, isPhoto ? heroPhoto : ""].join("");
}

/**
 * Splits the matched routes' stylesheets into inline and deferred ones, in order and without
 * duplicates. `footer` is "" if there is no footer stylesheet.
 * @param options.isFault whether this is an error page, which also needs `*.fault.module.css`
 */
export function findSheets(context: EntryContext, { isFault }: { isFault: boolean }) {
  const paths = context.staticHandlerContext.matches.flatMap(
    (match) => context.manifest.routes[match.route.id]?.css ?? [],
  );
  const sheets = [...new Set(paths)];
  const isOf = (part: string) => (path: string) => path.startsWith(`/assets/${part}-`);
  // If a page has sections below the fold, its question list and fringes are also below the fold.
  const late = sheets.some(isOf("late")) ? ["late", "faq-list", "fringe"] : [];
  const left = [...late, "footer", ...(isFault ? [] : ["fault"])].map(isOf);
  return {
    inside: sheets.filter((path) => !left.some((is) => is(path))),
    late: sheets.filter((path) => late.some((part) => isOf(part)(path))),
    footer: sheets.find(isOf("footer")) ?? "",
  };
}
