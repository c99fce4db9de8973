import { createContext } from "react";
import type { EntryContext } from "react-router";
import bengali from "../components/bengali.css?inline";

/**
 * A page's inline styles, and the address of its styles for sections far below the first view
 * (`*.late.module.css`).
 */
export const StylesContext = createContext({ inside: "", late: "" });

/** Additional styles of a script, by ISO 15924 code. */
const stylesOfScripts: Record<string, string> = { Beng: bengali };

/** Returns the styles of a language's script, if it has any. */
export function findScriptStyles(language: string): string | undefined {
  return stylesOfScripts[new Intl.Locale(language).maximize().script ?? ""];
}

/**
 * Finds the matched routes' stylesheets in order, without duplicates: those to inline, and those to
 * link below the first view.
 * @param isFault true on an error page (`*.fault.module.css`)
 */
export function findSheets(context: EntryContext, isFault: boolean) {
  const paths = context.staticHandlerContext.matches.flatMap(
    (match) => context.manifest.routes[match.route.id]?.css ?? [],
  );
  const sheets = [...new Set(paths)];
  const isOf = (part: string) => (path: string) => path.startsWith(`/assets/${part}-`);
  const left = ["late", ...(isFault ? [] : ["fault"])].map(isOf);
  return {
    inside: sheets.filter((path) => !left.some((is) => is(path))),
    late: sheets.find(isOf("late")),
  };
}
