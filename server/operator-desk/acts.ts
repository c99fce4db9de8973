import { z } from "zod";
import { dateAt } from "../calendar/business-days.ts";
import type { DataList, Found } from "../deletion-requests/life/checklist.ts";
import { type Act, decide } from "../deletion-requests/life/life.ts";
import {
  isEnded,
  isOpen,
  isSameName,
  isWorking,
  maxExplanation,
  ownerOf,
  refusalReasons,
  type StoredRequest,
} from "../deletion-requests/life/request.ts";
import { findTakingBack, type Office } from "../deletion-requests/working/acts.ts";
import type { Desk, DeskResult, FromPage, OperatorAct } from "../deletion-requests/working/desk.ts";
import type { Story } from "../deletion-requests/working/reading.ts";
import { type DeskAct, deskActs, laterReasons, maxNote, type WhyNot } from "./act-names.ts";
import { findHoldEnd, listExtensions } from "./extensions.ts";
import { namesOf, readFields, type Wrong } from "./read-fields.ts";
import { account, type Typed, toFound } from "./walk.ts";

/**
 * Everything that an operator does with a request, each act declared once: what is typed for it, when it is possible, what
 * is then done, and until when what was said of it is true. Pages and several at once are made from it.
 */

export type Possible = { can: true } | { can: false; because: WhyNot };

/** A request as somebody looks at it. */
export type Look = {
  office: Office;
  dataList: DataList;
  request: StoredRequest;
  mails: Pick<Story["mails"][number], "state">[];
  name: string;
  now: Temporal.Instant;
};

/** An act with its fields read. */
export type Ready = {
  do(desk: Desk, look: Look, page: FromPage): Promise<DeskResult>;
  /** What it is to the life of the request, where it is nothing else. */
  toAct?: (look: Look) => OperatorAct;
  /** What somebody found, which the receipt says. */
  found?: Found;
};

export type Declaration = {
  /** The names of its fields in the order in which they are asked for. */
  fields: readonly string[];
  /** What cannot be taken back for long: for it the passkey is touched once more. */
  serious?: true;
  /** Its mail can be read before it is sent. */
  drafted?: true;
  /** What is said of it comes with a way to take it back. */
  undoable?: true;
  can(look: Look): Possible;
  read(typed: Typed, look: Look): { ready: Ready } | { wrong: Wrong[] };
  /** Whether what was said when it was done is still so. */
  stands(request: StoredRequest, name: string): boolean;
};

const yes: Possible = { can: true };
const no = (because: WhyNot): Possible => ({ can: false, because });

const text = (most: number) => z.string().max(most, { error: "tooLong" });
const explanation = text(maxExplanation);
/** Some reasons say nothing by themselves. */
const explained = (silent: readonly string[]) =>
  [
    (fields: { reason: string; explanation: string }) =>
      !silent.includes(fields.reason) || fields.explanation !== "",
    { path: ["explanation"] as PropertyKey[], error: "explanation" },
  ] as const;

/** Asks the life of the request. */
function ask({ office, request, name, now }: Look, act: Act): Possible {
  const by = { actor: "operator", name } as const;
  const decision = decide(office, request, act, by, now);
  return decision.ok ? yes : no(decision.refusal);
}

/** An act that is one of the life of a request; its schema names its fields. */
function ofLife<Fields extends z.ZodObject>(
  declared: Omit<Declaration, "fields" | "read"> & {
    schema: Fields;
    toAct: (fields: z.output<Fields>, look: Look) => OperatorAct;
  },
): Declaration {
  const { schema, toAct, ...rest } = declared;
  return {
    ...rest,
    fields: namesOf(schema),
    read: (typed) =>
      reading(schema, typed, (fields) => ({
        toAct: (look) => toAct(fields, look),
        do: (desk, look, page) =>
          desk.act(look.request.reference, toAct(fields, look), look.name, page),
      })),
  };
}

function reading<Fields extends z.ZodObject>(
  schema: Fields,
  typed: Typed,
  toReady: (fields: z.output<Fields>) => Ready,
): { ready: Ready } | { wrong: Wrong[] } {
  const read = readFields(schema, typed);
  return "wrong" in read ? read : { ready: toReady(read.fields) };
}

const isOwn = (request: StoredRequest, name: string) => isSameName(ownerOf(request) ?? "", name);
const isDone = (request: StoredRequest) => isWorking(request) && request.done !== undefined;

export const acts: Record<DeskAct, Declaration> = {
  take: ofLife({
    schema: z.object({ from: z.string() }),
    undoable: true,
    toAct: ({ from }) => ({ type: "take", from: from || undefined }),
    can: (look) => {
      const found = ask(look, { type: "take", from: ownerOf(look.request) });
      return found.can && isOwn(look.request, look.name) ? no("taken-by-you") : found;
    },
    stands: (request, name) => isOwn(request, name) && !isDone(request),
  }),
  complete: {
    fields: ["walk", "address", "account"],
    drafted: true,
    serious: true,
    undoable: true,
    can: (look) => ask(look, { type: "complete", completion: { lines: [], backupsGoneBy: null } }),
    read(typed, { dataList, office, now }) {
      const { found, missing } = toFound(dataList, typed, dateAt(office.calendar, now));
      const read = reading(account, typed, ({ address }) => ({
        found,
        do: (desk, { request, name }, page) =>
          desk.complete(request.reference, { address, found }, name, page),
      }));
      const wrong = "wrong" in read ? read.wrong : [];
      return missing.length > 0 ? { wrong: [...wrong, ...missing] } : read;
    },
    stands: (request) => isDone(request) || request.state === "completed",
  },
  later: ofLife({
    schema: z
      .object({
        reason: z.enum(laterReasons, { error: "reason" }),
        days: z
          .string()
          .regex(/^[1-9]\d?$/, { error: "date" })
          .transform(Number),
        explanation,
      })
      .refine(...explained(["time", "other"])),
    drafted: true,
    toAct: ({ reason, days, explanation }, { office, request, now }) =>
      reason === "time"
        ? { type: "extend", businessDays: days, explanation }
        : {
            ...{ type: "hold", reason, businessDays: days, explanation },
            until: findHoldEnd(office, request, days, now),
          },
    can: (look) => {
      const oneDay = ask(look, { type: "extend", businessDays: 1, explanation: "" });
      // One more day may be unlawful, and so may be a request whose next business day is too late already.
      if (listExtensions(look.office, [look.request], look.now).length > 0) return yes;
      return oneDay.can ? no("not-later") : oneDay;
    },
    stands: (request) => isWorking(request) && !isDone(request),
  }),
  refuse: ofLife({
    schema: z
      .object({ reason: z.enum(refusalReasons, { error: "reason" }), explanation })
      .refine(...explained(["other"])),
    serious: true,
    drafted: true,
    undoable: true,
    toAct: (fields) => ({ type: "refuse", ...fields }),
    can: (look) => ask(look, { type: "refuse", reason: "other", explanation: "" }),
    stands: ({ state }) => state === "refused",
  }),
  cancel: ofLife({
    schema: z.object({ explanation }),
    drafted: true,
    undoable: true,
    toAct: (fields) => ({ type: "cancel", ...fields }),
    can: (look) => ask(look, { type: "cancel", explanation: "" }),
    stands: ({ state }) => state === "cancelled",
  }),
  undo: {
    fields: ["explanation"],
    can: (look) => {
      const found = findTakingBack(look.request, look.mails, look.name);
      if ("because" in found) return no(found.because);
      return ask(
        look,
        found.act === "reopen" ? { type: "reopen", explanation: "" } : { type: found.act },
      );
    },
    read: (typed) =>
      reading(z.object({ explanation }), typed, (fields) => ({
        do: (desk, { request, name }, page) =>
          desk.takeBack(request.reference, fields.explanation, name, page),
      })),
    stands: (request) => isOpen(request.state) && !isDone(request),
  },
  approve: ofLife({
    schema: z.object({}),
    toAct: () => ({ type: "approve" }),
    can: (look) => ask(look, { type: "approve" }),
    stands: ({ state }) => state !== "received",
  }),
  resend: {
    fields: [],
    can: ({ request }) => (isOpen(request.state) ? yes : no("already-ended")),
    read: () => ({
      ready: {
        do: (desk, { request, name }, page) =>
          desk.sendAgain(request.reference, name, page.formKey),
      },
    }),
    stands: () => true,
  },
  note: {
    fields: ["note"],
    can: ({ request }) => (isEnded(request) && request.erasedAt ? no("erased") : yes),
    read: (typed) =>
      reading(z.object({ note: text(maxNote).min(1, { error: "note" }) }), typed, ({ note }) => ({
        do: (desk, { request, name }, page) =>
          desk.note(request.reference, note, name, page.formKey),
      })),
    stands: () => true,
  },
};

/** What can be done with a request now, and what not and why. */
export function findPossible(look: Look): Record<DeskAct, Possible> {
  const found = deskActs.map((act) => [act, acts[act].can(look)] as const);
  return Object.fromEntries(found) as Record<DeskAct, Possible>;
}

/** Whether what was done can be taken back and the person has heard nothing of it. */
export function isUnknown({ request, mails, name }: Look): boolean {
  const found = findTakingBack(request, mails, name);
  return "act" in found && !found.isKnown;
}
