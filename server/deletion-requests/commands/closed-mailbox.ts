import { dropUnsentKind } from "../../delivery/outbox.ts";
import { noticeHours } from "../../periods.ts";
import { type EmailAddress, maskEmail } from "../../platform/addresses/email-address.ts";
import { dateAt } from "../../platform/calendar/business-days.ts";
import { toText } from "../../platform/database/rows.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { enqueuePersonMail } from "../mails/mails.ts";
import { wasEnteredBy } from "../repository/audit-log.ts";
import { addRequest, findOpenRequest } from "../repository/requests.ts";
import { addSubmission, findFreeReference } from "../repository/submissions.ts";
import { createFormKey, type ReasonCode } from "../state-machine/request.ts";
import { applyAct, type Work } from "./apply-act.ts";

/**
 * A request that an operator enters for someone whose mailbox is closed. The account belongs to the
 * old address, but emails go to a contact address. The request goes through the same states as any
 * other.
 */
export type Entry = {
  /** Email address of the account. Its mailbox is closed. */
  email: EmailAddress;
  /** Email address at which the requester can be reached. */
  contact: EmailAddress;
  /** Key of the proof of ownership, from the campus's list. */
  proof: string;
  /** The operator's note about the proof, for the approver. */
  note?: string;
  reason: ReasonCode;
  /**
   * Language of the emails. Defaults to the language of the requester's own form, or to the
   * campus's default language if there is no form.
   */
  language?: string | undefined;
  /** When the requester asked for the deletion. Legal deadlines start at this time. */
  receivedAt: Temporal.Instant;
};

/** Enters a request. Refuses if the email address already has a confirmed request. */
export async function enterRequest(
  { services, transaction, now }: Work,
  entry: Entry,
  { name, formKey }: { name: string; formKey?: string | undefined },
) {
  const { calendar, keys } = services;
  const open = await findOpenRequest(transaction, entry.email);
  if (open && (await wasEnteredBy(transaction, open, ["enter"], formKey))) {
    return { kind: "done", request: open } as const;
  }
  const form = {
    reference: await findFreeReference(transaction),
    reason: entry.reason,
    language: entry.language ?? open?.language ?? "",
  };
  const { email, contact, proof, receivedAt } = entry;
  const fresh = { ...form, email, sent: 0, receivedAt, expiresAt: now };
  // Reuses an unconfirmed request for the same email address so that its reference remains valid.
  const request = open ?? (await addRequest(transaction, fresh));
  const act = {
    ...form,
    type: "enter",
    contact,
    receivedAt,
    proof,
    explanation: entry.note,
  } as const;
  const by = { actor: "operator", name, formKey } as const;
  const result = await applyAct({ services, transaction, now }, request, act, by);
  if (!result.ok) return { kind: "refused", refusal: result.refusal, request } as const;
  const entered = result.after;
  const submission = { ...form, email, feedback: "", formKey: createFormKey() };
  await addSubmission(transaction, request.id, submission, receivedAt);
  if (!open) await tally(transaction, dateAt(calendar, now), "received");
  const content = { kind: "entered", receivedAt: receivedAt.toString() } as const;
  await enqueuePersonMail({ transaction, keys, now }, entered, content);
  // Drops an earlier notice that is still unsent, because it states an outdated deadline.
  await dropUnsentKind(transaction, { requestId: entered.id, kind: "notice-entered" });
  const notice = {
    ...content,
    kind: "notice-entered",
    contact: maskEmail(contact).text,
    stopUntil: toText(now.add({ hours: noticeHours })),
  } as const;
  await enqueuePersonMail({ transaction, keys, now }, entered, notice, { stops: true });
  return { kind: "done", request: entered } as const;
}
