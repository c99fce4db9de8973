import { z } from "zod";
import type { DataListSetting } from "../../../campus-reader/schema.ts";
import { eraseAfterDays } from "../../periods.ts";
import { readDate } from "../../platform/calendar/business-days.ts";
import { type FieldError, type FormValues, firstValue } from "../../platform/forms/form-values.ts";
import { type Completion, type CompletionLine, whyKept } from "./completion.ts";

/**
 * The campus's list of kinds of data and of the locations that store them. This module derives the
 * deletion checklist from it, including form fields and completions.
 */
export type DataList = Omit<DataListSetting, "kinds"> & {
  kinds: readonly Omit<DataListSetting["kinds"][number], "words">[];
};

type Kind = DataList["kinds"][number];
type AccountKind = Kind["accounts"][number];

/** Findings that an operator can choose for a location. */
export const foundThere = ["done", "none", "kept"] as const;

const both: readonly AccountKind[] = ["User", "Rider"];
/**
 * Account kinds, keyed by form value. A `Map`, because the submitted text may be the name of an
 * inherited property, such as "constructor".
 */
const accountsByName = new Map([
  ["user", both.slice(0, 1)],
  ["rider", both.slice(1)],
  ["both", both],
]);

export const accountKinds = ["user", "rider", "both"] as const;

/**
 * Marker among an event's locations. It means that the operator answered the question about the
 * account kind.
 */
export const accountKindMark = "account";

/**
 * Form fields that don't belong to a location. `readChecklist` validates the fields of the
 * locations.
 */
export const account = z.object({
  address: z.string().min(1, { error: "addressMissing" }).describe("ADDRESS"),
  account: z.enum([...accountsByName.keys()], { error: "account" }),
});

/** The account kind. It determines which locations have data to delete. */
export const checklistAccount = account.pick({ account: true });

/** Lists our own locations that lack deletion instructions in at least one language. */
export function placesWithoutHow({ stores }: DataList, languages: readonly string[]): string[] {
  return stores.flatMap(({ key, holder, adminPage, how = {} }) => {
    const isExplained = adminPage !== undefined || languages.every((language) => how[language]);
    return holder === "us" && !isExplained ? [key] : [];
  });
}

/** Lists the names of the form fields of all locations. */
export function listChecklistFields({ stores }: DataList): string[] {
  return stores.flatMap(({ key }) => ["at", "kept", "why", "until"].map((of) => `${of}-${key}`));
}

/** Maximum retention in years. Commercial law requires ten years from the end of a year. */
const keptAtMostYears = 11;

/**
 * Reads a completed checklist and lists missing answers. For the location `accounts`, `at-accounts`
 * is the finding, `kept-accounts` lists the kinds of data that are kept, and `why-accounts` and
 * `until-accounts` are the reason and the last day. If no location had any data, the account didn't
 * exist.
 */
export function readChecklist(list: DataList, typed: FormValues, today: Temporal.PlainDate) {
  const foundAt = (place: string) => firstValue(typed, `at-${place}`);
  // An unknown account kind counts as both.
  const accounts = accountsByName.get(firstValue(typed, "account")) ?? both;
  const isOfAccount = (row: Kind) => row.accounts.some((kind) => accounts.includes(kind));
  const [toTick, toNotify] = [placesToTick(list), recipientsToNotify(list)];
  // A location counts as done even if some of its data is kept.
  const ticked = toTick.filter((place) => ["done", "kept"].includes(foundAt(place)));
  const holdsSome = (place: string) =>
    list.kinds.some((row) => row.store === place && isOfAccount(row));
  // The operator reports a deletion in a location that has no data for this account kind. One of
  // the two answers must be wrong, but only the operator can tell which.
  const isContradicted = (place: string) =>
    !toNotify.includes(place) && ticked.includes(place) && !holdsSome(place);
  const isOpen = (place: string) =>
    !ticked.includes(place) &&
    (toNotify.includes(place) || (foundAt(place) !== "none" && holdsSome(place)));

  const completion: Completion = {
    ...completeList(list, today, (row) => {
      const { key: kind, store } = row;
      const found = toTick.includes(store) ? foundAt(store) : "";
      const stays = typed[`kept-${store}`]?.includes(kind) ?? true;
      if (found === "kept" && stays) {
        const reason =
          whyKept.find((known) => known === firstValue(typed, `why-${store}`)) ?? whyKept[0];
        // Falls back to today, which is rejected below.
        const until = (readDate(firstValue(typed, `until-${store}`)) ?? today).toString();
        return { store, kind, outcome: "kept", reason, until };
      }
      const isNone = found === "none" || !isOfAccount(row);
      return isNone ? { store, kind, outcome: "none" } : undefined;
    }),
    // Operators don't know when the hosting provider's last backup is deleted. The campus's list
    // gives the period.
    backupsGoneBy: null,
  };
  const missing: FieldError[] = [
    ...toTick.filter(isContradicted).map((about) => ({
      what: "contradiction",
      field: `at-${about}`,
      about,
    })),
    ...toTick.filter(isOpen).map((about) => ({
      what: toNotify.includes(about) ? "untold" : "unticked",
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
 * Returns an outcome for every kind of data: the finding, or the list's default if there is none.
 * @param find returns the finding for a kind of data, or undefined to use the default
 */
export function completeList(
  list: DataList,
  today: Temporal.PlainDate,
  find: (row: Kind) => CompletionLine | undefined,
) {
  return {
    lines: list.kinds.map((row) => find(row) ?? asListed(list, row, today)),
    told: recipientsToNotify(list).map((store) => ({ store, on: today.toString() })),
  };
}

function asListed(
  list: DataList,
  { key: kind, store, onDeletion }: Kind,
  today: Temporal.PlainDate,
): CompletionLine {
  if (onDeletion === "kept") return { store, kind, outcome: "kept", reason: "as-listed" };
  if (!placesOf(list, "this-site").includes(store)) return { store, kind, outcome: "deleted" };
  // This website still needs the email address to send the receipt.
  return { store, kind, outcome: "due", by: today.add({ days: eraseAfterDays }).toString() };
}

function placesOf(list: DataList, holder: "us" | "this-site"): string[] {
  return list.stores.flatMap((store) => (store.holder === holder ? [store.key] : []));
}

/** Checks whether our own locations had no data of the account. */
function isNothing(list: DataList, lines: readonly CompletionLine[]): boolean {
  const ours = placesOf(list, "us");
  return lines.every(({ store, outcome }) => outcome === "none" || !ours.includes(store));
}

function isLater(until: string, today: Temporal.PlainDate): boolean {
  const { compare } = Temporal.PlainDate;
  const last = today.add({ years: keptAtMostYears });
  return compare(until, today) > 0 && compare(until, last) <= 0;
}

/** Maximum length of an answer, in UTF-16 code units. */
const longestAnswer = 60;

/**
 * Reads the answers of an unfinished checklist for saving. `begins` is true if a location had data,
 * which means that the work has started.
 */
export function readTicks(list: DataList, typed: FormValues) {
  const places = placesToTick(list);
  const foundAt = (place: string) =>
    foundThere.find((found) => found === firstValue(typed, `at-${place}`));
  const answered = places.filter((place) => foundAt(place) !== undefined);
  const names = answered.flatMap((place) =>
    foundAt(place) === "kept"
      ? [`at-${place}`, `kept-${place}`, `why-${place}`, `until-${place}`]
      : [`at-${place}`],
  );
  const isKind = accountsByName.has(firstValue(typed, "account"));
  const kept = [...(isKind ? ["account"] : []), ...names].flatMap((name) => {
    const values = typed[name]?.filter((value) => value.length <= longestAnswer);
    return values ? [[name, values] as const] : [];
  });
  const begins = answered.some((place) => foundAt(place) !== "none");
  return { checklist: Object.fromEntries(kept), begins, answered };
}

/**
 * Lists the account kinds that have data in a location. The checklist skips the location for other
 * kinds.
 */
export function accountsAt(list: DataList, place: string): AccountKind[] {
  return both.filter((kind) =>
    list.kinds.some((row) => row.store === place && row.accounts.includes(kind)),
  );
}

/** Lists the recipients that an operator has to notify of a deletion. */
export function recipientsToNotify(list: DataList): string[] {
  return list.stores.flatMap((store) =>
    store.holder === "recipient" && store.told === "by-operator" ? [store.key] : [],
  );
}

/** Lists the checklist's locations: our own, then the recipients to notify. */
export function placesToTick(list: DataList): string[] {
  return [...placesOf(list, "us"), ...recipientsToNotify(list)];
}

/** Lists the kinds of data that we delete. An account system's answer must include all of them. */
export function kindsToAnswer(list: DataList): { store: string; kind: string }[] {
  const ours = placesOf(list, "us");
  return list.kinds
    .filter((row) => row.onDeletion === "deleted" && ours.includes(row.store))
    .map((row) => ({ store: row.store, kind: row.key }));
}

/**
 * A fault in an account system's answer. `pointer` is a JSON pointer. `detail` is a sentence that
 * identifies lines by their keys.
 */
export type Mismatch = { pointer: string; detail: string };

/**
 * Finds contradictions between an account system's answer and the campus's list.
 * @param since the first day on which the deletion was possible
 */
export function findMismatches(
  list: DataList,
  { lines, backupsGoneBy }: Pick<Completion, "lines" | "backupsGoneBy">,
  today: Temporal.PlainDate,
  since: Temporal.PlainDate,
): Mismatch[] {
  const ofLines = lines.flatMap((line, index): Mismatch[] => {
    const at = (detail: string) => [{ pointer: `/data/lines/${index}`, detail }];
    const name = `${line.store}/${line.kind}`;
    const isSame = (answer: CompletionLine) =>
      answer.store === line.store && answer.kind === line.kind;
    if (lines.findIndex(isSame) < index) return at(`${name} is listed twice.`);
    const row = list.kinds.find((kind) => kind.store === line.store && kind.key === line.kind);
    if (!row) return at(`${name} is not in the campus's list.`);
    if (!placesOf(list, "us").includes(line.store)) {
      return at(`${name} is not stored by you: leave it out.`);
    }
    if (line.outcome !== "kept") return [];
    if (line.reason === "as-listed") {
      return row.onDeletion === "kept"
        ? []
        : at(`${name} is not kept by the campus's list: state the reason and the last day.`);
    }
    return isLater(line.until ?? "", today)
      ? []
      : at(`${name} needs a last day after today, at most ${keptAtMostYears} years from now.`);
  });
  const { compare } = Temporal.PlainDate;
  const last = today.add({ days: list.backupDays });
  const isOutside =
    backupsGoneBy !== null &&
    (compare(backupsGoneBy, since) < 0 || compare(backupsGoneBy, last) > 0);
  if (ofLines.length === 0 && isNothing(list, lines)) {
    ofLines.push({
      pointer: "/data/lines",
      detail:
        "Every outcome is none, but you had started: list what you deleted. If you deleted nothing, report failed, and one of us will check.",
    });
  }
  const detail = `It must be a day from ${since} to ${last}, as the list promises.`;
  return [...ofLines, ...(isOutside ? [{ pointer: "/data/backupsGoneBy", detail }] : [])];
}
