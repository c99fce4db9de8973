import { createHash } from "node:crypto";
import { matchEmail } from "../../addresses/email-address.ts";
import { toText } from "../../database/rows.ts";
import type { KeyedHash } from "../../keys/keys.ts";
import type { Completion } from "../life/completion.ts";
import type { RefusalReason } from "../life/request.ts";

/**
 * The text of one entry of the erasure ledger. It is plain lines of ASCII, so that its hash and its signature can be
 * checked anywhere; each entry holds the hash of the one before; and nothing in it names a person, so that it stays as
 * it is when the person is forgotten.
 */
export type EntryFacts =
  | {
      what: "completed" | "cancelled" | "refused";
      reference: string;
      receivedAt: Temporal.Instant;
      confirmedAt: Temporal.Instant;
      /** Set if it ended unconfirmed, without a promised date. */
      approvableAt?: Temporal.Instant | undefined;
      dueOn: Temporal.PlainDate;
      endedAt: Temporal.Instant;
      refusalReason?: RefusalReason | undefined;
      /** Keyed hash of the address. */
      account: KeyedHash;
      email: string | undefined;
      /** That of its receipt. */
      number: string;
      completion?: Completion | undefined;
    }
  /** The entry with that hash no longer holds: its request goes on. */
  | { what: "reopened"; reference: string; takesBack: string }
  /** A copy was put back: what was entered after `from` is missing here, though it may have been told. */
  | { what: "restored"; from: Temporal.Instant };

/** What stands before the first entry. */
export const noEntry = { sequence: 0, hash: "0".repeat(64) };

export type Place = { sequence: number; hash: string };

export function writeEntry(
  previous: Place,
  enteredAt: Temporal.Instant,
  facts: EntryFacts,
): { sequence: number; text: string; hash: string } {
  const sequence = previous.sequence + 1;
  const lines = [
    `Deletion ledger, entry ${sequence}`,
    `Previous: ${previous.hash}`,
    `Entered: ${toText(enteredAt)}`,
    `What: ${facts.what}`,
    ...linesOf(facts),
  ];
  const text = lines.map((line) => `${line}\n`).join("");
  return { sequence, text, hash: hashEntry(text) };
}

/** What the next entry holds of this one: SHA-256 in hex. */
export function hashEntry(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

function linesOf(facts: EntryFacts): string[] {
  switch (facts.what) {
    case "reopened":
      return [`Reference: ${facts.reference}`, `Takes back: ${facts.takesBack}`];
    case "restored":
      return [`From: ${toText(facts.from)}`];
    default:
      return [
        `Reference: ${facts.reference}`,
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
}

function dataLines({ lines, told = [], backupsGoneBy }: Completion): string[] {
  return [
    ...lines.map((line) => {
      const data = `Data: ${line.store}/${line.kind} ${line.outcome}`;
      if (line.outcome === "due") return `${data} by ${line.by}`;
      if (line.outcome !== "kept") return data;
      return `${data}, ${line.reason}${line.until ? `, until ${line.until}` : ""}`;
    }),
    ...told.map(({ store, on }) => `Told: ${store} on ${on}`),
    ...(backupsGoneBy ? [`Backups: gone by ${backupsGoneBy}`] : []),
  ];
}

/**
 * The address in the entry of its request, so that only somebody who knows the address and the receipt's number can see
 * that it is meant. The number is made anew from the keys whenever the receipt is shown; it is stored nowhere.
 */
export function sealAddress(number: string, email: string): string {
  return createHash("sha256")
    .update(`${number}:${matchEmail(email)}`, "utf8")
    .digest("hex");
}

/** The first value of a line of an entry. */
export function readLine(text: string, name: string): string | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}

/** Where an entry says that it stands. */
export function readPlace(text: string): { sequence: number; previous: string } | undefined {
  const match = /^Deletion ledger, entry ([1-9]\d{0,14})\nPrevious: ([0-9a-f]{64})\n/.exec(text);
  const [, sequence, previous] = match ?? [];
  return sequence && previous ? { sequence: Number(sequence), previous } : undefined;
}
