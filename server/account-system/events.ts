import { z } from "zod";
import {
  completionSchema,
  countedLineSchema,
  listKey,
} from "../deletion-requests/life/completion.ts";
import { isPlainText } from "../language/plain-text.ts";

/** What the two systems say to each other. docs/account-system.openapi.yaml describes it for whoever builds the other side. */

/** What leaves: written to the outbox in the transaction of the fact, without the address. */
export type AccountEvent = {
  kind:
    | "account.deletion.requested"
    | "account.deletion.reminder"
    | "account.deletion.held"
    | "account.deletion.cancelled"
    | "account.deletion.recheck"
    | "account.deletion.standing";
  reference: string;
  /** Of the hand-over: what answers name. */
  id: string;
  /** Why the account stays as it is, or needs no work any more. */
  because?: CancelledBecause;
};

/** By its person, refused by an operator, or done by an operator's own hand. */
export type CancelledBecause = "cancelled" | "refused" | "done-by-hand";

/** The channel of the outbox. */
export const accountChannel = "account-system";

/** What an event says, as it leaves. */
export type WrittenEvent = {
  type: AccountEvent["kind"] | "account.deletion.ping";
  /** When it became true. */
  timestamp: string;
  data: { id: string; test: boolean } & Record<string, unknown>;
};

/** Why the account system does not delete now. */
export const blockedReasons = ["open-ride", "dues", "dispute", "legal-hold", "other"] as const;

/** As it was sent out. */
const id = z.string().regex(/^[\w-]{1,64}$/);

/** Of one kind of data in one place; `count` is how many rows it was. */
const countedLine = countedLineSchema.refine(
  ({ outcome, count }) => count === undefined || (outcome === "none") === (count === 0),
  { path: ["count"], error: "must be 0 of what was not there, 1 or more of all else" },
);

/** What the account system knows of a request, after a copy was put back here. What it deleted, it says again. */
export const standings = ["unknown", "open", "begun", "cancelled"] as const;

/** What answers may say. What they say beyond it is not looked at. */
export const answerSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("account.deletion.received"),
    /** Of the fetched item; without it, all fetched items of that hand-over. */
    data: z.object({ id, item: id.optional() }),
  }),
  z.object({ type: z.literal("account.deletion.started"), data: z.object({ id }) }),
  z.object({
    type: z.literal("account.deletion.completed"),
    data: z.object({
      ...completionSchema.shape,
      id,
      lines: z.array(countedLine).min(1).max(200),
      /** Who was told that the account is gone. */
      told: z.array(listKey).max(50).default([]),
    }),
  }),
  z.object({ type: z.literal("account.deletion.not-found"), data: z.object({ id }) }),
  z.object({
    type: z.literal("account.deletion.standing"),
    data: z.object({ id, state: z.enum(standings) }),
  }),
  z.object({
    type: z.literal("account.deletion.blocked"),
    data: z.object({ id, reason: z.enum(blockedReasons), until: z.iso.date() }),
  }),
  z.object({
    type: z.literal("account.deletion.failed"),
    data: z.object({
      id,
      /** For operators; nothing that names a person. */
      reason: z.string().trim().min(1).max(300).refine(isPlainText, "Control characters"),
      /** Whether the account system wants to be asked again in an hour. */
      again: z.boolean(),
    }),
  }),
]);

export type Answer = z.infer<typeof answerSchema>;

export const answerTypes: readonly string[] = answerSchema.options.map(
  (option) => option.shape.type.value,
);
