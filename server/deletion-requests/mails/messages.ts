import type { Campus } from "../../../campus-reader/campus.ts";
import type { OutboxRecord } from "../../delivery/outbox.ts";
import type { MailKind } from "./mail-kind.ts";
import { type PersonNews, personMails } from "./person-mails.ts";
import { type OperatorMessage, teamMails } from "./team-mails.ts";

export type PersonMessage = PersonNews & { token: string; reference: string };

export type Message = PersonMessage | OperatorMessage;

/** A team email. `to` is an operator's id, set only on a copy for that operator. */
export type AddressedMessage = OperatorMessage & { to?: number };

/** Email text from `mail.yaml`. */
export type MailWords = Campus["mail"];

const kinds = { ...personMails, ...teamMails };

export function kindOf<One extends Message>({ kind }: One): MailKind<One> {
  return kinds[kind] as unknown as MailKind<One>;
}

export function isToPerson(message: Message): message is PersonMessage {
  return Object.hasOwn(personMails, message.kind);
}

type Routing = Pick<MailKind<object>, "end" | "toAccount" | "isOptional">;

/** Returns the routing of a stored message, or undefined if this version doesn't know its kind. */
export function findRouting(kind: string): Routing | undefined {
  const known: Partial<Record<string, Routing>> = kinds;
  return known[kind];
}

/**
 * Checks whether the notice to the closed mailbox is still unsent. A notice counts as sent if the
 * mail server has deferred it for days.
 */
export function isNoticeUnsent(mails: readonly OutboxRecord[]): boolean {
  const notice = mails.findLast(({ kind }) => kind === "notice-entered");
  if (notice?.state === "needs-person") return !notice.lastProblem.startsWith("recipient put off");
  return notice?.state === "waiting" || notice?.state === "sending";
}
