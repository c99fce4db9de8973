import type { Completion, CompletionLine, KeptReason } from "./completion.ts";

type WordsByLanguage = Readonly<Record<string, string>>;

/** The campus's list of where data lies, as a checklist: what there is to do, and what a completion may say. */
export type DataList = {
  stores: readonly (
    | { key: string; holder: "us"; words: WordsByLanguage }
    | {
        key: string;
        holder: "recipient";
        told: "by-operator" | "by-itself";
        words: WordsByLanguage;
      }
  )[];
  backupDays: number;
  kinds: readonly {
    key: string;
    store: string;
    accounts: readonly ("User" | "Rider")[];
    onDeletion: "deleted" | "kept";
  }[];
  /** How somebody can show that an account is theirs, in words by language. */
  ownershipProofs: readonly { key: string; words: WordsByLanguage }[];
};

export type AccountKind = DataList["kinds"][number]["accounts"][number];

/** What an operator found that is otherwise than the list says. */
export type Found = {
  /** The kinds of account there were. */
  accounts: readonly AccountKind[];
  /** Kinds of data of which there was nothing. */
  none?: readonly string[];
  /** Kinds of data that must stay for now. */
  kept?: readonly { kind: string; reason: Exclude<KeptReason, "as-listed">; until: string }[];
};

/** What happened to the data when everything was done as the list says, but for what was found. */
export function completionOf(list: DataList, found: Found, on: Temporal.PlainDate): Completion {
  return {
    lines: list.kinds.map(({ key: kind, store, accounts, onDeletion }): CompletionLine => {
      const kept = found.kept?.find((one) => one.kind === kind);
      if (kept) return { store, kind, outcome: "kept", reason: kept.reason, until: kept.until };
      const belongs = accounts.some((account) => found.accounts.includes(account));
      if (!belongs || found.none?.includes(kind)) return { store, kind, outcome: "none" };
      return onDeletion === "deleted"
        ? { store, kind, outcome: "deleted" }
        : { store, kind, outcome: "kept", reason: "as-listed" };
    }),
    backupsGoneBy: list.backupDays === 0 ? null : on.add({ days: list.backupDays }).toString(),
  };
}

/** Who must be told by the operator that an account is gone. */
export function recipientsToTell(list: DataList): string[] {
  return list.stores.flatMap((store) =>
    store.holder === "recipient" && store.told === "by-operator" ? [store.key] : [],
  );
}

/** What a completion says that does not fit the list: one sentence each, naming lines by their keys. */
export function findMisfits(list: DataList, completion: Completion): string[] {
  const seen = new Set<string>();
  const misfits: string[] = [];
  for (const line of completion.lines) {
    const name = `${line.store}/${line.kind}`;
    if (seen.has(name)) misfits.push(`${name} is told twice.`);
    seen.add(name);
    const row = list.kinds.find((one) => one.store === line.store && one.key === line.kind);
    if (!row) misfits.push(`${name} does not stand in the campus's list.`);
    else if (
      line.outcome === "kept" &&
      line.reason === "as-listed" &&
      row.onDeletion === "deleted"
    ) {
      misfits.push(`${name} is not kept by the campus's list: say why and until when.`);
    }
  }
  return misfits;
}
