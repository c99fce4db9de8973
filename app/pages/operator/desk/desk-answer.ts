import { data, redirect } from "react-router";
import type { Typed } from "../../../../server/operator-desk/walk.ts";
import type { Words } from "../../../words.ts";
import type { ActOutcome } from "./do-act.ts";
import type { FieldProblem } from "./read-act.ts";

/** How an act is answered: a page that says what was done, or the filled form with what is wrong. */

/** What the page says stands here, and has the focus. A fragment keeps it so without script, too. */
export const toldId = "told";

/** A form that was not done, for the page to show again. */
export type Unfinished = {
  act: string;
  problems: FieldProblem[];
  typed: Typed;
  overtaken?: string;
};

/** What was done, of which requests, and with what each is taken back where it can be. */
export type DoneView = {
  text: string;
  of: { reference: string; undo: { seen: number; formKey: string } | undefined }[];
};

/** Sends the browser on to a page that says what was done. */
export function tellDone(
  words: Words,
  path: string,
  told: { act: string; references: readonly string[] },
): Response {
  const query = new URLSearchParams([
    ["told", told.act],
    ...told.references.map((reference) => ["of", reference]),
  ]);
  const where = words.to(path);
  return redirect(`${where}${where.includes("?") ? "&" : "?"}${query}#${toldId}`, 303);
}

/** The page once more, with everything that was typed. */
export function showUnfinished(
  outcome: Extract<ActOutcome, { kind: "problem" }>,
  typed: Typed,
): ReturnType<typeof data<{ unfinished: Unfinished }>> {
  const { act, problems, overtaken, status } = outcome;
  const unfinished: Unfinished = {
    act,
    problems,
    typed,
    ...(overtaken !== undefined && { overtaken }),
  };
  return data({ unfinished }, { status });
}

/** What somebody typed into a form that is not there any more, so that it is not lost. */
export function typedWords(typed: Typed): string[] {
  return ["explanation", "note", "address"].flatMap((name) =>
    (typed[name] ?? []).filter((text) => text.trim() !== ""),
  );
}
