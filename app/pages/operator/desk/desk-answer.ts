import { data, redirect } from "react-router";
import { deskActs } from "../../../../server/operator-desk/acts.ts";
import type { Words } from "../../../words.ts";
import { withQuery } from "../with-query.ts";
import type { ActOutcome } from "./do-act.ts";
import type { FieldProblem, Typed } from "./read-act.ts";

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

/** Fields whose value nobody typed. */
const ownFields = ["act", "seen", "preview"];

/** Sends the browser on to a page that says what was done. */
export function tellDone(
  words: Words,
  path: string,
  told: { act: string; reference: string } | { act: "take" | "complete"; count: number },
): Response {
  const of: Record<string, string> =
    "reference" in told ? { of: told.reference } : { count: String(told.count) };
  return redirect(`${withQuery(words.to(path), { told: told.act, ...of })}#${toldId}`, 303);
}

/** What a page has to say of the last act, from its address. */
export function readTold(words: Words, url: URL): string | undefined {
  const act = url.searchParams.get("told") ?? "";
  const reference = url.searchParams.get("of") ?? "";
  const count = Number(url.searchParams.get("count") ?? 0);
  const { told, toldSeveral } = words.operator.desk;
  if ((act === "take" || act === "complete") && count > 0 && count < 1000) {
    return words.say(toldSeveral[act], { count });
  }
  if (!Object.hasOwn(told, act) || !/^[2-9A-Z]{4}-[2-9A-Z]{4}$/.test(reference)) return undefined;
  return told[act as keyof typeof told].replace("{reference}", reference);
}

/** The page once more, with everything that was typed. */
export function showUnfinished(
  outcome: Extract<ActOutcome, { kind: "problem" }>,
  typed: Typed,
): ReturnType<typeof data<{ unfinished: Unfinished }>> {
  const { act, problems, overtaken, status } = outcome;
  const unfinished: Unfinished = {
    act: deskActs.some((one) => one === act) ? act : "",
    problems,
    typed,
    ...(overtaken !== undefined && { overtaken }),
  };
  return data({ unfinished }, { status });
}

/** What somebody typed into a form that is not there any more, so that it is not lost. */
export function typedWords(typed: Typed): string[] {
  return ["explanation", "note", "address"].flatMap((name) =>
    ownFields.includes(name) ? [] : (typed[name] ?? []).filter((text) => text.trim() !== ""),
  );
}
