import { type DataList, findMisfits } from "../deletion-requests/checklist.ts";
import type { Completion, CompletionLine } from "../deletion-requests/completion.ts";

/**
 * What the account system must say for a deletion to be complete, and what is added that it cannot know: the receipt says
 * what it says, and of everything else what the campus's list says.
 */

/** What lies here and not with the account system. */
const ownKind = "deletion-request";

/** Every kind of data that the list deletes from our own places, this site apart: about each an answer is wanted. */
export function kindsToAnswer(list: DataList): { store: string; kind: string }[] {
  const here = list.kinds.find(({ key }) => key === ownKind)?.store;
  const ours = list.stores.filter(({ key, holder }) => holder === "us" && key !== here);
  return list.kinds
    .filter((row) => row.onDeletion === "deleted" && ours.some(({ key }) => key === row.store))
    .map((row) => ({ store: row.store, kind: row.key }));
}

/** What is missing or does not fit, one sentence each. */
export function findUnfit(list: DataList, said: Completion): string[] {
  const missing = kindsToAnswer(list)
    .filter(({ store, kind }) => !findLine(said, store, kind))
    .map(({ store, kind }) => `${store}/${kind} is not told of: was it deleted, none, or kept?`);
  return [...findMisfits(list, said), ...missing];
}

/** The whole completion, in the order of the list. */
export function completeFrom(list: DataList, said: Completion): Completion {
  const { backupsGoneBy, accountId } = said;
  const lines = list.kinds.map(({ key: kind, store, onDeletion }): CompletionLine => {
    const line = findLine(said, store, kind);
    if (line) return line;
    return onDeletion === "deleted"
      ? { store, kind, outcome: "deleted" }
      : { store, kind, outcome: "kept", reason: "as-listed" };
  });
  return { lines, backupsGoneBy, ...(accountId !== undefined && { accountId }) };
}

function findLine(said: Completion, store: string, kind: string): CompletionLine | undefined {
  return said.lines.find((line) => line.store === store && line.kind === kind);
}
