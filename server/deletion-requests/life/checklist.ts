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

type Kind = DataList["kinds"][number];
type AccountKind = Kind["accounts"][number];

/** What somebody found in a place where data lies. */
export const foundThere = ["done", "none", "kept"] as const;

const both: readonly AccountKind[] = ["User", "Rider"];
/** By what is typed of an account, which may be anything. */
const accountsByName = new Map([
  ["user", both.slice(0, 1)],
  ["rider", both.slice(1)],
  ["both", both],
]);

/** What an account may be called on a walk. */
export const accountKinds = ["user", "rider", "both"] as const;

/** What must be said besides the places themselves, which are looked at together. */
export const account = z.object({
  address: z.string().min(1, { error: "addressMissing" }).describe("ADDRESS"),
  account: z.enum([...accountsByName.keys()], { error: "account" }),
});

/** Whose account it was, which decides where there is something to do. */
export const walkAccount = account.pick({ account: true });

/** Places of ours that don't say in every language how an account is deleted there. */
export function placesWithoutHow({ stores }: DataList, languages: readonly string[]): string[] {
  return stores.flatMap(({ key, holder, adminPage, how = {} }) => {
    const isSaid = adminPage !== undefined || languages.every((language) => how[language]);
    return holder === "us" && !isSaid ? [key] : [];
  });
}

/** The names of what is said of each place. */
export function namesOnWalk({ stores }: DataList): string[] {
  return stores.flatMap(({ key }) => ["at", "kept", "why", "until"].map((of) => `${of}-${key}`));
}

/** What keeps for now is kept so long at most: ten years from the end of a year, as commercial law has it. */
const keptAtMostYears = 11;

/**
 * What somebody did and found on the walk with which an account is deleted, and what they have still to say. Of a place with the
 * key `accounts`, the field `at-accounts` says what was there, `kept-accounts` which kinds of data stay, and `why-accounts` and
 * `until-accounts` why and until when. Where nothing at all was there, there was no such account.
 */
export function readWalk(list: DataList, typed: Typed, today: Temporal.PlainDate) {
  const foundAt = (place: string) => first(typed, `at-${place}`);
  // Of whatever kind the account was, all of them have this in common.
  const accounts = accountsByName.get(first(typed, "account")) ?? both;
  const isOfAccount = (row: Kind) => row.accounts.some((one) => accounts.includes(one));
  const [toWalk, toTell] = [placesToTick(list), recipientsToTell(list)];
  // Where some kinds stay, somebody has been through the place all the same.
  const ticked = toWalk.filter((place) => ["done", "kept"].includes(foundAt(place)));
  const holdsSome = (place: string) =>
    list.kinds.some((row) => row.store === place && isOfAccount(row));
  // Something was done where such an account has nothing: one of the two answers is wrong, and only who gave them knows.
  const isContradicted = (place: string) =>
    !toTell.includes(place) && ticked.includes(place) && !holdsSome(place);
  const isOpen = (place: string) =>
    !ticked.includes(place) &&
    (toTell.includes(place) || (foundAt(place) !== "none" && holdsSome(place)));

  const completion: Completion = {
    ...completeList(list, today, (row) => {
      const { key: kind, store } = row;
      const found = toWalk.includes(store) ? foundAt(store) : "";
      const stays = typed[`kept-${store}`]?.includes(kind) ?? true;
      if (found === "kept" && stays) {
        const reason = whyKept.find((one) => one === first(typed, `why-${store}`)) ?? whyKept[0];
        // What is no day is none after today either.
        const until = (readDate(first(typed, `until-${store}`)) ?? today).toString();
        return { store, kind, outcome: "kept", reason, until };
      }
      const isNone = found === "none" || !isOfAccount(row);
      return isNone ? { store, kind, outcome: "none" } : undefined;
    }),
    // No operator knows when the host's last copy is gone; the list names the host's own period.
    backupsGoneBy: null,
  };
  const missing: Wrong[] = [
    ...toWalk.filter(isContradicted).map((about) => ({
      what: "contradiction",
      field: `at-${about}`,
      about,
    })),
    ...toWalk.filter(isOpen).map((about) => ({
      what: toTell.includes(about) ? "untold" : "unticked",
      field: `at-${about}`,
      about,
    })),
    ...completion.lines
      .filter((line) => line.outcome === "kept" && line.until && !isLater(line.until, today))
      .map(({ store, kind }) => ({ what: "keptUntil", field: `until-${store}`, about: kind })),
    ...(isNothing(list, completion.lines) ? [{ what: "nothing" }] : []),
  ];
  return { completion, ticked, missing };
}

/**
 * What happened to the data: done as the list says, but for what was found.
 * @param find what was found of a kind of data; undefined where nothing else was said of it
 */
export function completeList(
  list: DataList,
  today: Temporal.PlainDate,
  find: (row: Kind) => CompletionLine | undefined,
) {
  return {
    lines: list.kinds.map((row) => find(row) ?? asListed(list, row, today)),
    told: recipientsToTell(list).map((store) => ({ store, on: today.toString() })),
  };
}

/** What becomes of a kind of data of which nothing else was said. */
function asListed(
  list: DataList,
  { key: kind, store, onDeletion }: Kind,
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

/** At most, of what is typed on a walk. */
const longestAnswer = 60;

/**
 * The answers on a walk that is not through yet, as they are kept: the kind of account, and what was found in each place.
 * @returns the places that have an answer, and whether something was done in one of them
 */
export function readTicks(list: DataList, typed: Typed) {
  const places = placesToTick(list);
  const foundAt = (place: string) =>
    foundThere.find((found) => found === first(typed, `at-${place}`));
  const answered = places.filter((place) => foundAt(place) !== undefined);
  const names = answered.flatMap((place) =>
    foundAt(place) === "kept"
      ? [`at-${place}`, `kept-${place}`, `why-${place}`, `until-${place}`]
      : [`at-${place}`],
  );
  const isKind = accountsByName.has(first(typed, "account"));
  const kept = [...(isKind ? ["account"] : []), ...names].flatMap((name) => {
    const values = typed[name]?.filter((value) => value.length <= longestAnswer);
    return values ? [[name, values] as const] : [];
  });
  const begins = answered.some((place) => foundAt(place) !== "none");
  return { walk: Object.fromEntries(kept), begins, answered };
}

/** Kinds of account of which a place holds something; nobody walks there for another. */
export function accountsAt(list: DataList, place: string): AccountKind[] {
  return both.filter((kind) =>
    list.kinds.some((row) => row.store === place && row.accounts.includes(kind)),
  );
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
      "Nothing was there, but you had begun: say what you deleted. If you deleted nothing, say failed, and one of us looks at it.",
    );
  }
  const detail = `It is a day from ${since} to ${last}, as the list promises.`;
  return [
    ...ofLines.map((line) => ({ pointer: "/data/lines", detail: line })),
    ...(isOutside ? [{ pointer: "/data/backupsGoneBy", detail }] : []),
  ];
}
