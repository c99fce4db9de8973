import { type MaskedEmail, maskEmail } from "../../addresses/email-address.ts";
import { countDaysLeft, type DueDate, dateAt } from "../../calendar/business-days.ts";
import { type Database, isStorageProblem } from "../../database/database.ts";
import type { Read, Write } from "../../database/statement.ts";
import { findProof } from "../ledger/chain.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion } from "../life/completion.ts";
import { decide, isHeld, type RefusalReason } from "../life/life.ts";
import { listEvents } from "../store/events.ts";
import { findRequestById } from "../store/finding.ts";
import { findSubmissionByReference, listReferences } from "../store/forms.ts";
import {
  findLinkById,
  findLinkByToken,
  hasExpired,
  isUsed,
  type LinkRecord,
  readVisit,
  sealVisit,
  spendConfirmTokens,
  type VisitMode,
  visitUntil,
} from "../store/links.ts";
import {
  type ConfirmedRequest,
  type Hold,
  isEnded,
  isWorking,
  type StoredRequest,
} from "../store/request.ts";
import { oweLink } from "../telling/link-mails.ts";
import { applyAct, dueDateFrom, type Office, toLife } from "../working/apply-act.ts";

/** What a person can do with a link from a mail: confirm, look, cancel and ask for another link. */

export type Extension = {
  at: Temporal.Instant;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  /** Empty once erased. */
  explanation: string;
};

/** A slip that was put right. */
export type Correction = {
  at: Temporal.Instant;
  what: "undone" | "reopened";
  /** Empty once erased. */
  explanation: string;
};

export type Status = {
  reference: string;
  otherReferences: string[];
  state: "confirmed" | "in-progress" | "completed" | "cancelled" | "refused";
  /** Undefined once erased. */
  maskedEmail: MaskedEmail | undefined;
  /** Where mails go instead; undefined where the mailbox is not closed, and once erased. */
  maskedContact: MaskedEmail | undefined;
  receivedAt: Temporal.Instant;
  confirmedAt: Temporal.Instant;
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant | undefined;
  due: DueDate;
  /** Business days until the due date, negative when it has passed. */
  daysLeft: number;
  extensions: Extension[];
  refusal: { reason: RefusalReason; explanation: string } | undefined;
  /** Why it waits at present, until the end of which day. */
  hold: (Hold & { explanation: string }) | undefined;
  /** Since when it is done, though the receipt has not left yet: a slip could still be put right. */
  doneAt: Temporal.Instant | undefined;
  /** What turned out not to be so, oldest first. */
  corrections: Correction[];
  /** What really happened to the data; undefined until it is completed. */
  completion: Completion | undefined;
  canCancel: boolean;
  /** Of a completed request, for the receipt. */
  proof: Proof | undefined;
};

export type LinkResult = { kind: "visit"; visit: string } | { kind: "unknown" };

/** Why a visit shows nothing of the request. */
export type Closed =
  | { kind: "link-used"; reference: string }
  /** `waitsUntil` is when the request disappears, unless it was confirmed meanwhile. */
  | { kind: "link-expired"; reference: string; waitsUntil?: Temporal.Instant | undefined }
  | { kind: "request-ended"; reference: string }
  | { kind: "visit-expired" }
  | { kind: "unknown" };

export type VisitResult =
  | {
      kind: "confirm";
      reference: string;
      maskedEmail: MaskedEmail;
      receivedAt: Temporal.Instant;
      /** How long the link behind this visit confirms. */
      validUntil: Temporal.Instant;
      dueIfConfirmedToday: DueDate;
    }
  /** An operator entered it, and another one has not looked at it yet. */
  | {
      kind: "entered";
      reference: string;
      maskedEmail: MaskedEmail;
      /** Where mails go instead. */
      maskedContact: MaskedEmail | undefined;
      receivedAt: Temporal.Instant;
    }
  | { kind: "status"; status: Status }
  | Closed;

export type ActionResult =
  | { kind: "done"; visit: string }
  | { kind: "too-late"; status: Status }
  | Closed
  | { kind: "not-stored" };

export type NewLinkResult =
  | { kind: "done"; maskedEmail: MaskedEmail }
  | Closed
  | { kind: "not-stored" };

export type Visits = ReturnType<typeof createVisits>;

/** Of so many a request's page tells: more were made by a program. */
const referencesShown = 20;
const eventsRead = 200;

/** What a link that opens nothing any more is answered with. */
function closed(
  kind: "link-used" | "link-expired",
  request: StoredRequest,
  reference: string,
  now: Temporal.Instant,
): Closed {
  if (isEnded(request)) return { kind: "request-ended", reference };
  if (kind === "link-used") return { kind, reference };
  const waits =
    request.state === "received" && Temporal.Instant.compare(request.expiresAt, now) > 0;
  return { kind, reference, waitsUntil: waits ? request.expiresAt : undefined };
}

export function createVisits(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    /** Told when something could not be stored; the error names no person. */
    onStorageProblem?: (error: unknown) => void;
    /** Told after something was put into the outbox. */
    onOutbox?: () => void;
  },
) {
  const { database, clock, calendar, keys } = services;

  /** Runs a change and tells a full or broken store as a value. */
  async function change<T>(
    work: (transaction: Write, now: Temporal.Instant) => Promise<T>,
  ): Promise<T | { kind: "not-stored" }> {
    try {
      const result = await database.write((transaction) => work(transaction, clock()));
      services.onOutbox?.();
      return result;
    } catch (error) {
      if (!isStorageProblem(error)) throw error;
      services.onStorageProblem?.(error);
      return { kind: "not-stored" };
    }
  }

  async function toStatus(
    reader: Read,
    request: ConfirmedRequest,
    now: Temporal.Instant,
  ): Promise<Status> {
    const references = await listReferences(reader, {
      requestId: request.id,
      limit: referencesShown,
    });
    const events = await listEvents(reader, { requestId: request.id, limit: eventsRead });
    const refused = events.findLast((event) => event.type === "refuse");
    const held = events.findLast((event) => event.type === "hold");
    return {
      reference: request.reference,
      otherReferences: references.filter((reference) => reference !== request.reference),
      state: request.state,
      maskedEmail: request.email === undefined ? undefined : maskEmail(request.email),
      maskedContact: request.contact === undefined ? undefined : maskEmail(request.contact),
      receivedAt: request.receivedAt,
      confirmedAt: request.confirmedAt,
      startedAt: "startedAt" in request ? request.startedAt : undefined,
      endedAt: isEnded(request) ? request.endedAt : undefined,
      due: { date: request.dueOn, skipped: request.skipped },
      daysLeft: countDaysLeft(calendar, dateAt(calendar, now), request.dueOn),
      extensions: events.flatMap((event) =>
        event.type === "extend" && event.dueFrom && event.dueTo
          ? [{ at: event.at, from: event.dueFrom, to: event.dueTo, explanation: event.note }]
          : [],
      ),
      refusal:
        request.state === "refused"
          ? { reason: request.refusalReason, explanation: refused?.note ?? "" }
          : undefined,
      hold:
        isWorking(request) &&
        request.hold &&
        isHeld({ heldUntil: request.hold.until }, dateAt(calendar, now))
          ? { ...request.hold, explanation: held?.note ?? "" }
          : undefined,
      doneAt: isWorking(request) ? request.done?.at : undefined,
      corrections: events.flatMap(({ type, at, note }): Correction[] => {
        if (type === "undo") return [{ at, what: "undone", explanation: "" }];
        if (type === "reopen") return [{ at, what: "reopened", explanation: note }];
        return [];
      }),
      completion: request.state === "completed" ? request.completion : undefined,
      proof: request.state === "completed" ? await findProof(reader, keys, request.id) : undefined,
      canCancel: decide(toLife(services, request), { type: "cancel" }, "person").ok,
    };
  }

  type Opened =
    | {
        kind: "open";
        link: LinkRecord;
        mode: VisitMode;
        until: Temporal.Instant;
        request: StoredRequest;
        reference: string;
      }
    | { kind: "visit-expired" }
    | { kind: "unknown" };

  async function open(reader: Read, visit: unknown, now: Temporal.Instant): Promise<Opened> {
    const read = readVisit(keys, visit, now);
    if (read.kind !== "open") return read;
    const link = await findLinkById(reader, { id: read.tokenId });
    const request = link && (await findRequestById(reader, { id: link.requestId }));
    if (!link || !request) return { kind: "unknown" };
    const reference = link.submissionReference ?? request.reference;
    const { mode, until } = read;
    return { kind: "open", link, mode, until, request, reference };
  }

  return {
    /** First request of a mail's link: gives the visit to redirect to. Writes nothing, because scanners follow links. */
    async openLink(token: unknown): Promise<LinkResult> {
      const link = await findLinkByToken(database.read, token);
      if (!link) return { kind: "unknown" };
      const now = clock();
      const mode =
        link.purpose === "status"
          ? "status"
          : link.used
            ? "used"
            : hasExpired(link, now)
              ? "expired"
              : "confirm";
      return { kind: "visit", visit: sealVisit(keys, link.id, mode, visitUntil(now)) };
    },

    /** What the page behind a visit shows. Writes nothing. */
    async openVisit(visit: unknown): Promise<VisitResult> {
      const now = clock();
      const opened = await open(database.read, visit, now);
      if (opened.kind !== "open") return opened;
      const { link, mode, request, reference } = opened;
      if (mode === "used") return closed("link-used", request, reference, now);
      if (request.state !== "received" && (mode === "status" || isUsed(link))) {
        return { kind: "status", status: await toStatus(database.read, request, now) };
      }
      if (mode === "expired" || hasExpired(link, now)) {
        return closed("link-expired", request, reference, now);
      }
      if (request.state !== "received") return { kind: "unknown" };
      if (mode === "status" || link.purpose === "status") {
        const { email, contact, receivedAt } = request;
        const maskedContact = contact === undefined ? undefined : maskEmail(contact);
        return {
          kind: "entered",
          reference,
          maskedEmail: maskEmail(email),
          maskedContact,
          receivedAt,
        };
      }
      return {
        kind: "confirm",
        reference,
        maskedEmail: maskEmail(request.email),
        receivedAt: request.receivedAt,
        validUntil: link.expiresAt,
        dueIfConfirmedToday: dueDateFrom(services, now),
      };
    },

    /** The pressed button of the confirmation page. Pressed twice, it is confirmed once and answers alike. */
    async confirm(visit: unknown): Promise<ActionResult> {
      return change(async (transaction, now): Promise<ActionResult> => {
        const opened = await open(transaction, visit, now);
        if (opened.kind !== "open") return opened;
        const { link, mode, request, reference } = opened;
        if (mode === "used") return closed("link-used", request, reference, now);
        if (mode === "confirm" && !isUsed(link)) {
          if (hasExpired(link, now)) return closed("link-expired", request, reference, now);
          const submission = await findSubmissionByReference(transaction, { reference });
          const reason = submission?.reason ?? request.reason;
          const result = await applyAct(
            services,
            transaction,
            request,
            { type: "confirm", reference, reason },
            { actor: "person" },
            now,
          );
          if (!result.ok) throw new Error(`An unused link could not confirm: ${result.refusal}`);
          await spendConfirmTokens(transaction, { requestId: request.id, now });
        } else if (mode === "expired") {
          return closed("link-expired", request, reference, now);
        }
        return { kind: "done", visit: sealVisit(keys, link.id, "status", opened.until) };
      });
    },

    /** The answered question of the status page. */
    async cancel(visit: unknown): Promise<ActionResult> {
      return change(async (transaction, now): Promise<ActionResult> => {
        const opened = await open(transaction, visit, now);
        if (opened.kind !== "open") return opened;
        const { link, mode, request, reference } = opened;
        if (mode === "used") return closed("link-used", request, reference, now);
        if (mode === "expired") return closed("link-expired", request, reference, now);
        if (request.state === "received") return { kind: "unknown" };
        if (mode === "confirm" && !isUsed(link)) return { kind: "unknown" };
        if (request.state !== "cancelled") {
          const by = { actor: "person" } as const;
          const result = await applyAct(
            services,
            transaction,
            request,
            { type: "cancel" },
            by,
            now,
          );
          if (!result.ok)
            return { kind: "too-late", status: await toStatus(transaction, request, now) };
        }
        return { kind: "done", visit: sealVisit(keys, link.id, "status", opened.until) };
      });
    },

    /**
     * Sends another link to the mailbox that got this one. Told as done when the limit of mails a day holds it back,
     * too: the mails before it still work. Once the request has ended, the form begins anew.
     */
    async askNewLink(visit: unknown): Promise<NewLinkResult> {
      return change(async (transaction, now): Promise<NewLinkResult> => {
        const opened = await open(transaction, visit, now);
        if (opened.kind !== "open") return opened;
        const { request, reference } = opened;
        if (isEnded(request)) return { kind: "request-ended", reference };
        const submission = await findSubmissionByReference(transaction, { reference });
        if (!submission) return { kind: "unknown" };
        await oweLink(services, transaction, request, submission, { by: "person" }, now);
        return { kind: "done", maskedEmail: maskEmail(request.email) };
      });
    },
  };
}
