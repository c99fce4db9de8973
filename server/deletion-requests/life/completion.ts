import { z } from "zod";

/**
 * What really happened to the data when a request was completed: one type, whoever says it. An operator's checklist and
 * an account system's answer both make it; the receipt, the ledger's facts and the signature read it. It is text and
 * dates only, so that it is stored, sent and signed as it is. It names no person, and therefore stays when the request
 * is erased.
 */

/** Why somebody who deletes keeps something. The words belong to the campus's content. */
export const whyKept = [
  /** A payment, a ride or a dispute that is not settled. */
  "open-matter",
  /** The law obliges to keep it. */
  "legal-duty",
] as const;

/** Why something is kept: by that, or as the campus's public table says; it says until when, too. */
export const keptReasons = ["as-listed", ...whyKept] as const;

/** Keys of the campus's list of where data lies. */
export const listKey = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9-]*$/, "must be a key such as ride-details");

const place = { store: listKey, kind: listKey };

const deleted = { ...place, outcome: z.literal("deleted") };
/** There was nothing of this kind. */
const none = { ...place, outcome: z.literal("none") };
const kept = {
  ...place,
  outcome: z.literal("kept"),
  reason: z.enum(keptReasons),
  /** The last day; left out only where the campus's list says how long. */
  until: z.iso.date().optional(),
};
const isDated = (line: { reason: (typeof keptReasons)[number]; until?: string | undefined }) =>
  line.reason === "as-listed" || line.until !== undefined;
const undated = { path: ["until"], error: "must be the last day on which it is kept" };
/** How many rows a machine found: nothing that is signed. */
const counted = { count: z.int().min(0).optional() };

/** What a machine may say of a kind of data that it deleted. */
export const countedLineSchema = z.discriminatedUnion("outcome", [
  z.strictObject({ ...deleted, ...counted }),
  z.strictObject({ ...none, ...counted }),
  z.strictObject({ ...kept, ...counted }).refine(isDated, undated),
]);

const completionLineSchema = z.discriminatedUnion("outcome", [
  z.strictObject(deleted),
  z.strictObject(none),
  z.strictObject(kept).refine(isDated, undated),
  /** Still there, and deleted by that day. */
  z.strictObject({ ...place, outcome: z.literal("due"), by: z.iso.date() }),
]);

export type CompletionLine = z.infer<typeof completionLineSchema>;

export const completionSchema = z.strictObject({
  /** One for each kind of data in each place where it may lie, in the order of the campus's list. */
  lines: z.array(completionLineSchema).min(1).max(200),
  /** Others who hold data of the account, and when they were told that it is gone. */
  told: z
    .array(z.strictObject({ store: listKey, on: z.iso.date() }))
    .max(50)
    .optional(),
  /** The day on which the last backup copy that holds it is gone; null where there are none. */
  backupsGoneBy: z.iso.date().nullable(),
  /** What the account system calls the account: opaque, for asking after it once more when accounts were restored. */
  accountId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[\w.:-]+$/, "must be an opaque identifier, and no address")
    .optional(),
});

export type Completion = z.infer<typeof completionSchema>;
