import { createContext } from "react";
import type { EntryContext } from "react-router";
import bengali from "../ui/bengali.css?inline";
import { loosePath, looseScriptOf } from "./script-styles.ts";

/** The styles that a page has inside, and the address of what lies far below its first view (`*.late.module.css`). */
export const StylesContext = createContext({ inside: "", late: "" });

/** What a script of the world needs beside the site's own styles, by its four letters (ISO 15924). */
const stylesOfScripts: Record<string, string> = { Beng: bengali };

/** The styles of a language's script; undefined for those that the site is drawn in. */
export function findScriptStyles(language: string): string | undefined {
  return stylesOfScripts[looseScriptOf(language) ?? ""];
}

/**
 * The stylesheets of the matched routes, in order, each once: what a page has inside, and what it links below its first view.
 * @param isFault whether the page says what went wrong (`*.fault.module.css`)
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
