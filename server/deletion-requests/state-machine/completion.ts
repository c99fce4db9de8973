import { z } from "zod";

/**
 * What happened to the data in a deletion. An operator's checklist or an account system's answer
 * produces it; the receipt, the ledger and the signature read it. It contains only texts and dates,
 * so that it can be stored, sent and signed without conversion. It identifies no one, so it stays
 * when the request is erased.
 */

/** Why data may be kept despite a deletion. The campus's content has the texts. */
export const whyKept = [
  /** An unsettled payment, ride or dispute. */
  "open-matter",
  /** The law requires keeping it. */
  "legal-duty",
] as const;

/**
 * Why data is kept: `as-listed`, if the campus's public table says so and sets the end date, or one
 * of `whyKept`.
 */
export const keptReasons = ["as-listed", ...whyKept] as const;

/** A key in the campus's list of where data is stored. */
export const listKey = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9-]*$/, "must be a key such as ride-details");

const place = { store: listKey, kind: listKey };

const deleted = { ...place, outcome: z.literal("deleted") };
/** No data of this kind existed. */
const none = { ...place, outcome: z.literal("none") };
const kept = {
  ...place,
  outcome: z.literal("kept"),
  reason: z.enum(keptReasons),
  /** The last day; may be missing only if the campus's list gives the period. */
  until: z.iso.date().optional(),
};
const isDated = (line: { reason: (typeof keptReasons)[number]; until?: string | undefined }) =>
  line.reason === "as-listed" || line.until !== undefined;
const undated = { path: ["until"], error: "must be the last day on which it is kept" };
/** How many rows the account system counted; never signed. */
const counted = { count: z.int().min(0).optional() };

/** One line of an account system's answer. */
export const countedLineSchema = z.discriminatedUnion("outcome", [
  z.strictObject({ ...deleted, ...counted }),
  z.strictObject({ ...none, ...counted }),
  z
    .strictObject({ ...kept, ...counted })
    .refine(isDated, undated)
    // The same rule in JSON Schema.
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
  /** Still stored; will be deleted by the day `by`. */
  z.strictObject({ ...place, outcome: z.literal("due"), by: z.iso.date() }),
]);

export type CompletionLine = z.infer<typeof completionLineSchema>;

export const completionSchema = z.strictObject({
  /** One line per kind of data and place, in the order of the campus's list. */
  lines: z.array(completionLineSchema).min(1).max(200),
  /** Recipients that had data about the account, and when we told each of them of the deletion. */
  told: z
    .array(z.strictObject({ store: listKey, on: z.iso.date() }))
    .max(50)
    .optional(),
  /** The day by which the data's last backup is gone; null if there are no backups. */
  backupsGoneBy: z.iso.date().nullable(),
  /**
   * The account's opaque id, for asking the account system again after it has restored a backup.
   */
  accountId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[\w.:-]+$/, "must be an opaque identifier, and no address")
    .optional(),
});

export type Completion = z.infer<typeof completionSchema>;
