import { data, redirect } from "react-router";
import { matchEmail } from "../../../../server/addresses/email-address.ts";
import {
  isFormKey,
  isWorking,
  ownerOf,
  type StoredRequest,
  waitOf,
} from "../../../../server/deletion-requests/life/request.ts";
import type { EventRecord } from "../../../../server/deletion-requests/store/audit-log.ts";
import type { Text } from "../../../../server/language/texts.ts";
import {
  acts,
  type DeskAct,
  isDeskAct,
  isUnknown,
  type Look,
  mostAtOnce,
  type WhyNot,
} from "../../../../server/operator-desk/acts.ts";
import { first, type Typed, type Wrong } from "../../../../server/operator-desk/read-form.ts";
import type { Words } from "../../../words.ts";
import { type Asking, type AtDesk, requireOperator, withQuery } from "../guard.ts";
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
  return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name).map(String)]));
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

type Asked = Pick<AtDesk, "services" | "words"> & {
  act: DeskAct;
  reference: string;
  /** Undefined where there is no such request. */
  look: Look | undefined;
  typed: Typed;
};

/**
 * Does what a form asks for to each of its requests, in the name of whoever sent it: one that cannot be done keeps no other
 * from it. With `preview` it does nothing, and the page shows the mail.
 * @param leadsTo the page that says what was done
 */
export async function answerAct(
  args: Asking,
  typed: Typed,
  references: readonly string[],
  leadsTo: string,
) {
  const { operator, services, words } = requireOperator(args);
  const act = first(typed, "act");
  if (!isDeskAct(act)) {
    return showAgain(typed, 422, [{ words: words.operator.desk.problems.unknown }]);
  }
  const isDraft = typed.preview !== undefined;
  if (acts[act].serious && !isDraft) requireOperator(args, { fresh: true });
  const isSeveral = typed.r !== undefined;
  const all: Asked[] = [];
  for (const reference of references.slice(0, mostAtOnce)) {
    const request = await services.desk.find(reference);
    if (!request && !isSeveral) throw data(null, { status: 404 });
    const look = request && services.operatorDesk.look({ request, mails: [] }, operator.name);
    all.push({ services, words, act, reference, look, typed });
  }
  const { asked, strange } =
    isSeveral && act === "complete" ? await findAddressed(all) : { asked: all, strange: [] };
  const [one] = asked;
  if (isDraft) return showAgain(typed, 200, [], { draft: one && draftAct(one) });
  const done: string[] = [];
  const problems: Undone[] = strange;
  for (const each of asked) {
    const undone = await doAct(each);
    if (undone.length === 0) done.push(each.reference);
    // What is wrong with the form is said once; what is wrong with one of several, under its name.
    for (const { field, words, status } of undone) {
      const isOfOne = isSeveral && !field;
      problems.push({ field, words: isOfOne ? `${each.reference}: ${words}` : words, status });
    }
  }
  if (problems.length === 0) return tellDone(words, leadsTo, { act, references: done });
  const once = [...new Map(problems.map((problem) => [problem.words, problem])).values()];
  const status = done.length > 0 ? 409 : problems.at(-1)?.status;
  return showAgain(typed, status ?? 422, once, { done });
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
    const own = all.find(
      ({ look }) => matchEmail(look?.request.email ?? "") === matchEmail(address),
    );
    if (own) asked.push({ ...own, typed: { ...own.typed, address: [address] } });
    else if (form) {
      const [meant] = (await form.services.desk.search(address)).filter(isWorking);
      strange.push({ field, words: `${address}: ${tellAnother(form.words, meant?.reference)}` });
    }
  }
  return { asked, strange };
}

type Undone = Problem & { status?: number | undefined };

/** @returns nothing where it was done, by this form or by the same one before */
async function doAct(asked: Asked): Promise<Undone[]> {
  const { words, services, act, look, typed } = asked;
  const { problems } = words.operator.desk;
  const refuse = (problem: Problem): Undone[] => [{ status: 409, ...problem }];
  const unknown: Undone[] = [{ status: 404, words: problems.unknown }];
  if (!look) return unknown;
  const read = acts[act].read(typed, look);
  if ("wrong" in read) {
    // What the walk asks for stands once on a page, under its own name.
    const prefix = act === "complete" ? "" : `${act}-`;
    return tellWrong(asked, read.wrong, prefix);
  }
  const seen = first(typed, "seen");
  const page = {
    seen: /^\d{1,15}$/.test(seen) ? Number(seen) : undefined,
    formKey: formKeyOf(typed),
  };
  const result = await read.ready.do(services.desk, page).catch((error: unknown) => {
    // What was typed stays on the form until there is room for it.
    if (services.isStorageProblem(error)) return { kind: "full" as const };
    throw error;
  });
  switch (result.kind) {
    case "done":
      return [];
    case "full":
      return [{ status: 503, words: problems.full }];
    case "not-found":
      return unknown;
    case "overtaken": {
      const isTyped = typedByHand(typed).length > 0;
      const text = tellOvertaken(words, result.since);
      return refuse({ words: isTyped ? `${text} ${problems.stillHere}` : text });
    }
    case "another-address":
      return refuse({ field: "address", words: tellAnother(words, result.reference) });
    case "unexplained":
      return refuse({ field: "undo-explanation", words: problems.explanation });
    case "refused": {
      const { refusal, request } = result;
      // Pressed twice, or once more because no answer came.
      const isOwn = refusal === "already-taken" && ownerOf(request) === look.name;
      return isOwn ? [] : refuse({ words: tellWhyNot(words, refusal, request) });
    }
  }
}

/** The key of the page that a form was sent from: what is sent twice with it counts once. */
export function formKeyOf(typed: Typed): string | undefined {
  const [key] = typed.formKey ?? [];
  return isFormKey(key) ? key : undefined;
}

/** The mail that a form would send as it is filled in, what must still be written as dots. Undefined while it cannot be told. */
function draftAct({ services, act, look, typed }: Asked): DraftView | undefined {
  if (!look) return undefined;
  const written = first(typed, "explanation") === "" ? { ...typed, explanation: ["…"] } : typed;
  for (const fields of [typed, written]) {
    const read = acts[act].read(fields, look);
    const mail = "ready" in read ? services.operatorDesk.draft(read.ready, look) : undefined;
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

/**
 * What is wrong, as a page says it beside its field.
 * @param prefix before each field's id
 */
export function tellWrong(
  { words, services }: Pick<AtDesk, "words" | "services">,
  wrong: readonly Wrong[],
  prefix = "",
): Problem[] {
  const { problems } = words.operator.desk;
  return wrong.map(({ field, what, most = 0, about }) => {
    const text: Text = problems[what as keyof typeof problems] ?? problems.unknown;
    const place = services.operatorDesk.dataList.stores.find(({ key }) => key === about);
    const kind = words.dataKinds.find(({ key }) => key === about)?.kind ?? "";
    const places = place ? nameIn(words, place) : "";
    return {
      field: field && prefix + field,
      words: words.say(text, { count: most, places, kind }),
    };
  });
}

/** Whose address it is that is not the one that was meant. */
function tellAnother({ operator, say }: Words, reference: string | undefined): string {
  const { anotherAddress, anotherOf, anotherOfNone } = operator.desk.problems;
  return `${anotherAddress} ${reference ? say(anotherOf, { reference }) : anotherOfNone}`;
}

/** Why something is not possible, as a page says it. */
export function tellWhyNot(
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
export async function readTold({
  operator,
  services,
  url,
  words,
}: AtDesk): Promise<DoneView | undefined> {
  const { desk, operatorDesk } = services;
  const { told, toldSeveral } = words.operator.desk;
  const act = url.searchParams.get("told") ?? "";
  if (act !== "enter" && !isDeskAct(act)) return undefined;
  const of: DoneView["of"] = [];
  for (const asked of url.searchParams.getAll("of").slice(0, mostAtOnce)) {
    const story = await desk.tell(asked);
    const declared = act === "enter" ? undefined : acts[act];
    const isSo = declared?.stands ?? (({ state }: StoredRequest) => state === "received");
    if (!story || !isSo(story.request, operator.name)) continue;
    const canUndo = declared?.undoable && isUnknown(operatorDesk.look(story, operator.name));
    of.push({ reference: story.request.reference, canUndo: canUndo === true });
  }
  const [one] = of;
  if (!one) return undefined;
  const isSeveral = of.length > 1 && act in toldSeveral;
  const text = isSeveral
    ? words.say(toldSeveral[act as keyof typeof toldSeveral], { count: of.length })
    : words.say(told[act], { reference: one.reference });
  return { text, of };
}
