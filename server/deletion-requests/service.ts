import { type MaskedEmail, maskEmail, matchEmail } from "../addresses/email-address.ts";
import { countDaysLeft, type DueDate, dateAt } from "../calendar/business-days.ts";
import { type Database, isStorageProblem, type Read, type Write } from "../database/database.ts";
import { toText } from "../database/time.ts";
import { addMessage } from "../outbox/outbox.ts";
import { isFormKey } from "./form-key.ts";
import { decide, isOpen, type RefusalReason } from "./life.ts";
import {
  addConfirmToken,
  addStatusToken,
  findLinkById,
  findLinkByToken,
  hasExpired,
  type LinkRecord,
  linkValidUntil,
  mayMailAgain,
  readVisit,
  sealVisit,
  spendConfirmTokens,
  type VisitMode,
} from "./links.ts";
import {
  addEvent,
  addOperatorNote,
  addRequest,
  addSubmission,
  findOpenRequest,
  findRequestById,
  findSubmission,
  listEvents,
  type RequestRecord,
  type SubmissionRecord,
} from "./store.ts";
import { type Problem, parseSubmission, type Submission } from "./submission.ts";
import { applyAct, dueDateFrom, expiryFrom, type Office, toLife } from "./transitions.ts";

/**
 * What a person can do about their own deletion request: send the form, and with a link from a mail confirm, look,
 * cancel and ask for another link. Nothing here waits for the network.
 */

export type StoredSubmission = {
  formKey: string;
  reference: string;
  maskedEmail: MaskedEmail;
  receivedAt: Temporal.Instant;
  /** Until when the link in the mail works. */
  linkValidUntil: Temporal.Instant;
  /** When the request goes if nobody confirms it. */
  expiresAt: Temporal.Instant;
  /** The promise if it is confirmed on the day it was received. */
  dueIfConfirmedToday: DueDate;
};

export type SubmitResult =
  | { kind: "stored"; submission: StoredSubmission }
  | { kind: "refused"; problems: Problem[] }
  | { kind: "not-stored" };

export type Extension = {
  at: Temporal.Instant;
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
  /** Empty once erased. */
  explanation: string;
};

export type Status = {
  reference: string;
  otherReferences: string[];
  state: "confirmed" | "in-progress" | "completed" | "cancelled" | "refused";
  /** Undefined once erased. */
  maskedEmail: MaskedEmail | undefined;
  receivedAt: Temporal.Instant;
  confirmedAt: Temporal.Instant;
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant | undefined;
  due: DueDate;
  /** Business days until the due date, negative when it has passed. */
  daysLeft: number;
  extensions: Extension[];
  refusal: { reason: RefusalReason; explanation: string } | undefined;
  canCancel: boolean;
};

export type LinkResult = { kind: "visit"; visit: string } | { kind: "unknown" };

/** Why a visit shows nothing of the request. */
export type Closed =
  | { kind: "link-used" | "link-expired"; reference: string }
  | { kind: "visit-expired" }
  | { kind: "unknown" };

export type VisitResult =
  | {
      kind: "confirm";
      reference: string;
      maskedEmail: MaskedEmail;
      receivedAt: Temporal.Instant;
      dueIfConfirmedToday: DueDate;
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

export type DeletionRequests = ReturnType<typeof createDeletionRequests>;

/** How long a success panel can be read again with its form key. */
const panelHours = 1;

export function createDeletionRequests(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    /** Told when a request could not be stored; the error names no person. */
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

  async function receive(
    transaction: Write,
    submission: Submission,
    now: Temporal.Instant,
  ): Promise<SubmissionRecord> {
    const open = await findOpenRequest(transaction, submission.email);
    if (open) {
      const stored = await addSubmission(transaction, open.id, submission, now);
      const result = await applyAct(
        services,
        transaction,
        open,
        { type: "repeat" },
        { actor: "person" },
        now,
      );
      if (!result.ok) throw new Error(`An open request refused a repeat: ${result.refusal}`);
      await mailLink(transaction, result.request, stored, "person", now);
      return stored;
    }
    const id = await addRequest(transaction, submission.email, now, expiryFrom(now));
    const stored = await addSubmission(transaction, id, submission, now);
    await addEvent(transaction, id, {
      at: now,
      actor: "person",
      name: "",
      type: "receive",
      fromState: "",
      toState: "received",
      code: submission.reason,
      note: "",
      dueFrom: undefined,
      dueTo: undefined,
    });
    const request = await findRequestById(transaction, id);
    if (!request) throw new Error("A request vanished inside its own transaction");
    await mailLink(transaction, request, stored, "person", now);
    return stored;
  }

  /** Owes the mailbox a link, unless strangers have caused it enough mail for a day. */
  async function mailLink(
    transaction: Write,
    request: RequestRecord,
    submission: SubmissionRecord,
    askedBy: "person" | "operator",
    now: Temporal.Instant,
  ): Promise<void> {
    if (
      askedBy === "person" &&
      !(await mayMailAgain(transaction, matchEmail(request.email), now))
    ) {
      return;
    }
    if (request.state === "received") {
      const token = await addConfirmToken(transaction, request.id, submission.id, askedBy, now);
      await addMessage(transaction, keys, now, {
        requestId: request.id,
        message: {
          kind: "confirm",
          token,
          reference: submission.reference,
          validUntil: toText(linkValidUntil(now)),
          receivedAt: toText(submission.receivedAt),
        },
      });
    } else if (request.dueOn) {
      const token = await addStatusToken(transaction, request.id, askedBy, now);
      await addMessage(transaction, keys, now, {
        requestId: request.id,
        message: {
          kind: "reminder",
          token,
          reference: request.reference,
          dueOn: request.dueOn.toString(),
          state: request.state,
        },
      });
    }
  }

  function toStored(formKey: string, stored: SubmissionRecord): StoredSubmission {
    return {
      formKey,
      reference: stored.reference,
      maskedEmail: maskEmail(stored.email),
      receivedAt: stored.receivedAt,
      linkValidUntil: linkValidUntil(stored.receivedAt),
      expiresAt: expiryFrom(stored.receivedAt),
      dueIfConfirmedToday: dueDateFrom(services, stored.receivedAt),
    };
  }

  async function toStatus(
    reader: Read,
    request: RequestRecord,
    now: Temporal.Instant,
  ): Promise<Status> {
    const { state, confirmedAt, dueOn } = request;
    if (state === "received" || state === "expired" || !confirmedAt || !dueOn) {
      throw new Error(`Request ${request.reference} has no status before it is confirmed`);
    }
    const events = await listEvents(reader, request.id);
    const refused = events.find((event) => event.type === "refuse");
    return {
      reference: request.reference,
      otherReferences: request.submissions
        .map((submission) => submission.reference)
        .filter((reference) => reference !== request.reference),
      state,
      maskedEmail: request.email === "" ? undefined : maskEmail(request.email),
      receivedAt: request.receivedAt,
      confirmedAt,
      startedAt: request.startedAt,
      endedAt: request.endedAt,
      due: { date: dueOn, skipped: request.skipped },
      daysLeft: countDaysLeft(calendar, dateAt(calendar, now), dueOn),
      extensions: events.flatMap((event) =>
        event.type === "extend" && event.dueFrom && event.dueTo
          ? [{ at: event.at, from: event.dueFrom, to: event.dueTo, explanation: event.note }]
          : [],
      ),
      refusal:
        request.refusalReason && refused
          ? { reason: request.refusalReason, explanation: refused.note }
          : undefined,
      canCancel: decide(toLife(request), { type: "cancel" }, "person").ok,
    };
  }

  type Opened =
    | { kind: "open"; link: LinkRecord; mode: VisitMode; request: RequestRecord }
    | { kind: "visit-expired" }
    | { kind: "unknown" };

  async function open(reader: Read, visit: unknown, now: Temporal.Instant): Promise<Opened> {
    const read = readVisit(keys, visit, now);
    if (read.kind !== "open") return read;
    const link = await findLinkById(reader, read.tokenId);
    const request = link && (await findRequestById(reader, link.requestId));
    return link && request ? { kind: "open", link, mode: read.mode, request } : { kind: "unknown" };
  }

  function referenceOf(opened: Extract<Opened, { kind: "open" }>): string {
    return opened.link.submissionReference ?? opened.request.reference;
  }

  return {
    /**
     * Stores a posted form. `stored` means that it is on the disk. The answer depends on the form alone, never on
     * what is known about the address; the same form key again gives the first answer again.
     */
    async submit(fields: Record<string, unknown>): Promise<SubmitResult> {
      const parsed = parseSubmission(fields);
      if (!parsed.ok) return { kind: "refused", problems: parsed.problems };
      const { submission } = parsed;
      return change(async (transaction, now) => {
        const stored =
          (await findSubmission(transaction, submission.formKey)) ??
          (await receive(transaction, submission, now));
        return { kind: "stored", submission: toStored(submission.formKey, stored) };
      });
    },

    /** For the success panel after a redirect. Undefined for a key that is unknown, malformed or an hour old. */
    async findSubmission(formKey: unknown): Promise<StoredSubmission | undefined> {
      if (!isFormKey(formKey)) return undefined;
      const stored = await findSubmission(database.kysely, formKey);
      if (!stored || stored.email === "") return undefined;
      const age = clock().since(stored.receivedAt);
      return age.total("hours") < panelHours ? toStored(formKey, stored) : undefined;
    },

    /** First request of a mail's link: gives the visit to redirect to. Writes nothing, because scanners follow links. */
    async openLink(token: unknown): Promise<LinkResult> {
      const link = await findLinkByToken(database.kysely, token);
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
      return { kind: "visit", visit: sealVisit(keys, link.id, mode, now) };
    },

    /** What the page behind a visit shows. Writes nothing. */
    async openVisit(visit: unknown): Promise<VisitResult> {
      const now = clock();
      const opened = await open(database.kysely, visit, now);
      if (opened.kind !== "open") return opened;
      const { link, mode, request } = opened;
      if (mode === "used") return { kind: "link-used", reference: referenceOf(opened) };
      if (mode === "status" || link.used) {
        return { kind: "status", status: await toStatus(database.kysely, request, now) };
      }
      if (mode === "expired" || hasExpired(link, now)) {
        return { kind: "link-expired", reference: referenceOf(opened) };
      }
      return {
        kind: "confirm",
        reference: referenceOf(opened),
        maskedEmail: maskEmail(request.email),
        receivedAt: request.receivedAt,
        dueIfConfirmedToday: dueDateFrom(services, now),
      };
    },

    /** The pressed button of the confirmation page. Pressed twice, it is confirmed once and answers alike. */
    async confirm(visit: unknown): Promise<ActionResult> {
      return change(async (transaction, now): Promise<ActionResult> => {
        const opened = await open(transaction, visit, now);
        if (opened.kind !== "open") return opened;
        const { link, mode, request } = opened;
        const reference = referenceOf(opened);
        if (mode === "used") return { kind: "link-used", reference };
        if (mode === "confirm" && !link.used) {
          if (hasExpired(link, now)) return { kind: "link-expired", reference };
          const result = await applyAct(
            services,
            transaction,
            request,
            { type: "confirm", reference },
            { actor: "person" },
            now,
          );
          if (!result.ok) throw new Error(`An unused link could not confirm: ${result.refusal}`);
          await spendConfirmTokens(transaction, request.id, now);
        } else if (mode === "expired") {
          return { kind: "link-expired", reference };
        }
        return { kind: "done", visit: sealVisit(keys, link.id, "status", now) };
      });
    },

    /** The answered question of the status page. */
    async cancel(visit: unknown): Promise<ActionResult> {
      return change(async (transaction, now): Promise<ActionResult> => {
        const opened = await open(transaction, visit, now);
        if (opened.kind !== "open") return opened;
        const { link, mode, request } = opened;
        const reference = referenceOf(opened);
        if (mode === "used") return { kind: "link-used", reference };
        if (mode === "expired") return { kind: "link-expired", reference };
        if (mode === "confirm" && !link.used) return { kind: "unknown" };
        if (request.state !== "cancelled") {
          const result = await applyAct(
            services,
            transaction,
            request,
            { type: "cancel" },
            { actor: "person" },
            now,
          );
          if (!result.ok)
            return { kind: "too-late", status: await toStatus(transaction, request, now) };
        }
        return { kind: "done", visit: sealVisit(keys, link.id, "status", now) };
      });
    },

    /**
     * Sends another link to the mailbox that got this one. Told as done when the limit of mails a day holds it back,
     * too: the mails before it still work. Unknown once the request has ended: then the form begins anew.
     */
    async askNewLink(visit: unknown): Promise<NewLinkResult> {
      return change(async (transaction, now): Promise<NewLinkResult> => {
        const opened = await open(transaction, visit, now);
        if (opened.kind !== "open") return opened;
        const { link, request } = opened;
        const submission =
          request.submissions.find((one) => one.reference === link.submissionReference) ??
          request.submissions.at(-1);
        if (!isOpen(request.state) || !submission) return { kind: "unknown" };
        await mailLink(transaction, request, submission, "person", now);
        return { kind: "done", maskedEmail: maskEmail(request.email) };
      });
    },

    /** An operator sends a link again, whatever was sent before. False when the request has ended. */
    async resendLink(request: RequestRecord, operatorName: string): Promise<boolean> {
      const done = await database.write(async (transaction) => {
        const now = clock();
        const current = await findRequestById(transaction, request.id);
        const submission = current?.submissions.at(-1);
        if (!current || !submission || current.endedAt) return false;
        await mailLink(transaction, current, submission, "operator", now);
        await addOperatorNote(transaction, current, "resend", operatorName, now);
        return true;
      });
      services.onOutbox?.();
      return done;
    },
  };
}
