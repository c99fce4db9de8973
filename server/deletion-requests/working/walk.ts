import { z } from "zod";
import { readDate } from "../../calendar/business-days.ts";
import { first, type Typed, type Wrong } from "../../forms/typed.ts";
import {
  type AccountKind,
  type DataList,
  type Found,
  findMissing,
  placesToTick,
} from "../life/checklist.ts";
import { whyKept } from "../life/completion.ts";

/** The walk from place to place with which an account is deleted, as it is typed. */

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
  const missing = findMissing(list, found, today).map((one): Wrong => {
    if (one.what === "nothing") return one;
    const { what, key: about } = one;
    if (what !== "until") return { what, field: `at-${about}`, about };
    const place = list.kinds.find(({ key }) => key === about)?.store;
    return { what: "keptUntil", field: `until-${place}`, about };
  });
  return { found, missing };
}
