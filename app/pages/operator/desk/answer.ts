import { data, type RouterContextProvider, redirect } from "react-router";
import { matchEmail } from "../../../../server/addresses/email-address.ts";
import { isFormKey } from "../../../../server/deletion-requests/life/form-key.ts";
import {
  isWorking,
  ownerOf,
  type StoredRequest,
  waitOf,
} from "../../../../server/deletion-requests/life/request.ts";
import type { EventRecord } from "../../../../server/deletion-requests/store/events.ts";
import type { Desk } from "../../../../server/deletion-requests/working/desk.ts";
import type { Text } from "../../../../server/language/message.ts";
import {
  type DeskAct,
  isDeskAct,
  type WhyNot,
} from "../../../../server/operator-desk/act-names.ts";
import type { Done } from "../../../../server/operator-desk/acts.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import type { Wrong } from "../../../../server/operator-desk/read-fields.ts";
import { first, type Typed } from "../../../../server/operator-desk/walk.ts";
import { getServices } from "../../../services-context.ts";
import { type Words, wordsAt } from "../../../words.ts";
import { requireOperator, withQuery } from "../guard.ts";
import type { Filled, Problem } from "./fields.tsx";
import { tellEvent } from "./story.ts";
import { nameIn } from "./walk.tsx";

/** How an act is done and answered: a page that says what was done, or the filled form with what is wrong. */

/** A form that was sent and comes back: of which act, and what of it was done or would be sent. */
export type Answer = Filled & {
  act: string;
  /** The references of those that were done, where others were not. */
  done: readonly string[];
  draft?: DraftView | undefined;
};

/** A mail as an act would send it, in its reader's language. */
export type DraftView = { subject: string; text: string; language: string };

/** What was done, of which requests, and whether it can be taken back. */
export type DoneView = { text: string; of: { reference: string; canUndo: boolean }[] };

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
  const of = told.references.map((reference) => `&of=${reference}`).join("");
  return redirect(`${withQuery(words.to(path), { told: told.act })}${of}#told`, 303);
}

/** The page once more, with everything that was typed. */
export function showAgain(
  typed: Typed,
  status: number,
  problems: readonly Problem[],
  more: Partial<Answer> = {},
) {
  return data<Answer>({ act: first(typed, "act"), typed, problems, done: [], ...more }, { status });
}

type Asked = {
  words: Words;
  desk: Desk;
  operatorDesk: OperatorDesk;
  isStorageProblem: (error: unknown) => boolean;
  name: string;
  reference: string;
  typed: Typed;
};

/**
 * Does what a form asks for to each of its requests, in the name of whoever sent it: one that cannot be done keeps no other
 * from it. With `preview` it does nothing, and the page shows the mail.
 * @param leadsTo the page that says what was done
 */
export async function answerAct(
  args: { request: Request; context: Readonly<RouterContextProvider> },
  typed: Typed,
  references: readonly string[],
  leadsTo: string,
) {
  const { desk, operatorDesk, isStorageProblem } = getServices(args.context);
  const act = first(typed, "act");
  const isDraft = typed.preview !== undefined;
  const isSerious = isDeskAct(act) && operatorDesk.acts[act].serious && !isDraft;
  const { operator } = requireOperator(args, isSerious ? { fresh: true } : {});
  const words = wordsAt(new URL(args.request.url));
  const by = { words, desk, operatorDesk, isStorageProblem, name: operator.name };
  const isSeveral = typed.r !== undefined;
  const all = references.slice(0, mostAtOnce).map((reference) => ({ ...by, reference, typed }));
  const { asked, strange } =
    isSeveral && act === "complete" ? await findAddressed(all) : { asked: all, strange: [] };
  const [one] = asked;
  if (isDraft) return showAgain(typed, 200, [], { draft: one && (await draftAct(one)) });
  const done: string[] = [];
  const problems: Problem[] = strange;
  let status = 422;
  for (const each of asked) {
    const { reference } = each;
    const outcome = await doAct(each);
    if (outcome === "done") done.push(reference);
    else if (outcome.status === 404 && !isSeveral) throw data(null, { status: 404 });
    else {
      status = outcome.status;
      // What is wrong with the form is said once; what is wrong with one of several, under its name.
      for (const { field, words: text } of outcome.problems) {
        problems.push(
          field || !isSeveral ? { field, words: text } : { words: `${reference}: ${text}` },
        );
      }
    }
  }
  if (problems.length === 0) return tellDone(words, leadsTo, { act, references: done });
  const once = [...new Map(problems.map((problem) => [problem.words, problem])).values()];
  return showAgain(typed, done.length > 0 ? 409 : status, once, { done });
}

/** Which of several are of the addresses that were typed, and what is wrong with the other lines. */
async function findAddressed(
  all: readonly Asked[],
): Promise<{ asked: Asked[]; strange: Problem[] }> {
  const asked: Asked[] = [];
  const strange: Problem[] = [];
  const [form] = all;
  if (!form) return { asked, strange };
  const { problems } = form.words.operator.desk;
  const lines = first(form.typed, "address")
    .split(/[\s,;]+/)
    .filter((line) => line !== "");
  if (lines.length === 0) strange.push({ field: "address", words: problems.addressMissing });
  for (const address of new Set(lines)) {
    const found = await form.desk.search(address);
    const meant = found.find(
      (one) => isWorking(one) && matchEmail(one.email) === matchEmail(address),
    );
    const own = all.find(({ reference }) => reference === meant?.reference);
    if (own) asked.push({ ...own, typed: { ...own.typed, address: [address] } });
    else {
      const text = `${address}: ${tellAnother(form.words, meant?.reference)}`;
      strange.push({ field: "address", words: text });
    }
  }
  return { asked, strange };
}

type Undone = { status: 404 | 409 | 422 | 503; problems: Problem[] };

async function doAct(asked: Asked): Promise<"done" | Undone> {
  const { words, desk, operatorDesk, name, reference, typed } = asked;
  const { problems } = words.operator.desk;
  const act = first(typed, "act");
  if (!isDeskAct(act)) return { status: 422, problems: [{ words: problems.unknown }] };
  const request = await desk.find(reference);
  if (!request) return { status: 404, problems: [{ words: problems.unknown }] };
  const look = operatorDesk.look({ request, mails: [] }, name);
  const read = operatorDesk.acts[act].read(typed, look);
  if ("wrong" in read) return { status: 422, problems: tellWrong(asked, act, read.wrong) };
  const seen = first(typed, "seen");
  const [formKey] = typed.formKey ?? [];
  const page = {
    seen: /^\d{1,15}$/.test(seen) ? Number(seen) : undefined,
    formKey: isFormKey(formKey) ? formKey : undefined,
  };
  try {
    return tellResult(asked, act, await read.ready.do(desk, look, page));
  } catch (error) {
    // What was typed stays on the form until there is room for it.
    if (!asked.isStorageProblem(error)) throw error;
    return { status: 503, problems: [{ words: problems.full }] };
  }
}

/** The mail that a form would send as it is filled in, what must still be written as dots. Undefined while it cannot be told. */
async function draftAct(asked: Asked): Promise<DraftView | undefined> {
  const { desk, operatorDesk, name, reference, typed } = asked;
  const request = await desk.find(reference);
  const act = first(typed, "act");
  if (!request || !isDeskAct(act)) return undefined;
  const look = operatorDesk.look({ request, mails: [] }, name);
  const written = first(typed, "explanation") === "" ? { ...typed, explanation: ["…"] } : typed;
  for (const fields of [typed, written]) {
    const read = operatorDesk.acts[act].read(fields, look);
    const mail = "ready" in read ? operatorDesk.draft(request, read.ready, look) : undefined;
    // The lines under a mail's titles are drawn otherwise here.
    if (mail?.ok) return { ...mail, text: mail.text.replace(/^[=-]{3,}\n/gm, "") };
  }
  return undefined;
}

function tellResult(asked: Asked, act: DeskAct, result: Done): "done" | Undone {
  const { words, name, typed } = asked;
  const { problems } = words.operator.desk;
  const refuse = (problem: Problem): Undone => ({ status: 409, problems: [problem] });
  switch (result.kind) {
    case "done":
      return "done";
    case "not-found":
      return { status: 404, problems: [{ words: problems.unknown }] };
    case "overtaken": {
      const isTyped = typedByHand(typed).length > 0;
      const text = tellOvertaken(words, result.since);
      return refuse({ words: isTyped ? `${text} ${problems.stillHere}` : text });
    }
    case "another-address":
      return refuse({ field: "address", words: tellAnother(words, result.reference) });
    case "incomplete":
      return { status: 422, problems: tellWrong(asked, act, result.missing) };
    case "unexplained":
      return refuse({ field: "undo-explanation", words: problems.explanation });
    case "refused": {
      const { refusal, request } = result;
      // Pressed twice, or once more because no answer came.
      const isOwn = refusal === "already-taken" && ownerOf(request) === name;
      return isOwn ? "done" : refuse({ words: whyNot(words, refusal, request) });
    }
  }
}

/** What somebody wrote, which must not be lost where its form is gone. */
export function typedByHand(typed: Typed): string[] {
  return ["explanation", "note", "address"]
    .flatMap((name) => typed[name] ?? [])
    .filter((text) => text.trim() !== "");
}

/** What is wrong, as a page says it: once for all places that were not answered, and once for all who are to be told. */
function tellWrong(
  { words, operatorDesk: { dataList } }: Asked,
  act: DeskAct,
  wrong: readonly Wrong[],
): Problem[] {
  const told = words.operator.desk.problems;
  const missing = wrong.flatMap((one) => ("field" in one ? [] : [one]));
  const places = (what: "unticked" | "untold"): Problem[] => {
    const keys = missing.flatMap((one) => (one.what === what ? [one.key] : []));
    const stores = dataList.stores.filter(({ key }) => keys.includes(key));
    const names = stores.map((store) => nameIn(words, store)).join(", ");
    const text = words.say(told[what], { places: names });
    return keys.length > 0 ? [{ field: `at-${keys[0]}`, words: text }] : [];
  };
  const ofWalk = missing.flatMap((one): Problem[] => {
    if (one.what === "nothing") return [{ words: told.nothing }];
    if (one.what !== "until") return [];
    const row = words.dataKinds.find(({ key }) => key === one.key);
    const text = words.say(told.keptUntil, { kind: row?.kind ?? one.key });
    return [{ field: `until-${row?.store}`, words: text }];
  });
  const ofFields = wrong.flatMap((one): Problem[] => {
    if (!("field" in one)) return [];
    const text: Text = told[one.what as keyof typeof told] ?? told.unknown;
    // What the walk asks for stands once on a page, under its own name.
    const field = act === "complete" ? one.field : `${act}-${one.field}`;
    return [{ field, words: words.say(text, { count: one.most ?? 0 }) }];
  });
  return [...places("unticked"), ...places("untold"), ...ofWalk, ...ofFields];
}

/** Whose address it is that is not the one that was meant. */
function tellAnother({ operator, say }: Words, reference: string | undefined): string {
  const { anotherAddress, anotherOf, anotherOfNone } = operator.desk.problems;
  return `${anotherAddress} ${reference ? say(anotherOf, { reference }) : anotherOfNone}`;
}

/** Why something is not possible, as a page says it. */
export function whyNot(
  { operator, dates, say }: Words,
  because: WhyNot,
  request: StoredRequest,
): string {
  const until = waitOf(request)?.until;
  const reasons: Partial<Record<WhyNot, Text>> = operator.desk.whyNot;
  return say(reasons[because] ?? operator.desk.whyNot.other, {
    name: ownerOf(request) ?? operator.desk.story.system,
    date: until ? dates.day(until) : "",
  });
}

function tellOvertaken(words: Words, since: readonly EventRecord[]): string {
  const { problems } = words.operator.desk;
  const last = since.at(-1);
  if (!last) return problems.unknown;
  const { who, what } = tellEvent(words, last, true);
  const time = words.dates.momentBriefly(last.at);
  return last.actor === "operator"
    ? words.say(problems.overtaken, { name: who, act: what, time })
    : words.say(problems.overtakenSystem, { act: `${who} ${what}`, time });
}

/** What a page has to say of the last act, from its address, as far as it is still so. */
export async function readTold(
  words: Words,
  url: URL,
  { desk, operatorDesk }: { desk: Desk; operatorDesk: OperatorDesk },
  name: string,
): Promise<DoneView | undefined> {
  const act = url.searchParams.get("told") ?? "";
  const { told, toldSeveral } = words.operator.desk;
  const { acts, isUnknown, look } = operatorDesk;
  const isEntry = act === "enter" || act === "entered";
  if (!isEntry && !isDeskAct(act)) return undefined;
  const of: DoneView["of"] = [];
  for (const asked of url.searchParams.getAll("of").slice(0, mostAtOnce)) {
    const story = await desk.tell(asked);
    if (!story) continue;
    const { reference, state } = story.request;
    const stands = isEntry
      ? (state === "received") === (act === "enter")
      : acts[act].stands(story.request, name);
    const isUndoable = !isEntry && acts[act].undoable === true;
    if (stands) {
      of.push({ reference, canUndo: isUndoable && isUnknown(look(story, name)) });
    }
  }
  const [one] = of;
  if (!one) return undefined;
  const isSeveral = of.length > 1 && act in toldSeveral;
  const text = isSeveral
    ? words.say(toldSeveral[act as keyof typeof toldSeveral], { count: of.length })
    : words.say(told[act], { reference: one.reference });
  return { text, of };
}
