import { matchEmail, parseEmailAddress } from "../../addresses/email-address.ts";
import { dateAt } from "../../calendar/business-days.ts";
import { enterSeen } from "../../database/last-seen.ts";
import type { Write } from "../../database/statement.ts";
import { listMessages, retryMessages } from "../../outbox/outbox.ts";
import { completionOf, type DataList, type Found, placesToTick } from "../life/checklist.ts";
import type { Act, Refusal } from "../life/life.ts";
import { isEnded, parseReference, type StoredRequest } from "../life/request.ts";
import {
  addEvent,
  type EventRecord,
  enterAct,
  type JournalAct,
  listEvents,
  wasEnteredBy,
} from "../store/audit-log.ts";
import { findSubmissionByReference } from "../store/forms.ts";
import { findOpenRequest, findRequest, findRequestById, listOwned } from "../store/requests.ts";
import { enqueueLink } from "../telling/mails.ts";
import { applyAct, type OpenOffice } from "./apply-act.ts";
import { type Entry, enterRequest } from "./closed-mailbox.ts";
import { createReading } from "./reading.ts";
import { findTakingBack, takenBack } from "./taking-back.ts";

/** What an operator can do with requests. Every act is entered in the trail or the journal under the operator's name. */

/** Everything that can come of what an operator does. */
export type DeskResult =
  | { kind: "done"; request: StoredRequest }
  | { kind: "refused"; refusal: Refusal; request: StoredRequest }
  /** Something happened to it since the operator looked: nothing was done, and `last` says what and by whom. */
  | { kind: "overtaken"; request: StoredRequest; last: EventRecord }
  /** Its person was told, and nobody has said why it was a mistake. */
  | { kind: "unexplained"; request: StoredRequest }
  /** The address that was typed is not the request's: it may be of the request that is named, or of none. */
  | { kind: "another-address"; reference: string | undefined }
  | { kind: "not-found" };

/** What an operator can do to a request; completing it asks for more. */
export type OperatorAct = Exclude<Act, { type: "confirm" | "complete" }>;

/** What an operator asks for with a request: an act of its life, or what goes with that. */
export type Asked =
  | OperatorAct
  /** The account of this address is deleted, as the operator typed it; until ten minutes later that can be undone. */
  | { type: "complete"; address: string; found: Found }
  /**
   * Takes the last step back: what is done, refused or cancelled, what waits, or what somebody has taken. Its person hears
   * nothing of it, or why where they know of that step.
   */
  | { type: "take-back"; explanation: string }
  /** Writes something down for the team. The person is not told, and reads it when asking for what is held. */
  | { type: "note"; note: string }
  /** Sends the link of an open request, whatever was sent before. */
  | { type: "resend" }
  /** Sends again what could not be delivered; where all was, a new link. */
  | { type: "send-again" };

/** Of the page on which an operator acts: up to where it told the trail, and which form was sent. */
export type FromPage = { seen?: number | undefined; formKey?: string | undefined };

type Services = OpenOffice & { dataList: DataList };

export type Desk = ReturnType<typeof createDesk>;

const carriedAtOnce = 500;

/** One function of short ones: what operators do stands in one list, each act in its own transaction. */
export function createDesk(services: Services) {
  const { database, clock, onOutbox } = services;
  return {
    ...createReading(services),

    /**
     * Does what somebody asks for with the request of a reference, in one transaction in which it is read once.
     * @param asks for what, or how a form is read in sight of the request; `Wrong` is what is wrong with it, and nothing done
     */
    async act<Wrong extends readonly unknown[] = never>(
      typed: string,
      asks: Asked | ((request: StoredRequest) => Asked | Wrong),
      name: string,
      page: FromPage = {},
    ): Promise<DeskResult | Wrong> {
      const reference = parseReference(typed);
      if (reference === undefined) return { kind: "not-found" };
      const result = await database.write(async (transaction): Promise<DeskResult | Wrong> => {
        const request = await findRequest(transaction, { reference });
        if (!request) return { kind: "not-found" };
        const asked = typeof asks === "function" ? asks(request) : asks;
        if (!("type" in asked)) return asked;
        return doAsked({ services, transaction, request, name, page }, asked);
      });
      onOutbox?.();
      return result;
    },

    /** A request for somebody whose mailbox is closed. */
    async enterRequest(entry: Entry, name: string, formKey?: string) {
      const result = await database.write((transaction) =>
        enterRequest(services, transaction, entry, { name, formKey }, clock()),
      );
      onOutbox?.();
      return result;
    },

    /** Sends what could not be delivered again, of one request or of all. Returns how many mails. */
    async retry(name: string, request?: { id: number }): Promise<number> {
      const count = await database.write((transaction) =>
        retry(transaction, { name, at: clock() }, request?.id),
      );
      onOutbox?.();
      return count;
    },

    handBackAll: (owner: string, name: string) => handBackAll(services, owner, name),

    /** Somebody has looked at the clock: it is right, however far from when the server last ran. */
    async trustClock(name: string): Promise<void> {
      const at = clock();
      await database.write(async (transaction) => {
        await enterSeen(transaction, { now: at });
        await enterAct(transaction, { at, name, act: "trust-clock", about: "" });
      });
    },

    /** Enters an act that concerns no single request that stays. */
    async enter(name: string, act: JournalAct, about: string): Promise<void> {
      await database.write((transaction) =>
        enterAct(transaction, { at: clock(), name, act, about }),
      );
    },
  };
}

/** A request in the transaction in which something is done to it, and who does it. */
type AtRequest = {
  services: Services;
  transaction: Write;
  request: StoredRequest;
  name: string;
  page: FromPage;
};

function doAsked(at: AtRequest, asked: Asked): Promise<DeskResult> {
  switch (asked.type) {
    case "complete":
      return apply(at, [asked.type], () => findCompletion(at, asked));
    case "take-back":
      return apply(at, takenBack, () => findStepBack(at, asked.explanation));
    case "note":
      // What is written after the erasure would never be erased.
      return once(at, asked, async ({ request }) =>
        isEnded(request) && request.erasedAt ? "erased" : undefined,
      );
    case "resend":
      return once(at, asked, sendLink);
    case "send-again":
      return sendAgain(at);
    default:
      return apply(at, [asked.type], async () => asked);
  }
}

/**
 * Makes an act happen, unless something else did since the operator looked.
 * @param types under which names the trail has it
 * @param find the act, or what came of it instead
 */
async function apply(
  at: AtRequest,
  types: readonly string[],
  find: () => Promise<Act | DeskResult>,
): Promise<DeskResult> {
  const { services, transaction, request, name, page } = at;
  const act = (await findOvertaken(at, types)) ?? (await find());
  if ("kind" in act) return act;
  const by = { actor: "operator", name, formKey: page.formKey } as const;
  const result = await applyAct(services, transaction, request, act, by, services.clock());
  return result.ok
    ? { kind: "done", request: result.after }
    : { kind: "refused", refusal: result.refusal, request };
}

/** What the receipt will say is what somebody ticked or said otherwise, whoever asks. */
async function findCompletion(
  { services, transaction, request }: AtRequest,
  { address: typed, found }: Extract<Asked, { type: "complete" }>,
): Promise<Act | DeskResult> {
  const address = parseEmailAddress(typed);
  const match = address.ok ? matchEmail(address.email) : undefined;
  // Once erased there is nothing to compare, and nothing to complete either.
  if (request.email !== undefined && match !== matchEmail(request.email)) {
    const meant = address.ok ? await findOpenRequest(transaction, address.email) : undefined;
    return { kind: "another-address", reference: meant?.reference };
  }
  return completing(services, found);
}

/** The act that a completion is: the trail keeps what was ticked. */
function completing({ dataList, calendar, clock }: Services, found: Found) {
  const completion = completionOf(dataList, found, dateAt(calendar, clock()));
  const ticked = placesToTick(dataList).filter((key) => found.ticked.includes(key));
  return { type: "complete", completion, ticked } as const;
}

/** The act of the life of a request of which a mail can be drafted; undefined where that depends on more. */
export function actAskedFor(services: Services, asked: Asked): Act | undefined {
  if (asked.type === "complete") return completing(services, asked.found);
  return "explanation" in asked && asked.type !== "take-back" ? asked : undefined;
}

async function findStepBack(
  { transaction, request, name }: AtRequest,
  explanation: string,
): Promise<Act | DeskResult> {
  const mails = await listMessages(transaction, { requestId: request.id });
  const found = findTakingBack(request, mails, name);
  if ("because" in found) return { kind: "refused", refusal: found.because, request };
  const { act: type, isKnown } = found;
  // Once erased there is nobody left to be told why.
  const isOwed = type === "reopen" && isKnown && request.email !== undefined;
  if (isOwed && explanation === "") return { kind: "unexplained", request };
  return type === "reopen" ? { type, explanation } : { type };
}

// What changes nothing in the life of a request: notes, and its mails once more. Sent twice, a form is one act.

/**
 * Does something to a request and enters it, unless its form did so before.
 * @param work does it, or says why not
 */
async function once(
  at: AtRequest,
  event: { type: string; note?: string },
  work: (at: AtRequest) => Promise<Refusal | undefined>,
): Promise<DeskResult> {
  const { services, transaction, request, name, page } = at;
  const { formKey } = page;
  if (!(await wasEnteredBy(transaction, request, [event.type], formKey))) {
    const refusal = await work(at);
    if (refusal) return { kind: "refused", refusal, request };
    const entered = { ...event, name, formKey, actor: "operator", at: services.clock() } as const;
    await addEvent(transaction, request, entered);
  }
  return { kind: "done", request };
}

async function sendLink({
  services,
  transaction,
  request,
}: AtRequest): Promise<Refusal | undefined> {
  if (isEnded(request)) return "already-ended";
  const { id, reference } = request;
  const submission = await findSubmissionByReference(transaction, { reference });
  if (!submission) throw new Error(`Request ${id} has no form of its name`);
  const by = { by: "operator" } as const;
  await enqueueLink(services, transaction, request, submission, by, services.clock());
  return undefined;
}

async function sendAgain(at: AtRequest): Promise<DeskResult> {
  const { services, transaction, request, name, page } = at;
  const by = { name, at: services.clock(), formKey: page.formKey };
  const isDone =
    (await wasEnteredBy(transaction, request, ["resend", "retry"], page.formKey)) ||
    (await retry(transaction, by, request.id)) > 0;
  return isDone ? { kind: "done", request } : once(at, { type: "resend" }, sendLink);
}

/** Sends what could not be delivered again, of one request or of all, and enters it. Returns how many mails. */
async function retry(
  transaction: Write,
  by: { name: string; at: Temporal.Instant; formKey?: string | undefined },
  requestId?: number,
): Promise<number> {
  const requestIds = await retryMessages(transaction, by.at, requestId);
  for (const id of new Set(requestIds)) {
    const retried = id === undefined ? undefined : await findRequestById(transaction, { id });
    const event = { actor: "operator", type: "retry", ...by } as const;
    if (retried) await addEvent(transaction, retried, event);
  }
  return requestIds.length;
}

/** What changes nothing that an operator decides by. */
const quiet = ["note", "resend", "retry", "late"];
const eventsTold = 100;

/**
 * What happened to a request since somebody looked at it; undefined where nothing did. The same act pressed twice by one
 * person overtakes nobody, and is done; so is a form that is sent again because its answer was lost.
 * @param at.page.seen the id of the newest event when they looked; undefined for whoever acts on what is there now
 * @param acts under which names the trail has what the operator does now
 */
async function findOvertaken(
  { transaction, request, name, page: { seen, formKey } }: AtRequest,
  acts: readonly string[],
): Promise<DeskResult | undefined> {
  const { id: requestId, state } = request;
  const done = state !== "received" && ({ kind: "done", request } as const);
  if (done && (await wasEnteredBy(transaction, request, acts, formKey))) return done;
  if (seen === undefined) return undefined;
  const events = await listEvents(transaction, { requestId, id: seen, limit: eventsTold });
  const since = events.filter(({ type }) => !quiet.includes(type));
  const last = since.at(-1);
  if (!last) return undefined;
  const isOwn = since.every((event) => acts.includes(event.type) && event.name === name);
  return isOwn && done ? done : { kind: "overtaken", request, last };
}

/** Hands back everything that an operator is at work on. Returns the references. */
async function handBackAll(services: Services, owner: string, name: string): Promise<string[]> {
  const { database, clock } = services;
  const by = { actor: "operator", name } as const;
  const references: string[] = [];
  for (;;) {
    const ids = await listOwned(database.read, { owner, limit: carriedAtOnce });
    if (ids.length === 0) return references;
    const handedBack = await database.write(async (transaction) => {
      // Its own list: a transaction may be run again.
      const done: string[] = [];
      for (const id of ids) {
        const request = await findRequestById(transaction, { id });
        if (!request) continue;
        await applyAct(services, transaction, request, { type: "hand-back" }, by, clock());
        done.push(request.reference);
      }
      return done;
    });
    references.push(...handedBack);
  }
}
