import { isFormKey } from "../../../../server/deletion-requests/life/form-key.ts";
import type { EventRecord } from "../../../../server/deletion-requests/store/events.ts";
import {
  isWorking,
  type StoredRequest,
} from "../../../../server/deletion-requests/store/request.ts";
import type { Desk } from "../../../../server/deletion-requests/working/desk.ts";
import {
  type DeskAct,
  isDeskAct,
  type WhyNot,
} from "../../../../server/operator-desk/act-names.ts";
import type { Done } from "../../../../server/operator-desk/acts.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import { first, type Typed } from "../../../../server/operator-desk/walk.ts";
import type { Words } from "../../../words.ts";
import { typedWords } from "./desk-answer.ts";
import { type FieldProblem, tellWrong } from "./read-act.ts";
import { tellEvent } from "./story.ts";

/** What came of a pressed button: done, or why not with everything that was typed. */
export type ActOutcome =
  | { kind: "done"; act: DeskAct }
  | { kind: "gone" }
  | {
      kind: "problem";
      status: 409 | 422 | 503;
      act: string;
      problems: FieldProblem[];
      /** Who was first, where somebody was. */
      overtaken?: string;
    };

type Asked = {
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
    kind: "problem",
    status: 422,
    act,
    problems: found,
  });
  if (!isDeskAct(act)) return refuse({ words: problems.unknown });
  const request = await desk.find(reference);
  if (!request) return { kind: "gone" };
  const look = operatorDesk.look({ request, mails: [] }, name);
  const read = operatorDesk.acts[act].read(typed, look);
  if ("wrong" in read) return refuse(...tellWrong(words, act, operatorDesk.dataList, read.wrong));
  try {
    return tell(asked, act, await read.ready.do(desk, look, pageOf(typed)));
  } catch (error) {
    // What was typed stays on the form until there is room for it.
    if (!asked.isStorageProblem(error)) throw error;
    return { kind: "problem", status: 503, act, problems: [{ words: problems.full }] };
  }
}

function pageOf(typed: Typed) {
  const seen = first(typed, "seen");
  const [formKey] = typed.formKey ?? [];
  return {
    seen: /^\d{1,15}$/.test(seen) ? Number(seen) : undefined,
    formKey: isFormKey(formKey) ? formKey : undefined,
  };
}

function tell({ words, operatorDesk, name, typed }: Asked, act: DeskAct, result: Done): ActOutcome {
  const { problems } = words.operator.desk;
  const refuse = (problem: FieldProblem, overtaken?: string): ActOutcome => ({
    ...{ kind: "problem", status: 409, act, problems: [problem] },
    ...(overtaken !== undefined && { overtaken }),
  });
  switch (result.kind) {
    case "done":
      return { kind: "done", act };
    case "not-found":
      return { kind: "gone" };
    case "overtaken": {
      const text = tellOvertaken(words, result.since);
      const kept = typedWords(typed).length > 0 ? ` ${problems.stillHere}` : "";
      return refuse({ words: `${text}${kept}` }, text);
    }
    case "another-address": {
      const meant = tellMeant(words, result.reference);
      return refuse({ field: "address", words: `${problems.anotherAddress} ${meant}` });
    }
    case "incomplete": {
      const missing = tellWrong(words, act, operatorDesk.dataList, result.missing);
      return { kind: "problem", status: 422, act, problems: missing };
    }
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
  return say(operator.desk.whyNot[because as keyof Words["operator"]["desk"]["whyNot"]], {
    name: working?.owner ?? operator.desk.story.system,
    date: working?.hold ? dates.day(working.hold.until) : "",
  });
}

function tellOvertaken(words: Words, since: readonly EventRecord[]): string {
  const { problems } = words.operator.desk;
  const last = since.at(-1);
  if (!last) return problems.unknown;
  const { who, what } = tellEvent(words, last, true);
  const told = last.actor === "operator" ? problems.overtaken : problems.overtakenSystem;
  return words.say(told, {
    name: who,
    act: last.actor === "operator" ? what : `${who} ${what}`,
    time: words.dates.momentBriefly(last.at),
  });
}
