import type { Completion, KeptReason } from "./completion.ts";

/**
 * What a receipt says about each kind of data, in the mail, on the page and in the downloaded file: what was really
 * there, as whoever did the work said.
 */

/** A kind of data, as the campus's list and words have it. */
export type DataKind = {
  key: string;
  store: string;
  accounts: readonly ("User" | "Rider")[];
  kind: string;
  examples: string;
  onDeletion: "deleted" | "kept";
  when?: string | undefined;
  why?: string | undefined;
  /** Where it lies. */
  place: string;
};

export type ReceiptWords = {
  /** With {{date}}. */
  keptUntil: string;
  keptReasons: Record<Exclude<KeptReason, "as-listed">, string>;
};

/** What became of one kind of data. */
export type ReceiptLine = {
  row: DataKind;
  outcome: "deleted" | "none" | "kept";
  /** When it goes, or until when it is kept; undefined for what went with the account. */
  when: string | undefined;
  /** Why it is kept. */
  why: string | undefined;
};

/**
 * The lines of a receipt, in the order of the list.
 * @param completion undefined for a request of the time before that was written down: then the list as it stands
 */
export function listReceipt(
  completion: Completion | undefined,
  dataKinds: readonly DataKind[],
  words: ReceiptWords,
  day: (date: string) => string,
): ReceiptLine[] {
  return dataKinds.flatMap((row): ReceiptLine[] => {
    const { onDeletion, when, why } = row;
    if (!completion) return [{ row, outcome: onDeletion, when, why }];
    const line = completion.lines.find((one) => one.store === row.store && one.kind === row.key);
    if (!line) return [];
    if (line.outcome === "none") return [{ row, outcome: "none", when: undefined, why: undefined }];
    if (line.outcome === "kept" && line.reason !== "as-listed") {
      const until = words.keptUntil.replace("{{date}}", day(line.until ?? ""));
      return [{ row, outcome: "kept", when: until, why: words.keptReasons[line.reason] }];
    }
    return [{ row, outcome: line.outcome, when, why }];
  });
}

/** One line of text. */
export function describeReceiptLine({ row, outcome, when, why }: ReceiptLine): string {
  if (outcome === "none") return row.kind;
  return `${row.kind} (${row.examples})${when ? `: ${when}` : ""}${why ? `, ${why}` : ""}`;
}
