import { listMessages, retryMessages } from "../../delivery/outbox.ts";
import { dateAt } from "../../platform/calendar/business-days.ts";
import { recordSeen } from "../../platform/database/last-seen.ts";
import { everything, type Write } from "../../platform/database/statement.ts";
import type { FieldError, FormValues } from "../../platform/forms/form-values.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { enqueueLink, mailChannels } from "../mails/mails.ts";
import { createRequestQueries } from "../queries/request-queries.ts";
import {
  addEvent,
  type EventRecord,
  type JournalAct,
  listEvents,
  recordAct,
} from "../repository/audit-log.ts";
import { type EraseRequest, type Erasure, eraseRequestAndTraces } from "../repository/erasing.ts";
import {
  findOpenRequest,
  findRequest,
  findRequestById,
  listOwned,
} from "../repository/requests.ts";
import { findGrace, type Grace } from "../repository/restore-letters.ts";
import { findSubmissionByReference } from "../repository/submissions.ts";
import {
  isEnded,
  isFormKey,
  parseReference,
  type StoredRequest,
} from "../state-machine/request.ts";
import type { Refusal } from "../state-machine/state-machine.ts";
import {
  type ActName,
  type ActSurroundings,
  type DeskAct,
  declarations,
  findWhyNot,
  harmlessEvents,
  type Means,
  newRequestForm,
  readAct,
  type SubmittedAct,
} from "./acts.ts";
import { type ActServices, applyAct, type RequestServices } from "./apply-act.ts";
import { type Entry, enterRequest } from "./closed-mailbox.ts";

/**
 * Commands for operators. Each act is recorded under the operator's name, in the request's history
 * or in the journal.
 */

export type DeskResult =
  | { kind: "done"; request: StoredRequest }
  | { kind: "refused"; refusal: Refusal; request: StoredRequest; grace?: Grace }
  /**
   * Nothing was done, because the request has changed since the page was rendered. `last` is the
   * latest change.
   */
  | { kind: "overtaken"; request: StoredRequest; last: EventRecord }
  /** The act requires an explanation for the requester. */
  | { kind: "unexplained" }
  /**
   * The typed email address doesn't match the request. If the typed address belongs to another open
   * request, `reference` is that request's reference.
   */
  | { kind: "another-address"; reference: string | undefined }
  | { kind: "not-found" };

/**
 * Hidden form fields. `seen` is the id of the last event shown, and `formKey` is an idempotency
 * key.
 */
type FromPage = { seen?: number | undefined; formKey?: string | undefined };

type OperatorCommandServices = RequestServices &
  ActSurroundings["services"] & {
    forgetting: Erasure;
    /**
     * Hands a request over to the account system again. Unset if no account system is connected.
     */
    handOverAgain?: (
      transaction: Write,
      request: StoredRequest,
      now: Temporal.Instant,
    ) => Promise<Refusal | undefined>;
  };

export type Desk = ReturnType<typeof createOperatorCommands>;

/** Each command runs in its own transaction. */
export function createOperatorCommands(services: OperatorCommandServices) {
  const { database, clock, onOutbox, forgetting } = services;

  async function write<T>(work: (transaction: Write) => Promise<T>): Promise<T> {
    const result = await database.write(work);
    onOutbox?.();
    return result;
  }

  async function act(
    typed: string,
    submitted: SubmittedAct,
    name: string,
    page: FromPage = {},
  ): Promise<DeskResult> {
    const reference = parseReference(typed);
    if (reference === undefined) return { kind: "not-found" };
    const work = async (transaction: Write, forget?: EraseRequest): Promise<DeskResult> => {
      const request = await findRequest(transaction, { reference });
      if (!request) return { kind: "not-found" };
      return doSubmittedAct({ services, transaction, request, name, page, forget }, submitted);
    };
    if (declarations[submitted.type].removes) {
      const result = await forgetting.write(work);
      await forgetting.finish(clock());
      return result;
    }
    return write(work);
  }

  const enterClosed = (entry: Entry, name: string, formKey?: string) =>
    write((transaction) =>
      enterRequest({ services, transaction, now: clock() }, entry, { name, formKey }),
    );

  return {
    ...createRequestQueries(services),
    act,
    enterRequest: enterClosed,

    /**
     * Performs the act of a submitted form, or returns the form's errors. Ignores `reference` if
     * the act is "enter".
     */
    async submit(
      form: { act: DeskAct | ActName; reference: string; seen?: number; typed: FormValues },
      name: string,
    ): Promise<DeskResult | { kind: "wrong"; wrong: FieldError[] }> {
      const { typed, seen } = form;
      // A tick has no idempotency key, because a page may save the checklist repeatedly and each
      // save replaces the previous answers.
      const formKey = form.act === "tick" ? undefined : typed.formKey?.find(isFormKey);
      const around = { services, name, now: clock() };
      if (form.act === "enter") {
        const read = newRequestForm.read(typed, around);
        if (read.kind === "wrong") return read;
        return enterClosed(read.fields, name, formKey);
      }
      const parsed = readAct(form.act, typed, around);
      return parsed.kind === "read"
        ? act(form.reference, parsed.fields, name, { seen, formKey })
        : parsed;
    },

    /** Resends all failed emails and returns their number. */
    retry: (name: string) => write((transaction) => retry(transaction, { name, at: clock() })),

    /**
     * Accepts the current time after a large clock jump, once an operator has checked the clock.
     */
    async trustClock(name: string): Promise<void> {
      const at = clock();
      await database.write(async (transaction) => {
        await recordSeen(transaction, { now: at });
        await recordAct(transaction, { at, name, act: "trust-clock", about: "" });
      });
    },

    /** Records an act on the entire store, or on a deleted request, in the journal. */
    async enter(name: string, act: JournalAct, about: string): Promise<void> {
      await database.write((transaction) =>
        recordAct(transaction, { at: clock(), name, act, about }),
      );
    },
  };
}

type AtRequest = {
  services: OperatorCommandServices;
  transaction: Write;
  request: StoredRequest;
  name: string;
  page: FromPage;
  /** Set only for acts that delete the request. */
  forget: EraseRequest | undefined;
};

/**
 * Performs an act unless the request has changed since the page was rendered. A change doesn't stop
 * acts that bypass the state machine, such as a note. If a form is resent after a lost response, its
 * act counts as done. Such a form's idempotency key is in one of the first hundred events since the
 * page was rendered.
 */
async function doSubmittedAct(at: AtRequest, submitted: SubmittedAct): Promise<DeskResult> {
  const { services, transaction, request, name, page } = at;
  const done = { kind: "done", request } as const;
  const mails = await listMessages(transaction, { requestId: request.id });
  const events = await listEvents(transaction, { requestId: request.id, id: 0, limit: everything });
  const now = services.clock();
  const grace = await findGrace(transaction, request.id, now);
  const context = { services, request, mails, events, grace, name, now };
  const declared = declarations[submitted.type];
  const { inTrail } = declared;
  const all = await listSince(at);
  const isAgain = ({ type, formKey }: (typeof all)[number]) =>
    formKey === page.formKey && inTrail.includes(type);
  if (page.formKey !== undefined && all.some(isAgain)) return done;
  if (declared.kind === "effect") {
    const refusal = declared.whyNot?.(context) ?? (await declared.does(submitted, effectsFor(at)));
    return refusal ? { kind: "refused", refusal, request } : done;
  }
  const isOwnTick = (event: (typeof all)[number]) => event.type === "tick" && event.name === name;
  const since = all.filter((event) => !harmlessEvents.includes(event.type) && !isOwnTick(event));
  // Reports the operator who marked the request done, not the system that made the completion
  // final.
  const last =
    since.findLast(
      ({ type, toState, name }) => type !== "complete" || name || toState !== "completed",
    ) ?? since.at(-1);
  if (last) {
    // If the same operator pressed the same button twice, the act counts as done. A second form
    // doesn't, because its text may differ.
    const { type: _, ...fields } = submitted;
    const isPressed = Object.values(fields).every((value) => !value);
    const isOwn = since.every((event) => inTrail.includes(event.type) && event.name === name);
    return isPressed && isOwn ? done : { kind: "overtaken", request, last };
  }
  if (grace && findWhyNot(submitted.type, context) === "after-restore") {
    return { kind: "refused", refusal: "after-restore", request, grace };
  }
  const made = declared.makes(submitted, context);
  if (made.kind === "unexplained") return made;
  if (made.kind === "refused") return { ...made, request };
  if (made.kind === "another-address") {
    const openRequest = made.email && (await findOpenRequest(transaction, made.email));
    return { kind: made.kind, reference: openRequest?.reference };
  }
  const by = { actor: "operator", name, formKey: page.formKey } as const;
  const result = await applyAct({ services, transaction, now }, request, made.act, by);
  return result.ok
    ? { kind: "done", request: result.after }
    : { kind: "refused", refusal: result.refusal, request };
}

function effectsFor({ services, transaction, request, name, page, forget }: AtRequest): Means {
  const { calendar, keys, clock } = services;
  const at = clock();
  const by = { name, at, formKey: page.formKey };
  const enter: Means["enter"] = async (event) => {
    await addEvent(transaction, request, { actor: "operator", ...by, ...event });
  };
  return {
    enter,
    async sendAgain(anew) {
      const count = anew && !isEnded(request) ? 0 : await retry(transaction, by, request.id);
      if (count > 0 || isEnded(request)) return;
      const { id, reference } = request;
      const submission = await findSubmissionByReference(transaction, { reference });
      if (!submission) throw new Error(`Request ${id} has no submission with its reference`);
      await enqueueLink({ services, transaction, now: at }, request, submission, {
        by: "operator",
      });
      await enter({ type: "resend" });
    },
    handOverAgain: async () =>
      services.handOverAgain ? services.handOverAgain(transaction, request, at) : "not-handed-over",
    async remove() {
      if (!forget || request.state !== "received")
        throw new Error("Only an unconfirmed request can be removed");
      const { id: requestId, reference, receivedAt } = request;
      // Subtracts the request from the month that counted it.
      const [entered] = await listEvents(transaction, { requestId, id: 0, limit: 1 });
      await eraseRequestAndTraces({ transaction, keys, now: at }, forget, request, "removed");
      await tally(transaction, dateAt(calendar, entered?.at ?? receivedAt), "removed");
      await recordAct(transaction, { at, name, act: "delete", about: reference });
    },
  };
}

/**
 * Resends the failed emails of one request, or of all requests if `requestId` is undefined. Adds an
 * event to each affected request. Returns the number of emails.
 */
async function retry(
  transaction: Write,
  by: { name: string; at: Temporal.Instant; formKey?: string | undefined },
  requestId?: number,
): Promise<number> {
  const requestIds = await retryMessages(transaction, mailChannels, by.at, requestId);
  for (const id of new Set(requestIds)) {
    const retried = id === undefined ? undefined : await findRequestById(transaction, { id });
    const event = { actor: "operator", type: "retry", ...by } as const;
    if (retried) await addEvent(transaction, retried, event);
  }
  return requestIds.length;
}

const eventsListed = 100;

/**
 * Lists the events since the page was rendered. Returns an empty list if the act didn't come from a
 * page.
 */
async function listSince({ transaction, request, page: { seen } }: AtRequest) {
  if (seen === undefined) return [];
  return listEvents(transaction, { requestId: request.id, id: seen, limit: eventsListed });
}

/** Hands back all requests that an operator owns. Returns their references. */
export async function handBackAll(
  {
    services,
    transaction,
    now: at,
  }: { services: ActServices; transaction: Write; now: Temporal.Instant },
  owner: string,
  name: string,
): Promise<string[]> {
  const owned = await listOwned(transaction, { owner, limit: Number.MAX_SAFE_INTEGER });
  const by = { actor: "operator", name } as const;
  for (const request of owned) {
    await applyAct({ services, transaction, now: at }, request, { type: "hand-back" }, by);
  }
  return owned.map(({ reference }) => reference);
}
