import { mailboxOf } from "../../addresses/email-address.ts";
import { type Calendar, dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { toHour, toText } from "../../database/rows.ts";
import type { Read, Write } from "../../database/statement.ts";
import { hashToken, type Keys } from "../../keys/keys.ts";
import { isRecipientRefused } from "../../mail/delivery-problem.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { listOperators } from "../../operators/operators.ts";
import {
  addMessage,
  type Failure,
  listStuck,
  listTroubled,
  type OutboxItem,
  type OutboxRecord,
  wasAdded,
} from "../../outbox/outbox.ts";
import type { Channel, Delivery } from "../../outbox/worker.ts";
import { noticeHours } from "../../terms.ts";
import { waitUntil } from "../life/life.ts";
import type { ReceivedRequest, WorkingRequest } from "../life/request.ts";
import { findSubmissionByReference, type SubmissionRecord } from "../store/forms.ts";
import {
  addLink,
  countMail,
  linkValidUntil,
  mayMail,
  type NetworkShare,
  type NewLink,
  renewLink,
} from "../store/links.ts";
import { enterTold, findRequestById, findRow, saveLife } from "../store/requests.ts";
import { cancelUntilFrom, enterCancelUntil } from "../store/restore-letters.ts";
import type { MailWriter } from "./mail-writer.ts";
import {
  type AddressedMessage,
  type Message,
  type PersonNews,
  promisedTo,
  type TroubledDelivery,
} from "./messages.ts";
import { listThere } from "./presence.ts";
import { stateTold } from "./tell-request.ts";

/** Mails about requests on both sides of the outbox. They are put there in the transaction of the fact that they tell. */

type Sending = Pick<Parameters<typeof addMessage>[3], "once" | "heldBack" | "notBefore" | "lane">;

/**
 * To a person, with a link: to how their request stands, unless it is to confirm.
 * @param request.reference the one that the mail names
 */
export async function enqueuePersonMail(
  transaction: Write,
  keys: Keys,
  request: { id: number; reference: string },
  news: PersonNews,
  now: Temporal.Instant,
  { submissionId, mailbox, stops, ...sending }: Sending & Omit<NewLink, "requestId"> = {},
): Promise<void> {
  const { id: requestId, reference } = request;
  const token = await addLink(transaction, { requestId, submissionId, mailbox, stops }, now);
  const message = { ...news, token, reference };
  await addMessage(transaction, keys, now, { recipient: "person", requestId, message, ...sending });
}

/** To the team. It belongs to no request, so that it outlasts what it tells of. */
export async function enqueueTeamMail(
  transaction: Write,
  keys: Keys,
  message: AddressedMessage,
  now: Temporal.Instant,
  sending: Sending = {},
): Promise<void> {
  const to = { recipient: "operators", requestId: undefined };
  await addMessage(transaction, keys, now, { ...to, message, ...sending });
}

const nameOfLetter = (restoreId: number, requestId: number) => `restored:${restoreId}:${requestId}`;

export function wasRestoreLetterWritten(database: Read, restoreId: number, requestId: number) {
  return wasAdded(database, { once: nameOfLetter(restoreId, requestId) });
}

/**
 * After a restore: tells the person of an open request what the store may not know, with a link that confirms the
 * request or leads to the button that cancels it.
 * @param copiedAt the last moment that the store knows of
 * @returns false if the letter was written before
 */
export async function enqueueRestoreLetter(
  { keys, calendar }: { keys: Keys; calendar: Calendar },
  transaction: Write,
  request: ReceivedRequest | WorkingRequest,
  { restoreId, copiedAt }: { restoreId: number; copiedAt: Temporal.Instant },
  now: Temporal.Instant,
): Promise<boolean> {
  if (await wasRestoreLetterWritten(transaction, restoreId, request.id)) return false;
  const once = nameOfLetter(restoreId, request.id);
  const { state } = request;
  const told = { kind: "restored", state, copiedAt: toText(copiedAt) } as const;
  if (request.state !== "received") {
    const promised = promisedTo(request.dueOn, dateAt(calendar, cancelUntilFrom(now)));
    await enqueuePersonMail(transaction, keys, request, { ...told, ...promised }, now, { once });
    return true;
  }
  if (request.enteredBy !== undefined) {
    const news = { ...told, isEntered: true } as const;
    await enqueuePersonMail(transaction, keys, request, news, now, { once });
    return true;
  }
  const { reference } = request;
  const submission = await findSubmissionByReference(transaction, { reference });
  const validUntil = linkValidUntil(now);
  await saveLife(transaction, request, waitUntil(request, validUntil));
  const news = { ...told, validUntil: toText(validUntil) };
  const sending = { once, submissionId: submission?.id };
  await enqueuePersonMail(transaction, keys, request, news, now, sending);
  return true;
}

/**
 * Puts a link for the mailbox of an open request into the outbox: to confirm it, or to see how it stands. What a person asks
 * for goes to the account's own, as the page says; the contact of a closed one gets what an operator sends, and is not asked
 * to confirm, because another operator does that. A mail that a person's form may not cause any more is held back without
 * a word (`mayMail`); the same rows are written for it, so that how long the answer takes does not tell who asked before.
 * @param request as its row stands in this transaction
 * @param networks that a form came from, the narrowest first; the holders of a mailbox's links count as one of their own
 */
export async function enqueueLink(
  { keys, calendar }: { keys: Keys; calendar: Calendar },
  transaction: Write,
  request: ReceivedRequest | WorkingRequest,
  submission: Pick<SubmissionRecord, "id" | "reference" | "receivedAt">,
  { by, networks = [] }: { by: "person" | "operator"; networks?: readonly NetworkShare[] },
  now: Temporal.Instant,
): Promise<void> {
  const { id, email } = request;
  const mailbox = keys.hash("mailbox", mailboxOf(email)).hash;
  const isAsked = by === "person";
  const asked = { requestId: id, mailbox, networks: networks.length > 0 ? networks : [noNetwork] };
  const isHeldBack = isAsked && !(await mayMail(transaction, keys, asked, now));
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
    return enqueuePersonMail(transaction, keys, request, news, now, sending);
  }
  if (request.enteredBy !== undefined && !isAsked) {
    const news = { kind: "entered", receivedAt: toText(request.receivedAt) } as const;
    return enqueuePersonMail(transaction, keys, request, news, now, sending);
  }
  const validUntil = linkValidUntil(now);
  await saveLife(transaction, request, waitUntil(request, validUntil));
  const times = { validUntil: toText(validUntil), receivedAt: toText(submission.receivedAt) };
  const form = { id, reference: submission.reference };
  return enqueuePersonMail(transaction, keys, form, { kind: "confirm", ...times }, now, {
    ...sending,
    submissionId: submission.id,
  });
}

/** Counts mails that no network caused: asked for behind a link of the same mailbox, or by a program on this machine. */
const noNetwork: NetworkShare = { network: "", share: 1 };

// Out of it: whose mailbox, which words, and what follows

/**
 * What goes to the account's own mailbox, whoever else was named as a contact: whoever follows a link that confirms shows
 * that the account is theirs, which a contact does not; and whoever reads a mailbox that is said to be closed must know.
 */
const toAccountItself = namesOf("confirm", "notice-entered", "notice-confirmed");

/** A link's time begins when its mail leaves; that it was written a moment before needs no other date. */
const promptMs = 60_000;

/** How long an unconfirmed request waits at most for its mail to leave. */
const mostDelayDays = 30;

/** Whether a request's button could not leave yet, so that nobody can press it; a mailbox that takes no mail waits for none. */
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

/** The outbox's channels that are mail; what goes to another system is told apart from it. */
export const mailChannels = ["person", "operators"];

/** What an operator gets who asked for more than the digest and what is broken. */
const moreMails = namesOf("operator-new", "operator-due-soon");

function namesOf(...kinds: Message["kind"][]): ReadonlySet<string> {
  return new Set(kinds);
}

/** Hours of the campus: from the first the digest goes out and persons are told that a day has passed; from the second nobody of the team is written to. */
export const mailHours = { from: 8, until: 21 };

/** Now, or where it is night the next hour of the morning in which the team is written to. */
function wakingHour(local: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const { from, until } = mailHours;
  if (local.hour >= from && local.hour < until) return local;
  return local
    .add({ days: local.hour >= until ? 1 : 0 })
    .with({ hour: from, minute: 0, second: 0 });
}

/** A mail to operators names so many at most; the command line shows all. */
export const namedInMail = 50;

type Services = {
  database: Database;
  mailer: Mailer;
  writeMail: MailWriter;
  /** The team's. */
  operatorAddress: string;
  keys: Keys;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  /** A person was told of the end: what names them is needed no longer. */
  onTold?: () => void;
};

export function createMailChannels(services: Services): { person: Channel; operators: Channel } {
  return {
    person: {
      async deliver(item) {
        const { requestId: id } = item;
        const { read } = services.database;
        const request = id === undefined ? undefined : await findRow(read, { id });
        const isAsked = (item.message as { toAccount?: boolean } | undefined)?.toAccount;
        const contact = isAsked || toAccountItself.has(item.kind) ? "" : request?.contact;
        // Nobody is told of an end that is none.
        const end = stateTold[item.kind];
        const to = end && request?.state !== end ? "" : contact || request?.email;
        const fresh = withGrace(services, await withFreshTimes(services, item));
        const toContact = Boolean(contact);
        const delivery = await send(services, fresh, to, request?.language, { toContact });
        // A closed mailbox is what its person said it is, and nothing for an operator to repair.
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
          return { ...delivery, enter: (transaction) => enterCancelUntil(transaction, letter) };
        }
        if (delivery.kind !== "delivered" || !end) return delivery;
        // When the end is told, the address is needed no longer.
        return {
          kind: "delivered",
          async enter(transaction, now) {
            await enterTold(transaction, { id, state: end, toldAt: now });
            services.onTold?.();
          },
        };
      },
    },
    operators: { deliver: (item) => deliverToTeam(services, item) },
  };
}

async function send(
  services: Services,
  item: OutboxItem,
  to: string | undefined,
  language?: string,
  more?: Parameters<MailWriter>[2],
): Promise<Delivery> {
  // Erased, removed or opened again since it was claimed: there is nobody left to tell.
  if (!to) return { kind: "nobody" };
  if (!item.message) return { kind: "failed", problem: "key is missing", permanent: true };
  const fileTime = item.createdAt.toString({ smallestUnit: "second" }).replaceAll(/[:Z]/g, "");
  return services.mailer.send({
    // Sealed by this server, so it is what it wrote.
    ...services.writeMail(item.message as Message, language, more),
    to,
    messageKey: item.messageKey,
    date: item.createdAt,
    label: [fileTime, item.kind, item.reference].filter(Boolean).join(" "),
  });
}

/**
 * Moves the times that a late mail names: a link works, and an approval waits, from when the mail leaves. They are stored
 * before the mail can say so.
 */
async function withFreshTimes(services: Services, item: OutboxItem): Promise<OutboxItem> {
  const message = item.message as Message | undefined;
  const now = services.clock();
  const waitedMs = now.epochMilliseconds - item.createdAt.epochMilliseconds;
  const id = item.requestId;
  if (message?.kind === "notice-entered" && id !== undefined) {
    // Versions up to 1.11 wrote none.
    if (message.stopUntil && waitedMs < promptMs) return item;
    const stopUntil = now.add({ hours: noticeHours });
    await services.database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id });
      if (request?.state !== "received") return;
      // The team has as long again to approve it.
      const waits = waitUntil(request, stopUntil.add({ hours: noticeHours }));
      await saveLife(transaction, request, { ...waits, approvableAt: stopUntil });
    });
    return { ...item, message: { ...message, stopUntil: toText(stopUntil) } satisfies Message };
  }
  const confirms = message && "validUntil" in message && "token" in message;
  if (!confirms || id === undefined || waitedMs < promptMs) return item;
  const validUntil = linkValidUntil(now);
  await services.database.write(async (transaction) => {
    const request = await findRequestById(transaction, { id });
    if (request?.state === "received")
      await saveLife(transaction, request, waitUntil(request, validUntil));
    await renewLink(transaction, { hash: hashToken(message.token), expiresAt: validUntil });
  });
  return { ...item, message: { ...message, validUntil: toText(validUntil) } satisfies Message };
}

/** A letter after a restore names an hour counted from when it leaves. */
function withGrace({ clock }: Services, item: OutboxItem): OutboxItem {
  const message = item.message as Message | undefined;
  if (message?.kind !== "restored" || message.state === "received") return item;
  const cancelUntil = toText(cancelUntilFrom(clock()));
  return { ...item, message: { ...message, cancelUntil } satisfies Message };
}

/** A mailbox that refuses all emails is waited for as long as one that takes them. */
function hasLeft(delivery: Delivery): boolean {
  return delivery.kind === "failed"
    ? delivery.permanent && isRecipientRefused(delivery.problem)
    : delivery.kind === "delivered" || delivery.kind === "written";
}

/**
 * A mail to the team goes to each of it who has a mailbox of their own and is there today; where nobody is, to the
 * team's. Who that is, is decided when it can leave, and each gets a mail of their own, so that one full mailbox
 * keeps it from nobody else.
 */
async function deliverToTeam(services: Services, item: OutboxItem): Promise<Delivery> {
  const { database, keys, calendar, clock } = services;
  const message = item.message as AddressedMessage | undefined;
  const team = (await listOperators(database.read)).filter(({ leftAt }) => leftAt === undefined);
  const hasPages = team.some(({ invitedAt }) => invitedAt);
  const toTeam = () => send(services, item, services.operatorAddress, undefined, { hasPages });
  if (!message) return toTeam();
  if (message.kind === "operator-moved") {
    return send(services, item, message.before, undefined, { hasPages });
  }
  if (message.to !== undefined) {
    const address = team.find(({ id }) => id === message.to)?.address;
    return send(services, item, address, undefined, { hasPages });
  }
  const now = clock();
  const there = await listThere(database.read, dateAt(calendar, now));
  // Where nobody uses the pages, the team's mailbox gets all there is.
  if (there.length === 0) return toTeam();
  const isMore = moreMails.has(message.kind);
  const readers = there.filter((one) => one.moreMails || !isMore);
  if (readers.length === 0) return { kind: "nobody" };
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  await database.write(async (transaction) => {
    for (const { id: to } of readers) {
      await addMessage(transaction, keys, now, {
        recipient: "operators",
        requestId: undefined,
        // Should this be tried again after it was cut off here, nobody gets it twice.
        once: `${item.messageKey}:${to}`,
        notBefore: wakingHour(local).toInstant(),
        message: { ...message, to } satisfies AddressedMessage,
      });
    }
  });
  return { kind: "passed-on" };
}

/** Tells the operators of a message that waits for a person, once an hour. */
export async function tellTrouble(
  transaction: Write,
  keys: Keys,
  item: OutboxItem,
  { problem }: Failure,
  now: Temporal.Instant,
): Promise<void> {
  // A mistyped address is nothing that an operator could repair; the digest counts it.
  const mistyped = item.kind === "confirm" && isRecipientRefused(problem);
  if (item.recipient === "operators" || mistyped) return;
  const { first, count } = await listTroubled(transaction, namedInMail, mailChannels);
  const troubled = first.map(toTroubled);
  const message = { kind: "operator-trouble", troubled, troubledCount: count } as const;
  await enqueueTeamMail(transaction, keys, message, now, { once: `trouble:${toHour(now)}` });
}

export function toTroubled(record: OutboxRecord): TroubledDelivery {
  return { reference: record.reference, kind: record.kind, problem: record.lastProblem };
}
