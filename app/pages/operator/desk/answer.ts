import { data, type RouterContextProvider, redirect } from "react-router";
import { matchEmail } from "../../../../server/addresses/email-address.ts";
import {
  isFormKey,
  isWorking,
  ownerOf,
  type StoredRequest,
  waitOf,
} from "../../../../server/deletion-requests/life/request.ts";
import type { EventRecord } from "../../../../server/deletion-requests/store/audit-log.ts";
import type { Desk } from "../../../../server/deletion-requests/working/desk.ts";
import type { Text } from "../../../../server/language/message.ts";
import {
  type DeskAct,
  isDeskAct,
  mostAtOnce,
  type WhyNot,
} from "../../../../server/operator-desk/act-names.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import type { Wrong } from "../../../../server/operator-desk/read-fields.ts";
import { first, type Typed } from "../../../../server/operator-desk/walk.ts";
import { getServices } from "../../../services-context.ts";
import { type Words, wordsAt } from "../../../words.ts";
import { requireOperator, withQuery } from "../guard.ts";
import type { Filled, Problem } from "./fields.tsx";
import { nameIn, tellEvent } from "./story.ts";

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
  act: DeskAct;
  name: string;
  reference: string;
  request: StoredRequest | undefined;
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
  const words = wordsAt(new URL(args.request.url));
  const { problems: told } = words.operator.desk;
  if (!isDeskAct(act)) return showAgain(typed, 422, [{ words: told.unknown }]);
  const isDraft = typed.preview !== undefined;
  const isSerious = operatorDesk.acts[act].serious && !isDraft;
  const { name } = requireOperator(args, isSerious ? { fresh: true } : {}).operator;
  const isSeveral = typed.r !== undefined;
  const all: Asked[] = [];
  for (const reference of references.slice(0, mostAtOnce)) {
    const request = await desk.find(reference);
    if (!request && !isSeveral) throw data(null, { status: 404 });
    all.push({ words, desk, operatorDesk, act, name, reference, request, typed });
  }
  const { asked, strange } =
    isSeveral && act === "complete" ? await findAddressed(all) : { asked: all, strange: [] };
  const [one] = asked;
  if (isDraft) return showAgain(typed, 200, [], { draft: one && draftAct(one) });
  const done: string[] = [];
  const problems: Problem[] = strange;
  let status = 422;
  for (const each of asked) {
    const { reference } = each;
    const outcome = await doAct(each).catch((error): Undone => {
      // What was typed stays on the form until there is room for it.
      if (isStorageProblem(error)) return { status: 503, problems: [{ words: told.full }] };
      throw error;
    });
    if (outcome === "done") done.push(reference);
    else {
      status = outcome.status;
      // What is wrong with the form is said once; what is wrong with one of several, under its name.
      const name = isSeveral ? `${reference}: ` : "";
      const named = outcome.problems.map(({ field, words }) =>
        field ? { field, words } : { words: name + words },
      );
      problems.push(...named);
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
  const lines = new Set(form && first(form.typed, "address").match(/[^\s,;]+/g));
  const field = "address";
  if (form && lines.size === 0) {
    strange.push({ field, words: form.words.operator.desk.problems.addressMissing });
  }
  for (const address of lines) {
    const own = all.find(({ request }) => matchEmail(request?.email ?? "") === matchEmail(address));
    if (own) asked.push({ ...own, typed: { ...own.typed, address: [address] } });
    else if (form) {
      const [meant] = (await form.desk.search(address)).filter(isWorking);
      strange.push({ field, words: `${address}: ${tellAnother(form.words, meant?.reference)}` });
    }
  }
  return { asked, strange };
}

type Undone = { status: 404 | 409 | 422 | 503; problems: Problem[] };

async function doAct(asked: Asked): Promise<"done" | Undone> {
  const { words, desk, operatorDesk, act, name, request, typed } = asked;
  const { problems } = words.operator.desk;
  const unknown: Undone = { status: 404, problems: [{ words: problems.unknown }] };
  if (!request) return unknown;
  const look = operatorDesk.look({ request, mails: [] }, name);
  const read = operatorDesk.acts[act].read(typed, look);
  if ("wrong" in read) return { status: 422, problems: tellWrong(asked, read.wrong) };
  const seen = first(typed, "seen");
  const result = await read.ready.do(desk, look, {
    seen: /^\d{1,15}$/.test(seen) ? Number(seen) : undefined,
    formKey: formKeyOf(typed),
  });
  const refuse = (problem: Problem): Undone => ({ status: 409, problems: [problem] });
  switch (result.kind) {
    case "done":
      return "done";
    case "not-found":
      return unknown;
    case "overtaken": {
      const isTyped = typedByHand(typed).length > 0;
      const text = tellOvertaken(words, result.since);
      return refuse({ words: isTyped ? `${text} ${problems.stillHere}` : text });
    }
    case "another-address":
      return refuse({ field: "address", words: tellAnother(words, result.reference) });
    case "incomplete":
      return { status: 422, problems: tellWrong(asked, result.missing) };
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

/** The key of the page that a form was sent from: what is sent twice with it counts once. */
export function formKeyOf(typed: Typed): string | undefined {
  const [key] = typed.formKey ?? [];
  return isFormKey(key) ? key : undefined;
}

/** The mail that a form would send as it is filled in, what must still be written as dots. Undefined while it cannot be told. */
function draftAct({ operatorDesk, act, name, request, typed }: Asked): DraftView | undefined {
  if (!request) return undefined;
  const look = operatorDesk.look({ request, mails: [] }, name);
  const written = first(typed, "explanation") === "" ? { ...typed, explanation: ["…"] } : typed;
  for (const fields of [typed, written]) {
    const read = operatorDesk.acts[act].read(fields, look);
    const mail = "ready" in read ? operatorDesk.draft(request, read.ready, look) : undefined;
    // The lines under a mail's titles are drawn otherwise here.
    if (mail) return { ...mail, text: mail.text.replace(/^[=-]{3,}\n/gm, "") };
  }
  return undefined;
}

/** What somebody wrote, which must not be lost where its form is gone. */
export function typedByHand(typed: Typed): string[] {
  return ["explanation", "note", "address"]
    .flatMap((name) => typed[name] ?? [])
    .filter((text) => text.trim() !== "");
}

/** What is wrong, as a page says it beside its field. */
function tellWrong(
  { words, operatorDesk: { dataList }, act }: Asked,
  wrong: readonly Wrong[],
): Problem[] {
  const { problems } = words.operator.desk;
  return wrong.map((one): Problem => {
    if ("field" in one) {
      // What the walk asks for stands once on a page, under its own name.
      const field = act === "complete" ? one.field : `${act}-${one.field}`;
      return { field, words: tellField(words, one) };
    }
    if (one.what === "nothing") return { words: problems.nothing };
    const { what, key } = one;
    if (what === "until") {
      const row = words.dataKinds.find((kind) => kind.key === key);
      const text = words.say(problems.keptUntil, { kind: row?.kind ?? key });
      return { field: `until-${row?.store}`, words: text };
    }
    const store = dataList.stores.find((place) => place.key === key);
    const places = store ? nameIn(words, store) : key;
    return { field: `at-${key}`, words: words.say(problems[what], { places }) };
  });
}

/** What is wrong with a field whose schema names its words. */
export function tellField(words: Words, { what, most }: { what: string; most?: number }): string {
  const { problems } = words.operator.desk;
  const text: Text = problems[what as keyof typeof problems] ?? problems.unknown;
  return words.say(text, { count: most ?? 0 });
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
  const { who: name, what: act, when: time } = tellEvent(words, last);
  return words.say(problems.overtaken, { name, act, time });
}

/** What a page has to say of the last act, from its address, as far as it is still so. */
export async function readTold(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  name: string,
): Promise<DoneView | undefined> {
  const { desk, operatorDesk } = getServices(context);
  const url = new URL(request.url);
  const { operator, say } = wordsAt(url);
  const { told, toldSeveral } = operator.desk;
  const act = url.searchParams.get("told") ?? "";
  if (act !== "enter" && !isDeskAct(act)) return undefined;
  const of: DoneView["of"] = [];
  for (const asked of url.searchParams.getAll("of").slice(0, mostAtOnce)) {
    const story = await desk.tell(asked);
    const declared = act === "enter" ? undefined : operatorDesk.acts[act];
    const isSo = declared?.stands ?? (({ state }: StoredRequest) => state === "received");
    if (!story || !isSo(story.request, name)) continue;
    const canUndo =
      declared?.undoable === true && operatorDesk.isUnknown(operatorDesk.look(story, name));
    of.push({ reference: story.request.reference, canUndo });
  }
  const [one] = of;
  if (!one) return undefined;
  const isSeveral = of.length > 1 && act in toldSeveral;
  const text = isSeveral
    ? say(toldSeveral[act as keyof typeof toldSeveral], { count: of.length })
    : say(told[act], { reference: one.reference });
  return { text, of };
}
