import {
  type AccountKind,
  completionOf,
  type DataList,
  type Found,
  recipientsToTell,
} from "../../../../server/deletion-requests/checklist.ts";
import type { Completion } from "../../../../server/deletion-requests/completion.ts";
import { holdReasons, refusalReasons } from "../../../../server/deletion-requests/life.ts";
import type { Act } from "../../../../server/deletion-requests/transitions.ts";
import type { Words } from "../../../words.ts";

/** Reads the forms with which an operator acts: what is to be done, or what is wrong with each field. */

export type FieldProblem = { field?: string; words: string };

/** Everything that was typed, by the names of the fields. */
export type Typed = Record<string, string[]>;

export function readTyped(form: FormData): Typed {
  const typed: Typed = {};
  for (const [name, value] of form) {
    if (typeof value === "string") typed[name] = [...(typed[name] ?? []), value];
  }
  return typed;
}

export function first(typed: Typed, name: string): string {
  return typed[name]?.[0]?.trim() ?? "";
}

type ReadAct = Extract<
  Act,
  {
    type:
      | "take"
      | "hand-back"
      | "release"
      | "approve"
      | "hold"
      | "extend"
      | "refuse"
      | "cancel"
      | "reopen";
  }
>;

const maxExplanation = 1000;

/** An act of the life of a request. Undefined where the form is none of ours. */
export function readAct(
  words: Words,
  typed: Typed,
): { act: ReadAct } | { problems: FieldProblem[] } | undefined {
  const type = first(typed, "act");
  const told = words.operator.desk.problems;
  const explanation = first(typed, "explanation");
  const problems: FieldProblem[] = [];
  const need = (ok: boolean, field: string, text: string) => {
    if (!ok) problems.push({ field: `${type}-${field}`, words: text });
  };
  const answer = (act: ReadAct | undefined) =>
    problems.length > 0 || !act ? { problems } : { act };
  need(
    explanation.length <= maxExplanation,
    "explanation",
    words.say(told.tooLong, { count: maxExplanation }),
  );
  switch (type) {
    case "take":
    case "hand-back":
    case "release":
    case "approve":
      return answer({ type });
    case "cancel":
      return answer({ type, explanation });
    case "reopen":
      need(explanation !== "", "explanation", told.explanation);
      return answer({ type, explanation });
    case "refuse": {
      const reason = refusalReasons.find((one) => one === first(typed, "reason"));
      need(reason !== undefined, "reason", told.reason);
      need(reason !== "other" || explanation !== "", "explanation", told.explanation);
      return answer(reason && { type, reason, explanation });
    }
    case "hold": {
      const reason = holdReasons.find((one) => one === first(typed, "reason"));
      const until = readDate(first(typed, "until"));
      need(reason !== undefined, "reason", told.reason);
      need(until !== undefined, "until", told.until);
      need(reason !== "other" || explanation !== "", "explanation", told.explanation);
      return answer(reason && until && { type, reason, until, explanation });
    }
    case "extend": {
      const businessDays = /^\d{1,2}$/.test(first(typed, "days"))
        ? Number(first(typed, "days"))
        : 0;
      need(businessDays > 0, "days", told.date);
      need(explanation !== "", "explanation", told.explanation);
      return answer({ type, businessDays, explanation });
    }
    default:
      return undefined;
  }
}

const accountsByName: Record<string, readonly AccountKind[]> = {
  user: ["User"],
  rider: ["Rider"],
  both: ["User", "Rider"],
};

/**
 * What a completion says of the data.
 * @param prefix of the names of fields, where several requests stand in one form
 */
export function readCompletion(
  words: Words,
  typed: Typed,
  list: DataList,
  on: Temporal.PlainDate,
  prefix = "",
): { completion: Completion } | { problems: FieldProblem[] } {
  const told = words.operator.desk.problems;
  const problems: FieldProblem[] = [];
  const accounts = accountsByName[first(typed, `${prefix}account`)];
  if (!accounts) problems.push({ field: `${prefix}account`, words: told.account });
  const toTell = recipientsToTell(list);
  const missing = list.stores.filter(
    ({ key }) => toTell.includes(key) && !typed.told?.includes(key),
  );
  if (missing.length > 0) {
    const places = missing.map((store) => nameIn(words, store)).join(", ");
    problems.push({
      field: `told-${missing[0]?.key}`,
      words: told.told.replace("{places}", places),
    });
  }
  const none: string[] = [];
  const kept: NonNullable<Found["kept"]>[number][] = [];
  for (const { key } of list.kinds) {
    const what = first(typed, `kind-${key}`);
    if (what === "none") none.push(key);
    const reason = (["open-matter", "legal-duty"] as const).find((one) => one === what);
    if (!reason) continue;
    const until = readDate(first(typed, `until-${key}`));
    if (until) kept.push({ kind: key, reason, until: until.toString() });
    else {
      const kind = words.dataKinds.find((one) => one.key === key)?.kind ?? key;
      problems.push({ field: `until-${key}`, words: told.keptUntil.replace("{kind}", kind) });
    }
  }
  return problems.length > 0 || !accounts
    ? { problems }
    : { completion: completionOf(list, { accounts, none, kept }, on) };
}

/** What a line of the list of data is called. */
export function nameIn(
  { settings }: Words,
  { key, words }: { key: string; words: Readonly<Record<string, string>> },
): string {
  return words[settings.language] ?? Object.values(words)[0] ?? key;
}

export function readDate(typed: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed)) return undefined;
  try {
    return Temporal.PlainDate.from(typed, { overflow: "reject" });
  } catch {
    return undefined;
  }
}
