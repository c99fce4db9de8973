import type { Campus } from "../../../campus-reader/campus.ts";
import {
  type Attached,
  type Block,
  type MailLook,
  type RouteStop,
  writeMail,
} from "../../delivery/blocks.ts";
import { describeDeliveryProblem } from "../../delivery/delivery-problem.ts";
import type { WrittenMail } from "../../delivery/mailer.ts";
import type { SkippedDay } from "../../platform/calendar/business-days.ts";
import { paths } from "../../platform/http/paths.ts";
import { createSplitByLanguage } from "../../platform/i18n/foreign-words.ts";
import { createLanguagePaths } from "../../platform/i18n/language-paths.ts";
import { removeNoBreaks } from "../../platform/i18n/no-breaks.ts";
import { createCalendarWords, type Text } from "../../platform/i18n/texts.ts";
import type { Proof } from "../ledger/proof.ts";
import { toReceipt } from "../presenters/receipt.ts";
import type { Fact, RequestStatus } from "../presenters/request.ts";
import { fieldsOf, type State } from "../state-machine/request.ts";
import { presentMessage } from "./message-facts.ts";
import {
  type Message,
  type OpenRequest,
  type OperatorMessage,
  type PersonMessage,
  readSkippedDays,
  type TroubledDelivery,
} from "./messages.ts";

/**
 * Renders an email.
 * @param language the recipient's; defaults to the campus's first language, also if unknown
 * @param more.hasPages whether team emails link to the operator pages; true once the team uses
 * these pages
 * @param more.toContact whether the recipient is the contact for a closed mailbox
 */
export type MailWriter = (
  message: Message,
  language?: string,
  more?: { hasPages?: boolean; toContact?: boolean },
) => WrittenMail;

/** The parts of a campus that emails use, in one language. */
export type SpokenCampus = Pick<Campus, "settings" | "dataKinds" | "holidays" | "mail">;

export type SpokenSite = {
  campus: SpokenCampus;
  /** The campus in each of its other languages. */
  translations: readonly SpokenCampus[];
  theme: MailLook;
};

/**
 * Creates a writer for all of the campus's languages. Links lead to pages in the email's language.
 */
export function createMailWriters(site: SpokenSite, publicUrl: string): MailWriter {
  const { campus, translations } = site;
  const toWriter = (one: SpokenCampus) => createMailWriter(optionsOf(one, site, publicUrl));
  const first = toWriter(campus);
  const others = new Map(translations.map((one) => [one.settings.language, toWriter(one)]));
  return (message, language = "", more) => (others.get(language) ?? first)(message, language, more);
}

type MailOptions = ReturnType<typeof optionsOf>;

function optionsOf(
  { mail, dataKinds, holidays, settings }: SpokenCampus,
  site: SpokenSite,
  publicUrl: string,
) {
  const { language, firstLanguage, timeZone, motifs } = settings;
  const addresses = createLanguagePaths(
    [site.campus, ...site.translations].map((one) => one.settings.language),
  );
  const at = (path: string) => publicUrl + addresses.to(path, language);
  return {
    words: { ...mail, "cancelled-for-you": { ...mail.cancelled, ...mail["cancelled-for-you"] } },
    dataKinds,
    holidays,
    language,
    firstLanguage,
    timeZone,
    look: site.theme,
    hem: motifs === "delta" ? ("scallops" as const) : ("waves" as const),
    split: createSplitByLanguage(settings),
    linkTo: (token: string) => at(`${paths.deletion}?link=${token}`),
    /** URL of the page with the deletion form. */
    deletionAt: at(paths.deletion),
    /**
     * Returns the URL of a request's operator page, or of the Today page if there is no request.
     */
    deskAt: (reference?: string) =>
      publicUrl + (reference === undefined ? paths.operator : paths.operatorRequest(reference)),
    /** URL of the page that explains how to check a receipt. */
    receiptKeysAt: at(paths.receiptKeys),
    receiptKeyAt: (version: number) => publicUrl + paths.receiptKey(version),
  };
}

/** Texts that every kind of email has. Each kind has its own placeholders. */
type MailLines = { subject: Text; title: Text; preview: Text; before: readonly Text[] };

/**
 * Creates the writer for one language. The writer is pure: the same message always gives the same
 * email.
 */
function createMailWriter(options: MailOptions): MailWriter {
  const ofLanguage = createWording(options);
  const { words, dataKinds, language, firstLanguage, look, hem, split } = options;
  const { footer, brand } = words.shared;
  const day = ofLanguage.inWords.dayInMail;
  return (message, _language, { hasPages = false, toContact = false } = {}) => {
    const receipt =
      message.kind === "completed"
        ? toReceipt(message.completion, dataKinds, words.receipt, { day, say: ofLanguage.say })
        : undefined;
    const wording = { ...ofLanguage, ...presentMessage(message), receipt };
    const own: MailLines = fitting(wording, words[message.kind], message);
    const say = createSay(wording, message);
    const blocks: Block[] = [
      ...("token" in message
        ? toPerson(wording, message, say, { options, toContact })
        : toTeam(wording, message, paragraphs(say, own.before), hasPages)),
      { kind: "small", text: footer },
    ];
    const title = say(own.title);
    const attached =
      message.kind === "completed" ? attachReceipt(options, wording, message) : undefined;
    const said = { subject: say(own.subject), title, preview: say(own.preview), brand };
    const looks = { look, hem, split };
    return writeMail({ ...said, language, firstLanguage, blocks, attached, ...looks });
  };
}

type SayOwn = (text: Text) => string;

/** Creates a function that fills in an email's placeholders. */
function createSay(wording: Wording, message: Message): SayOwn {
  const { facts, number, day, time, sayFact } = wording;
  const {
    date,
    unconfirmed,
    troubledCount,
    by: inviter,
    contact,
    name,
    device,
    copiedAt,
    cancelUntil,
    stopUntil,
    untouchedUntil,
    fadesAt,
  } = fieldsOf(message);
  const values = {
    ...{ contact, name, device, inviter },
    copiedAt: copiedAt && time(copiedAt),
    cancelUntil: cancelUntil && time(cancelUntil),
    reference: sayFact(facts.reference),
    validUntil: sayFact(facts.expires),
    until: sayFact(facts.heldUntil),
    dueDate: sayFact(facts.due),
    daysLeft: sayFact(facts.left),
    date: date && day(date),
    stopUntil: stopUntil && time(stopUntil),
    untouchedUntil: untouchedUntil && time(untouchedUntil),
    fadesAt: fadesAt && time(fadesAt),
    unconfirmed: unconfirmed && number(unconfirmed),
    troubledCount: troubledCount && number(troubledCount),
    standing: "openCount" in message ? summarizeDates(wording, message) : undefined,
  };
  return (text) => wording.say(text, values);
}

function toPerson(
  wording: Wording,
  message: PersonMessage,
  say: SayOwn,
  { options: { linkTo, deletionAt }, toContact }: { options: MailOptions; toContact: boolean },
): Block[] {
  const address = linkTo(message.token);
  const { shared, completed } = wording.words;
  const own = fitting(wording, wording.words[message.kind], message);
  const [road, details] = [roadIn(wording), detailsOf(wording, message)];
  const isNotice = message.kind.startsWith("notice-");
  const text = "button" in own ? own.button : shared.button;
  const why = toContact ? shared.whyContact : isNotice ? shared.whyNotice : shared.why;
  const isProven = message.kind === "completed" && message.proof !== undefined;
  return [
    { kind: "paragraph", text: shared.greeting },
    ...paragraphs(say, own.before),
    // A refusal's reason follows the sentence that announces the refusal.
    ...(message.kind === "refused" ? [...details, ...road] : [...road, ...details]),
    ...(isProven ? [{ kind: "paragraph", text: completed.proof } as const] : []),
    { kind: "button", text, address, fallback: shared.linkFallback },
    ...paragraphs(say, own.after),
    // Writes plain text, because a list item would link only its first word.
    ...("again" in own
      ? [{ kind: "paragraph", text: `${say(own.again)} ${deletionAt}` } as const]
      : []),
    ...(message.kind === "confirm" ? [{ kind: "paragraph", text: shared.notYou } as const] : []),
    { kind: "small", text: shared.questions },
    { kind: "small", text: why },
  ];
}

function toTeam(
  wording: Wording,
  message: OperatorMessage,
  before: Block[],
  hasPages: boolean,
): Block[] {
  const leads = hasPages || message.kind === "operator-invitation";
  // An email with a button doesn't need the text, which only explains the command that does the
  // same.
  const isTold = hasPages && message.kind === "operator-new";
  return [
    ...(isTold ? [] : before),
    ...teamDetails(wording, message, hasPages),
    ...(leads ? [wayToDesk(wording, message)] : []),
  ];
}

function paragraphs(say: SayOwn, texts: readonly Text[]): Block[] {
  return texts.map((text) => toParagraph(say(text)));
}

/** Attaches the receipt: what happened to the data, as in the email, and then the signed text. */
function attachReceipt(
  { receiptKeysAt, receiptKeyAt }: MailOptions,
  wording: Wording,
  message: Extract<Message, { kind: "completed" }>,
): Attached {
  const { completed, receipt, shared } = wording.words;
  const { proof } = message;
  const signed = proof
    ? [
        ...receipt.signature.map(removeNoBreaks),
        receiptKeysAt,
        "",
        ...writeProof(proof, receiptKeyAt(proof.keyVersion)),
      ]
    : [];
  const issuer: Block = { kind: "small", text: shared.footer };
  return {
    name: wording.say(completed.attachment, { reference: message.reference }),
    blocks: [...detailsOf(wording, message), issuer],
    lines: signed,
  };
}

/**
 * Formats the signature and the signed text. This part of the receipt is the same in every
 * language.
 */
function writeProof(proof: Proof, addressOfKey: string): string[] {
  return [
    `Key: ${addressOfKey}`,
    ...(proof.number ? [`Number: ${proof.number}`] : []),
    `Signature: ${proof.signature}`,
    "",
    ...proof.text.trimEnd().split("\n"),
    "",
  ];
}

/**
 * Creates a writer of downloadable receipts. A download is identical to the attachment of the
 * completion email, and undefined if the request has no receipt.
 */
export function createReceiptWriter(writeMail: MailWriter) {
  return ({ reference, receipt }: RequestStatus, language: string) =>
    receipt && writeMail({ ...receipt, token: "", reference }, language).attachment;
}

/**
 * Picks the variant of an email's texts that fits the message. So no email promises a date that has
 * passed or moved, or says that data was deleted when it was kept.
 */
function fitting<Own extends object>({ receipt }: Wording, own: Own, message: Message): Own {
  if (message.kind === "restored") {
    const variant = variantOf(message);
    return variant in own ? { ...own, ...(own[variant as keyof Own] as Partial<Own>) } : own;
  }
  if (message.kind === "operator-invitation" && !message.by && "unnamed" in own) {
    return { ...own, ...(own.unnamed as Partial<Own>) };
  }
  // Versions up to 1.11 stored no hour.
  if (message.kind === "notice-confirmed" && !message.untouchedUntil && "unnamed" in own) {
    return { ...own, ...(own.unnamed as Partial<Own>) };
  }
  if ("late" in message && "late" in own) return { ...own, ...(own.late as Partial<Own>) };
  if ("moved" in message && "moved" in own) return { ...own, ...(own.moved as Partial<Own>) };
  const isKept = receipt?.isPartlyKept && "kept" in own;
  return isKept ? { ...own, ...(own.kept as Partial<Own>) } : own;
}

function variantOf({ state, isEntered }: Extract<Message, { kind: "restored" }>): string {
  if (state === "received") return isEntered ? "entered" : "unconfirmed";
  return state === "in-progress" ? "begun" : "";
}

/** Converts a text to a paragraph, or to a command if it's enclosed in backquotes. */
function toParagraph(text: string): Block {
  const [, command] = /^`([^`]+)`$/.exec(text) ?? [];
  return command ? { kind: "command", text: command } : { kind: "paragraph", text };
}

// Parts of an email. They depend on the message's facts, not on its kind

/**
 * One language's texts, and functions that format dates, times, numbers and the message's facts.
 */
type Wording = ReturnType<typeof createWording> &
  ReturnType<typeof presentMessage> & {
    /** Undefined unless the email is about a completion. */
    receipt: ReturnType<typeof toReceipt> | undefined;
  };

function createWording({ words, holidays, language, timeZone, deskAt }: MailOptions) {
  const { locale } = words;
  const inWords = createCalendarWords({ locale, timeZone, holidays });
  const numbers = new Intl.NumberFormat(locale);
  return {
    words,
    language,
    inWords,
    deskAt,
    /**
     * Fills in placeholders.
     * @throws if a placeholder has no value
     */
    say: inWords.say,
    /** Formats an ISO date such as 2026-12-06. */
    day: (date: string) => inWords.dayInMail(Temporal.PlainDate.from(date)),
    /** Formats an ISO instant such as 2026-11-22T04:00:00Z as a time in the campus's time zone. */
    time: (instant: string) => inWords.momentInMail(Temporal.Instant.from(instant)),
    /** Formats one fact. */
    sayFact: ({ text, code, on, at, days }: Fact = {}): string | undefined =>
      text ??
      (code && words.shared.states[code as State]) ??
      (on && inWords.dayInMail(on)) ??
      (at && inWords.momentInMail(at)) ??
      (days === undefined ? undefined : inWords.daysLeft(days, words.shared)),
    /** Formats an instant as a date in the campus's time zone. */
    dayOf: (instant: Temporal.Instant) =>
      inWords.dayInMail(instant.toZonedDateTimeISO(timeZone).toPlainDate()),
    number: (count: number) => numbers.format(count),
  };
}

type RequestMessage = Extract<Message, { reference: string }>;

/**
 * Lists the details of a request: the reason, the explanation, the facts, and what happened to the
 * data.
 */
function detailsOf(wording: Wording, message: RequestMessage): Block[] {
  const { words } = wording;
  // The operator who set the hold needs to know only that the account has been deleted.
  if (message.kind === "operator-deleted-held") return [];
  const moved = message.kind === "held" ? message.moved : undefined;
  return [
    ...("reason" in message ? [strong(words.reasons[message.reason])] : []),
    ...(message.kind === "extended" && message.explanation === ""
      ? [strong(words.extended.usualReason)]
      : []),
    ...(message.kind === "ask-proof" ? askedFor(wording, message) : []),
    ...("explanation" in message && message.explanation !== "" ? [quote(message.explanation)] : []),
    ...(message.kind === "late" ? [quote(words.late.reasons[message.state])] : []),
    { kind: "facts", rows: factRows(wording, message) },
    ...skippedDays(wording, readSkippedDays(moved ?? message), {
      isLater: message.kind === "extended" || moved !== undefined,
    }),
    ...(message.kind === "completed" ? outcomesOf(wording) : []),
  ];
}

/** Lists other proofs of ownership that the contact can send, in the email's language. */
function askedFor(
  { language, words }: Wording,
  { asks }: Extract<Message, { kind: "ask-proof" }>,
): Block[] {
  const items = asks.flatMap((ask) => ask[language] ?? Object.values(ask)[0] ?? []);
  if (items.length === 0) return [];
  return [
    { kind: "paragraph", text: words["ask-proof"].oneOf },
    { kind: "list", items },
  ];
}

const quote = (text: string): Block => ({ kind: "quote", text });
const strong = (text: string): Block => ({ kind: "paragraph", text: `**${text}**` });

/** Lists the facts that have a label and a value, in a fixed order. */
function factRows(
  wording: Wording,
  message: RequestMessage,
): (readonly [label: string, value: string])[] {
  const { facts, shared } = wording.words;
  const { promised, ...own } = shared.labels;
  const isLate = message.kind === "late" || ("late" in message && message.late);
  const due = isLate ? promised : facts.due;
  const labels: Partial<Record<string, string>> = { ...facts, ...own, due };
  return Object.entries(wording.facts).flatMap(([name, fact]) => {
    const [label, said] = [labels[name], wording.sayFact(fact)];
    return label && said ? [[label, said] as const] : [];
  });
}

/**
 * Lists the days that were skipped in computing a due date.
 * @param isLater whether the due date moved; then the list is left out if it has no holidays, only
 * weekends
 */
function skippedDays(
  { words, inWords }: Wording,
  days: readonly SkippedDay[],
  { isLater }: { isLater: boolean },
): Block[] {
  const { skippedTitle, skippedWeekend } = words.shared;
  const isKnown = isLater && days.every(({ holiday }) => holiday === undefined);
  if (days.length === 0 || isKnown) return [];
  const items = inWords.skipped(days, skippedWeekend, inWords.dayInMail);
  return [
    { kind: "title", text: skippedTitle },
    { kind: "list", items },
  ];
}

/** Lists what happened to the data, grouped by outcome. */
function outcomesOf({ receipt }: Wording): Block[] {
  if (!receipt) return [];
  return [
    ...receipt.groups.flatMap(({ title, items }): Block[] => [
      { kind: "title", text: title },
      { kind: "list", items },
    ]),
    ...receipt.told.map((text): Block => ({ kind: "paragraph", text })),
  ];
}

/** Lists the request's progress steps. */
function roadIn({ words, inWords, dayOf, say, road }: Wording): Block[] {
  const { ahead, here, cancelUntil: _, ...says } = words.route;
  const reached = { ...words.facts, ...words.route.reached };
  if (road.length === 0) return [];
  const hasMore = road.at(-1)?.phase === "ahead";
  const stops = road.map(({ name, phase, at, ahead: next }): RouteStop => {
    if (phase !== "ahead") {
      const title = phase === "here" && hasMore ? `${reached[name]} (${here})` : reached[name];
      return { phase, title, ...(at && { text: dayOf(at) }) };
    }
    const title = ahead[name as keyof typeof ahead];
    if (!next || next.says === "cancelUntil") return { phase, title };
    const date = "at" in next ? inWords.momentInMail(next.at) : inWords.dayInMail(next.on);
    return { phase, title, text: say(says[next.says], { date }) };
  });
  return [{ kind: "route", stops }];
}

// Team emails

/** Lists the details of a team email: one request, the day's digest, or failed emails. */
function teamDetails(wording: Wording, message: OperatorMessage, hasPages: boolean): Block[] {
  const { words } = wording;
  if (message.kind === "operator-digest") {
    const { troubled, troubledCount } = message;
    return [
      ...noticesOf(wording, message),
      ...openList(wording, message, hasPages),
      ...(troubled.length > 0
        ? [{ kind: "title", text: words["operator-trouble"].title } as const]
        : []),
      ...troubledList(wording, { troubled, troubledCount }, hasPages),
    ];
  }
  if ("troubled" in message) return troubledList(wording, message, hasPages);
  return "reference" in message ? detailsOf(wording, message) : [];
}

function openList(
  wording: Wording,
  { open, openCount }: { open: readonly OpenRequest[]; openCount: number },
  hasPages: boolean,
): Block[] {
  const { words, day, sayFact, deskAt, say } = wording;
  const { shared } = words;
  if (open.length === 0) return [];
  const rows = open.map((request) => {
    const { reference, dueOn, state, owner, heldUntil } = request;
    const facts = [
      ...[day(dueOn), sayFact({ days: request.daysLeft }), shared.states[state], owner],
      heldUntil && say(shared.heldUntil, { date: day(heldUntil) }),
    ];
    const address = hasPages ? deskAt(reference) : undefined;
    return [reference, facts.filter(Boolean).join(", "), address] as const;
  });
  return [{ kind: "facts", rows }, ...countOthers(wording, openCount - open.length)];
}

/** Lists the notices at the top of a digest. */
function noticesOf(
  { words, day, time, say, inWords }: Wording,
  message: Extract<Message, { kind: "operator-digest" }>,
): Block[] {
  const own = words["operator-digest"];
  const { nobodyOn, waitingSince, silentSince, calendarEnd } = message;
  const references = message.freed && inWords.list(message.freed);
  const texts = [
    nobodyOn && say(own.nobodyThere, { date: day(nobodyOn) }),
    waitingSince && say(own.waiting, { since: time(waitingSince) }),
    silentSince && say(own.silent, { since: time(silentSince) }),
    references && say(own.freed, { references }),
    calendarEnd === "none"
      ? own.noCalendar
      : calendarEnd && say(own.calendarEnd, { date: day(calendarEnd) }),
  ];
  return texts.flatMap((text) => (text ? [{ kind: "paragraph", text: `**${text}**` }] : []));
}

function troubledList(
  wording: Wording,
  told: { troubled: readonly TroubledDelivery[]; troubledCount: number },
  hasPages: boolean,
): Block[] {
  const { words, day, deskAt, say } = wording;
  const { troubled, troubledCount } = told;
  if (troubled.length === 0) return [];
  const items = troubled.map(({ reference, kind, problem, dueOn }) =>
    [
      reference,
      words.mailKinds[kind] ?? kind,
      describeDeliveryProblem(words.deliveryProblems, problem),
      dueOn && say(words.operators.due, { date: day(dueOn) }),
    ]
      .filter(Boolean)
      .join(", "),
  );
  const addresses = troubled.map(({ reference }) =>
    hasPages && reference ? deskAt(reference) : undefined,
  );
  return [
    { kind: "list", items, addresses },
    ...countOthers(wording, troubledCount - troubled.length),
  ];
}

function countOthers({ words, say }: Wording, count: number): Block[] {
  if (count <= 0) return [];
  return [{ kind: "paragraph", text: say(words.shared.more, { count }) }];
}

/** Adds the button that opens the operator page for a team email. */
function wayToDesk({ words, deskAt }: Wording, message: OperatorMessage): Block {
  const fallback = words.shared.linkFallback;
  if (message.kind === "operator-invitation") {
    const { button } = words[message.kind];
    return { kind: "button", text: button, address: message.link, fallback };
  }
  const { openRequest, openDesk } = words.operators;
  const reference = "reference" in message ? message.reference : undefined;
  const text = reference === undefined ? openDesk : openRequest;
  return { kind: "button", text, address: deskAt(reference), fallback };
}

/** Summarizes, for a digest's subject, whether the promised dates can still be met. */
function summarizeDates(
  { words, inWords }: Wording,
  { open, openCount, overdue }: Extract<Message, { kind: "operator-digest" }>,
): string {
  const [next] = open;
  const first = next && Temporal.PlainDate.from(next.dueOn);
  return inWords.standing({ open: openCount, late: overdue, first }, words.shared.standing);
}
