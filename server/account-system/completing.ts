import {
  asListed,
  type DataList,
  findMisfits,
  kindsToAnswer,
  type Misfit,
  recipientsToTell,
} from "../deletion-requests/life/checklist.ts";
import type { Completion } from "../deletion-requests/life/completion.ts";
import type { Answer } from "./events.ts";

/**
 * What the account system must say for a deletion to be complete, and what is added that it cannot know: the receipt says
 * what it says, and of everything else what the campus's list says.
 */

type Said = Extract<Answer, { type: "account.deletion.completed" }>["data"];

/**
 * What is missing or does not fit.
 * @param since the day before which nothing can have been deleted; it may be said days later
 */
export function findUnfit(
  list: DataList,
  said: Said,
  today: Temporal.PlainDate,
  since: Temporal.PlainDate,
): Misfit[] {
  const missing = kindsToAnswer(list).filter(({ store, kind }) => !findLine(said, store, kind));
  const toTell = recipientsToTell(list);
  const untold = toTell.filter((store) => !said.told.includes(store));
  const strangers = said.told.filter((store) => !toTell.includes(store));
  return [
    ...findMisfits(list, said, today, since),
    ...missing.map(({ store, kind }) => ({
      pointer: "/data/lines",
      detail: `${store}/${kind} is not told of: was it deleted, none, or kept?`,
    })),
    ...untold.map((store) => ({
      pointer: "/data/told",
      detail: `${store} is missing: tell it that the account is gone, then say so.`,
    })),
    ...strangers.map((store) => ({
      pointer: "/data/told",
      detail: `${store} is nobody whom you have to tell.`,
    })),
  ];
}

/** The whole completion, in the order of the list. */
export function completeFrom(list: DataList, said: Said, today: Temporal.PlainDate): Completion {
  const { backupsGoneBy, accountId } = said;
  return {
    lines: list.kinds.map((row) => {
      const line = findLine(said, row.store, row.key);
      if (!line) return asListed(list, row, today);
      const { count: _, ...signed } = line;
      return signed;
    }),
    told: recipientsToTell(list).map((store) => ({ store, on: today.toString() })),
    backupsGoneBy,
    ...(accountId !== undefined && { accountId }),
  };
}

function findLine(said: Said, store: string, kind: string): Said["lines"][number] | undefined {
  return said.lines.find((line) => line.store === store && line.kind === kind);
}
