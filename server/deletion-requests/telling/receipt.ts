import type { DataKind } from "../../../campus-reader/schema.ts";
import type { CalendarWords, Text } from "../../language/texts.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion, CompletionLine } from "../life/completion.ts";
import type { EndedRequest } from "../life/request.ts";
import type { MailWords, PersonNews } from "./messages.ts";

/**
 * What a receipt says about each kind of data, in the mail, on the page and in the downloaded file: what was really
 * there, as whoever did the work said.
 */

/** What the receipt says of a completed request. */
export function completedNews(
  of: Pick<EndedRequest, "receivedAt" | "confirmedAt" | "endedAt" | "completion">,
  proof: Proof | undefined,
): Extract<PersonNews, { kind: "completed" }> {
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

/** What became of one kind of data; `due` is still there. */
export type ReceiptLine = {
  row: DataKind;
  outcome: "deleted" | "due" | "none" | "kept";
  /** When it goes, or until when it is kept; undefined for what went with the account. */
  when: string | undefined;
  /** Why it is kept. */
  why: string | undefined;
};

/** @param completion undefined for a request of the time before that was written down: then the list as it stands */
export function toReceipt(
  completion: Completion | undefined,
  dataKinds: readonly DataKind[],
  words: MailWords["receipt"],
  { day, say }: Pick<CalendarWords, "day" | "say">,
) {
  const dayOf = (date: string) => day(Temporal.PlainDate.from(date));
  const on = (text: Text, date: string) => say(text, { date: dayOf(date) });
  const { backupsGoneBy, told = [] } = completion ?? {};
  const placeOf = (key: string) => dataKinds.find(({ store }) => store === key)?.place ?? key;
  const lines = dataKinds.flatMap((row) => {
    const line = completion && findLine(completion, row, dataKinds);
    return completion && !line ? [] : toLine(line, row, words, on);
  });
  const backups = backupsGoneBy ? on(words.backups, backupsGoneBy) : undefined;
  return {
    isPartlyKept: isPartlyKept(completion),
    /** In the order of the list. */
    lines,
    /** The same by what became of them; the app's backups with what is kept. */
    groups: groupLines(lines, words, backups),
    /** When the app's last backup copy goes, as the account system said, in a sentence. */
    backups,
    /** Who else was told, one sentence each. */
    told: told.map((one) => say(words.told, { date: dayOf(one.on), place: placeOf(one.store) })),
  };
}

/** What is said of this website under keys that each campus once made for it: what is `due` stands in no other place. */
const saidFormerly: Record<string, string> = { "deletion-request": "due", proof: "kept" };

function findLine({ lines }: Completion, row: DataKind, rows: readonly DataKind[]) {
  const here = lines.find(({ outcome }) => outcome === "due")?.store;
  const rowOf = ({ store, kind }: CompletionLine) =>
    rows.find((one) => one.store === store && one.key === kind);
  const isFormer = (line: CompletionLine) =>
    line.store === here && line.outcome === saidFormerly[row.key] && !rowOf(line);
  return lines.find((line) => rowOf(line) === row) ?? lines.find(isFormer);
}

function toLine(
  line: CompletionLine | undefined,
  row: DataKind,
  words: MailWords["receipt"],
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
  // What goes at a time of its own was not gone yet, though receipts once said so.
  return { row, outcome: outcome === "deleted" && when ? "due" : outcome, when, why };
}

/** Whether something had to stay that the public table does not name. */
export function isPartlyKept(completion: Completion | undefined): boolean {
  return (
    completion?.lines.some((one) => one.outcome === "kept" && one.reason !== "as-listed") === true
  );
}

/** Those of which there is something to tell. */
function groupLines(
  lines: readonly ReceiptLine[],
  words: MailWords["receipt"],
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

/** One line of text. */
function describeReceiptLine({ row, outcome, when, why }: ReceiptLine): string {
  if (outcome === "none") return row.kind;
  return `${row.kind} (${row.examples})${when ? `: ${when}` : ""}${why ? `, ${why}` : ""}`;
}
