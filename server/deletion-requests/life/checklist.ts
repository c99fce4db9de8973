import type { DataListSetting } from "../../../campus-reader/schema.ts";
import { eraseAfterDays } from "../../terms.ts";
import type { Completion, CompletionLine, whyKept } from "./completion.ts";

/** The campus's list of where data lies, as a checklist: what there is to do, and what a completion may say. */
export type DataList = Omit<DataListSetting, "kinds"> & {
  kinds: readonly Omit<DataListSetting["kinds"][number], "words">[];
};

export type AccountKind = DataList["kinds"][number]["accounts"][number];

/** What an operator did and found. */
export type Found = {
  /** The kinds of account there were. */
  accounts: readonly AccountKind[];
  /** The places that were gone through, and who was told: keys of the list's stores. */
  ticked: readonly string[];
  /** Kinds of data of which there was nothing. */
  none?: readonly string[];
  /** Kinds of data that must stay for now. */
  kept?: readonly { kind: string; reason: (typeof whyKept)[number]; until: string }[];
};

/** What keeps somebody from completing; `key` is of a store, of a kind of data where it is about a date. */
export type Missing =
  | { what: "unticked" | "untold" | "until"; key: string }
  /** Nothing at all was there: then there was no such account. */
  | { what: "nothing" };

/** What keeps for now is kept so long at most: ten years from the end of a year, as commercial law has it. */
const keptAtMostYears = 11;

/** What is missing before a completion may say what was found; each line of it needs somebody's word. */
export function findMissing(
  list: DataList,
  found: Found,
  today: Temporal.PlainDate,
): readonly Missing[] {
  const isAnswered = ({ key, accounts }: DataList["kinds"][number]) =>
    found.none?.includes(key) ||
    found.kept?.some(({ kind }) => kind === key) ||
    !accounts.some((account) => found.accounts.includes(account));
  const isOpen = (store: string) =>
    !found.ticked.includes(store) &&
    list.kinds.some((row) => row.store === store && !isAnswered(row));
  return [
    ...placesOf(list, "us")
      .filter(isOpen)
      .map((key) => ({ what: "unticked", key }) as const),
    ...recipientsToTell(list)
      .filter((key) => !found.ticked.includes(key))
      .map((key) => ({ what: "untold", key }) as const),
    ...(found.kept ?? [])
      .filter(({ until }) => !isLater(until, today))
      .map(({ kind }) => ({ what: "until", key: kind }) as const),
    ...(isNothing(list, linesOf(list, found, today)) ? [{ what: "nothing" } as const] : []),
  ];
}

/** What happened to the data when nothing is missing: done as the list says, but for what was found. */
export function completionOf(
  list: DataList,
  found: Omit<Found, "ticked">,
  today: Temporal.PlainDate,
): Completion {
  return {
    lines: linesOf(list, found, today),
    told: recipientsToTell(list).map((store) => ({ store, on: today.toString() })),
    backupsGoneBy: list.backupDays === 0 ? null : today.add({ days: list.backupDays }).toString(),
  };
}

function linesOf(
  list: DataList,
  found: Omit<Found, "ticked">,
  today: Temporal.PlainDate,
): CompletionLine[] {
  return list.kinds.map((row): CompletionLine => {
    const { key: kind, store, accounts } = row;
    const kept = found.kept?.find((one) => one.kind === kind);
    if (kept) return { store, kind, outcome: "kept", reason: kept.reason, until: kept.until };
    const belongs = accounts.some((account) => found.accounts.includes(account));
    if (!belongs || found.none?.includes(kind)) return { store, kind, outcome: "none" };
    return asListed(list, row, today);
  });
}

/** What becomes of a kind of data of which nothing else was said. */
export function asListed(
  list: DataList,
  { key: kind, store, onDeletion }: DataList["kinds"][number],
  today: Temporal.PlainDate,
): CompletionLine {
  if (onDeletion === "kept") return { store, kind, outcome: "kept", reason: "as-listed" };
  if (!placesOf(list, "this-site").includes(store)) return { store, kind, outcome: "deleted" };
  // The address is still needed for sending the receipt.
  return { store, kind, outcome: "due", by: today.add({ days: eraseAfterDays }).toString() };
}

function placesOf(list: DataList, holder: "us" | "this-site"): string[] {
  return list.stores.flatMap((store) => (store.holder === holder ? [store.key] : []));
}

/** Whether there was nothing of what our own places hold. */
function isNothing(list: DataList, lines: readonly CompletionLine[]): boolean {
  const ours = placesOf(list, "us");
  return lines.every(({ store, outcome }) => outcome === "none" || !ours.includes(store));
}

function isLater(until: string, today: Temporal.PlainDate): boolean {
  const { compare } = Temporal.PlainDate;
  const last = today.add({ years: keptAtMostYears });
  return compare(until, today) > 0 && compare(until, last) <= 0;
}

/** Who must be told that an account is gone, by whoever deletes it. */
export function recipientsToTell(list: DataList): string[] {
  return list.stores.flatMap((store) =>
    store.holder === "recipient" && store.told === "by-operator" ? [store.key] : [],
  );
}

/** The places that somebody who deletes goes through, recipients included. */
export function placesToTick(list: DataList): string[] {
  return [...placesOf(list, "us"), ...recipientsToTell(list)];
}

/** Every kind of data that the list deletes from our own places: about each an account system's answer is wanted. */
export function kindsToAnswer(list: DataList): { store: string; kind: string }[] {
  const ours = placesOf(list, "us");
  return list.kinds
    .filter((row) => row.onDeletion === "deleted" && ours.includes(row.store))
    .map((row) => ({ store: row.store, kind: row.key }));
}

/** Where something does not fit, and why in a sentence that names lines by their keys. */
export type Misfit = { pointer: string; detail: string };

/**
 * What an account system says of the data that does not fit the list.
 * @param since the day before which nothing can have been deleted
 */
export function findMisfits(
  list: DataList,
  { lines, backupsGoneBy }: Pick<Completion, "lines" | "backupsGoneBy">,
  today: Temporal.PlainDate,
  since: Temporal.PlainDate,
): Misfit[] {
  const ofLines = lines.flatMap((line, index) => {
    const name = `${line.store}/${line.kind}`;
    const isSame = (one: CompletionLine) => one.store === line.store && one.kind === line.kind;
    if (lines.findIndex(isSame) < index) return [`${name} is told twice.`];
    const row = list.kinds.find((one) => one.store === line.store && one.key === line.kind);
    if (!row) return [`${name} does not stand in the campus's list.`];
    if (!placesOf(list, "us").includes(line.store)) {
      return [`${name} does not lie with you: leave it out.`];
    }
    if (line.outcome !== "kept") return [];
    if (line.reason === "as-listed") {
      return row.onDeletion === "kept"
        ? []
        : [`${name} is not kept by the campus's list: say why and until when.`];
    }
    return isLater(line.until ?? "", today)
      ? []
      : [`${name} is kept until a day after today, at most ${keptAtMostYears} years from now.`];
  });
  const { compare } = Temporal.PlainDate;
  const last = today.add({ days: list.backupDays });
  const isOutside =
    backupsGoneBy !== null &&
    (compare(backupsGoneBy, since) < 0 || compare(backupsGoneBy, last) > 0);
  if (ofLines.length === 0 && isNothing(list, lines)) {
    ofLines.push(
      "Nothing of it was there: then there is no such account, and the answer is not-found.",
    );
  }
  const detail = `It is a day from ${since} to ${last}, as the list promises.`;
  return [
    ...ofLines.map((line) => ({ pointer: "/data/lines", detail: line })),
    ...(isOutside ? [{ pointer: "/data/backupsGoneBy", detail }] : []),
  ];
}
