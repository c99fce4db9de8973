import { mailboxOf, matchEmail } from "../../addresses/email-address.ts";
import { type Calendar, dateAt } from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import { addMessage } from "../../outbox/outbox.ts";
import { enterExpiry } from "../store/changes.ts";
import type { SubmissionRecord } from "../store/forms.ts";
import { addConfirmToken, addStatusToken, linkValidUntil, mayMailAgain } from "../store/links.ts";
import type { ReceivedRequest, WorkingRequest } from "../store/request.ts";
import { type PersonMessage, promisedTo } from "./messages.ts";

/**
 * Owes the mailbox of an open request a link: to confirm it, or to see how it stands; the contact of a closed mailbox
 * is not asked to confirm, because another operator does that. Nobody is told when strangers
 * have caused the mailbox enough mail for a day; the links before still work. The same rows are written then, of a mail
 * that never leaves: how long the answer takes must not tell that somebody else asked before.
 */
export async function oweLink(
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
  const mailbox = keys.hash("mailbox", mailboxOf(request.email)).hash;
  const isMailboxItself = mailboxOf(request.email) === matchEmail(request.email);
  const to = { requestId: request.id, mailbox, isMailboxItself };
  const may = askedBy !== "person" || (await mayMailAgain(transaction, to, now));
  const heldBack = !may;
  const asked = may
    ? { by: askedBy, mailbox: askedBy === "person" ? mailbox : undefined }
    : { by: "nobody" as const };
  if (request.state === "received" && request.enteredBy !== undefined && askedBy === "operator") {
    const token = await addStatusToken(transaction, request.id, asked, now);
    await addMessage(transaction, keys, now, {
      channel: "person",
      ownerId: request.id,
      message: {
        kind: "entered",
        token,
        reference: request.reference,
        receivedAt: toText(request.receivedAt),
      } satisfies PersonMessage,
    });
    return;
  }
  if (request.state === "received") {
    const token = await addConfirmToken(transaction, request.id, submission.id, asked, now);
    await enterExpiry(transaction, { id: request.id, expiresAt: linkValidUntil(now) });
    await addMessage(transaction, keys, now, {
      channel: "person",
      ownerId: request.id,
      heldBack,
      lane,
      message: {
        kind: "confirm",
        token,
        reference: submission.reference,
        validUntil: toText(linkValidUntil(now)),
        receivedAt: toText(submission.receivedAt),
      } satisfies PersonMessage,
    });
    return;
  }
  const token = await addStatusToken(transaction, request.id, asked, now);
  await addMessage(transaction, keys, now, {
    channel: "person",
    ownerId: request.id,
    heldBack,
    lane,
    message: {
      kind: "reminder",
      token,
      reference: request.reference,
      ...promisedTo(request.dueOn, dateAt(calendar, now)),
      state: request.state,
    } satisfies PersonMessage,
  });
}
