import { isRecipientRefused } from "../../delivery/delivery-problem.ts";
import type { Mailer } from "../../delivery/mailer.ts";
import {
  addMessage,
  type Failure,
  listTroubled,
  listUnsent,
  nextTurn,
  type OutboxItem,
  type OutboxRecord,
  type Writing,
  wasAdded,
} from "../../delivery/outbox.ts";
import type { Channel, Delivery } from "../../delivery/worker.ts";
import { noticeHours } from "../../periods.ts";
import { mailboxOf, matchEmail } from "../../platform/addresses/email-address.ts";
import { type Calendar, dateAt } from "../../platform/calendar/business-days.ts";
import { createToken, hashToken, type Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { toHour, toText } from "../../platform/database/rows.ts";
import type { Read, Write } from "../../platform/database/statement.ts";
import { listOperators } from "../../team/roster/operators.ts";
import {
  addLink,
  canMail,
  countsOfMail,
  linkValidUntil,
  type NetworkShare,
  type NewLink,
  renewLink,
} from "../repository/links.ts";
import { countForms } from "../repository/network-forms.ts";
import { listPresent } from "../repository/presence.ts";
import {
  findRequest,
  findRequestById,
  findRow,
  recordNotified,
  saveRequest,
} from "../repository/requests.ts";
import { cancelUntilFrom, recordCancelUntil } from "../repository/restore-letters.ts";
import { findSubmissionByReference, type SubmissionRecord } from "../repository/submissions.ts";
import { isWorking, type ReceivedRequest, type WorkingRequest } from "../state-machine/request.ts";
import { postponeExpiry } from "../state-machine/state-machine.ts";
import type { MailWriter } from "./mail-writer.ts";
import { type AddressedMessage, findRouting, kindOf, type Message } from "./messages.ts";
import { type PersonNews, promisedTo } from "./person-mails.ts";
import type { TroubledDelivery } from "./team-mails.ts";

/**
 * Queues emails in the outbox and delivers them. An email is queued in the transaction of the
 * change that it reports.
 */

type QueueOptions = Pick<
  Parameters<typeof addMessage>[1],
  "once" | "heldBack" | "notBefore" | "lane" | "turn"
>;

/**
 * Queues an email to a requester. Its link confirms the request or opens the status page.
 * @param request.reference the reference to show in the email
 */
export async function enqueuePersonMail(
  { transaction, keys, now }: Writing,
  request: { id: number; reference: string },
  news: PersonNews,
  { submissionId, mailbox, stops, ...sending }: QueueOptions & Omit<NewLink, "requestId"> = {},
): Promise<void> {
  const { id: requestId, reference } = request;
  const token = createToken();
  const message = { ...news, token, reference };
  await transaction.together([
    () => addLink(transaction, { requestId, submissionId, mailbox, stops }, now, token),
    () =>
      addMessage(
        { transaction, keys, now },
        { recipient: "person", requestId, message, ...sending },
      ),
  ]);
}

/** Queues an email to the team. The email isn't deleted with its request. */
export async function enqueueTeamMail(
  { transaction, keys, now }: Writing,
  message: AddressedMessage,
  sending: QueueOptions = {},
): Promise<void> {
  const to = { recipient: "operators", requestId: undefined };
  await addMessage({ transaction, keys, now }, { ...to, message, ...sending });
}

const nameOfLetter = (restoreId: number, requestId: number) => `restored:${restoreId}:${requestId}`;

export function wasRestoreLetterWritten(database: Read, restoreId: number, requestId: number) {
  return wasAdded(database, { once: nameOfLetter(restoreId, requestId) });
}

/**
 * Queues a restore letter. It tells the requester of an open request that data newer than
 * `copiedAt` is lost. Its link opens the request's page. There, the requester can confirm or, until
 * the work starts, cancel a confirmed request.
 * @returns false if the letter was already queued
 */
export async function enqueueRestoreLetter(
  {
    services: { keys, calendar },
    transaction,
    now,
  }: { services: { keys: Keys; calendar: Calendar }; transaction: Write; now: Temporal.Instant },
  request: ReceivedRequest | WorkingRequest,
  { restoreId, copiedAt }: { restoreId: number; copiedAt: Temporal.Instant },
): Promise<boolean> {
  if (await wasRestoreLetterWritten(transaction, restoreId, request.id)) return false;
  const once = nameOfLetter(restoreId, request.id);
  const { state } = request;
  const restored = { kind: "restored", state, copiedAt: toText(copiedAt) } as const;
  if (request.state !== "received") {
    const promised = promisedTo(request.dueOn, dateAt(calendar, cancelUntilFrom(now)));
    await enqueuePersonMail(
      { transaction, keys, now },
      request,
      { ...restored, ...promised },
      { once },
    );
    return true;
  }
  if (request.enteredBy !== undefined) {
    const news = { ...restored, isEntered: true } as const;
    await enqueuePersonMail({ transaction, keys, now }, request, news, { once });
    return true;
  }
  const { reference } = request;
  const submission = await findSubmissionByReference(transaction, { reference });
  const validUntil = linkValidUntil(now);
  await saveRequest(transaction, request, postponeExpiry(request, validUntil));
  const news = { ...restored, validUntil: toText(validUntil) };
  const sending = { once, submissionId: submission?.id };
  await enqueuePersonMail({ transaction, keys, now }, request, news, sending);
  return true;
}

/**
 * Queues an email with a link that confirms an open request or opens its status page. An email that
 * the requester asked for goes to the account's own mailbox. An email that an operator sends goes
 * to the contact if the mailbox is closed. It then has no confirmation link, because another
 * operator must approve the request. An email over the limit (`canMail`) is silently held back but
 * writes the same rows so that response times don't reveal earlier requests.
 * @param request as read in this transaction
 * @param networks the form's networks, narrowest first; empty if the link was requested from a
 * visit session or by an operator
 * @param limit result of `readLinkLimit`, if the caller has already read it
 * @param forms number of forms to count for each network
 */
export async function enqueueLink(
  {
    services: { keys, calendar },
    transaction,
    now,
  }: { services: { keys: Keys; calendar: Calendar }; transaction: Write; now: Temporal.Instant },
  request: ReceivedRequest | WorkingRequest,
  submission: Pick<SubmissionRecord, "id" | "reference" | "receivedAt">,
  {
    by,
    networks = [],
    limit,
    forms = 0,
  }: {
    by: "person" | "operator";
    networks?: readonly NetworkShare[];
    limit?: LinkLimit;
    forms?: number;
  },
): Promise<void> {
  const { email } = request;
  const mailbox = keys.hash("mailbox", mailboxOf(email)).hash;
  const isByPerson = by === "person";
  const { canLeave, turn } =
    limit ?? (await readLinkLimit({ transaction, keys, now }, { email, by, networks }));
  const isHeldBack = isByPerson && !canLeave;
  const counted = { mailbox, networks: named(networks), isHeldBack };
  const counts = [
    ...(isByPerson ? countsOfMail(keys, counted) : []),
    ...(forms > 0 ? networks.map(({ network }) => ({ network, forms })) : []),
  ];
  const sending = {
    mailbox: isByPerson && !isHeldBack ? mailbox : undefined,
    heldBack: isHeldBack,
    lane: networks.at(-1)?.network,
    turn,
  };
  await transaction.together([
    () => countForms(transaction, counts, now),
    () =>
      enqueueLinkMail(
        { transaction, keys, calendar, now },
        { request, submission, isByPerson, sending },
      ),
  ]);
}

async function enqueueLinkMail(
  { transaction, keys, calendar, now }: Writing & { calendar: Calendar },
  {
    request,
    submission,
    isByPerson,
    sending,
  }: {
    request: ReceivedRequest | WorkingRequest;
    submission: Pick<SubmissionRecord, "id" | "reference" | "receivedAt">;
    isByPerson: boolean;
    sending: Parameters<typeof enqueuePersonMail>[3];
  },
): Promise<void> {
  const { id } = request;
  if (request.state !== "received") {
    const { state, dueOn } = request;
    const promised = promisedTo(dueOn, dateAt(calendar, now));
    const news = { kind: "reminder", state, toAccount: isByPerson, ...promised } as const;
    return enqueuePersonMail({ transaction, keys, now }, request, news, sending);
  }
  if (request.enteredBy !== undefined && !isByPerson) {
    const news = { kind: "entered", receivedAt: toText(request.receivedAt) } as const;
    return enqueuePersonMail({ transaction, keys, now }, request, news, sending);
  }
  const validUntil = linkValidUntil(now);
  const times = { validUntil: toText(validUntil), receivedAt: toText(submission.receivedAt) };
  const form = { id, reference: submission.reference };
  const news = { kind: "confirm", ...times } as const;
  await transaction.together([
    () => saveRequest(transaction, request, postponeExpiry(request, validUntil)),
    () =>
      enqueuePersonMail({ transaction, keys, now }, form, news, {
        ...sending,
        submissionId: submission.id,
      }),
  ]);
}

/**
 * `canLeave` says whether the limits allow an email with a link. `turn` is the email's position in
 * the outbox.
 */
export type LinkLimit = { canLeave: boolean; turn: number };

/** Reads the limits on an email with a link, for `enqueueLink`. */
export async function readLinkLimit(
  { transaction, keys, now }: Writing,
  {
    email,
    by,
    networks,
  }: { email: string; by: "person" | "operator"; networks: readonly NetworkShare[] },
): Promise<LinkLimit> {
  const mailbox = keys.hash("mailbox", mailboxOf(email)).hash;
  const counted = { match: matchEmail(email), mailbox, networks: named(networks) };
  const [canLeave, turn] = await transaction.together([
    async () => by === "operator" || canMail(transaction, keys, counted, now),
    () => nextTurn(transaction, "person", networks.at(-1)?.network),
  ]);
  return { canLeave, turn };
}

const named = (networks: readonly NetworkShare[]) => (networks.length > 0 ? networks : [noNetwork]);

/**
 * Stands for the network of an email that is requested from a visit session, by an operator, or by a
 * command on this machine.
 */
const noNetwork: NetworkShare = { network: "", share: 1 };

// Sending

/** Emails sent within this many milliseconds keep their original dates. */
const promptMs = 60_000;

/** Maximum number of days to keep an unconfirmed request whose email can't be sent. */
const mostDelayDays = 30;

/**
 * Checks whether an unsent confirmation email keeps the requester from confirming. After a downtime,
 * the email may not have been tried yet. An email that the mailbox refused doesn't count.
 */
export async function isConfirmDelayed(
  database: Read,
  requestId: number,
  now: Temporal.Instant,
): Promise<boolean> {
  const since = now.subtract({ hours: mostDelayDays * 24 });
  // After a restore, the restore letter contains the confirmation link.
  const kinds = { kind: "confirm", otherKind: "restored" };
  const unsent = await listUnsent(database, { requestId, ...kinds, since });
  return unsent.some(
    ({ state, lastProblem }) => state !== "needs-person" || !isRecipientRefused(lastProblem),
  );
}

/** Outbox channels for email. The health check reports calls to other systems separately. */
export const mailChannels = ["person", "operators"];

/**
 * Hours in the campus's time zone. Digests and notices of missed dates are sent at `from` or later.
 * Between `until` and `from`, operators get only urgent emails. The team's shared mailbox, used if
 * no operator is present, gets emails at any hour.
 */
export const mailHours = { from: 8, until: 21 };

/** Returns the given time or, at night, the start of the next mail hours. */
function firstMailHour(local: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const { from, until } = mailHours;
  if (local.hour >= from && local.hour < until) return local;
  return local
    .add({ days: local.hour >= until ? 1 : 0 })
    .with({ hour: from, minute: 0, second: 0 });
}

/**
 * Maximum number of open requests, or of failed messages, that a team email lists. The command line
 * shows all of them.
 */
export const namedInMail = 50;

type MailServices = {
  database: Database;
  mailer: Mailer;
  writeMail: MailWriter;
  operatorAddress: string;
  keys: Keys;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  /** Called when the final email is delivered. The personal data can then be erased. */
  onNotified?: () => void;
};

export function createMailChannels(services: MailServices): {
  person: Channel;
  operators: Channel;
} {
  return {
    person: {
      async deliver(item) {
        const { requestId: id } = item;
        const { read } = services.database;
        const request = id === undefined ? undefined : await findRow(read, { id });
        const isToAccount = (item.message as { toAccount?: boolean } | undefined)?.toAccount;
        const { end, toAccount } = findRouting(item.kind) ?? {};
        const contact = isToAccount || toAccount ? "" : request?.contact;
        // An email about an undone outcome has no recipient.
        const to = end && request?.state !== end ? "" : contact || request?.email;
        const fresh = withGrace(services, await withFreshTimes(services, item));
        const toContact = Boolean(contact);
        const delivery = await send(services, fresh, to, {
          language: request?.language,
          toContact,
        });
        // A refusal is expected, because an operator reported this mailbox as closed.
        const isClosed =
          request?.contact &&
          !contact &&
          delivery.kind === "failed" &&
          isRecipientRefused(delivery.problem);
        if (isClosed) return { kind: "bounced", problem: delivery.problem };
        if (id === undefined) return delivery;
        const cancelUntil = (fresh.message as { cancelUntil?: string } | undefined)?.cancelUntil;
        if (cancelUntil !== undefined && hasLeft(delivery)) {
          const letter = { requestId: id, cancelUntil: Temporal.Instant.from(cancelUntil) };
          return { ...delivery, enter: (transaction) => recordCancelUntil(transaction, letter) };
        }
        if (delivery.kind !== "delivered" || !end) return delivery;
        // Once the final email is delivered, a job erases the personal data of a completed or
        // cancelled request.
        return {
          kind: "delivered",
          async enter(transaction, now) {
            await recordNotified(transaction, { id, state: end, toldAt: now });
            services.onNotified?.();
          },
        };
      },
    },
    operators: { deliver: (item) => deliverToTeam(services, item) },
  };
}

async function send(
  services: MailServices,
  item: OutboxItem,
  to: string | undefined,
  { language, ...more }: { language?: string | undefined } & Parameters<MailWriter>[2],
): Promise<Delivery> {
  // The request was erased, deleted or reopened after the worker had claimed the email, or the
  // operator has left the team.
  if (!to) return { kind: "no-recipient" };
  if (!item.message) return { kind: "failed", problem: "key is missing", permanent: true };
  const fileTime = item.createdAt.toString({ smallestUnit: "second" }).replaceAll(/[:Z]/g, "");
  return services.mailer.send({
    // Messages are sealed by this server, so the cast is safe.
    ...services.writeMail(item.message as Message, language, more),
    to,
    messageKey: item.messageKey,
    date: item.createdAt,
    label: [fileTime, item.kind, item.reference].filter(Boolean).join(" "),
  });
}

/**
 * Updates the dates in a delayed email, because the link's lifetime and the notice period start
 * when the email is sent. Stores the new dates before sending.
 */
async function withFreshTimes(services: MailServices, item: OutboxItem): Promise<OutboxItem> {
  const message = item.message as Message | undefined;
  const now = services.clock();
  const waitedMs = now.epochMilliseconds - item.createdAt.epochMilliseconds;
  const id = item.requestId;
  if (message?.kind === "notice-entered" && id !== undefined) {
    // Messages queued by versions up to 1.11 have no `stopUntil`.
    if (message.stopUntil && waitedMs < promptMs) return item;
    const stopUntil = now.add({ hours: noticeHours });
    await services.database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id });
      if (request?.state !== "received") return;
      // After the notice period, at least as much time again remains for the approval.
      const waits = postponeExpiry(request, stopUntil.add({ hours: noticeHours }));
      await saveRequest(transaction, request, { ...waits, approvableAt: stopUntil });
    });
    return { ...item, message: { ...message, stopUntil: toText(stopUntil) } satisfies Message };
  }
  const confirms = message?.kind === "confirm" || message?.kind === "restored";
  if (!confirms || !message.validUntil || id === undefined || waitedMs < promptMs) return item;
  const validUntil = linkValidUntil(now);
  await services.database.write(async (transaction) => {
    const request = await findRequestById(transaction, { id });
    if (request?.state === "received")
      await saveRequest(transaction, request, postponeExpiry(request, validUntil));
    await renewLink(transaction, { hash: hashToken(message.token), expiresAt: validUntil });
  });
  return { ...item, message: { ...message, validUntil: toText(validUntil) } satisfies Message };
}

/** Sets a restore letter's deadline to cancel. The time starts when the letter is sent. */
function withGrace({ clock }: MailServices, item: OutboxItem): OutboxItem {
  const message = item.message as Message | undefined;
  if (message?.kind !== "restored" || message.state === "received") return item;
  const cancelUntil = toText(cancelUntilFrom(clock()));
  return { ...item, message: { ...message, cancelUntil } satisfies Message };
}

/** Checks whether the letter was sent or refused by the mailbox. Either starts the grace period. */
function hasLeft(delivery: Delivery): boolean {
  return delivery.kind === "failed"
    ? delivery.permanent && isRecipientRefused(delivery.problem)
    : delivery.kind === "delivered" || delivery.kind === "written";
}

/**
 * Queues a copy of a team email for each operator who has a mailbox and is present today. Separate
 * copies keep one full mailbox from blocking the others. If no operator is present, sends the email
 * to the team's mailbox. Recipients are chosen at delivery, not when the email is queued.
 */
async function deliverToTeam(services: MailServices, item: OutboxItem): Promise<Delivery> {
  const { database, keys, calendar, clock } = services;
  const message = item.message as AddressedMessage | undefined;
  const team = (await listOperators(database.read)).filter(({ leftAt }) => leftAt === undefined);
  const hasPages = team.some(({ invitedAt }) => invitedAt);
  const toTeam = () => send(services, item, services.operatorAddress, { hasPages });
  if (!message) return toTeam();
  if (message.kind === "operator-moved") {
    return send(services, item, message.before, { hasPages });
  }
  const now = clock();
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  const mailTime = firstMailHour(local).toInstant();
  const { isOptional, isUrgent } = kindOf(message);
  if (message.to !== undefined) {
    // If the mail server was down in the evening, the email is due at night.
    if (!isUrgent && Temporal.Instant.compare(mailTime, now) > 0)
      return { kind: "postponed", until: mailTime };
    const address = team.find(({ id }) => id === message.to)?.address;
    return send(services, item, address, { hasPages });
  }
  // The approval may have been undone, or the request stopped, since the email was queued.
  if (message.kind === "operator-new") {
    const request = await findRequest(database.read, message);
    if (request?.enteredBy && !isWorking(request)) return { kind: "no-recipient" };
  }
  const there = await listPresent(database.read, dateAt(calendar, now));
  if (there.length === 0) return toTeam();
  const readers = there.filter((operator) => operator.moreMails || !isOptional);
  if (readers.length === 0) return { kind: "no-recipient" };
  await database.write(async (transaction) => {
    for (const { id: to } of readers) {
      await addMessage(
        { transaction, keys, now },
        {
          recipient: "operators",
          requestId: undefined,
          // Prevents duplicate emails if the server crashes here and retries.
          once: `${item.messageKey}:${to}`,
          notBefore: mailTime,
          message: { ...message, to } satisfies AddressedMessage,
        },
      );
    }
  });
  return { kind: "passed-on" };
}

/** Alerts the team to failed emails, at most once an hour. */
export async function alertToUndelivered(
  { transaction, keys, now }: Writing,
  item: OutboxItem,
  { problem }: Failure,
): Promise<void> {
  // The team can't fix a requester's mistyped address, so these failures appear only in the digest.
  const mistyped = item.kind === "confirm" && isRecipientRefused(problem);
  if (item.recipient === "operators" || mistyped) return;
  const { first, count } = await listTroubled(transaction, namedInMail, mailChannels);
  const troubled = first.map(toTroubled);
  const message = { kind: "operator-trouble", troubled, troubledCount: count } as const;
  await enqueueTeamMail({ transaction, keys, now }, message, { once: `trouble:${toHour(now)}` });
}

export function toTroubled(record: OutboxRecord): TroubledDelivery {
  return { reference: record.reference, kind: record.kind, problem: record.lastProblem };
}
