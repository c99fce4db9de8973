import { matchEmail, parseEmailAddress } from "../../addresses/email-address.ts";
import { dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { enterSeen } from "../../database/last-seen.ts";
import type { Write } from "../../database/statement.ts";
import { listMessages, retryMessages } from "../../outbox/outbox.ts";
import {
  completionOf,
  type DataList,
  type Found,
  findMissing,
  type Missing,
  placesToTick,
} from "../life/checklist.ts";
import type { Act, By, Refusal } from "../life/life.ts";
import { parseReference } from "../life/reference.ts";
import { type ConfirmedRequest, isEnded, isWorking, type StoredRequest } from "../life/request.ts";
import {
  addEvent,
  type EventRecord,
  enterAct,
  type JournalAct,
  wasEnteredBy,
} from "../store/audit-log.ts";
import { enterOwner } from "../store/changes.ts";
import { findOpenRequest, findRequest, findRequestById, listOwned } from "../store/finding.ts";
import { findSubmissionByReference } from "../store/forms.ts";
import { enqueueLink } from "../telling/enqueue.ts";
import { findTakingBack, type Office, takenBack } from "./acts.ts";
import { applyAct } from "./apply-act.ts";
import { type Entry, type EntryResult, enterRequest } from "./closed-mailbox.ts";
import { findOvertaken } from "./overtaken.ts";
import { createReading } from "./reading.ts";

/** What an operator can do with requests. Every act is entered in the trail or the journal under the operator's name. */

export type DeskResult =
  | { kind: "done"; request: ConfirmedRequest }
  | { kind: "refused"; refusal: Refusal; request: StoredRequest }
  /** Something happened to it since the operator looked: nothing was done, and `since` says what and by whom. */
  | { kind: "overtaken"; request: StoredRequest; since: EventRecord[] }
  | { kind: "not-found" };

/** Of what changes nothing in the life of a request, which may be unconfirmed. */
export type NoteResult =
  | Exclude<DeskResult, { kind: "done" | "overtaken" }>
  | { kind: "done"; request: StoredRequest };

/** What an operator can do to a request; completing it asks for more. */
export type OperatorAct = Exclude<Act, { type: "confirm" | "complete" }>;

/** Of the page on which an operator acts: up to where it told the trail, and which form was sent. */
export type FromPage = { seen?: number | undefined; formKey?: string | undefined };

export type TakeBackResult =
  | DeskResult
  /** Its person was told, and nobody has said why it was a mistake. */
  | { kind: "unexplained"; request: StoredRequest };

export type CompleteResult =
  | DeskResult
  /** The address that was typed is not the request's: it may be of the request that is named, or of none. */
  | { kind: "another-address"; reference: string | undefined }
  /** Nobody said yet what the receipt would say. */
  | { kind: "incomplete"; missing: readonly Missing[] };

type Services = Office & {
  database: Database;
  dataList: DataList;
  clock: () => Temporal.Instant;
  onOutbox?: () => void;
};

export type Desk = ReturnType<typeof createDesk>;

const carriedAtOnce = 500;

export function createDesk(services: Services) {
  return {
    ...createReading(services),
    ...createActing(services),
    ...createResending(services),

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
  return {
    act(typed: string, act: OperatorAct, name: string, page?: FromPage): Promise<DeskResult> {
      return change(services, typed, async (transaction, request): Promise<DeskResult> => {
        const before = await findOvertaken(transaction, request, [act.type], name, page);
        return before ?? applyBy(services, transaction, request, act, operator(name, page));
      });
    },

    complete: (typed: string, by: Completing, name: string, page?: FromPage) =>
      complete(services, typed, by, name, page),

    note: (typed: string, text: string, name: string, formKey?: string) =>
      note(services, typed, text, name, formKey),

    /** A request for somebody whose mailbox is closed. */
    async enterRequest(entry: Entry, name: string, formKey?: string): Promise<EntryResult> {
      const result = await services.database.write((transaction) =>
        enterRequest(services, transaction, entry, { name, formKey }, services.clock()),
      );
      services.onOutbox?.();
      return result;
    },

    /**
     * Takes the last step back: what is done, refused or cancelled, what waits, or what somebody has taken. Its person hears
     * nothing of it, or why.
     * @param explanation for its person, where they know of that step
     */
    takeBack(
      typed: string,
      explanation: string,
      name: string,
      page?: FromPage,
    ): Promise<TakeBackResult> {
      return change(services, typed, async (transaction, request): Promise<TakeBackResult> => {
        const before = await findOvertaken(transaction, request, takenBack, name, page);
        if (before) return before;
        const mails = await listMessages(transaction, { ownerId: request.id });
        const found = findTakingBack(request, mails, name);
        if ("because" in found) return { kind: "refused", refusal: found.because, request };
        const { act: type, isKnown } = found;
        // Once erased there is nobody left to be told why.
        const isOwed = type === "reopen" && isKnown && request.email !== undefined;
        if (isOwed && explanation === "") return { kind: "unexplained", request };
        const act = type === "reopen" ? { type, explanation } : { type };
        return applyBy(services, transaction, request, act, operator(name, page));
      });
    },
  };
}

type Completing = {
  /** Of the account that was deleted, as the operator typed it. */
  address: string;
  found: Found;
};

/**
 * The account is deleted; until ten minutes later that can be undone. What the receipt will say is what somebody ticked or
 * said otherwise, whoever asks; the trail keeps what was ticked.
 */
function complete(
  services: Services,
  typed: string,
  by: Completing,
  name: string,
  page?: FromPage,
): Promise<CompleteResult> {
  const { calendar, dataList, clock } = services;
  return change(services, typed, async (transaction, request): Promise<CompleteResult> => {
    const before = await findOvertaken(transaction, request, ["complete"], name, page);
    if (before) return before;
    const address = parseEmailAddress(by.address);
    const match = address.ok ? matchEmail(address.email) : undefined;
    // Once erased there is nothing to compare, and nothing to complete either.
    if (request.email !== undefined && match !== matchEmail(request.email)) {
      const meant = address.ok ? await findOpenRequest(transaction, address.email) : undefined;
      return { kind: "another-address", reference: meant?.reference };
    }
    const today = dateAt(calendar, clock());
    const missing = findMissing(dataList, by.found, today);
    if (missing.length > 0) return { kind: "incomplete", missing };
    const completion = completionOf(dataList, by.found, today);
    const ticked = placesToTick(dataList).filter((key) => by.found.ticked.includes(key));
    const act = { type: "complete", completion, ticked } as const;
    return applyBy(services, transaction, request, act, operator(name, page));
  });
}

/**
 * Writes something down for the team. The person is not told, and reads it when asking for what is held.
 * @param formKey of the form in which it was typed: sent twice, it is one note
 */
function note(
  services: Services,
  typed: string,
  text: string,
  name: string,
  formKey?: string,
): Promise<NoteResult> {
  return change(services, typed, async (transaction, request): Promise<NoteResult> => {
    const { id } = request;
    // What is written after the erasure would never be erased.
    if (isEnded(request) && request.erasedAt) {
      return { kind: "refused", refusal: "erased", request };
    }
    if (formKey && (await wasEnteredBy(transaction, id, ["note"], formKey))) {
      return { kind: "done", request };
    }
    const event = { ...operator(name, { formKey }), type: "note", note: text };
    await addEvent(transaction, request, { ...event, at: services.clock() });
    return { kind: "done", request };
  });
}

/** Sends a request's mails again. */
function createResending(services: Services) {
  const { database, clock } = services;

  /** Sends what could not be delivered again, of one request or of all. Returns how many mails. */
  async function retry(name: string, request?: { id: number }, formKey?: string): Promise<number> {
    const count = await database.write(async (transaction) => {
      const now = clock();
      const requestIds = await retryMessages(transaction, now, request?.id);
      for (const id of new Set(requestIds)) {
        const retried = id === null ? undefined : await findRequestById(transaction, { id });
        const by = { actor: "operator", name } as const;
        if (retried)
          await addEvent(transaction, retried, { ...by, type: "retry", at: now, formKey });
      }
      return requestIds.length;
    });
    services.onOutbox?.();
    return count;
  }

  return {
    /** Sends again what could not be delivered; where all was, a new link. */
    async sendAgain(typed: string, name: string, formKey?: string): Promise<NoteResult> {
      const request = await createReading(services).find(typed);
      if (!request) return { kind: "not-found" };
      const sent = ["resend", "retry"];
      if (formKey && (await wasEnteredBy(database.read, request.id, sent, formKey))) {
        return { kind: "done", request };
      }
      if ((await retry(name, request, formKey)) > 0) return { kind: "done", request };
      return resendLink(services, typed, name, formKey);
    },

    retry,
    resendLink: (typed: string, name: string, formKey?: string) =>
      resendLink(services, typed, name, formKey),
  };
}

/**
 * Sends the link of an open request again, whatever was sent before.
 * @param formKey of the form whose button was pressed: sent twice, it is one mail
 */
function resendLink(
  services: Services,
  typed: string,
  name: string,
  formKey?: string,
): Promise<NoteResult> {
  return change(services, typed, async (transaction, request): Promise<NoteResult> => {
    if (isEnded(request)) return { kind: "refused", refusal: "already-ended", request };
    if (formKey && (await wasEnteredBy(transaction, request.id, ["resend"], formKey))) {
      return { kind: "done", request };
    }
    const submission = await findSubmissionByReference(transaction, {
      reference: request.reference,
    });
    if (!submission) throw new Error(`Request ${request.id} has no form of its name`);
    const now = services.clock();
    const by = { actor: "operator", name } as const;
    await enqueueLink(services, transaction, request, submission, { by: "operator" }, now);
    await addEvent(transaction, request, { ...by, type: "resend", at: now, formKey });
    return { kind: "done", request };
  });
}

/** Does something to the request of a reference in one transaction, in which it is read once. */
async function change<T>(
  { database, onOutbox }: Services,
  typed: string,
  work: (transaction: Write, request: StoredRequest) => Promise<T>,
): Promise<T | { kind: "not-found" }> {
  const reference = parseReference(typed);
  if (reference === undefined) return { kind: "not-found" };
  const result = await database.write(async (transaction) => {
    const request = await findRequest(transaction, { reference });
    return request ? work(transaction, request) : ({ kind: "not-found" } as const);
  });
  onOutbox?.();
  return result;
}

async function applyBy(
  services: Services,
  transaction: Write,
  request: StoredRequest,
  act: Act,
  by: By,
): Promise<DeskResult> {
  const result = await applyAct(services, transaction, request, act, by, services.clock());
  return result.ok
    ? { kind: "done", request: result.after }
    : { kind: "refused", refusal: result.refusal, request };
}

const operator = (name: string, page?: FromPage): By => ({
  actor: "operator",
  name,
  formKey: page?.formKey,
});

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
        if (isWorking(request) && request.done) await enterOwner(transaction, { id, owner: null });
        else await applyAct(services, transaction, request, { type: "hand-back" }, by, clock());
        done.push(request.reference);
      }
      return done;
    });
    references.push(...handedBack);
  }
}
