import { z } from "zod";

/**
 * Outcome of a deletion for each kind of data, from an operator's checklist or an account system's
 * answer. The receipt and the ledger entry repeat it, except the account id. Its dates are ISO text
 * so that it can be stored, sent and signed without conversion. Apart from the opaque account id,
 * nothing in it points to a person, so it may outlive the erasure of the request.
 */

/** Reasons to keep data despite a deletion. Their text is part of the campus's content. */
export const whyKept = [
  /** A payment, ride or dispute is unsettled. */
  "open-matter",
  /** The law requires us to keep the data. */
  "legal-duty",
] as const;

/**
 * Reasons for keeping data. `as-listed` means that the campus's public table states the reason and
 * the period.
 */
export const keptReasons = ["as-listed", ...whyKept] as const;

/** A key in the campus's list of where data is stored. */
export const listKey = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9-]*$/, "must be a key such as ride-details");

const place = { store: listKey, kind: listKey };

const deleted = { ...place, outcome: z.literal("deleted") };
/** The account has no data of this kind. */
const none = { ...place, outcome: z.literal("none") };
const kept = {
  ...place,
  outcome: z.literal("kept"),
  reason: z.enum(keptReasons),
  /**
   * The last day on which the data is kept. Required unless the campus's list states the period.
   */
  until: z.iso.date().optional(),
};
const isDated = (line: { reason: (typeof keptReasons)[number]; until?: string | undefined }) =>
  line.reason === "as-listed" || line.until !== undefined;
const undated = { path: ["until"], error: "must be the last day on which it is kept" };
/** Number of rows that the account system reported. Never signed. */
const counted = { count: z.int().min(0).optional() };

/** One line of an account system's answer. */
export const countedLineSchema = z.discriminatedUnion("outcome", [
  z.strictObject({ ...deleted, ...counted }),
  z.strictObject({ ...none, ...counted }),
  z
    .strictObject({ ...kept, ...counted })
    .refine(isDated, undated)
    // The refinement above, in JSON Schema.
    .meta({
      if: { properties: { reason: { not: { const: "as-listed" } } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["until"] },
    }),
]);

const completionLineSchema = z.discriminatedUnion("outcome", [
  z.strictObject(deleted),
  z.strictObject(none),
  z.strictObject(kept).refine(isDated, undated),
  /** Data that is still stored and will be deleted by the day `by`. */
  z.strictObject({ ...place, outcome: z.literal("due"), by: z.iso.date() }),
]);

export type CompletionLine = z.infer<typeof completionLineSchema>;

export const completionSchema = z.strictObject({
  /** One line for each kind of data in each location, in the order of the campus's list. */
  lines: z.array(completionLineSchema).min(1).max(200),
  /**
   * Recipients of data that an operator or the account system notified of the deletion, and when. A
   * recipient is listed even if it had no data about the account.
   */
  told: z
    .array(z.strictObject({ store: listKey, on: z.iso.date() }))
    .max(50)
    .optional(),
  /**
   * The day by which the last backup of the data is gone. `null` if there are no backups or if an
   * operator reported the completion.
   */
  backupsGoneBy: z.iso.date().nullable(),
  /**
   * Opaque account id. Needed to ask about the account again after the account system restores a
   * backup.
   */
  accountId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[\w.:-]+$/, "must be an opaque identifier, not an address")
    .optional(),
});

export type Completion = z.infer<typeof completionSchema>;
