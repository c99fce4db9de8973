import { isFormKey } from "../../../../server/deletion-requests/life/form-key.ts";
import type { EventRecord } from "../../../../server/deletion-requests/store/events.ts";
import {
  isWorking,
  type StoredRequest,
  waitOf,
} from "../../../../server/deletion-requests/store/request.ts";
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
import type { Words } from "../../../words.ts";
import type { DraftView } from "./act-form.tsx";
import { nameIn } from "./act-view.ts";
import type { FieldProblem } from "./fields.tsx";
import { tellEvent } from "./story.ts";

/** What came of a pressed button: done, or why not. */
export type ActOutcome =
  | { kind: "done"; act: DeskAct }
  | { kind: "gone" }
  | { kind: "problem"; status: 409 | 422 | 503; act: string; problems: FieldProblem[] };

export type Asked = {
  words: Words;
  desk: Desk;
  operatorDesk: OperatorDesk;
  isStorageProblem: (error: unknown) => boolean;
  name: string;
  reference: string;
  typed: Typed;
};

/** Does what the form of one request asks for, in the operator's name. */
export async function doAct(asked: Asked): Promise<ActOutcome> {
  const { words, desk, operatorDesk, name, reference, typed } = asked;
  const { problems } = words.operator.desk;
  const act = first(typed, "act");
  const refuse = (...found: FieldProblem[]): ActOutcome => ({
    ...{ kind: "problem", status: 422, act },
    problems: found,
  });
  if (!isDeskAct(act)) return refuse({ words: problems.unknown });
  const request = await desk.find(reference);
  if (!request) return { kind: "gone" };
  const look = operatorDesk.look({ request, mails: [] }, name);
  const read = operatorDesk.acts[act].read(typed, look);
  if ("wrong" in read) return refuse(...tellWrong(asked, act, read.wrong));
  try {
    return tell(asked, act, await read.ready.do(desk, look, pageOf(typed)));
  } catch (error) {
    // What was typed stays on the form until there is room for it.
    if (!asked.isStorageProblem(error)) throw error;
    return { kind: "problem", status: 503, act, problems: [{ words: problems.full }] };
  }
}

/** The mail that a form would send as it is filled in, what must still be written as dots. Undefined while it cannot be told. */
export async function draftAct({
  desk,
  operatorDesk,
  name,
  reference,
  typed,
}: Asked): Promise<DraftView | undefined> {
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

function pageOf(typed: Typed) {
  const seen = first(typed, "seen");
  const [formKey] = typed.formKey ?? [];
  return {
    seen: /^\d{1,15}$/.test(seen) ? Number(seen) : undefined,
    formKey: isFormKey(formKey) ? formKey : undefined,
  };
}

function tell(asked: Asked, act: DeskAct, result: Done): ActOutcome {
  const { words, name, typed } = asked;
  const { problems } = words.operator.desk;
  const refuse = (problem: FieldProblem): ActOutcome => ({
    ...{ kind: "problem", status: 409, act, problems: [problem] },
  });
  switch (result.kind) {
    case "done":
      return { kind: "done", act };
    case "not-found":
      return { kind: "gone" };
    case "overtaken": {
      const isTyped = ["explanation", "note", "address"].some(
        (field) => first(typed, field) !== "",
      );
      const text = tellOvertaken(words, result.since);
      return refuse({ words: isTyped ? `${text} ${problems.stillHere}` : text });
    }
    case "another-address": {
      const meant = tellMeant(words, result.reference);
      return refuse({ field: "address", words: `${problems.anotherAddress} ${meant}` });
    }
    case "incomplete":
      return { kind: "problem", status: 422, act, problems: tellWrong(asked, act, result.missing) };
    case "unexplained":
      return refuse({ field: "undo-explanation", words: problems.explanation });
    case "refused": {
      const { refusal, request } = result;
      const owner = isWorking(request) ? request.owner : undefined;
      // Pressed twice, or once more because no answer came.
      const isOwn = refusal === "already-taken" && owner === name;
      return isOwn ? { kind: "done", act } : refuse({ words: whyNot(words, refusal, request) });
    }
  }
}

/** What is wrong, as a page says it: once for all places that were not answered, and once for all who are to be told. */
function tellWrong(
  { words, operatorDesk: { dataList } }: Asked,
  act: DeskAct,
  wrong: readonly Wrong[],
): FieldProblem[] {
  const told = words.operator.desk.problems;
  const missing = wrong.flatMap((one) => ("field" in one ? [] : [one]));
  const places = (what: "unticked" | "untold"): FieldProblem[] => {
    const keys = missing.flatMap((one) => (one.what === what ? [one.key] : []));
    const stores = dataList.stores.filter(({ key }) => keys.includes(key));
    const names = stores.map((store) => nameIn(words, store)).join(", ");
    const text = words.say(told[what], { places: names });
    return keys.length > 0 ? [{ field: `at-${keys[0]}`, words: text }] : [];
  };
  const others = wrong.flatMap((one): FieldProblem[] => {
    if ("field" in one) {
      const text: Text = told[one.what as keyof typeof told] ?? told.unknown;
      // What the walk asks for stands once on a page, under its own name.
      const field = act === "complete" ? one.field : `${act}-${one.field}`;
      return [{ field, words: words.say(text, { count: one.most ?? 0 }) }];
    }
    if (one.what === "nothing") return [{ words: told.nothing }];
    if (one.what !== "until") return [];
    const row = words.dataKinds.find(({ key }) => key === one.key);
    const text = words.say(told.keptUntil, { kind: row?.kind ?? one.key });
    return [{ field: `until-${row?.store}`, words: text }];
  });
  const isOfWalk = ({ field }: FieldProblem) => field === undefined || field.startsWith("until-");
  return [
    ...places("unticked"),
    ...places("untold"),
    ...others.filter(isOfWalk),
    ...others.filter((one) => !isOfWalk(one)),
  ];
}

/** Whose address it is that is not the one that was meant. */
export function tellMeant({ operator, say }: Words, reference: string | undefined): string {
  const { anotherOf, anotherOfNone } = operator.desk.problems;
  return reference ? say(anotherOf, { reference }) : anotherOfNone;
}

/** Why something is not possible, as a page says it. */
export function whyNot(
  { operator, dates, say }: Words,
  because: WhyNot,
  request: StoredRequest | undefined,
): string {
  const working = request && isWorking(request) ? request : undefined;
  const until = working && waitOf(working)?.until;
  return say(operator.desk.whyNot[because as keyof Words["operator"]["desk"]["whyNot"]], {
    name: working?.owner ?? operator.desk.story.system,
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
