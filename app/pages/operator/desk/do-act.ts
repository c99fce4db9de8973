import type {
  CompleteResult,
  Desk,
  DeskResult,
} from "../../../../server/deletion-requests/desk.ts";
import { isFormKey } from "../../../../server/deletion-requests/form-key.ts";
import {
  isWorking,
  type StoredRequest,
} from "../../../../server/deletion-requests/store/request.ts";
import type { EventRecord } from "../../../../server/deletion-requests/store/trail.ts";
import type { DeskAct, WhyNot } from "../../../../server/operator-desk/acts.ts";
import type { OperatorDesk } from "../../../../server/operator-desk/operator-desk.ts";
import type { Words } from "../../../words.ts";
import { typedWords } from "./desk-answer.ts";
import {
  type FieldProblem,
  first,
  readAct,
  readFound,
  type Typed,
  tellMissing,
} from "./read-act.ts";
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
  name: string;
  reference: string;
  typed: Typed;
};

type AnyResult = CompleteResult | DeskResult | { kind: "told-already"; request: StoredRequest };

/** Does what the form of one request asks for, in the operator's name. */
export async function doAct(asked: Asked): Promise<ActOutcome> {
  const { words, desk, operatorDesk, name, reference, typed } = asked;
  const { problems } = words.operator.desk;
  const act = first(typed, "act");
  const seen = /^\d{1,15}$/.test(first(typed, "seen")) ? Number(first(typed, "seen")) : undefined;
  const formKey = isFormKey(typed.formKey?.[0]) ? typed.formKey?.[0] : undefined;
  const refuse = (...found: FieldProblem[]): ActOutcome => ({
    kind: "problem",
    status: 422,
    act,
    problems: found,
  });
  switch (act) {
    case "undo":
      return tell(asked, act, await desk.takeBack(reference, name, seen));
    case "complete": {
      const address = first(typed, "address");
      const { dataList, today } = operatorDesk;
      const read = readFound(words, typed, dataList, today());
      if (address === "" || "problems" in read) {
        return refuse(
          ...(address === "" ? [{ field: "address", words: problems.addressMissing }] : []),
          ...("problems" in read ? read.problems : []),
        );
      }
      const { found } = read;
      return tell(asked, act, await desk.complete(reference, { address, found }, name, seen));
    }
    case "note": {
      const text = first(typed, "note");
      if (text === "") return refuse({ field: "note-note", words: problems.note });
      if (text.length > maxNote) {
        const tooLong = words.say(problems.tooLong, { count: maxNote });
        return refuse({ field: "note-note", words: tooLong });
      }
      const result = await desk.note(reference, text, name, formKey);
      if (result === "erased") return refuse({ words: whyNot(words, "erased", undefined) });
      return result === "done" ? { kind: "done", act } : { kind: "gone" };
    }
    case "resend": {
      const result = await desk.resendLink(reference, name, formKey);
      if (result.kind === "not-found") return { kind: "gone" };
      return result.kind === "done"
        ? { kind: "done", act }
        : refuse({ words: whyNot(words, "already-ended", undefined) });
    }
    case "retry": {
      const request = await desk.find(reference);
      if (!request) return { kind: "gone" };
      const count = await desk.retry(name, request);
      return count > 0
        ? { kind: "done", act }
        : refuse({ words: whyNot(words, "no-trouble", undefined) });
    }
    case "remove": {
      const result = await desk.removeUnconfirmed(reference, name);
      if (result === "not-found") return { kind: "gone" };
      return result === "done"
        ? { kind: "done", act }
        : refuse({ words: whyNot(words, "confirmed", undefined) });
    }
    default: {
      const read = readAct(words, typed);
      if (!read) return refuse({ words: problems.unknown });
      if ("problems" in read) return refuse(...read.problems);
      return tell(asked, read.act.type, await desk.act(reference, read.act, name, seen));
    }
  }
}

const maxNote = 2000;

function tell(
  { words, operatorDesk, name, typed }: Asked,
  act: DeskAct,
  result: AnyResult,
): ActOutcome {
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
      const meant = result.reference
        ? problems.anotherOf.replace("{reference}", result.reference)
        : problems.anotherOfNone;
      return refuse({ field: "address", words: `${problems.anotherAddress} ${meant}` });
    }
    case "incomplete": {
      const missing = tellMissing(words, operatorDesk.dataList, result.missing);
      return { kind: "problem", status: 422, act, problems: missing };
    }
    case "told-already":
      return refuse({ words: whyNot(words, "told-already", result.request) });
    case "refused": {
      const { refusal, request } = result;
      const owner = isWorking(request) ? request.owner : undefined;
      const isOwn = refusal === "already-taken" && owner === name;
      return refuse({ words: whyNot(words, isOwn ? "taken-by-you" : refusal, request) });
    }
  }
}

/** Why something is not possible, as a page says it. */
export function whyNot(
  { operator, dates }: Words,
  because: WhyNot,
  request: StoredRequest | undefined,
): string {
  const working = request && isWorking(request) ? request : undefined;
  return operator.desk.whyNot[because as keyof Words["operator"]["desk"]["whyNot"]]
    .replace("{name}", working?.owner ?? operator.desk.story.system)
    .replace("{date}", working?.hold ? dates.day(working.hold.until) : "");
}

function tellOvertaken(words: Words, since: readonly EventRecord[]): string {
  const { problems } = words.operator.desk;
  const last = since.at(-1);
  if (!last) return problems.unknown;
  const { who, what } = tellEvent(words, last, true);
  return (last.actor === "operator" ? problems.overtaken : problems.overtakenSystem)
    .replace("{name}", who)
    .replace("{act}", last.actor === "operator" ? what : `${who} ${what}`)
    .replace("{time}", words.dates.momentBriefly(last.at));
}
