import { matchEmail, parseEmailAddress } from "../../addresses/email-address.ts";
import { dateAt } from "../../calendar/business-days.ts";
import { enterSeen } from "../../database/last-seen.ts";
import type { Write } from "../../database/statement.ts";
import { listMessages, retryMessages } from "../../outbox/outbox.ts";
import { completionOf, type DataList, type Found, placesToTick } from "../life/checklist.ts";
import type { Act, Refusal } from "../life/life.ts";
import { isEnded, isWorking, parseReference, type StoredRequest } from "../life/request.ts";
import {
  addEvent,
  type EventRecord,
  enterAct,
  type JournalAct,
  listEvents,
  wasEnteredBy,
} from "../store/audit-log.ts";
import { findSubmissionByReference } from "../store/forms.ts";
import {
  enterOwner,
  findOpenRequest,
  findRequest,
  findRequestById,
  listOwned,
} from "../store/requests.ts";
import { enqueueLink } from "../telling/mails.ts";
import { applyAct, type OpenOffice } from "./apply-act.ts";
import { type Entry, type EntryResult, enterRequest } from "./closed-mailbox.ts";
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

/** Of the page on which an operator acts: up to where it told the trail, and which form was sent. */
export type FromPage = { seen?: number | undefined; formKey?: string | undefined };

type Services = OpenOffice & { dataList: DataList };

export type Desk = ReturnType<typeof createDesk>;

const carriedAtOnce = 500;

export function createDesk(services: Services) {
  return {
    ...createReading(services),
    ...createActing(services),
    ...createTelling(services),

    handBackAll: (owner: string, name: string) => handBackAll(services, owner, name),

    /** Somebody has looked at the clock: it is right, however far from when the server last ran. */
    async trustClock(name: string): Promise<void> {
      const at = services.clock();
      await services.database.write(async (transaction) => {
        await enterSeen(transaction, { now: at });
        await enterAct(transaction, { at, name, act: "trust-clock", about: "" });
      });
    },

    /** Enters an act that concerns no single request that stays. */
    async enter(name: string, act: JournalAct, about: string): Promise<void> {
      await services.database.write((transaction) =>
        enterAct(transaction, { at: services.clock(), name, act, about }),
      );
    },
  };
}

/** The acts of the life of a request, and what goes with them. */
function createActing(services: Services) {
  const { calendar, dataList, clock } = services;

  return {
    act: (typed: string, act: OperatorAct, name: string, page: FromPage = {}) =>
      apply(services, typed, [act.type], name, page, async () => act),

    /** A request for somebody whose mailbox is closed. */
    async enterRequest(entry: Entry, name: string, formKey?: string): Promise<EntryResult> {
      const result = await services.database.write((transaction) =>
        enterRequest(services, transaction, entry, { name, formKey }, clock()),
      );
      services.onOutbox?.();
      return result;
    },

    /**
     * Takes the last step back: what is done, refused or cancelled, what waits, or what somebody has taken. Its person hears
     * nothing of it, or why.
     * @param explanation for its person, where they know of that step
     */
    takeBack: (typed: string, explanation: string, name: string, page: FromPage = {}) =>
      apply(services, typed, takenBack, name, page, async (transaction, request) => {
        const mails = await listMessages(transaction, { ownerId: request.id });
        const found = findTakingBack(request, mails, name);
        if ("because" in found) return { kind: "refused", refusal: found.because, request };
        const { act: type, isKnown } = found;
        // Once erased there is nobody left to be told why.
        const isOwed = type === "reopen" && isKnown && request.email !== undefined;
        if (isOwed && explanation === "") return { kind: "unexplained", request };
        const act: Act = type === "reopen" ? { type, explanation } : { type };
        return act;
      }),

    /**
     * The account is deleted; until ten minutes later that can be undone. What the receipt will say is what somebody ticked
     * or said otherwise, whoever asks; the trail keeps what was ticked.
     * @param by.address of the account that was deleted, as the operator typed it
     */
    complete: (
      typed: string,
      by: { address: string; found: Found },
      name: string,
      page: FromPage = {},
    ) =>
      apply(services, typed, ["complete"], name, page, async (transaction, request) => {
        const address = parseEmailAddress(by.address);
        const match = address.ok ? matchEmail(address.email) : undefined;
        // Once erased there is nothing to compare, and nothing to complete either.
        if (request.email !== undefined && match !== matchEmail(request.email)) {
          const meant = address.ok ? await findOpenRequest(transaction, address.email) : undefined;
          return { kind: "another-address", reference: meant?.reference };
        }
        const completion = completionOf(dataList, by.found, dateAt(calendar, clock()));
        const ticked = placesToTick(dataList).filter((key) => by.found.ticked.includes(key));
        return { type: "complete", completion, ticked };
      }),
  };
}

/** What changes nothing in the life of a request: notes, and its mails once more. Sent twice, a form is one act. */
function createTelling(services: Services) {
  const { database, clock } = services;

  /** Sends what could not be delivered again, of one request or of all. Returns how many mails. */
  async function retry(name: string, request?: { id: number }, formKey?: string): Promise<number> {
    const count = await database.write(async (transaction) => {
      const requestIds = await retryMessages(transaction, clock(), request?.id);
      for (const id of new Set(requestIds)) {
        const retried = id === undefined ? undefined : await findRequestById(transaction, { id });
        const event = { actor: "operator", name, type: "retry", at: clock(), formKey } as const;
        if (retried) await addEvent(transaction, retried, event);
      }
      return requestIds.length;
    });
    services.onOutbox?.();
    return count;
  }

  /** Sends the link of an open request again, whatever was sent before. */
  const resendLink = (typed: string, name: string, formKey?: string) =>
    once(services, typed, { type: "resend", name, formKey }, async (transaction, request) => {
      if (isEnded(request)) return "already-ended";
      const { id, reference } = request;
      const submission = await findSubmissionByReference(transaction, { reference });
      if (!submission) throw new Error(`Request ${id} has no form of its name`);
      const by = { by: "operator" } as const;
      await enqueueLink(services, transaction, request, submission, by, clock());
      return undefined;
    });

  return {
    ...{ retry, resendLink },

    /** Writes something down for the team. The person is not told, and reads it when asking for what is held. */
    note: (typed: string, note: string, name: string, formKey?: string) =>
      once(services, typed, { type: "note", name, note, formKey }, async (_, request) =>
        // What is written after the erasure would never be erased.
        isEnded(request) && request.erasedAt ? "erased" : undefined,
      ),

    /** Sends again what could not be delivered; where all was, a new link. */
    async sendAgain(typed: string, name: string, formKey?: string): Promise<DeskResult> {
      const request = await createReading(services).find(typed);
      if (!request) return { kind: "not-found" };
      const isDone =
        (await wasEnteredBy(database.read, request, ["resend", "retry"], formKey)) ||
        (await retry(name, request, formKey)) > 0;
      return isDone ? { kind: "done", request } : resendLink(typed, name, formKey);
    },
  };
}

/**
 * Makes an act happen, unless something else did since the operator looked.
 * @param types under which names the trail has it
 * @param find the act, or what came of it instead
 */
function apply(
  services: Services,
  typed: string,
  types: readonly string[],
  name: string,
  page: FromPage,
  find: (transaction: Write, request: StoredRequest) => Promise<Act | DeskResult>,
): Promise<DeskResult> {
  return change(services, typed, async (transaction, request) => {
    const before = await findOvertaken(transaction, request, types, name, page);
    const act = before ?? (await find(transaction, request));
    if ("kind" in act) return act;
    const by = { actor: "operator", name, formKey: page.formKey } as const;
    const result = await applyAct(services, transaction, request, act, by, services.clock());
    return result.ok
      ? { kind: "done", request: result.after }
      : { kind: "refused", refusal: result.refusal, request };
  });
}

/**
 * Does something to a request and enters it, unless its form did so before.
 * @param work does it, or says why not
 */
function once(
  services: Services,
  typed: string,
  event: { type: string; name: string; formKey: string | undefined; note?: string },
  work: (transaction: Write, request: StoredRequest) => Promise<Refusal | undefined>,
): Promise<DeskResult> {
  return change(services, typed, async (transaction, request) => {
    if (!(await wasEnteredBy(transaction, request, [event.type], event.formKey))) {
      const refusal = await work(transaction, request);
      if (refusal) return { kind: "refused", refusal, request };
      const at = services.clock();
      await addEvent(transaction, request, { ...event, actor: "operator", at });
    }
    return { kind: "done", request };
  });
}

/** Does something to the request of a reference in one transaction, in which it is read once. */
async function change(
  { database, onOutbox }: Services,
  typed: string,
  work: (transaction: Write, request: StoredRequest) => Promise<DeskResult>,
): Promise<DeskResult> {
  const reference = parseReference(typed);
  if (reference === undefined) return { kind: "not-found" };
  const result = await database.write(async (transaction): Promise<DeskResult> => {
    const request = await findRequest(transaction, { reference });
    return request ? work(transaction, request) : { kind: "not-found" };
  });
  onOutbox?.();
  return result;
}

/** What changes nothing that an operator decides by. */
const quiet = ["note", "resend", "retry", "late"];
const eventsTold = 100;

/**
 * What happened to a request since somebody looked at it; undefined where nothing did. The same act pressed twice by one
 * person overtakes nobody, and is done; so is a form that is sent again because its answer was lost.
 * @param acts under which names the trail has what the operator does now
 * @param page.seen the id of the newest event when they looked; undefined for whoever acts on what is there now
 */
async function findOvertaken(
  transaction: Write,
  request: StoredRequest,
  acts: readonly string[],
  name: string,
  { seen, formKey }: FromPage,
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
        // What waits to be completed is completed by the clock, and is nobody's work any more.
        if (isWorking(request) && request.done)
          await enterOwner(transaction, { id, owner: undefined });
        else await applyAct(services, transaction, request, { type: "hand-back" }, by, clock());
        done.push(request.reference);
      }
      return done;
    });
    references.push(...handedBack);
  }
}
