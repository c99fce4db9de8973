import { isRecipientRefused } from "../../delivery/delivery-problem.ts";
import type { Mailer } from "../../delivery/mailer.ts";
import {
  addMessage,
  type Failure,
  listStuck,
  listTroubled,
  type OutboxItem,
  type OutboxRecord,
  type Writing,
  wasAdded,
} from "../../delivery/outbox.ts";
import type { Channel, Delivery } from "../../delivery/worker.ts";
import { noticeHours } from "../../periods.ts";
import { mailboxOf } from "../../platform/addresses/email-address.ts";
import { type Calendar, dateAt } from "../../platform/calendar/business-days.ts";
import { hashToken, type Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { toHour, toText } from "../../platform/database/rows.ts";
import type { Read, Write } from "../../platform/database/statement.ts";
import { listOperators } from "../../team/roster/operators.ts";
import {
  addLink,
  canMail,
  countMail,
  linkValidUntil,
  type NetworkShare,
  type NewLink,
  renewLink,
} from "../repository/links.ts";
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
import { stateAsPublished } from "./message-facts.ts";
import {
  type AddressedMessage,
  type Message,
  type PersonNews,
  promisedTo,
  type TroubledDelivery,
} from "./messages.ts";

/**
 * Puts mails about requests into the outbox, in the transaction of the change they report, and
 * sends them from there.
 */

type QueueOptions = Pick<
  Parameters<typeof addMessage>[1],
  "once" | "heldBack" | "notBefore" | "lane"
>;

/**
 * Queues a mail to a person with a link: to confirm, or to the status.
 * @param request.reference the reference that the mail shows
 */
export async function enqueuePersonMail(
  { transaction, keys, now }: Writing,
  request: { id: number; reference: string },
  news: PersonNews,
  { submissionId, mailbox, stops, ...sending }: QueueOptions & Omit<NewLink, "requestId"> = {},
): Promise<void> {
  const { id: requestId, reference } = request;
  const token = await addLink(transaction, { requestId, submissionId, mailbox, stops }, now);
  const message = { ...news, token, reference };
  await addMessage(
    { transaction, keys, now },
    { recipient: "person", requestId, message, ...sending },
  );
}

/** Queues a mail to the team. It belongs to no request, so it outlasts the one it is about. */
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
 * Queues a letter after a restore. It tells the person of an open request what the store may lack,
 * and links to the confirmation or the cancel button.
 * @param copiedAt last instant that the store has data of
 * @returns false if the letter exists already
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
  const told = { kind: "restored", state, copiedAt: toText(copiedAt) } as const;
  if (request.state !== "received") {
    const promised = promisedTo(request.dueOn, dateAt(calendar, cancelUntilFrom(now)));
    await enqueuePersonMail(
      { transaction, keys, now },
      request,
      { ...told, ...promised },
      { once },
    );
    return true;
  }
  if (request.enteredBy !== undefined) {
    const news = { ...told, isEntered: true } as const;
    await enqueuePersonMail({ transaction, keys, now }, request, news, { once });
    return true;
  }
  const { reference } = request;
  const submission = await findSubmissionByReference(transaction, { reference });
  const validUntil = linkValidUntil(now);
  await saveRequest(transaction, request, postponeExpiry(request, validUntil));
  const news = { ...told, validUntil: toText(validUntil) };
  const sending = { once, submissionId: submission?.id };
  await enqueuePersonMail({ transaction, keys, now }, request, news, sending);
  return true;
}

/**
 * Queues a link for an open request: to confirm it, or to see its status. Mails that a person asks
 * for go to the account's own mailbox, as the page says. The contact of a closed mailbox gets what
 * an operator sends, without a confirmation link, because another operator approves. Over the limit
 * (`canMail`), the mail is silently held back but writes the same rows, so response times don't
 * reveal earlier requests.
 * @param request as its row is in this transaction
 * @param networks of the form, the narrowest first; visitors behind a mailbox's link count as a
 * network of their own
 */
export async function enqueueLink(
  {
    services: { keys, calendar },
    transaction,
    now,
  }: { services: { keys: Keys; calendar: Calendar }; transaction: Write; now: Temporal.Instant },
  request: ReceivedRequest | WorkingRequest,
  submission: Pick<SubmissionRecord, "id" | "reference" | "receivedAt">,
  { by, networks = [] }: { by: "person" | "operator"; networks?: readonly NetworkShare[] },
): Promise<void> {
  const { id, email } = request;
  const mailbox = keys.hash("mailbox", mailboxOf(email)).hash;
  const isAsked = by === "person";
  const asked = { requestId: id, mailbox, networks: networks.length > 0 ? networks : [noNetwork] };
  const isHeldBack = isAsked && !(await canMail(transaction, keys, asked, now));
  if (isAsked) await countMail(transaction, keys, { ...asked, isHeldBack }, now);
  const sending = {
    mailbox: isAsked && !isHeldBack ? mailbox : undefined,
    heldBack: isHeldBack,
    lane: networks.at(-1)?.network,
  };
  if (request.state !== "received") {
    const { state, dueOn } = request;
    const promised = promisedTo(dueOn, dateAt(calendar, now));
    const news = { kind: "reminder", state, toAccount: isAsked, ...promised } as const;
    return enqueuePersonMail({ transaction, keys, now }, request, news, sending);
  }
  if (request.enteredBy !== undefined && !isAsked) {
    const news = { kind: "entered", receivedAt: toText(request.receivedAt) } as const;
    return enqueuePersonMail({ transaction, keys, now }, request, news, sending);
  }
  const validUntil = linkValidUntil(now);
  await saveRequest(transaction, request, postponeExpiry(request, validUntil));
  const times = { validUntil: toText(validUntil), receivedAt: toText(submission.receivedAt) };
  const form = { id, reference: submission.reference };
  return enqueuePersonMail(
    { transaction, keys, now },
    form,
    { kind: "confirm", ...times },
    {
      ...sending,
      submissionId: submission.id,
    },
  );
}

/**
 * Network for mails without one: from behind a link of the same mailbox, or from a command on this
 * machine.
 */
const noNetwork: NetworkShare = { network: "", share: 1 };

// Sending: which mailbox, which texts, what follows

/**
 * Mails that go to the account's own mailbox even if there is a contact. Following a confirmation
 * link proves that the account is theirs, which a contact can't prove; and readers of a mailbox
 * reported closed must learn of it.
 */
const toAccountItself = namesOf("confirm", "notice-entered", "notice-confirmed");

/** Delay below which a mail keeps the dates it was written with. */
const promptMs = 60_000;

/** Longest wait of an unconfirmed request for its mail to leave. */
const mostDelayDays = 30;

/**
 * Tells if the confirmation mail is stuck, so that the person can't confirm yet. A mailbox that
 * refuses it doesn't count.
 */
export async function isConfirmDelayed(
  database: Read,
  requestId: number,
  now: Temporal.Instant,
): Promise<boolean> {
  const since = now.subtract({ hours: mostDelayDays * 24 });
  const stuck = await listStuck(database, { requestId, kind: "confirm", since });
  return stuck.some(
    ({ state, lastProblem }) => state !== "needs-person" || !isRecipientRefused(lastProblem),
  );
}

/** Outbox channels that send mail; calls to other systems are reported apart. */
export const mailChannels = ["person", "operators"];

/** Mails only for operators who chose more than the digest and problems. */
const moreMails = namesOf("operator-new", "operator-due-soon");

function namesOf(...kinds: Message["kind"][]): ReadonlySet<string> {
  return new Set(kinds);
}

/**
 * Campus hours. From `from` on, the digest and notices of missed dates go out; from `until` on, no
 * mail goes to the team.
 */
export const mailHours = { from: 8, until: 21 };

/** Returns the instant itself, or at night the next `from` hour. */
function firstMailHour(local: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const { from, until } = mailHours;
  if (local.hour >= from && local.hour < until) return local;
  return local
    .add({ days: local.hour >= until ? 1 : 0 })
    .with({ hour: from, minute: 0, second: 0 });
}

/** Limit of requests that a team mail names; the command line shows all. */
export const namedInMail = 50;

type MailServices = {
  database: Database;
  mailer: Mailer;
  writeMail: MailWriter;
  /** Mailbox of the team. */
  operatorAddress: string;
  keys: Keys;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  /** Runs after the person has had the news of the end: their personal data can go. */
  onTold?: () => void;
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
        const isAsked = (item.message as { toAccount?: boolean } | undefined)?.toAccount;
        const contact = isAsked || toAccountItself.has(item.kind) ? "" : request?.contact;
        // Skip the news of an end that was undone.
        const end = stateAsPublished[item.kind];
        const to = end && request?.state !== end ? "" : contact || request?.email;
        const fresh = withGrace(services, await withFreshTimes(services, item));
        const toContact = Boolean(contact);
        const delivery = await send(services, fresh, to, {
          language: request?.language,
          toContact,
        });
        // The operator reported this mailbox closed, so its refusal needs no repair.
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
        // The news of the end was the last use of the address.
        return {
          kind: "delivered",
          async enter(transaction, now) {
            await recordNotified(transaction, { id, state: end, toldAt: now });
            services.onTold?.();
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
  // The request was erased, removed or reopened after the claim.
  if (!to) return { kind: "nobody" };
  if (!item.message) return { kind: "failed", problem: "key is missing", permanent: true };
  const fileTime = item.createdAt.toString({ smallestUnit: "second" }).replaceAll(/[:Z]/g, "");
  return services.mailer.send({
    // The seal proves that this server wrote it.
    ...services.writeMail(item.message as Message, language, more),
    to,
    messageKey: item.messageKey,
    date: item.createdAt,
    label: [fileTime, item.kind, item.reference].filter(Boolean).join(" "),
  });
}

/**
 * Moves the dates in a late mail: a link's validity and the wait for approval begin when the mail
 * leaves. Stores them before sending.
 */
async function withFreshTimes(services: MailServices, item: OutboxItem): Promise<OutboxItem> {
  const message = item.message as Message | undefined;
  const now = services.clock();
  const waitedMs = now.epochMilliseconds - item.createdAt.epochMilliseconds;
  const id = item.requestId;
  if (message?.kind === "notice-entered" && id !== undefined) {
    // Versions up to 1.11 stored no hour.
    if (message.stopUntil && waitedMs < promptMs) return item;
    const stopUntil = now.add({ hours: noticeHours });
    await services.database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id });
      if (request?.state !== "received") return;
      // The team then gets the same time again to approve.
      const waits = postponeExpiry(request, stopUntil.add({ hours: noticeHours }));
      await saveRequest(transaction, request, { ...waits, approvableAt: stopUntil });
    });
    return { ...item, message: { ...message, stopUntil: toText(stopUntil) } satisfies Message };
  }
  const confirms = message && "validUntil" in message && "token" in message;
  if (!confirms || id === undefined || waitedMs < promptMs) return item;
  const validUntil = linkValidUntil(now);
  await services.database.write(async (transaction) => {
    const request = await findRequestById(transaction, { id });
    if (request?.state === "received")
      await saveRequest(transaction, request, postponeExpiry(request, validUntil));
    await renewLink(transaction, { hash: hashToken(message.token), expiresAt: validUntil });
  });
  return { ...item, message: { ...message, validUntil: toText(validUntil) } satisfies Message };
}

/** Counts the hour in a restore letter from its sending. */
function withGrace({ clock }: MailServices, item: OutboxItem): OutboxItem {
  const message = item.message as Message | undefined;
  if (message?.kind !== "restored" || message.state === "received") return item;
  const cancelUntil = toText(cancelUntilFrom(clock()));
  return { ...item, message: { ...message, cancelUntil } satisfies Message };
}

/**
 * Tells if the wait can begin. A mailbox that refuses all emails counts like one that accepts them.
 */
function hasLeft(delivery: Delivery): boolean {
  return delivery.kind === "failed"
    ? delivery.permanent && isRecipientRefused(delivery.problem)
    : delivery.kind === "delivered" || delivery.kind === "written";
}

/**
 * Sends a team mail to each operator with a mailbox who is present today, or to the team's mailbox
 * if none is. The recipients are chosen at sending time. Each gets a separate mail, so one full
 * mailbox doesn't block the others.
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
  if (message.to !== undefined) {
    const address = team.find(({ id }) => id === message.to)?.address;
    return send(services, item, address, { hasPages });
  }
  // The approval of an entered request may have been undone or stopped since.
  if (message.kind === "operator-new") {
    const request = await findRequest(database.read, message);
    if (request?.enteredBy && !isWorking(request)) return { kind: "nobody" };
  }
  const now = clock();
  const there = await listPresent(database.read, dateAt(calendar, now));
  // With no operator present, the team's mailbox gets every mail.
  if (there.length === 0) return toTeam();
  const isMore = moreMails.has(message.kind);
  const readers = there.filter((one) => one.moreMails || !isMore);
  if (readers.length === 0) return { kind: "nobody" };
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  await database.write(async (transaction) => {
    for (const { id: to } of readers) {
      await addMessage(
        { transaction, keys, now },
        {
          recipient: "operators",
          requestId: undefined,
          // Keeps a retry after a crash here from sending it twice.
          once: `${item.messageKey}:${to}`,
          notBefore: firstMailHour(local).toInstant(),
          message: { ...message, to } satisfies AddressedMessage,
        },
      );
    }
  });
  return { kind: "passed-on" };
}

/** Reports messages that need an operator, at most once an hour. */
export async function alertToUndelivered(
  { transaction, keys, now }: Writing,
  item: OutboxItem,
  { problem }: Failure,
): Promise<void> {
  // An operator can't repair a mistyped address; the digest counts it.
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
