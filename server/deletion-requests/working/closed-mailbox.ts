import { type EmailAddress, maskEmail, matchEmail } from "../../addresses/email-address.ts";
import { dateAt } from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { createFormKey, isWorking, type ReasonCode } from "../life/request.ts";
import { addEvent, wasEnteredBy } from "../store/audit-log.ts";
import { addSubmission, findFreeReference } from "../store/forms.ts";
import { addRequest, enterContact, findOpenRequest, findRequestById } from "../store/requests.ts";
import { enqueuePersonMail } from "../telling/mails.ts";
import type { PersonNews } from "../telling/messages.ts";
import { applyAct, type Office } from "./apply-act.ts";

/**
 * A request for somebody whose mailbox is closed, entered by an operator: about the account of the old address, with
 * mails to a contact address, and from then on the same life as any other.
 */
export type Entry = {
  /** Of the account. */
  email: EmailAddress;
  /** Where the person can read mail. */
  contact: EmailAddress;
  /** How ownership was shown: a key of the campus's list. */
  proof: string;
  reason: ReasonCode;
  /** In which the person is written to. Without one, that of their own form where there is one, or the campus's first. */
  language?: string | undefined;
  /** When the person asked, which is when the clock of the law began. */
  receivedAt: Temporal.Instant;
};

/** A colleague has so long to look at what an operator entered: no link confirms it, so it does not end with one. */
const approvalDays = 7;

/** It is refused where there is one that its person confirmed. */
export async function enterRequest(
  office: Office,
  transaction: Write,
  entry: Entry,
  { name, formKey }: { name: string; formKey?: string | undefined },
  now: Temporal.Instant,
) {
  const { calendar, keys } = office;
  const open = await findOpenRequest(transaction, entry.email);
  if (open && (await wasEnteredBy(transaction, open, ["enter"], formKey))) {
    return { kind: "done", request: open } as const;
  }
  if (open && isWorking(open)) {
    return { kind: "refused", refusal: "already-confirmed", request: open } as const;
  }
  const submission = {
    email: entry.email,
    reason: entry.reason,
    feedback: "",
    language: entry.language ?? open?.language ?? "",
    formKey: createFormKey(),
    reference: await findFreeReference(transaction),
  };
  const expiresAt = now.add({ hours: approvalDays * 24 });
  // A form that nobody can confirm any more becomes this request; its reference stays good.
  const request = open ?? (await addRequest(transaction, submission, entry.receivedAt, expiresAt));
  await addSubmission(transaction, request.id, submission, entry.receivedAt);
  const { reference, reason, language } = submission;
  await enterContact(transaction, {
    id: request.id,
    reference,
    reason,
    language,
    contact: entry.contact,
    contactMatch: matchEmail(entry.contact),
    enteredBy: name,
    sent: open ? open.sent + 1 : 1,
    expiresAt,
    // The clock of the law began when the person first asked, in whichever way.
    receivedAt:
      Temporal.Instant.compare(request.receivedAt, entry.receivedAt) < 0
        ? request.receivedAt
        : entry.receivedAt,
  });
  await addEvent(transaction, request, {
    at: now,
    actor: "operator",
    name,
    formKey,
    type: "enter",
    code: entry.proof,
    fromState: open?.state ?? "",
  });
  if (!open) await tally(transaction, dateAt(calendar, now), "received");
  const entered = await findRequestById(transaction, { id: request.id });
  if (!entered) throw new Error("An entered request was not stored");
  if (office.secondPerson === false) {
    const by = { actor: "operator", name } as const;
    const approved = await applyAct(office, transaction, entered, { type: "approve" }, by, now);
    if (!approved.ok) throw new Error(`An entered request was not confirmed: ${approved.refusal}`);
    return { kind: "done", request: approved.after } as const;
  }
  const receivedAt = entry.receivedAt.toString();
  const news: PersonNews = { kind: "entered", receivedAt };
  await enqueuePersonMail(transaction, keys, entered, news, now);
  const notice: PersonNews = {
    ...news,
    kind: "notice-entered",
    contact: maskEmail(entry.contact).text,
  };
  await enqueuePersonMail(transaction, keys, entered, notice, now);
  return { kind: "done", request: entered } as const;
}
