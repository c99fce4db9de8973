import { z } from "zod";
import type { DataListSetting } from "../../../campus-reader/schema.ts";
import { readDate } from "../../calendar/business-days.ts";
import { first, type Typed, type Wrong } from "../../forms/typed.ts";
import { eraseAfterDays } from "../../terms.ts";
import { type Completion, type CompletionLine, whyKept } from "./completion.ts";

/**
 * The campus's list of where data lies, as a checklist: what there is to do, what is typed of each place, and what a completion
 * may say.
 */
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

/** What somebody found in a place where data lies. */
export const foundThere = ["done", "none", "kept"] as const;

const accountsByName = {
  user: ["User"],
  rider: ["Rider"],
  both: ["User", "Rider"],
} as const satisfies Record<string, readonly AccountKind[]>;

/** What must be said besides the places themselves, which are looked at together. */
export const account = z.object({
  address: z.string().min(1, { error: "addressMissing" }).describe("ADDRESS"),
  account: z.enum(Object.keys(accountsByName), { error: "account" }),
});

/** The names of what is said of each place. */
export function namesOnWalk({ stores }: DataList): string[] {
  return stores.flatMap(({ key }) => ["at", "kept", "why", "until"].map((of) => `${of}-${key}`));
}

/**
 * What somebody found on the walk with which an account is deleted, and what they have still to say. Of a place with the key
 * `accounts`, the field `at-accounts` says what was there, `kept-accounts` which kinds of data stay, and `why-accounts` and
 * `until-accounts` why and until when.
 */
export function toFound(
  list: DataList,
  typed: Typed,
  today: Temporal.PlainDate,
): { found: Found; missing: Wrong[] } {
  const account = first(typed, "account") as keyof typeof accountsByName;
  const ticked: string[] = [];
  const none: string[] = [];
  const kept: NonNullable<Found["kept"]>[number][] = [];
  for (const place of placesToTick(list)) {
    const at = first(typed, `at-${place}`);
    const kinds = list.kinds.flatMap(({ key, store }) => (store === place ? key : []));
    // Where some kinds stay, somebody has been through the place all the same.
    if (at === "done" || at === "kept") ticked.push(place);
    if (at === "none") none.push(...kinds);
    if (at !== "kept") continue;
    const said = typed[`kept-${place}`] ?? kinds;
    const reason = whyKept.find((one) => one === first(typed, `why-${place}`)) ?? whyKept[0];
    // What is no day is none after today either.
    const until = (readDate(first(typed, `until-${place}`)) ?? today).toString();
    const stays = kinds.filter((kind) => said.includes(kind));
    kept.push(...stays.map((kind) => ({ kind, reason, until })));
  }
  // Of whatever kind the account was, all of them have this in common.
  const accounts = accountsByName[account] ?? accountsByName.both;
  const found: Found = { accounts, ticked, none, kept };
  return { found, missing: findMissing(list, found, today) };
}

/** What keeps for now is kept so long at most: ten years from the end of a year, as commercial law has it. */
const keptAtMostYears = 11;

/**
 * What is missing before a completion may say what was found, in the fields of `toFound`; each line of it needs somebody's
 * word. Where nothing at all was there, there was no such account.
 */
export function findMissing(list: DataList, found: Found, today: Temporal.PlainDate): Wrong[] {
  const isAnswered = ({ key, accounts }: DataList["kinds"][number]) =>
    found.none?.includes(key) ||
    found.kept?.some(({ kind }) => kind === key) ||
    !accounts.some((account) => found.accounts.includes(account));
  const isOpen = (store: string) =>
    !found.ticked.includes(store) &&
    list.kinds.some((row) => row.store === store && !isAnswered(row));
  const untold = recipientsToTell(list).filter((store) => !found.ticked.includes(store));
  const undated = (found.kept ?? []).filter(({ until }) => !isLater(until, today));
  const placeOf = (kind: string) => list.kinds.find(({ key }) => key === kind)?.store;
  return [
    ...placesOf(list, "us").filter(isOpen).map(missingAt("unticked")),
    ...untold.map(missingAt("untold")),
    ...undated.map(({ kind }) => ({
      what: "keptUntil",
      field: `until-${placeOf(kind)}`,
      about: kind,
    })),
    ...(isNothing(list, linesOf(list, found, today)) ? [{ what: "nothing" }] : []),
  ];
}

const missingAt = (what: string) => (about: string) => ({ what, field: `at-${about}`, about });

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
