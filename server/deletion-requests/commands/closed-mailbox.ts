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
 * A request that an operator enters for a requester whose mailbox is closed. It concerns the
 * account of the old email address, but its emails go to a contact address. It passes through the
 * same states as any other request.
 */
export type Entry = {
  /** Email address that the account belongs to. */
  email: EmailAddress;
  /** Email address that the requester reads. */
  contact: EmailAddress;
  /** Key in the campus's list of proofs of ownership. */
  proof: string;
  /** The operator's note about the proof, for the approver. */
  note?: string;
  reason: ReasonCode;
  /**
   * Language of the emails; by default that of the requester's own form, or else the campus's
   * first.
   */
  language?: string | undefined;
  /** When the requester asked, from which legal deadlines count. */
  receivedAt: Temporal.Instant;
};

/** Enters the request. Refuses if there already is a confirmed request for that email address. */
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
  // If there is an unconfirmed request for the same email address, that becomes this request, and
  // its reference stays valid.
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
  const news = { kind: "entered", receivedAt: receivedAt.toString() } as const;
  await enqueuePersonMail({ transaction, keys, now }, entered, news);
  // An earlier notice that is still unsent would give an outdated hour.
  await dropUnsentKind(transaction, { requestId: entered.id, kind: "notice-entered" });
  const notice = {
    ...news,
    kind: "notice-entered",
    contact: maskEmail(contact).text,
    stopUntil: toText(now.add({ hours: noticeHours })),
  } as const;
  await enqueuePersonMail({ transaction, keys, now }, entered, notice, { stops: true });
  return { kind: "done", request: entered } as const;
}
