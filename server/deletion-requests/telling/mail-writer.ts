import { toText } from "../../database/time.ts";
import { markForeignWords } from "../../language/foreign-words.ts";
import type { Text } from "../../language/message.ts";
import {
  type Block,
  type Hem,
  type MailLook,
  withSpaces,
  writeHtml,
  writeText,
} from "../../mail/blocks.ts";
import type { WrittenMail } from "../../mail/mailer.ts";
import { writeProof } from "../ledger/proof.ts";
import { detailsOf, roadIn } from "./mail-details.ts";
import { createWording, type Wording } from "./mail-wording.ts";
import type { MailWords } from "./mail-words.ts";
import type { Message, OperatorMessage, PersonMessage } from "./messages.ts";
import { type DataKind, isPartlyKept } from "./receipt.ts";
import { standingOf, teamDetails, wayToDesk } from "./team-mail.ts";
import type { Status } from "./tell-request.ts";

/**
 * @param language of its reader; without one, or with one that the campus does not have, its first is meant
 * @param more.hasPages whether the operators' pages are in use, so that mails to the team may lead there
 * @param more.toContact whether it goes to the address that was named for a closed mailbox
 */
export type MailWriter = (
  message: Message,
  language?: string,
  more?: { hasPages?: boolean; toContact?: boolean },
) => WrittenMail;

/** One writer for all languages of a campus, of the one for each, the first language's first. */
export function joinMailWriters(
  writers: readonly (readonly [language: string, write: MailWriter])[],
): MailWriter {
  const byLanguage = new Map(writers);
  return (message, language = "", more) => {
    const write = byLanguage.get(language) ?? writers[0]?.[1];
    if (!write) throw new Error("There is no language to write a mail in");
    return write(message, language, more);
  };
}

/** What mails of one language are written with. */
type MailOptions = {
  words: MailWords;
  dataKinds: readonly DataKind[];
  /** What holidays are called, by key. */
  holidays?: Readonly<Record<string, string>>;
  language: string;
  /** What needs no language of its own in any script: of the app, its developer, the campus. */
  names?: readonly string[];
  timeZone: string;
  look: MailLook;
  hem?: Hem;
  /** Where the link of a mail leads. */
  linkTo: (token: string) => string;
  /** Absolute address of an operators' page: that of a request, by its reference, or of the day's work. */
  deskAt: (reference?: string) => string;
  /** Address of the page that says how to check a receipt. */
  receiptKeysAt: string;
  /** Address of one of the keys that sign receipts. */
  receiptKeyAt: (version: number) => string;
};

/** What every mail has; which values its lines ask for is its kind's own affair. */
type MailLines = { subject: Text; title: Text; preview: Text; before: readonly Text[] };

/** Turns a message into the words of the campus. Pure: the same message always makes the same mail. */
export function createMailWriter(options: MailOptions): MailWriter {
  const wording = createWording(options);
  const { words, language, names = [], look, hem = "waves" } = { ...options };
  const { shared } = words;
  const { say } = wording;
  return (message, _language, { hasPages = false, toContact = false } = {}) => {
    const own: MailLines = fitting(words[message.kind], message);
    const values = valuesOf(wording, message);
    const blocks: Block[] = [
      ...("token" in message
        ? toPerson(wording, message, options.linkTo(message.token), toContact)
        : toTeam(wording, message, hasPages)),
      { kind: "small", text: shared.footer },
    ];
    const subject = withSpaces(say(own.subject, values));
    const title = say(own.title, values);
    const preview = say(own.preview, values);
    const { brand } = shared;
    const attachment =
      message.kind === "completed" ? attachReceipt(options, wording, title, message) : undefined;
    const html = writeHtml({ language, subject, preview, brand, title, blocks, look, hem });
    return {
      ...{ subject, attachment },
      text: writeText(title, blocks),
      html: markForeignWords(html, language, names),
    };
  };
}

function toPerson(
  wording: Wording,
  message: PersonMessage,
  address: string,
  toContact: boolean,
): Block[] {
  const { shared, completed } = wording.words;
  const own = fitting(wording.words[message.kind], message);
  const [road, details] = [roadIn(wording, message), detailsOf(wording, message)];
  const isNotice = message.kind.startsWith("notice-");
  const why = toContact ? shared.whyContact : isNotice ? shared.whyNotice : shared.why;
  const isProven = message.kind === "completed" && message.proof !== undefined;
  return [
    { kind: "paragraph", text: shared.greeting },
    ...paragraphs(wording, own.before, message),
    // A refusal's reason follows the words that announce it.
    ...(message.kind === "refused" ? [...details, ...road] : [...road, ...details]),
    ...(isProven ? [{ kind: "paragraph", text: completed.proof } as const] : []),
    { kind: "button", text: own.button, address, fallback: shared.linkFallback },
    ...paragraphs(wording, own.after, message),
    ...(message.kind === "confirm" ? [{ kind: "paragraph", text: shared.notYou } as const] : []),
    { kind: "small", text: shared.questions },
    { kind: "small", text: why },
  ];
}

function toTeam(wording: Wording, message: OperatorMessage, hasPages: boolean): Block[] {
  const own = fitting(wording.words[message.kind], message);
  const leads = hasPages || message.kind === "operator-invitation";
  return [
    // Where a tap takes it up, nobody needs to be told which command does.
    ...(hasPages && message.kind === "operator-new"
      ? []
      : paragraphs(wording, own.before, message)),
    ...teamDetails(wording, message, hasPages),
    ...(leads ? [wayToDesk(wording, message)] : []),
  ];
}

function paragraphs(wording: Wording, texts: readonly Text[], message: Message): Block[] {
  const values = valuesOf(wording, message);
  return texts.map((text) => toParagraph(wording.say(text, values)));
}

/** What the words of a mail may name. */
function valuesOf(wording: Wording, message: Message): Record<string, string> {
  const { day, time, number, daysLeft } = wording;
  return {
    ...("reference" in message && { reference: message.reference }),
    ...("dueOn" in message && { dueDate: day(message.dueOn) }),
    ...("name" in message && { name: message.name }),
    ...("device" in message && { device: message.device }),
    ...("contact" in message && { contact: message.contact }),
    ...("until" in message && { until: day(message.until) }),
    ...("validUntil" in message && { validUntil: time(message.validUntil) }),
    ...("daysLeft" in message && { daysLeft: daysLeft(message.daysLeft) }),
    ...("date" in message && { date: day(message.date) }),
    ...("openCount" in message && { standing: standingOf(wording, message) }),
    ...("unconfirmed" in message && { unconfirmed: number(message.unconfirmed) }),
    ...("troubledCount" in message && { troubledCount: number(message.troubledCount) }),
  };
}

/** The receipt: what the mail tells of the data, and below it what programs read. */
function attachReceipt(
  { receiptKeysAt, receiptKeyAt }: Pick<MailOptions, "receiptKeysAt" | "receiptKeyAt">,
  wording: Wording,
  title: string,
  message: Extract<Message, { kind: "completed" }>,
): WrittenMail["attachment"] {
  const { completed, receipt, shared } = wording.words;
  const { proof } = message;
  const signed = proof
    ? [...receipt.signed, receiptKeysAt, "", ...writeProof(proof, receiptKeyAt(proof.keyVersion))]
    : [];
  const issuer: Block = { kind: "small", text: shared.footer };
  return {
    name: wording.say(completed.attachment, { reference: message.reference }),
    text: `${writeText(title, [...detailsOf(wording, message), issuer])}\n${signed.join("\n")}`,
  };
}

/** What a receipt's file is written from, of a request that was completed. */
type ReceiptFacts = Pick<Status, "reference" | "receivedAt" | "confirmedAt" | "endedAt"> &
  Pick<Status, "state" | "completion" | "proof">;

/** Undefined where there is no receipt. */
export type ReceiptWriter = (
  status: ReceiptFacts,
  language: string,
) => WrittenMail["attachment"] | undefined;

/** The receipt as a file by itself: what the mail that told of the end has with it. */
export function createReceiptWriter(writeMail: MailWriter): ReceiptWriter {
  return ({ state, reference, receivedAt, confirmedAt, endedAt, completion, proof }, language) => {
    if (state !== "completed" || !endedAt) return undefined;
    const message: Message = {
      kind: "completed",
      token: "",
      reference,
      receivedAt: toText(receivedAt),
      confirmedAt: toText(confirmedAt),
      completedAt: toText(endedAt),
      ...(completion && { completion }),
      ...(proof && { proof }),
    };
    return writeMail(message, language).attachment;
  };
}

/** The words of a mail: no day is promised that has passed or was moved, and nothing called deleted that stays. */
function fitting<Own extends object>(own: Own, message: Message): Own {
  if ("late" in message && "late" in own) return { ...own, ...(own.late as Partial<Own>) };
  if ("moved" in message && "moved" in own) return { ...own, ...(own.moved as Partial<Own>) };
  const isKept = message.kind === "completed" && isPartlyKept(message.completion);
  return isKept && "kept" in own ? { ...own, ...(own.kept as Partial<Own>) } : own;
}

/** A text that stands in backquotes as a whole is a command to be typed. */
function toParagraph(text: string): Block {
  const [, command] = /^`([^`]+)`$/.exec(text) ?? [];
  return command ? { kind: "command", text: command } : { kind: "paragraph", text };
}
