import { createContext } from "react";
import type { EntryContext } from "react-router";
import bengali from "../components/bengali.css?inline";
import { loosePath, looseScriptOf } from "./script-styles.ts";

/**
 * A page's inline styles, and the address of the styles for sections far below the first view
 * (`*.late.module.css`).
 */
export const StylesContext = createContext({ inside: "", late: "" });

/** Additional styles of a script, by ISO 15924 code. */
const stylesOfScripts: Record<string, string> = { Beng: bengali };

/**
 * Returns the styles of a language's script. Returns undefined for scripts that the site is
 * designed for.
 */
export function findScriptStyles(language: string): string | undefined {
  return stylesOfScripts[looseScriptOf(language) ?? ""];
}

/**
 * Finds the stylesheets of the matched routes, in order and without duplicates: those to inline,
 * and those to link below the first view.
 * @param isFault true on an error page (`*.fault.module.css`)
 */
export function findSheets(context: EntryContext, language: string, isFault: boolean) {
  const script = looseScriptOf(language);
  const paths = context.staticHandlerContext.matches.flatMap(
    (match) => context.manifest.routes[match.route.id]?.css ?? [],
  );
  const sheets = [...new Set(paths)].map((path) => loosePath(path, script));
  const isOf = (part: string) => (path: string) => path.startsWith(`/assets/${part}-`);
  const left = ["late", ...(isFault ? [] : ["fault"])].map(isOf);
  return {
    inside: sheets.filter((path) => !left.some((is) => is(path))),
    late: sheets.find(isOf("late")),
  };
}
