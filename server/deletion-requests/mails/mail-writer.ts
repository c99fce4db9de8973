import { type Block, writeMail } from "../../delivery/blocks.ts";
import type { WrittenMail } from "../../delivery/mailer.ts";
import type { Text } from "../../platform/i18n/texts.ts";
import type { RequestStatus } from "../presenters/request.ts";
import { fieldsOf } from "../state-machine/request.ts";
import { type MailTexts, strong } from "./mail-kind.ts";
import { isToPerson, kindOf, type Message } from "./messages.ts";
import { createWording, type SpokenCampus, type SpokenSite, type Wording } from "./wording.ts";

/**
 * Renders an email.
 * @param language the recipient's language; if missing or unknown, the campus's default language
 * @param more.hasPages whether the team uses the operator pages. If so, team emails link to them
 * @param more.toContact whether the recipient is the contact for a closed mailbox
 */
export type MailWriter = (
  message: Message,
  language?: string,
  more?: { hasPages?: boolean; toContact?: boolean },
) => WrittenMail;

/**
 * Creates a writer for all of the campus's languages. Links lead to pages in the email's language.
 */
export function createMailWriters(site: SpokenSite, publicUrl: string): MailWriter {
  const toWriter = (edition: SpokenCampus) =>
    createMailWriter(createWording(edition, site, publicUrl));
  const first = toWriter(site.campus);
  const writers = new Map(
    site.translations.map((translation) => [translation.settings.language, toWriter(translation)]),
  );
  return (message, language = "", more) =>
    (writers.get(language) ?? first)(message, language, more);
}

/**
 * Creates the writer for one language. The writer is a pure function. Every email starts with what
 * happened or what to do, followed by the button, its deadline and the rest, with the reference at
 * the end.
 */
function createMailWriter(wording: Wording): MailWriter {
  const { words, language, firstLanguage, theme, hem, split } = wording;
  const { shared } = words;
  return (message, _language, { hasPages = false, toContact = false } = {}) => {
    const kind = kindOf(message);
    const texts = textsOf(wording, message);
    const { reference } = fieldsOf(message);
    const values = { reference, ...kind.values?.(message, wording) };
    const say = (text: Text) => wording.say(text, values);
    const paragraphs = (all: readonly Text[] = []) => all.map((text) => toParagraph(say(text)));
    const button = buttonOf(wording, message, texts.button && say(texts.button), hasPages);
    const blocks: Block[] = [
      ...paragraphs(texts.before),
      ...withDeadline(button, texts.by && say(texts.by)),
      ...(kind.details?.(message, wording, { hasPages }) ?? []),
      ...paragraphs(texts.after),
      ...paragraphs(button ? [] : texts.byCommand),
      ...(kind.ending?.(message, wording) ?? []),
      ...listFacts(wording, message),
      ...small(isToPerson(message) ? [shared.questions] : []),
      ...small(isToPerson(message) ? [shared[toContact ? "whyContact" : (kind.why ?? "why")]] : []),
      ...small([shared.footer]),
      ...(button
        ? [{ kind: "address", text: shared.linkFallback, address: button.address } as const]
        : []),
    ];
    return writeMail({
      subject: say(texts.subject),
      preview: say(texts.preview),
      title: say(texts.title),
      brand: shared.brand,
      blocks,
      attached: reference ? kind.attachment?.({ ...message, reference }, wording) : undefined,
      ...{ language, firstLanguage, theme, hem, split },
    });
  };
}

/**
 * Returns the text of the variant that fits the message. For example, no email may promise a date
 * that has passed.
 */
function textsOf({ words }: Wording, message: Message): MailTexts {
  const texts: MailTexts & Record<string, unknown> = words[message.kind];
  const variant = kindOf(message).variant?.(message);
  return variant ? { ...texts, ...(texts[variant] as Partial<MailTexts>) } : texts;
}

type Button = { text: string; address: string };

/**
 * Returns the email's button. Returns undefined for a team email without a link of its own if the
 * team doesn't use the operator pages.
 */
function buttonOf(
  { words, linkTo, deskAt }: Wording,
  message: Message,
  text: string | undefined,
  hasPages: boolean,
): Button | undefined {
  if (isToPerson(message)) {
    return { text: text ?? words.shared.button, address: linkTo(message.token) };
  }
  const { openRequest, openDesk } = words.operators;
  const { reference } = fieldsOf(message);
  const desk = { text: reference ? openRequest : openDesk, address: deskAt(reference) };
  const link = kindOf(message).link?.(message);
  if (link !== undefined) return { text: text ?? desk.text, address: link };
  return hasPages ? desk : undefined;
}

function withDeadline(button: Button | undefined, by: string | undefined): Block[] {
  if (button) return [{ kind: "button", ...button, by }];
  return by ? [strong(by)] : [];
}

/** Lists the email's facts. A requester's reference comes last. */
function listFacts(wording: Wording, message: Message): Block[] {
  const { reference } = wording.words.facts;
  const rows = [
    ...(kindOf(message).rows?.(message, wording) ?? []),
    ...(isToPerson(message) ? [[reference, message.reference] as const] : []),
  ];
  return rows.length > 0 ? [{ kind: "facts", rows }] : [];
}

const small = (texts: readonly string[]) => texts.map((text) => ({ kind: "small", text }) as const);

/** Converts a text to a paragraph, or to a command block if the text is in backquotes. */
function toParagraph(text: string): Block {
  const [, command] = /^`([^`]+)`$/.exec(text) ?? [];
  return command ? { kind: "command", text: command } : { kind: "paragraph", text };
}

/**
 * Creates a function that writes downloadable receipts, with the same content as the attachment of
 * the completion email. The function returns undefined if the request has no receipt.
 */
export function createReceiptWriter(writeMail: MailWriter) {
  return ({ reference, receipt }: RequestStatus, language: string) =>
    receipt && writeMail({ ...receipt, token: "", reference }, language).attachment;
}
