import { type EmailAddress, maskEmail } from "../../addresses/email-address.ts";
import { dateAt } from "../../calendar/business-days.ts";
import { toText } from "../../database/rows.ts";
import type { Write } from "../../database/statement.ts";
import { dropUnsentKind } from "../../outbox/outbox.ts";
import { noticeHours } from "../../terms.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { createFormKey, type ReasonCode } from "../life/request.ts";
import { wasEnteredBy } from "../store/audit-log.ts";
import { addSubmission, findFreeReference } from "../store/forms.ts";
import { addRequest, findOpenRequest } from "../store/requests.ts";
import { enqueuePersonMail } from "../telling/mails.ts";
import { type ActServices, applyAct } from "./apply-act.ts";

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
  /** What the operator saw of it, for the approver. */
  note?: string;
  reason: ReasonCode;
  /** In which the person is written to. Without one, that of their own form where there is one, or the campus's first. */
  language?: string | undefined;
  /** When the person asked, which is when the clock of the law began. */
  receivedAt: Temporal.Instant;
};

/** It is refused where there is one that its person confirmed. */
export async function enterRequest(
  services: ActServices,
  transaction: Write,
  entry: Entry,
  { name, formKey }: { name: string; formKey?: string | undefined },
  now: Temporal.Instant,
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
  // A form that nobody can confirm any more becomes this request; its reference stays good.
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
  const result = await applyAct(services, transaction, request, act, by, now);
  if (!result.ok) return { kind: "refused", refusal: result.refusal, request } as const;
  const entered = result.after;
  const submission = { ...form, email, feedback: "", formKey: createFormKey() };
  await addSubmission(transaction, request.id, submission, receivedAt);
  if (!open) await tally(transaction, dateAt(calendar, now), "received");
  const news = { kind: "entered", receivedAt: receivedAt.toString() } as const;
  await enqueuePersonMail(transaction, keys, entered, news, now);
  // An earlier notice would name an hour that no longer holds.
  await dropUnsentKind(transaction, { requestId: entered.id, kind: "notice-entered" });
  const notice = {
    ...news,
    kind: "notice-entered",
    contact: maskEmail(contact).text,
    stopUntil: toText(now.add({ hours: noticeHours })),
  } as const;
  await enqueuePersonMail(transaction, keys, entered, notice, now, { stops: true });
  return { kind: "done", request: entered } as const;
}
