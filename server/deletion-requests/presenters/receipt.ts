import type { Campus } from "../../../campus-reader/campus.ts";
import type { DataKind } from "../../../campus-reader/schema.ts";
import type { CalendarWords, Text } from "../../platform/i18n/texts.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion, CompletionLine } from "../state-machine/completion.ts";
import type { EndedRequest } from "../state-machine/request.ts";

/**
 * Builds receipts for the completion email, the status page and the download. A receipt lists what
 * happened to each kind of data, as reported by the operator or the account system.
 */

type ReceiptWords = Campus["mail"]["receipt"];

/** Content of a receipt. Instants are ISO strings. */
export type CompletedNews = {
  kind: "completed";
  receivedAt: string;
  confirmedAt: string;
  completedAt: string;
  /** `undefined` if the request ended before completions were recorded. */
  completion?: Completion;
  proof?: Proof;
};

export function completedNews(
  of: Pick<EndedRequest, "receivedAt" | "confirmedAt" | "endedAt" | "completion">,
  proof: Proof | undefined,
): CompletedNews {
  const { receivedAt, confirmedAt, endedAt, completion } = of;
  return {
    kind: "completed",
    receivedAt: receivedAt.toString(),
    confirmedAt: confirmedAt.toString(),
    completedAt: endedAt.toString(),
    ...(completion && { completion }),
    ...(proof && { proof }),
  };
}

/** Outcome for one kind of data. Data with the outcome `due` will be deleted later. */
export type ReceiptLine = {
  row: DataKind;
  outcome: "deleted" | "due" | "none" | "kept";
  /**
   * When the data was or will be deleted, or until when it is kept. `undefined` if it was deleted
   * with the account or if there was none.
   */
  when: string | undefined;
  why: string | undefined;
};

/**
 * Builds a receipt's content.
 * @param completion undefined if the request ended before completions were recorded; the campus's
 * list then applies
 */
export function toReceipt(
  completion: Completion | undefined,
  dataKinds: readonly DataKind[],
  words: ReceiptWords,
  { day, say }: Pick<CalendarWords, "day" | "say">,
) {
  const dayOf = (date: string) => day(Temporal.PlainDate.from(date));
  const on = (text: Text, date: string) => say(text, { date: dayOf(date) });
  const { backupsGoneBy, told: notified = [] } = completion ?? {};
  const placeOf = (key: string) => dataKinds.find(({ store }) => store === key)?.place ?? key;
  const lines = dataKinds.flatMap((row) => {
    const line = completion && findLine(completion, row, dataKinds);
    return completion && !line ? [] : toLine(line, row, words, on);
  });
  const backups = backupsGoneBy ? on(words.backups, backupsGoneBy) : undefined;
  return {
    isPartlyKept: isPartlyKept(completion),
    /** Lines in the order of the campus's list. */
    lines,
    /** Lines grouped by outcome. The kept data includes the app's backups. */
    groups: groupLines(lines, words, backups),
    /** Says when the app's last backup will be gone, as reported by the account system. */
    backups,
    /** One sentence for each notified party. */
    notices: notified.map((notice) =>
      say(words.told, { date: dayOf(notice.on), place: placeOf(notice.store) }),
    ),
  };
}

/**
 * Outcomes for this website's own data, keyed by the current keys. Older completions may use a
 * campus's former keys, so their lines are matched by outcome. Only lines of this website's own
 * store have the outcome `due`.
 */
const formerOutcomes: Record<string, string> = { "deletion-request": "due", proof: "kept" };

function findLine({ lines }: Completion, row: DataKind, rows: readonly DataKind[]) {
  const here = lines.find(({ outcome }) => outcome === "due")?.store;
  const rowOf = ({ store, kind }: CompletionLine) =>
    rows.find((candidate) => candidate.store === store && candidate.key === kind);
  const isFormer = (line: CompletionLine) =>
    line.store === here && line.outcome === formerOutcomes[row.key] && !rowOf(line);
  return lines.find((line) => rowOf(line) === row) ?? lines.find(isFormer);
}

function toLine(
  line: CompletionLine | undefined,
  row: DataKind,
  words: ReceiptWords,
  on: (text: Text, date: string) => string,
): ReceiptLine {
  const { onDeletion, when, why } = row;
  if (line?.outcome === "none") return { row, outcome: "none", when: undefined, why: undefined };
  if (line?.outcome === "due") return { row, outcome: "due", when: on(words.dueBy, line.by), why };
  if (line?.outcome === "kept" && line.reason !== "as-listed") {
    const until = on(words.keptUntil, line.until ?? "");
    return { row, outcome: "kept", when: until, why: words.keptReasons[line.reason] };
  }
  const outcome = line?.outcome ?? onDeletion;
  // Data that is deleted on a later date still exists. Older receipts listed it as deleted.
  return { row, outcome: outcome === "deleted" && when ? "due" : outcome, when, why };
}

/** Checks whether some data was kept for a reason that isn't in the campus's public list. */
export function isPartlyKept(completion: Completion | undefined): boolean {
  return (
    completion?.lines.some((line) => line.outcome === "kept" && line.reason !== "as-listed") ===
    true
  );
}

function groupLines(
  lines: readonly ReceiptLine[],
  words: ReceiptWords,
  backups: string | undefined,
): { title: string; items: string[] }[] {
  const { deletedTitle, dueTitle, noneTitle, keptTitle } = words;
  const titles = { deleted: deletedTitle, due: dueTitle, none: noneTitle, kept: keptTitle };
  return (["deleted", "due", "none", "kept"] as const)
    .map((outcome) => {
      const items = lines.filter((line) => line.outcome === outcome).map(describeReceiptLine);
      if (outcome === "kept" && backups) items.push(backups);
      return { title: titles[outcome], items };
    })
    .filter(({ items }) => items.length > 0);
}

function describeReceiptLine({ row, outcome, when, why }: ReceiptLine): string {
  if (outcome === "none") return row.kind;
  return `${row.kind} (${row.examples})${when ? `: ${when}` : ""}${why ? `, ${why}` : ""}`;
}
