import { matchEmail } from "../addresses/email-address.ts";
import type { Write } from "../database/statement.ts";
import { toText } from "../database/time.ts";
import type { Keys } from "../keys/keys.ts";
import { addMessage } from "../outbox/outbox.ts";
import { addConfirmToken, addStatusToken, linkValidUntil, mayMailAgain } from "./links.ts";
import type { PersonMessage } from "./messages.ts";
import type { ReceivedRequest, SubmissionRecord, WorkingRequest } from "./store.ts";

/**
 * Owes the mailbox of an open request a link: to confirm it, or to see how it stands. Nobody is told when strangers
 * have caused the mailbox enough mail for a day; the links before still work.
 */
export async function oweLink(
  keys: Keys,
  transaction: Write,
  request: ReceivedRequest | WorkingRequest,
  submission: Pick<SubmissionRecord, "id" | "reference" | "receivedAt">,
  askedBy: "person" | "operator",
  now: Temporal.Instant,
): Promise<void> {
  const match = matchEmail(request.email);
  if (askedBy === "person" && !(await mayMailAgain(transaction, match, now))) return;
  if (request.state === "received") {
    const token = await addConfirmToken(transaction, request.id, submission.id, askedBy, now);
    await addMessage(transaction, keys, now, {
      channel: "person",
      ownerId: request.id,
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
  const token = await addStatusToken(transaction, request.id, askedBy, now);
  await addMessage(transaction, keys, now, {
    channel: "person",
    ownerId: request.id,
    message: {
      kind: "reminder",
      token,
      reference: request.reference,
      dueOn: request.dueOn.toString(),
      state: request.state,
    } satisfies PersonMessage,
  });
}
