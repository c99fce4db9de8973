import type { Attached, Block } from "../../delivery/blocks.ts";
import { removeNoBreaks } from "../../platform/i18n/no-breaks.ts";
import type { Proof } from "../ledger/proof.ts";
import { type CompletedNews, toReceipt } from "../presenters/receipt.ts";
import type { Completion } from "../state-machine/completion.ts";
import type { Rows } from "./mail-kind.ts";
import type { Wording } from "./wording.ts";

type Receipt = Omit<CompletedNews, "kind">;

/** Lists what happened to the data, grouped by outcome. */
export function listOutcomes({ completion }: Receipt, wording: Wording): Block[] {
  const { words, dataKinds, inWords, say } = wording;
  const day = inWords.dayInMail;
  const { groups, notices } = toReceipt(completion, dataKinds, words.receipt, { day, say });
  return [
    ...groups.flatMap(({ title, items }): Block[] => [
      { kind: "title", text: title },
      { kind: "list", items },
    ]),
    ...notices.map((text): Block => ({ kind: "paragraph", text })),
  ];
}

export function receiptRows(
  { receivedAt, confirmedAt, completedAt }: Receipt,
  { words, time }: Wording,
): Rows {
  return [
    [words.facts.received, time(receivedAt)],
    [words.facts.confirmed, time(confirmedAt)],
    [words.shared.labels.ended, time(completedAt)],
  ];
}

/**
 * Builds the attached receipt. It lists what happened to the data, as in the email, followed by the
 * signed text.
 */
export function attachReceipt(
  receipt: Receipt & { reference: string },
  wording: Wording,
): Attached {
  const { words, receiptKeysAt, receiptKeyAt } = wording;
  const { reference, proof } = receipt;
  const signed = proof
    ? [
        ...words.receipt.signature.map(removeNoBreaks),
        receiptKeysAt,
        "",
        ...writeProof(proof, receiptKeyAt(proof.keyVersion)),
      ]
    : [];
  return {
    name: wording.say(words.completed.attachment, { reference }),
    blocks: [
      {
        kind: "facts",
        rows: [[words.facts.reference, reference], ...receiptRows(receipt, wording)],
      },
      ...listOutcomes(receipt, wording),
      { kind: "small", text: words.shared.footer },
    ],
    lines: signed,
  };
}

/** Formats the signature and the signed text, which are the same in every language. */
function writeProof(proof: Proof, addressOfKey: string): string[] {
  return [
    `Key: ${addressOfKey}`,
    ...(proof.number ? [`Number: ${proof.number}`] : []),
    `Signature: ${proof.signature}`,
    "",
    ...proof.text.trimEnd().split("\n"),
    "",
  ];
}

/** Sample completion for a User account without documents and with an unpaid fare. */
export const sampleCompletion: Completion = {
  lines: [
    { store: "accounts", kind: "identity", outcome: "deleted" },
    {
      store: "rides",
      kind: "ride-details",
      outcome: "kept",
      reason: "open-matter",
      until: "2027-03-01",
    },
    { store: "papers", kind: "driver-papers", outcome: "none" },
    { store: "deletion-page", kind: "deletion-request", outcome: "due", by: "2026-12-22" },
    { store: "deletion-page", kind: "proof", outcome: "kept", reason: "as-listed" },
  ],
  told: [{ store: "wallet", on: "2026-11-22" }],
  backupsGoneBy: "2026-12-22",
};

export const sampleProof: Proof = {
  entry: 17,
  hash: "5c1f".repeat(16),
  text: "Deletion receipt\n",
  signature: `${"A".repeat(86)}==`,
  keyVersion: 1,
  number: "h0kX".repeat(10),
};
