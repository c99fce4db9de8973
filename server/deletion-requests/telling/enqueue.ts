import { mailboxOf, matchEmail } from "../../addresses/email-address.ts";
import { type Calendar, dateAt } from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import { addMessage } from "../../outbox/outbox.ts";
import type { ReceivedRequest, WorkingRequest } from "../life/request.ts";
import type { SubmissionRecord } from "../store/forms.ts";
import { addLink, linkValidUntil, mayMailAgain } from "../store/links.ts";
import { enterExpiry } from "../store/requests.ts";
import { type AddressedMessage, type PersonNews, promisedTo } from "./messages.ts";

/** Puts mails about requests into the outbox, in the transaction of the fact that they tell. */

type Sending = Pick<Parameters<typeof addMessage>[3], "once" | "heldBack" | "notBefore" | "lane">;

/**
 * To a person, with a link: without a `token` of their own, to how their request stands.
 * @param request.reference the one that the mail names
 */
export async function enqueuePersonMail(
  transaction: Write,
  keys: Keys,
  request: { id: number; reference: string },
  news: PersonNews,
  now: Temporal.Instant,
  { token, ...sending }: Sending & { token?: string } = {},
): Promise<void> {
  const { id: ownerId, reference } = request;
  const link = token ?? (await addLink(transaction, { requestId: ownerId }, { by: "system" }, now));
  const message = { ...news, token: link, reference };
  await addMessage(transaction, keys, now, { channel: "person", ownerId, message, ...sending });
}

/** To the team. It belongs to no request, so that it outlasts what it tells of. */
export async function enqueueTeamMail(
  transaction: Write,
  keys: Keys,
  message: AddressedMessage,
  now: Temporal.Instant,
  sending: Sending = {},
): Promise<void> {
  await addMessage(transaction, keys, now, {
    ...{ channel: "operators", ownerId: null, message },
    ...sending,
  });
}

/**
 * Puts a link for the mailbox of an open request into the outbox: to confirm it, or to see how it stands; the contact of a closed mailbox
 * is not asked to confirm, because another operator does that. Nobody is told when strangers
 * have caused the mailbox enough mail for a day; the links before still work. The same rows are written then, of a mail
 * that never leaves: how long the answer takes must not tell that somebody else asked before.
 */
export async function enqueueLink(
  { keys, calendar }: { keys: Keys; calendar: Calendar },
  transaction: Write,
  request: ReceivedRequest | WorkingRequest,
  submission: Pick<SubmissionRecord, "id" | "reference" | "receivedAt">,
  asking: {
    by: "person" | "operator";
    /** Of the network that a form came from. */
    lane?: string | undefined;
  },
  now: Temporal.Instant,
): Promise<void> {
  const { by: askedBy, lane } = asking;
  const { id } = request;
  const mailbox = keys.hash("mailbox", mailboxOf(request.email)).hash;
  const isMailboxItself = mailboxOf(request.email) === matchEmail(request.email);
  const isAsked = askedBy === "person";
  const to = { requestId: id, mailbox, isMailboxItself };
  const may = !isAsked || (await mayMailAgain(transaction, to, now));
  const asked = may
    ? { by: askedBy, mailbox: isAsked ? mailbox : undefined }
    : { by: "nobody" as const };
  const send = async (news: PersonNews, link: { submissionId?: number; reference: string }) => {
    const { reference, ...of } = link;
    const token = await addLink(transaction, { requestId: id, ...of }, asked, now);
    const sending = { token, heldBack: !may, lane };
    await enqueuePersonMail(transaction, keys, { id, reference }, news, now, sending);
  };
  const { reference } = request;
  if (request.state !== "received") {
    const { state, dueOn } = request;
    const promised = promisedTo(dueOn, dateAt(calendar, now));
    return send({ kind: "reminder", state, ...promised }, { reference });
  }
  if (request.enteredBy !== undefined && !isAsked) {
    return send({ kind: "entered", receivedAt: toText(request.receivedAt) }, { reference });
  }
  const validUntil = linkValidUntil(now);
  await enterExpiry(transaction, { id, expiresAt: validUntil });
  const times = { validUntil: toText(validUntil), receivedAt: toText(submission.receivedAt) };
  const form = { submissionId: submission.id, reference: submission.reference };
  return send({ kind: "confirm", ...times }, form);
}
