import { markForeignWords } from "../../language/foreign-words.ts";
import type { Text } from "../../language/texts.ts";
import {
  type Block,
  type Hem,
  type MailLook,
  withSpaces,
  writeHtml,
  writeText,
} from "../../mail/blocks.ts";
import type { WrittenMail } from "../../mail/mailer.ts";
import { writeProof } from "../ledger/entry.ts";
import {
  createWording,
  detailsOf,
  roadIn,
  sayFacts,
  standingOf,
  teamDetails,
  type Wording,
  wayToDesk,
} from "./mail-parts.ts";
import {
  completedNews,
  type Message,
  type OperatorMessage,
  type PersonMessage,
} from "./messages.ts";
import { isPartlyKept } from "./receipt.ts";
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

/** What mails of one language are written with. */
type MailOptions = Parameters<typeof createWording>[0] & {
  language: string;
  /** What needs no language of its own in any script: of the app, its developer, the campus. */
  names?: readonly string[];
  look: MailLook;
  hem?: Hem;
  /** Where the link of a mail leads. */
  linkTo: (token: string) => string;
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
  const { footer, brand } = words.shared;
  return (message, _language, { hasPages = false, toContact = false } = {}) => {
    const own: MailLines = fitting(words[message.kind], message);
    const say = createSay(wording, message);
    const blocks: Block[] = [
      ...("token" in message
        ? toPerson(wording, message, say, options.linkTo(message.token), toContact)
        : toTeam(wording, message, say, hasPages)),
      { kind: "small", text: footer },
    ];
    const subject = withSpaces(say(own.subject));
    const title = say(own.title);
    const preview = say(own.preview);
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

type SayOwn = (text: Text) => string;

/** Fills in what the words of a mail may name. */
function createSay(wording: Wording, message: Message): SayOwn {
  const said = sayFacts(wording, message);
  // What is not known is left out, so that a text that asks for it is noticed.
  const values = {
    ...said,
    ...(said.dueOn !== undefined && { dueDate: said.dueOn }),
    ...("openCount" in message && { standing: standingOf(wording, message) }),
  };
  return (text) => wording.say(text, values);
}

function toPerson(
  wording: Wording,
  message: PersonMessage,
  say: SayOwn,
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
    ...paragraphs(say, own.before),
    // A refusal's reason follows the words that announce it.
    ...(message.kind === "refused" ? [...details, ...road] : [...road, ...details]),
    ...(isProven ? [{ kind: "paragraph", text: completed.proof } as const] : []),
    { kind: "button", text: own.button, address, fallback: shared.linkFallback },
    ...paragraphs(say, own.after),
    ...(message.kind === "confirm" ? [{ kind: "paragraph", text: shared.notYou } as const] : []),
    { kind: "small", text: shared.questions },
    { kind: "small", text: why },
  ];
}

function toTeam(
  wording: Wording,
  message: OperatorMessage,
  say: SayOwn,
  hasPages: boolean,
): Block[] {
  const own = fitting(wording.words[message.kind], message);
  const leads = hasPages || message.kind === "operator-invitation";
  // Where a tap takes it up, nobody needs to be told which command does.
  const isTold = hasPages && message.kind === "operator-new";
  return [
    ...(isTold ? [] : paragraphs(say, own.before)),
    ...teamDetails(wording, message, hasPages),
    ...(leads ? [wayToDesk(wording, message)] : []),
  ];
}

function paragraphs(say: SayOwn, texts: readonly Text[]): Block[] {
  return texts.map((text) => toParagraph(say(text)));
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

/** The receipt as a file by itself: what the mail that told of the end has with it. Undefined where there is none. */
export function createReceiptWriter(writeMail: MailWriter) {
  return (status: Status, language: string): WrittenMail["attachment"] | undefined => {
    const { state, reference, endedAt, proof } = status;
    if (state !== "completed" || !endedAt) return undefined;
    const news = completedNews({ ...status, endedAt }, proof);
    return writeMail({ ...news, token: "", reference }, language).attachment;
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
