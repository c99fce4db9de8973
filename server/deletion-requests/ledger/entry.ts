import { createHash } from "node:crypto";
import { matchEmail } from "../../platform/addresses/email-address.ts";
import type { KeyedHash } from "../../platform/crypto/keys.ts";
import { toText } from "../../platform/database/rows.ts";
import type { Completion } from "../state-machine/completion.ts";
import type { RefusalReason } from "../state-machine/request.ts";

/**
 * Facts in the text of a ledger entry. The text is signed and printed on the receipt. It is plain
 * ASCII and the same in every language so that any tool can check the signature. It identifies no
 * one, so it may outlive the erasure.
 */
export type EntryFacts =
  | {
      what: "completed" | "cancelled" | "refused";
      reference: string;
      receivedAt: Temporal.Instant;
      confirmedAt: Temporal.Instant;
      /**
       * Set only if an operator entered the request and it ended unconfirmed. The entry's text then
       * omits `confirmedAt` and `dueOn`.
       */
      approvableAt?: Temporal.Instant | undefined;
      dueOn: Temporal.PlainDate;
      endedAt: Temporal.Instant;
      refusalReason?: RefusalReason | undefined;
      account: KeyedHash;
      email: string | undefined;
      /** The receipt's number, as passed to `sealAddress`. */
      number: string;
      completion?: Completion | undefined;
    }
  /** The request was reopened. This voids the previous entry. */
  | { what: "reopened"; reference: string };

export function writeEntry(signedAt: Temporal.Instant, facts: EntryFacts): string {
  const lines = [
    "Deletion receipt",
    `Signed: ${toText(signedAt)}`,
    `What: ${facts.what}`,
    `Reference: ${facts.reference}`,
    ...(facts.what === "reopened" ? [] : linesOf(facts)),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function linesOf(facts: Exclude<EntryFacts, { what: "reopened" }>): string[] {
  return [
    `Received: ${toText(facts.receivedAt)}`,
    ...(facts.approvableAt
      ? []
      : [`Confirmed: ${toText(facts.confirmedAt)}`, `Due: ${facts.dueOn}`]),
    `Ended: ${toText(facts.endedAt)}`,
    ...(facts.refusalReason ? [`Reason: ${facts.refusalReason}`] : []),
    `Account: ${facts.account.version}.${facts.account.hash}`,
    `Address: ${sealAddress(facts.number, facts.email ?? "")}`,
    ...(facts.completion ? dataLines(facts.completion) : []),
  ];
}

function dataLines({ lines, told: notified = [], backupsGoneBy }: Completion): string[] {
  return [
    ...lines.map((line) => {
      const data = `Data: ${line.store}/${line.kind} ${line.outcome}`;
      if (line.outcome === "due") return `${data} by ${line.by}`;
      if (line.outcome !== "kept") return data;
      return `${data}, ${line.reason}${line.until ? `, until ${line.until}` : ""}`;
    }),
    ...notified.map(({ store, on }) => `Told: ${store} on ${on}`),
    ...(backupsGoneBy ? [`Backups: gone by ${backupsGoneBy}`] : []),
  ];
}

/**
 * Hashes an email address together with the receipt's number so that only someone who knows both
 * can identify the owner. The number isn't stored but derived from the keys when needed.
 */
export function sealAddress(number: string, email: string): string {
  return createHash("sha256")
    .update(`${number}:${matchEmail(email)}`, "utf8")
    .digest("hex");
}

/** Returns the value of an entry's first line with this name. */
export function readLine(text: string, name: string): string | undefined {
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
