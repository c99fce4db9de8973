import { data, redirect } from "react-router";
import { matchEmail } from "../../../../server/addresses/email-address.ts";
import { isSameName } from "../../../../server/deletion-requests/life/life.ts";
import {
  isWorking,
  ownerOf,
  type StoredRequest,
} from "../../../../server/deletion-requests/life/request.ts";
import { sayWhyNot } from "../../../../server/deletion-requests/telling/history-words.ts";
import {
  actOf,
  type DeskAct,
  forms,
  isUnknown,
  mostAtOnce,
  readChoice,
} from "../../../../server/deletion-requests/working/acts.ts";
import type { Story } from "../../../../server/deletion-requests/working/reading.ts";
import { first, type Typed, type Wrong } from "../../../../server/forms/typed.ts";
import { paths } from "../../../../server/http/paths.ts";
import type { Text } from "../../../../server/language/texts.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import type { Problem } from "../../../ui/field.tsx";
import type { Words } from "../../../words.ts";
import { type Asking, type AtDesk, requireOperator } from "../guard.ts";
import type { Filled } from "./fields.tsx";
import { nameIn, toEventLine } from "./request-detail.ts";

/** How an act is done and answered: a page that says what was done, or the filled form with what is wrong. */

/** A form that was sent and comes back: of which act, and what of it was done or would be sent. */
export type Answer = Filled & {
  act: string;
  /** The references of those that were done, where others were not. */
  done: readonly string[];
  draft?: Awaited<ReturnType<OperatorDesk["draft"]>>;
};

/** What was done, of which requests, and whether it can be taken back. */
export type DoneView = {
  text: string;
  of: { reference: string; seen: number; canUndo: boolean }[];
};

/** The page once more, with everything that was typed. */
function showAgain(
  typed: Typed,
  status: number,
  problems: readonly Problem[],
  more: Partial<Answer> = {},
) {
  return data<Answer>({ act: first(typed, "act"), typed, problems, done: [], ...more }, { status });
}

type Asked = Pick<AtDesk, "operator" | "services" | "words"> & {
  act: DeskAct;
  reference: string;
  /** Up to where the form's page told of it. */
  seen: number;
  typed: Typed;
};

/**
 * Does what a form asks for to each of its requests, in the name of whoever sent it: one that cannot be done keeps no other
 * from it. Then the browser is sent on to a page that says what was done. With `preview` nothing is done, and the page shows
 * the mail.
 */
export async function answerAct(args: Asking, typed: Typed, choices: readonly string[]) {
  const { operator, services, words } = requireOperator(args);
  const form = forms.get(first(typed, "act"));
  if (!form) return showAgain(typed, 422, [{ words: words.operator.desk.problems.unknown }]);
  const isDraft = typed.preview !== undefined;
  const { act, serious, walks, several } = form;
  if (serious && !isDraft) requireOperator(args, { fresh: true });
  const problems: Undone[] = [];
  const isSeveral = typed.r !== undefined;
  const all = choices
    .slice(0, mostAtOnce)
    .map((choice): Asked => ({ operator, services, words, act, typed, ...readChoice(choice) }));
  const asked = isSeveral && walks ? await findAddressed(all, problems) : all;
  if (isDraft) {
    const [one] = asked;
    const draft =
      one && (await services.operatorDesk.draft(act, one.typed, one.reference, operator.name));
    return showAgain(typed, 200, [], { draft });
  }
  const done: string[] = [];
  for (const each of asked) {
    const result = await doAct(each);
    if ("reference" in result) done.push(result.reference);
    // What is wrong with the form is said once; what is wrong with one of several, under its name.
    else
      for (const { field, words, status } of result) {
        const isOfOne = isSeveral && !field;
        problems.push({ field, words: isOfOne ? `${each.reference}: ${words}` : words, status });
      }
  }
  if (problems.length === 0) {
    const [only] = !isSeveral || (several === "pressed" && done.length === 1) ? done : [];
    const path = only === undefined ? paths.operator : paths.operatorRequest(only);
    const told = done.map((reference) => ["told", reference]);
    return redirect(`${words.to(path, told)}#told`, 303);
  }
  const once = [...new Map(problems.map((problem) => [problem.words, problem])).values()];
  const status = done.length > 0 ? 409 : problems.at(-1)?.status;
  return showAgain(typed, status ?? 422, once, { done });
}

/** Which of several are of the addresses that were typed; what is wrong with the other lines is added to the problems. */
async function findAddressed(all: readonly Asked[], problems: Problem[]): Promise<Asked[]> {
  const asked: Asked[] = [];
  const [form] = all;
  if (!form) return asked;
  const { services, words, typed } = form;
  const lines = new Set(first(typed, "address").match(/[^\s,;]+/g));
  const field = "address";
  if (lines.size === 0)
    problems.push({ field, words: words.operator.desk.problems.addressMissing });
  const requests = await Promise.all(all.map(({ reference }) => services.desk.find(reference)));
  const accounts = requests.map((request) => matchEmail(request?.email ?? ""));
  for (const address of lines) {
    const own = all[accounts.indexOf(matchEmail(address))];
    if (own) asked.push({ ...own, typed: { ...typed, address: [address] } });
    else {
      const [meant] = (await services.desk.lookUp(address)).filter(isWorking);
      problems.push({ field, words: `${address}: ${tellAnother(words, meant?.reference)}` });
    }
  }
  return asked;
}

type Undone = Problem & { status?: number | undefined };

/** @returns the request to which it was done, by this form or by the same one before */
async function doAct(asked: Asked): Promise<StoredRequest | Undone[]> {
  const { words, services, act, reference, seen, typed, operator } = asked;
  const { problems } = words.operator.desk;
  const refuse = (problem: Problem): Undone[] => [{ status: 409, ...problem }];
  const result = await services.desk
    .hear({ act, reference, seen, typed }, operator.name)
    .catch((error: unknown) => {
      // What was typed stays on the form until there is room for it.
      if (services.isStorageProblem(error)) return { kind: "full" as const };
      throw error;
    });
  switch (result.kind) {
    case "done":
      return result.request;
    case "wrong":
      return tellWrong(asked, result.wrong);
    case "full":
      return [{ status: 503, words: problems.full }];
    case "not-found":
      if (typed.r === undefined) throw data(null, { status: 404 });
      return [{ status: 404, words: problems.unknown }];
    case "overtaken": {
      const { who: name, what: act, when: time } = toEventLine(words, result.last);
      const text = words.say(problems.overtaken, { name, act, time });
      const isTyped = typedByHand(typed).length > 0;
      return refuse({ words: isTyped ? `${text} ${problems.stillHere}` : text });
    }
    case "another-address":
      return refuse({ field: "address", words: tellAnother(words, result.reference) });
    case "unexplained":
      return refuse({ field: "explanation", words: problems.explanation });
    case "refused": {
      const { refusal, request } = result;
      // Pressed twice, or once more because no answer came.
      const isOwn =
        refusal === "already-taken" && isSameName(ownerOf(request) ?? "", operator.name);
      if (isOwn) return request;
      const field = act === "enter" ? "old" : undefined;
      return refuse({ field, words: sayWhyNot(words, refusal, request) });
    }
  }
}

/** What somebody wrote, which must not be lost where its form is gone. */
export function typedByHand(typed: Typed): string[] {
  const { fields = [] } = forms.get(first(typed, "act")) ?? {};
  return fields
    .flatMap(({ name, text }) => (text && typed[name]) ?? [])
    .filter((text) => text.trim() !== "");
}

/** What is wrong, as a page says it beside its field. */
function tellWrong({ words, services }: Asked, wrong: readonly Wrong[]): Problem[] {
  const { problems, enter } = words.operator.desk;
  return wrong.map(({ field, what, most = 0, about }) => {
    const text: Text = problems[what as keyof typeof problems] ?? problems.unknown;
    const place = services.operatorDesk.dataList.stores.find(({ key }) => key === about);
    const kind = words.dataKinds.find(({ key }) => key === about)?.kind ?? "";
    const places = place ? nameIn(words, place) : "";
    const said = words.say(text, { count: most, places, kind });
    // One form asks for two addresses.
    const isTwice = field === "old" || field === "contact";
    return { field, words: isTwice ? `${enter[field]}: ${said}` : said };
  });
}

/** Whose address it is that is not the one that was meant. */
function tellAnother({ operator, say }: Words, reference: string | undefined): string {
  const { anotherAddress, anotherOf, anotherOfNone } = operator.desk.problems;
  return `${anotherAddress} ${reference ? say(anotherOf, { reference }) : anotherOfNone}`;
}

/**
 * What a page has to say of what was done last, by whoever reads it, to the requests that its address names.
 * @param known one of them that was read already
 */
export async function readTold(
  { operator, services, url, words }: AtDesk,
  known?: Story,
): Promise<DoneView | undefined> {
  const { desk, operatorDesk } = services;
  const { told, toldSeveral } = words.operator.desk;
  const stories = await Promise.all(
    url.searchParams
      .getAll("told")
      .slice(0, mostAtOnce)
      .map((one) => (one === known?.request.reference ? known : desk.tell(one))),
  );
  const done = stories.flatMap((story) => {
    const last = story?.events.at(-1);
    const act = last?.name === operator.name ? actOf(last.type) : undefined;
    if (!story || !act) return [];
    const { request, seen } = story;
    const look = operatorDesk.look(story, operator.name);
    return [{ act, reference: request.reference, seen, canUndo: isUnknown(look, act) }];
  });
  const [one] = done;
  if (!one) return undefined;
  const of = done.filter(({ act }) => act === one.act);
  const isSeveral = of.length > 1 && one.act in toldSeveral;
  const text = isSeveral
    ? words.say(toldSeveral[one.act as keyof typeof toldSeveral], { count: of.length })
    : words.say(told[one.act], { reference: one.reference });
  return { text, of };
}
