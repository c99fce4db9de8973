import {
  type AccountKind,
  type DataList,
  type Found,
  findMissing,
  type Missing,
} from "../../../../server/deletion-requests/checklist.ts";
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
 * What an operator did and found.
 * @param today what is kept must be kept beyond
 */
export function readFound(
  words: Words,
  typed: Typed,
  list: DataList,
  today: Temporal.PlainDate,
): { found: Found } | { problems: FieldProblem[] } {
  const told = words.operator.desk.problems;
  const accounts = accountsByName[first(typed, "account")];
  const what = (key: string) => first(typed, `kind-${key}`);
  const found: Found = {
    accounts: accounts ?? [],
    ticked: typed.place ?? [],
    none: list.kinds.flatMap(({ key }) => (what(key) === "none" ? [key] : [])),
    kept: list.kinds.flatMap(({ key }) => {
      const reason = (["open-matter", "legal-duty"] as const).find((one) => one === what(key));
      // What is no day is none after today either.
      const until = (readDate(first(typed, `until-${key}`)) ?? today).toString();
      return reason ? [{ kind: key, reason, until }] : [];
    }),
  };
  // Of whatever kind the account was, all of them have this in common.
  const asked = accounts ? found : { ...found, accounts: ["User", "Rider"] as const };
  const missing = findMissing(list, asked, today);
  const problems = [
    ...tellMissing(words, list, missing),
    ...(accounts ? [] : [{ field: "account", words: told.account }]),
  ];
  return problems.length > 0 ? { problems } : { found };
}

/** One problem each for the places to go through and for those who are to be told, however many there are. */
export function tellMissing(
  words: Words,
  list: DataList,
  missing: readonly Missing[],
): FieldProblem[] {
  const told = words.operator.desk.problems;
  const of = (what: "unticked" | "untold" | "until") =>
    missing.flatMap((one) => (one.what === what ? [one.key] : []));
  const places = (what: "unticked" | "untold"): FieldProblem[] => {
    const keys = of(what);
    const names = list.stores
      .filter(({ key }) => keys.includes(key))
      .map((store) => nameIn(words, store));
    const text = told[what].replace("{places}", names.join(", "));
    return keys.length > 0 ? [{ field: `place-${keys[0]}`, words: text }] : [];
  };
  return [
    ...places("unticked"),
    ...places("untold"),
    ...of("until").map((key) => {
      const kind = words.dataKinds.find((one) => one.key === key)?.kind ?? key;
      return { field: `until-${key}`, words: told.keptUntil.replace("{kind}", kind) };
    }),
    ...(missing.some(({ what }) => what === "nothing") ? [{ words: told.nothing }] : []),
  ];
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
