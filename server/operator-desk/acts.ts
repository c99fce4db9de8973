import { z } from "zod";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { countDaysLeft, dateAt } from "../calendar/business-days.ts";
import type { DataList } from "../deletion-requests/life/checklist.ts";
import { type Act, decide, type Refusal } from "../deletion-requests/life/life.ts";
import {
  businessDaysAfterHold,
  holdReasons,
  isEnded,
  isOpen,
  isSameName,
  maxExplanation,
  ownerOf,
  reasonCodes,
  refusalReasons,
  type StoredRequest,
} from "../deletion-requests/life/request.ts";
import type { Office } from "../deletion-requests/working/apply-act.ts";
import type { Entry } from "../deletion-requests/working/closed-mailbox.ts";
import type { Asked } from "../deletion-requests/working/desk.ts";
import type { Story } from "../deletion-requests/working/reading.ts";
import { findTakingBack, takenBack } from "../deletion-requests/working/taking-back.ts";
import { namesOf, readFields, type Typed, type Wrong } from "../forms/typed.ts";
import { account, toFound } from "./read-form.ts";

/**
 * Everything that an operator does with a request, each act declared once: what is typed for it, when it is possible, and
 * what is then done. Pages and several at once are made from it.
 */

/** Why not: what the life of a request says, or that nothing is left to do. */
export type WhyNot = Refusal | "taken-by-you";

/** Why the date is not kept: what keeps the request, or the team's own lack of time. */
export const laterReasons = ["time", ...holdReasons] as const;

/** So many characters a note may have. */
export const maxNote = 2000;

/** More at once nobody does by name. */
export const mostAtOnce = 50;

/** A request as somebody looks at it. */
export type Look = {
  office: Office;
  dataList: DataList;
  /** In which people can be written to, the campus's first one first. */
  languages: readonly string[];
  request: StoredRequest;
  mails: Story["mails"];
  name: string;
  now: Temporal.Instant;
};

/** Somebody of the team who looks at no request that is there yet. */
export type LookAround = Omit<Look, "request" | "mails">;

export type Declaration<Of = Look, Asks = Asked> = {
  /** The names of its fields in the order in which they are asked for. */
  fields: readonly string[];
  /** What cannot be taken back for long: for it the passkey is touched once more. */
  serious?: true;
  /** Its mail can be read before it is sent. */
  drafted?: true;
  /** What is said of it comes with a way to take it back. */
  undoable?: true;
  /** Why it cannot be done now; undefined where it can. */
  whyNot(look: Of): WhyNot | undefined;
  /** What a form asks for, or what is wrong with it. */
  read(typed: Typed, look: Of): Asks | Wrong[];
};

const text = (most: number) => z.string().max(most, { error: "tooLong" });
const explanation = text(maxExplanation);
/** Some reasons say nothing by themselves. */
const explained = [
  (fields: { reason: string; explanation: string }) =>
    !["time", "other"].includes(fields.reason) || fields.explanation !== "",
  { path: ["explanation"] as PropertyKey[], error: "explanation" },
] as const;

/** Asks the life of the request. */
function ask({ office, request, name, now }: Look, act: Act): Refusal | undefined {
  const decision = decide(office, request, act, { actor: "operator", name }, now);
  return decision.ok ? undefined : decision.refusal;
}

/** An act whose schema names its fields. */
function declare<Fields extends z.ZodObject>(
  declared: Omit<Declaration, "fields" | "read"> & {
    schema: Fields;
    asks: (fields: z.output<Fields>, look: Look) => Asked;
  },
): Declaration {
  const { schema, asks, ...rest } = declared;
  return {
    ...rest,
    fields: namesOf(schema),
    read(typed, look) {
      const read = readFields(schema, typed);
      return "wrong" in read ? read.wrong : asks(read.fields, look);
    },
  };
}

/** Longer ago nobody writes down what somebody asked: the year is mistyped. */
export const longestAgoDays = 30;

const address = z
  .string()
  .transform(parseEmailAddress)
  .refine(({ ok }) => ok, { error: "email" })
  .transform((read) => ("email" in read ? read.email : z.NEVER));

function entrySchema({ office, dataList, languages, now }: LookAround) {
  const today = dateAt(office.calendar, now);
  const proofs = dataList.ownershipProofs.map(({ key }) => key);
  return z
    .object({
      old: address,
      contact: address,
      language: z.enum(["", ...languages], { error: "language" }),
      received: z.iso
        .date({ error: "received" })
        .transform((text) => Temporal.PlainDate.from(text))
        .refine((on) => on.until(today).sign >= 0, { error: "received" })
        .refine((on) => on.until(today).days <= longestAgoDays, { error: "received" }),
      reason: z.enum(reasonCodes, { error: "reason" }),
      proof: z.enum(proofs, { error: "proof" }),
    })
    .refine(({ old, contact }) => old.toLowerCase() !== contact.toLowerCase(), {
      path: ["contact"],
      error: "sameMailbox",
    });
}

/** The acts with a request. */
const ofRequest = {
  take: declare({
    schema: z.object({ from: z.string() }),
    undoable: true,
    asks: ({ from }) => ({ type: "take", from: from || undefined }),
    whyNot: (look) =>
      ask(look, { type: "take", from: ownerOf(look.request) }) ??
      (isSameName(ownerOf(look.request) ?? "", look.name) ? "taken-by-you" : undefined),
  }),
  complete: {
    fields: ["walk", ...namesOf(account)],
    drafted: true,
    serious: true,
    undoable: true,
    whyNot: (look) =>
      ask(look, { type: "complete", completion: { lines: [], backupsGoneBy: null } }),
    read(typed, { dataList, office, now }) {
      const { found, missing } = toFound(dataList, typed, dateAt(office.calendar, now));
      const read = readFields(account, typed);
      if ("wrong" in read) return [...read.wrong, ...missing];
      return missing.length > 0 ? missing : { type: "complete", ...read.fields, found };
    },
  },
  later: declare({
    schema: z
      .object({
        reason: z.enum(laterReasons, { error: "reason" }),
        days: z
          .string()
          .regex(/^[1-9]\d?$/, { error: "date" })
          .transform(Number),
        explanation,
      })
      .refine(...explained),
    drafted: true,
    asks({ reason, days: businessDays, explanation }, { office, request, now }) {
      const extension = listExtensions(office, [request], now)[businessDays - 1];
      // What no date is lawful for the life of a request refuses.
      if (reason === "time" || !extension) {
        return { type: "extend", businessDays, explanation };
      }
      // Work is gone on with in time for that date, and not before today.
      const { calendar } = office;
      const today = dateAt(calendar, now);
      const isTooLate = (day: Temporal.PlainDate) =>
        countDaysLeft(calendar, day, extension.dueOn) < businessDaysAfterHold;
      let until = extension.dueOn;
      while (isTooLate(until) && !until.equals(today)) until = until.subtract({ days: 1 });
      return { type: "hold", reason, until, businessDays, explanation };
    },
    whyNot: (look) => ask(look, { type: "extend", businessDays: 1, explanation: "" }),
  }),
  refuse: declare({
    schema: z
      .object({ reason: z.enum(refusalReasons, { error: "reason" }), explanation })
      .refine(...explained),
    serious: true,
    drafted: true,
    undoable: true,
    asks: (fields) => ({ type: "refuse", ...fields }),
    whyNot: (look) => ask(look, { type: "refuse", reason: "other", explanation: "" }),
  }),
  cancel: declare({
    schema: z.object({ explanation }),
    drafted: true,
    undoable: true,
    asks: (fields) => ({ type: "cancel", ...fields }),
    whyNot: (look) => ask(look, { type: "cancel", explanation: "" }),
  }),
  undo: declare({
    schema: z.object({ explanation }),
    asks: (fields) => ({ type: "take-back", ...fields }),
    whyNot: (look) => {
      const found = findTakingBack(look.request, look.mails, look.name);
      if ("because" in found) return found.because;
      return ask(look, { type: found.act, explanation: "" });
    },
  }),
  approve: declare({
    schema: z.object({}),
    asks: () => ({ type: "approve" }),
    whyNot: (look) => ask(look, { type: "approve" }),
  }),
  resend: declare({
    schema: z.object({}),
    asks: () => ({ type: "send-again" }),
    whyNot: ({ request }) => (isOpen(request.state) ? undefined : "already-ended"),
  }),
  note: declare({
    schema: z.object({ note: text(maxNote).min(1, { error: "note" }) }),
    asks: (fields) => ({ type: "note", ...fields }),
    whyNot: ({ request }) => (isEnded(request) && request.erasedAt ? "erased" : undefined),
  }),
} satisfies Record<string, Declaration>;

/** Of a request for somebody whose mailbox is closed, which is not there yet. */
const enter: Declaration<LookAround, Entry> = {
  fields: ["old", "contact", "language", "received", "reason", "proof"],
  whyNot: () => "another-open",
  read(typed, look) {
    const { office, now } = look;
    const read = readFields(entrySchema(look), typed);
    if ("wrong" in read) return read.wrong;
    const { old: email, language, received, ...said } = read.fields;
    const { timeZone } = office.calendar;
    const receivedAt = received.equals(dateAt(office.calendar, now))
      ? now
      : received.toZonedDateTime({ timeZone, plainTime: "12:00" }).toInstant();
    return { ...said, email, receivedAt, language: language || undefined };
  },
};

export const acts = { ...ofRequest, enter };
export type DeskAct = keyof typeof acts;
/** In the order in which pages offer them. */
export const deskActs = Object.keys(ofRequest) as (keyof typeof ofRequest)[];

export const isDeskAct = (name: string): name is DeskAct => Object.hasOwn(acts, name);

/** Where the trail has another name for what an act did. */
const actsInTrail: Partial<Record<string, DeskAct>> = {
  hold: "later",
  extend: "later",
  retry: "resend",
  ...Object.fromEntries(takenBack.map((type) => [type, "undo"] as const)),
};

/** Of which act the trail tells; undefined where it is none of an operator's. */
export function actOf(type: string): DeskAct | undefined {
  return actsInTrail[type] ?? (isDeskAct(type) ? type : undefined);
}

/** What keeps somebody from each act with a request now; undefined of what can be done. */
export function findWhyNot(look: Look): Record<DeskAct, WhyNot | undefined> {
  const found = deskActs.map((act) => [act, acts[act].whyNot(look)] as const);
  return Object.fromEntries(found) as Record<DeskAct, WhyNot | undefined>;
}

/** Whether what was done can be taken back and the person has heard nothing of it. */
export function isUnknown({ request, mails, name }: Look): boolean {
  const found = findTakingBack(request, mails, name);
  return "act" in found && !found.isKnown;
}

/** What an extension may promise now to each of some requests, soonest first; the dates are those of the first. */
export function listExtensions(
  office: Office,
  requests: readonly StoredRequest[],
  now: Temporal.Instant,
) {
  /** What `extend` takes, and which day is promised then. */
  const found: { businessDays: number; dueOn: Temporal.PlainDate }[] = [];
  for (let businessDays = 1; ; businessDays++) {
    const act = { type: "extend", businessDays, explanation: "" } as const;
    const decisions = requests.map((one) => decide(office, one, act, { actor: "operator" }, now));
    const [first] = decisions;
    if (!first?.ok || decisions.some(({ ok }) => !ok)) return found;
    found.push({ businessDays, dueOn: first.after.dueOn });
  }
}
