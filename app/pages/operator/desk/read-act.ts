import type { DataList } from "../../../../server/deletion-requests/life/checklist.ts";
import type { Wrong } from "../../../../server/operator-desk/acts.ts";
import type { Typed } from "../../../../server/operator-desk/walk.ts";
import type { Words } from "../../../words.ts";

/** What a form of the desk says, and what is wrong with it in words. */

export type FieldProblem = { field?: string; words: string };

export function readTyped(form: FormData): Typed {
  const typed: Typed = {};
  for (const [name, value] of form) {
    if (typeof value === "string") typed[name] = [...(typed[name] ?? []), value];
  }
  return typed;
}

/** The id of a field of an act. What the walk asks for stands once on a page, under its own name. */
export function idOf(act: string, field: string): string {
  return act === "complete" ? field : `${act}-${field}`;
}

/** What is wrong, as a page says it: once for all places that were not answered, and once for all who are to be told. */
export function tellWrong(
  words: Words,
  act: string,
  list: DataList,
  wrong: readonly Wrong[],
): FieldProblem[] {
  const told = words.operator.desk.problems;
  const fields = wrong.flatMap((one): FieldProblem[] => {
    if (!("field" in one)) return [];
    const text = told[one.what as keyof typeof told] ?? told.unknown;
    const said = words.say(text, { count: one.most ?? 0 });
    return [{ field: idOf(act, one.field), words: said }];
  });
  const missing = wrong.flatMap((one) => ("field" in one ? [] : [one]));
  const places = (what: "unticked" | "untold"): FieldProblem[] => {
    const keys = missing.flatMap((one) => (one.what === what ? [one.key] : []));
    const names = list.stores
      .filter(({ key }) => keys.includes(key))
      .map((store) => nameIn(words, store));
    const text = words.say(told[what], { places: names.join(", ") });
    return keys.length > 0 ? [{ field: `at-${keys[0]}`, words: text }] : [];
  };
  return [
    ...places("unticked"),
    ...places("untold"),
    ...missing.flatMap((one) => {
      if (one.what !== "until") return [];
      const row = words.dataKinds.find(({ key }) => key === one.key);
      const text = words.say(told.keptUntil, { kind: row?.kind ?? one.key });
      return [{ field: `until-${row?.store}`, words: text }];
    }),
    ...(missing.some(({ what }) => what === "nothing") ? [{ words: told.nothing }] : []),
    ...fields,
  ];
}

/** What a line of the list of data is called. */
export function nameIn(
  { settings }: Words,
  { key, words }: { key: string; words: Readonly<Record<string, string>> },
): string {
  return words[settings.language] ?? Object.values(words)[0] ?? key;
}
