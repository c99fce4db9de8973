import type { Write } from "../../database/statement.ts";
import type { Keys } from "../../keys/keys.ts";
import { addMessage } from "../../outbox/outbox.ts";
import { addStatusToken } from "../store/links.ts";
import type { OperatorMessage, PersonNews } from "./messages.ts";

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
  const link = token ?? (await addStatusToken(transaction, ownerId, { by: "system" }, now));
  const message = { ...news, token: link, reference };
  await addMessage(transaction, keys, now, { channel: "person", ownerId, message, ...sending });
}

/** To the team. It belongs to no request, so that it outlasts what it tells of. */
export async function enqueueTeamMail(
  transaction: Write,
  keys: Keys,
  message: OperatorMessage,
  now: Temporal.Instant,
  sending: Sending = {},
): Promise<void> {
  await addMessage(transaction, keys, now, {
    ...{ channel: "operators", ownerId: null, message },
    ...sending,
  });
}
