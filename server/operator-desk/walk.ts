import { z } from "zod";
import { readDate } from "../calendar/typed-date.ts";
import {
  type AccountKind,
  type DataList,
  type Found,
  findMissing,
  type Missing,
  placesToTick,
} from "../deletion-requests/life/checklist.ts";
import { foundThere, whyKept } from "./act-names.ts";

/**
 * The walk from place to place with which an account is deleted: what a form says of each, as a completion takes it. Of a
 * place with the key `accounts`, the field `at-accounts` says what was there, `kept-accounts` which kinds of data stay, and
 * `why-accounts` and `until-accounts` why and until when.
 */

/** Everything that was typed, by the names of the fields. */
export type Typed = Record<string, string[]>;

const accountsByName = {
  user: ["User"],
  rider: ["Rider"],
  both: ["User", "Rider"],
} as const satisfies Record<string, readonly AccountKind[]>;

export function first(typed: Typed, name: string): string {
  return typed[name]?.[0]?.trim() ?? "";
}

/** What must be said besides the places themselves, which are looked at together. */
export const account = z.object({
  address: z.string().min(1, { error: "addressMissing" }),
  account: z.enum(["user", "rider", "both"], { error: "account" }),
});

/** What somebody found on the walk, and what they have still to say. */
export function toFound(
  list: DataList,
  typed: Typed,
  today: Temporal.PlainDate,
): { found: Found; missing: readonly Missing[] } {
  const kindsOf = (place: string) => list.kinds.filter(({ store }) => store === place);
  const at = (place: string) => foundThere.find((one) => one === first(typed, `at-${place}`));
  const places = placesToTick(list);
  const kind = Object.entries(accountsByName).find(([name]) => name === first(typed, "account"));
  const found: Found = {
    // Of whatever kind the account was, all of them have this in common.
    accounts: kind?.[1] ?? ["User", "Rider"],
    // Where some kinds stay, somebody has been through the place all the same.
    ticked: places.filter((place) => at(place) === "done" || at(place) === "kept"),
    none: places.flatMap((place) =>
      at(place) === "none" ? kindsOf(place).map(({ key }) => key) : [],
    ),
    kept: places.flatMap((place) => {
      if (at(place) !== "kept") return [];
      const said = typed[`kept-${place}`] ?? [];
      const reason = whyKept.find((one) => one === first(typed, `why-${place}`)) ?? whyKept[0];
      // What is no day is none after today either.
      const until = (readDate(first(typed, `until-${place}`)) ?? today).toString();
      return kindsOf(place)
        .filter(({ key }) => said.length === 0 || said.includes(key))
        .map(({ key }) => ({ kind: key, reason, until }));
    }),
  };
  return { found, missing: findMissing(list, found, today) };
}
