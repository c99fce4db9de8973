import { z } from "zod";
import {
  completionSchema,
  countedLineSchema,
  listKey,
} from "../../deletion-requests/state-machine/completion.ts";
import { holdReasons } from "../../deletion-requests/state-machine/request.ts";
import { isPlainText } from "../../platform/i18n/texts.ts";

/**
 * Messages between the site and the account system. docs/account-system.openapi.yaml contains these
 * schemas. openapi.test.ts writes them into the document and checks them there.
 */

const named = z.registry<{ id: string }>();

function name<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  named.add(schema, { id });
  return schema;
}

const id = name(
  "Id",
  z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .describe("Id of the deletion, the same in all events and answers about it."),
);
name("ListKey", listKey);
const kind = name("Kind", z.object({ store: listKey, kind: listKey }));

// Answers

/**
 * One line of the result, for a kind of data in one store. `count` is the number of database rows.
 */
const line = name(
  "Line",
  countedLineSchema
    .refine(({ outcome, count }) => count === undefined || (outcome === "none") === (count === 0), {
      path: ["count"],
      error: "must be 0 of what was not there, 1 or more of all else",
    })
    .describe(
      "`count` is 0 if there was nothing, 1 or more otherwise. It is not stored. The reason `as-listed` is only for kinds that the campus's list keeps.",
    ),
);

const onlyId = name("OnlyId", z.object({ id }));

/** Schema of each answer's data, keyed by answer type. Unknown fields are ignored. */
export const answerSchemas = {
  "account.deletion.started": onlyId,
  "account.deletion.completed": z.object({
    id,
    accountId: completionSchema.shape.accountId.describe(
      "Your own name for the account, or for all of them if several had the address. Opaque: no address.",
    ),
    lines: z.array(line).min(1).max(200),
    told: z
      .array(listKey)
      .max(50)
      .default([])
      .describe("The recipients in `tell` that you told about the deletion: all of them."),
    backupsGoneBy: completionSchema.shape.backupsGoneBy.describe(
      "The day on which your last backup of the data is gone, from the confirmation to the day that the campus's list promises; null if you have no backups.",
    ),
  }),
  "account.deletion.not-found": onlyId.describe(
    "The request is refused; an operator can undo that for ten minutes, then the person gets an email.",
  ),
  /**
   * The job's state in the account system, in response to our question after a restore. If the
   * deletion is complete, the account system repeats its completion instead. If the state is an
   * earlier cancellation, an operator must check the request.
   */
  "account.deletion.standing": z.object({
    id,
    state: z.enum(["unknown", "open", "begun", "cancelled"]),
  }),
  "account.deletion.blocked": z.object({
    id,
    reason: z.enum(holdReasons),
    until: z.iso.date().describe("The last day of the hold."),
  }),
  "account.deletion.failed": z.object({
    id,
    reason: z.string().trim().min(1).max(300).refine(isPlainText, "Control characters").meta({
      description: "Read by operators; names no person.",
      // Lists the characters that isPlainText excludes, because JSON Schema can't express the regex
      // flag that Unicode classes need.
      pattern:
        "^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]*$",
    }),
    again: z.boolean().describe("True to be asked again in an hour."),
  }),
  "account.deletion.received": z.object({
    id,
    item: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .optional()
      .describe("Id of the fetched item; without it, all fetched items of the deletion."),
  }),
};

// Events

const about = { id, reference: z.string(), test: z.boolean() };

const facts = name(
  "Facts",
  z.object({
    ...about,
    reference: z.string().describe("As the person has it, to be read out."),
    address: z
      .string()
      .meta({ format: "email" })
      .describe(
        "As the person typed it, with the domain in lower case. Find the account regardless of case.",
      ),
    accounts: z
      .array(z.string())
      .describe("The kinds of account that the campus has. Delete each account with the address."),
    kinds: z.array(kind).describe("The kinds of data to delete, and the stores that hold them."),
    tell: z
      .array(listKey)
      .describe("Other holders of the account's data, whom you tell of the deletion (GDPR 19)."),
    confirmedAt: z.iso.datetime(),
    dueOn: z.iso.date(),
    begun: z.boolean().describe("Your start was accepted: you may continue."),
  }),
);

/** Schema of each event's data, keyed by event type. */
export const eventSchemas = {
  "account.deletion.requested": facts,
  "account.deletion.reminder": facts.extend({ businessDaysLeft: z.int() }),
  "account.deletion.held": z.strictObject({
    ...about,
    until: z.iso.date().describe("The last day; the hold may end earlier."),
  }),
  "account.deletion.standing": z.strictObject(about),
  "account.deletion.cancelled": z.strictObject({
    ...about,
    because: z.enum(["cancelled", "refused", "done-by-hand"]),
  }),
  "account.deletion.recheck": z.strictObject({
    ...about,
    accountId: z.string().optional(),
    kinds: z.array(kind),
    completedAt: z.iso.datetime(),
  }),
  "account.deletion.ping": z.strictObject({ id, test: z.literal(true) }),
};

// The OpenAPI document

/** Derives a schema's name from a message type: "account.deletion.not-found" becomes "NotFound". */
const nameOf = (type: string, suffix: string) => {
  const [last = ""] = type.split(".").slice(-1);
  const words = last.split("-").map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return words.join("") + suffix;
};

name(
  "Answer",
  z.union(
    Object.entries(answerSchemas).map(([type, data]) =>
      name(nameOf(type, ""), z.object({ type: z.literal(type), data })),
    ),
  ),
);

const event = name(
  "Event",
  z.union(
    Object.entries(eventSchemas).map(([type, data]) =>
      name(
        // Adds a suffix if an answer has the same type, because schema names must be unique.
        nameOf(type, type in answerSchemas ? "Asked" : ""),
        z.strictObject({ type: z.literal(type), timestamp: z.iso.datetime(), data }),
      ),
    ),
  ),
);

const state = name(
  "State",
  z.enum(["received", "confirmed", "in-progress", "completed", "cancelled", "refused"]),
);

name(
  "Accepted",
  z.strictObject({
    state,
    test: z.boolean().describe("True in a dry run, which changes nothing."),
  }),
);

name(
  "Items",
  z.strictObject({
    leasedUntil: z.iso.datetime(),
    items: z.array(
      z.strictObject({
        id: z.string().describe("The item's id, as its webhook-id would be."),
        event,
      }),
    ),
  }),
);

name(
  "Problem",
  z.object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    state: state.optional(),
    because: z
      .enum([
        ...(["already-ended", "already-taken", "already-done", "held", "not-started"] as const),
        ...(["begun", "blocked", "failed", "put-back"] as const),
      ])
      .optional(),
    serverTime: z.iso.datetime().optional(),
    limit: z.int().optional(),
    known: z.array(z.string()).optional(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  }),
);

export function toOpenApiSchemas() {
  const { schemas } = z.toJSONSchema(named, {
    // Describes values as the account system sends them, before defaults are filled in.
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
    override({ jsonSchema }) {
      // Removes zod's long pattern, because the format already implies it.
      if (/^date/.test(jsonSchema.format ?? "")) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}
