import { data, redirect } from "react-router";
import { createFormKey } from "../../../../server/deletion-requests/life/form-key.ts";
import type { Desk } from "../../../../server/deletion-requests/working/desk.ts";
import { isDeskAct } from "../../../../server/operator-desk/act-names.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import type { Typed } from "../../../../server/operator-desk/walk.ts";
import type { Words } from "../../../words.ts";
import type { FieldProblem, Filled } from "./fields.tsx";

/** How an act is answered: a page that says what was done, or the filled form with what is wrong. */

/** A form that was not done, for the page to show again. */
export type Unfinished = Filled & { act: string };

/** What was done, of which requests, and with what each is taken back where it can be. */
export type DoneView = {
  text: string;
  of: { reference: string; undo: { seen: number; formKey: string } | undefined }[];
};

/** More at once nobody does by name. */
export const mostAtOnce = 50;

export function readTyped(form: FormData): Typed {
  const typed: Typed = {};
  for (const [name, value] of form) {
    if (typeof value === "string") typed[name] = [...(typed[name] ?? []), value];
  }
  return typed;
}

/** Sends the browser on to a page that says what was done, there where the fragment leads. */
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
  return redirect(`${where}${where.includes("?") ? "&" : "?"}${query}#told`, 303);
}

/** The page once more, with everything that was typed. */
export function showUnfinished(
  { act, problems, status }: { act: string; problems: FieldProblem[]; status: number },
  typed: Typed,
) {
  const unfinished: Unfinished = { act, problems, typed };
  return data({ unfinished }, { status });
}

/** What a page has to say of the last act, from its address, as far as it is still so. */
export async function readTold(
  words: Words,
  url: URL,
  services: { desk: Desk; operatorDesk: OperatorDesk },
  name: string,
): Promise<DoneView | undefined> {
  const act = url.searchParams.get("told") ?? "";
  const { told, toldSeveral } = words.operator.desk;
  const { acts, isUnknown, look } = services.operatorDesk;
  const isEntry = act === "enter" || act === "entered";
  if (!isEntry && !isDeskAct(act)) return undefined;
  const of: DoneView["of"] = [];
  for (const reference of url.searchParams.getAll("of").slice(0, mostAtOnce)) {
    const story = await services.desk.tell(reference);
    if (!story) continue;
    const { request, seen } = story;
    const stands = isEntry
      ? (request.state === "received") === (act === "enter")
      : acts[act].stands(request, name);
    if (!stands) continue;
    const canUndo = !isEntry && acts[act].undoable && isUnknown(look(story, name));
    of.push({
      reference: request.reference,
      undo: canUndo ? { seen, formKey: createFormKey() } : undefined,
    });
  }
  const [one] = of;
  if (!one) return undefined;
  const isSeveral = of.length > 1 && act in toldSeveral;
  const text = isSeveral
    ? words.say(toldSeveral[act as keyof typeof toldSeveral], { count: of.length })
    : words.say(told[act], { reference: one.reference });
  return { text, of };
}
