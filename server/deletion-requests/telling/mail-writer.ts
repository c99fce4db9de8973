import { skippedFromText } from "../../calendar/business-days.ts";
import { toText } from "../../database/time.ts";
import { markForeignWords } from "../../language/foreign-words.ts";
import { createCalendarWords } from "../../language/in-words.ts";
import { formatMessage } from "../../language/message.ts";
import {
  type Block,
  type Hem,
  type MailLook,
  type RouteStop,
  withSpaces,
  writeHtml,
  writeText,
} from "../../mail/blocks.ts";
import { tellDeliveryProblem } from "../../mail/delivery-problem.ts";
import type { WrittenMail } from "../../mail/mailer.ts";
import { type Proof, writeProof } from "../ledger/proof.ts";
import type { Completion } from "../life/completion.ts";
import type { MailWords } from "./mail-words.ts";
import type {
  Message,
  OpenRequest,
  OperatorMessage,
  Promised,
  TroubledDelivery,
} from "./messages.ts";
import {
  type DataKind,
  describeReceiptLine,
  isPartlyKept,
  type ReceiptLine,
  toReceipt,
} from "./receipt.ts";
import { type Status, type Stop, tellRoad } from "./tell-request.ts";

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

/** Turns a message into the words of the campus. Pure: the same message always makes the same mail. */
export function createMailWriter(options: {
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
}): MailWriter {
  const { words, timeZone } = options;
  const { shared } = words;
  const { labels } = shared;

  const inWords = createCalendarWords({
    locale: words.locale,
    timeZone,
    holidays: options.holidays ?? {},
  });
  const dateOf = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const day = (date: string) => inWords.dayInMail(Temporal.PlainDate.from(date));
  const time = (instant: string) => inWords.momentInMail(Temporal.Instant.from(instant));
  const number = (count: number) => new Intl.NumberFormat(words.locale).format(count);
  const daysLeft = (count: number) => inWords.daysLeft(count, shared);

  function skippedBlocks(skipped: string): Block[] {
    const days = skippedFromText(skipped);
    if (days.length === 0) return [];
    return [
      { kind: "title", text: shared.skippedTitle },
      { kind: "list", items: inWords.skipped(days, shared.skippedWeekend, inWords.dayInMail) },
    ];
  }

  function dataBlocks(completion: Completion | undefined): Block[] {
    const { receipt: said } = words;
    const receipt = toReceipt(completion, options.dataKinds, said, day);
    const titled = (
      title: string,
      outcome: ReceiptLine["outcome"],
      more: string[] = [],
    ): Block[] => {
      const lines = receipt.lines.filter((line) => line.outcome === outcome);
      const items = [...lines.map(describeReceiptLine), ...more];
      return items.length === 0
        ? []
        : [
            { kind: "title", text: title },
            { kind: "list", items },
          ];
    };
    return [
      ...titled(said.deletedTitle, "deleted"),
      ...titled(said.dueTitle, "due", receipt.backups ? [receipt.backups] : []),
      ...titled(said.noneTitle, "none"),
      ...titled(said.keptTitle, "kept"),
      ...receipt.told.map((text): Block => ({ kind: "paragraph", text })),
    ];
  }

  function openList(open: readonly OpenRequest[], count: number, hasPages: boolean): Block[] {
    if (open.length === 0) return [];
    const rows = open.map(
      (request) =>
        [
          request.reference,
          [
            day(request.dueOn),
            daysLeft(request.daysLeft),
            shared.states[request.state],
            request.owner,
            request.heldUntil && fill(shared.heldUntil, { date: day(request.heldUntil) }),
          ]
            .filter(Boolean)
            .join(", "),
          hasPages ? options.deskAt(request.reference) : undefined,
        ] as const,
    );
    return [{ kind: "facts", rows }, ...others(count - open.length)];
  }

  /** What the operators must know before they read their list. */
  function noticesOf(message: Extract<Message, { kind: "operator-digest" }>): Block[] {
    const own = words["operator-digest"];
    const { waiting, silent, freed, calendarEnd, noCalendar, nobodyThere } = own;
    const references = message.freed?.join(", ");
    const texts = [
      message.nobodyOn && fill(nobodyThere, { date: day(message.nobodyOn) }),
      message.waitingSince && fill(waiting, { since: time(message.waitingSince) }),
      message.silentSince && fill(silent, { since: time(message.silentSince) }),
      references && fill(freed, { references }),
      message.calendarEnd === "none"
        ? noCalendar
        : message.calendarEnd && fill(calendarEnd, { date: day(message.calendarEnd) }),
    ];
    return texts.flatMap((text) => (text ? [{ kind: "paragraph", text: `**${text}**` }] : []));
  }

  /** The subject of a digest: whether each promised date still holds. */
  function standingOf({
    open,
    openCount,
    overdue,
  }: {
    open: readonly OpenRequest[];
    openCount: number;
    overdue: number;
  }) {
    const [next] = open;
    const first = next && Temporal.PlainDate.from(next.dueOn);
    return inWords.standing({ open: openCount, late: overdue, first }, shared.standing);
  }

  /** How the ledger ends, for whoever wants to hold it against that later. */
  function headOf(text: string, head: { entry: number; hash: string }): Block[] {
    const values = { entry: String(head.entry), hash: head.hash };
    return [{ kind: "paragraph", text: fill(text, values) }];
  }

  function others(count: number): Block[] {
    if (count <= 0) return [];
    return [{ kind: "paragraph", text: formatMessage(words.locale, shared.more, { count }) }];
  }

  function troubledList(
    troubled: readonly TroubledDelivery[],
    count: number,
    hasPages: boolean,
  ): Block[] {
    if (troubled.length === 0) return [];
    const items = troubled.map((item) =>
      [
        item.reference,
        words.mailKinds[item.kind] ?? item.kind,
        tellDeliveryProblem(words.deliveryProblems, item.problem),
        item.dueOn && fill(words.operators.due, { date: day(item.dueOn) }),
      ]
        .filter(Boolean)
        .join(", "),
    );
    const addresses = troubled.map(({ reference }) =>
      hasPages && reference ? options.deskAt(reference) : undefined,
    );
    return [{ kind: "list", items, addresses }, ...others(count - troubled.length)];
  }

  /** One tap from a mail to the team to what it tells of. */
  function wayToDesk(message: OperatorMessage): Block[] {
    if (message.kind === "operator-invitation") {
      const { button } = words[message.kind];
      return [
        { kind: "button", text: button, address: message.link, fallback: shared.linkFallback },
      ];
    }
    const { openRequest, openDesk } = words.operators;
    const reference = "reference" in message ? message.reference : undefined;
    return [
      {
        kind: "button",
        text: reference === undefined ? openDesk : openRequest,
        address: options.deskAt(reference),
        fallback: shared.linkFallback,
      },
    ];
  }

  /** The road, as far as the request is when a mail tells of it. */
  function routeOf(message: Message): Block[] {
    const { reached, ahead, here, cancelUntil: _, ...says } = words.route;
    const road = roadOfMessage(message);
    if (road.length === 0) return [];
    const hasMore = road.at(-1)?.phase === "ahead";
    const stops = road.map(({ name, phase, at, ahead: next }): RouteStop => {
      if (phase !== "ahead") {
        const title = phase === "here" && hasMore ? `${reached[name]} (${here})` : reached[name];
        return { phase, title, ...(at && { text: inWords.dayInMail(dateOf(at)) }) };
      }
      const title = ahead[name as keyof typeof ahead];
      if (!next || next.says === "cancelUntil") return { phase, title };
      const date = "at" in next ? inWords.momentInMail(next.at) : inWords.dayInMail(next.on);
      return { phase, title, text: fill(says[next.says], { date }) };
    });
    return [{ kind: "route", stops }];
  }

  /** What stands between the opening words and the button. */
  function details(message: Message, hasPages = false): Block[] {
    const facts = (...rows: [string, string][]): Block => ({ kind: "facts", rows });
    const due = ({ dueOn, late }: Promised): [string, string] => [
      late ? labels.promised : labels.due,
      day(dueOn),
    ];
    const moved = (from: string | undefined): [string, string][] =>
      from === undefined ? [] : [[labels.previouslyDue, day(from)]];
    const quote = (text: string): Block[] => (text === "" ? [] : [{ kind: "quote", text }]);
    switch (message.kind) {
      case "confirm":
        return [
          facts(
            [labels.reference, message.reference],
            [labels.received, time(message.receivedAt)],
            [labels.validUntil, time(message.validUntil)],
          ),
        ];
      case "confirmed":
        return [
          facts([labels.reference, message.reference], [labels.due, day(message.dueOn)]),
          ...skippedBlocks(message.skipped),
        ];
      case "reminder":
      case "operator-due-soon":
        return [
          facts(
            [labels.reference, message.reference],
            [labels.state, shared.states[message.state]],
            due(message),
            ...("daysLeft" in message
              ? [[labels.left, daysLeft(message.daysLeft)] as [string, string]]
              : []),
          ),
        ];
      case "in-progress":
        return [facts([labels.reference, message.reference], due(message))];
      case "cancelled":
        return [facts([labels.reference, message.reference])];
      case "cancelled-for-you":
        return [...quote(message.explanation), facts([labels.reference, message.reference])];
      case "held":
        return [
          { kind: "paragraph", text: `**${words.holdReasons[message.reason]}**` },
          ...quote(message.explanation),
          facts(
            [labels.reference, message.reference],
            [labels.heldUntil, day(message.until)],
            ...moved(message.moved?.previouslyDueOn),
            due(message),
          ),
          ...(message.moved ? skippedBlocks(message.moved.skipped) : []),
        ];
      case "released":
        return [facts([labels.reference, message.reference], due(message))];
      case "reopened":
        return [
          ...quote(message.explanation),
          facts([labels.reference, message.reference], due(message)),
        ];
      case "notice-confirmed":
        return [facts([labels.reference, message.reference], [labels.due, day(message.dueOn)])];
      case "entered":
      case "notice-entered":
        return [
          facts([labels.reference, message.reference], [labels.received, time(message.receivedAt)]),
        ];
      case "extended":
        return [
          { kind: "quote", text: message.explanation },
          facts(
            [labels.reference, message.reference],
            ...moved(message.previouslyDueOn),
            due(message),
          ),
          ...skippedBlocks(message.skipped),
        ];
      case "late":
        return [
          { kind: "quote", text: words.late.reasons[message.state] },
          facts([labels.reference, message.reference], [labels.promised, day(message.dueOn)]),
        ];
      case "completed":
        return [
          facts(
            [labels.reference, message.reference],
            [labels.received, time(message.receivedAt)],
            [labels.confirmed, time(message.confirmedAt)],
            [labels.completed, time(message.completedAt)],
          ),
          ...dataBlocks(message.completion),
          ...(message.proof ? headOf(words.receipt.head, message.proof) : []),
        ];
      case "refused":
        return [
          { kind: "paragraph", text: `**${words.refusalReasons[message.reason]}**` },
          ...quote(message.explanation),
          facts([labels.reference, message.reference]),
        ];
      case "operator-new":
        return [
          facts(
            [labels.reference, message.reference],
            [labels.due, day(message.dueOn)],
            [labels.left, daysLeft(message.daysLeft)],
          ),
        ];
      case "operator-digest":
        return [
          ...noticesOf(message),
          ...openList(message.open, message.openCount, hasPages),
          ...(message.troubled.length > 0
            ? [{ kind: "title", text: words["operator-trouble"].title } as const]
            : []),
          ...troubledList(message.troubled, message.troubledCount, hasPages),
          ...(message.head ? headOf(words["operator-digest"].head, message.head) : []),
        ];
      case "operator-account-system":
      case "operator-trouble":
        return troubledList(message.troubled, message.troubledCount, hasPages);
      case "operator-deleted-held":
      case "operator-full":
      case "operator-invitation":
      case "operator-moved":
      case "operator-recovery":
        return [];
    }
  }

  function valuesOf(message: Message): Record<string, string> {
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
      ...("openCount" in message && { standing: standingOf(message) }),
      ...("unconfirmed" in message && { unconfirmed: number(message.unconfirmed) }),
      ...("troubledCount" in message && { troubledCount: number(message.troubledCount) }),
    };
  }

  function attachReceipt(
    title: string,
    blocks: Block[],
    proof: Proof | undefined,
    values: Record<string, string>,
  ): WrittenMail["attachment"] {
    const signed = proof && [
      ...words.receipt.signed,
      options.receiptKeysAt,
      "",
      ...writeProof(proof, options.receiptKeyAt(proof.keyVersion)),
    ];
    const issuer: Block = { kind: "small", text: shared.footer };
    return {
      name: fill(words.completed.attachment, values),
      text: `${writeText(title, [...blocks, issuer])}\n${(signed ?? []).join("\n")}`,
    };
  }

  return (message, _language, { hasPages = false, toContact = false } = {}) => {
    const own = fitting(words[message.kind], message);
    const values = valuesOf(message);
    const paragraphs = (texts: readonly string[]): Block[] =>
      texts.map((text) => toParagraph(fill(text, values)));
    const blocks: Block[] = [];
    if ("token" in message) {
      const personal = fitting(words[message.kind], message);
      blocks.push({ kind: "paragraph", text: shared.greeting });
      blocks.push(...paragraphs(personal.before));
      // A refusal's reason follows the words that announce it.
      if (message.kind === "refused") blocks.push(...details(message), ...routeOf(message));
      else blocks.push(...routeOf(message), ...details(message));
      const isProven = message.kind === "completed" && message.proof !== undefined;
      if (isProven) blocks.push({ kind: "paragraph", text: words.completed.proof });
      blocks.push({
        kind: "button",
        text: personal.button,
        address: options.linkTo(message.token),
        fallback: shared.linkFallback,
      });
      blocks.push(...paragraphs(personal.after));
      if (message.kind === "confirm") blocks.push({ kind: "paragraph", text: shared.notYou });
      const isNotice = message.kind.startsWith("notice-");
      const why = toContact ? shared.whyContact : isNotice ? shared.whyNotice : shared.why;
      blocks.push({ kind: "small", text: shared.questions }, { kind: "small", text: why });
    } else {
      // Where a tap takes it up, nobody needs to be told which command does.
      if (!hasPages || message.kind !== "operator-new") blocks.push(...paragraphs(own.before));
      const leads = hasPages || message.kind === "operator-invitation";
      blocks.push(...details(message, hasPages), ...(leads ? wayToDesk(message) : []));
    }
    blocks.push({ kind: "small", text: shared.footer });
    const subject = withSpaces(fill(own.subject, values));
    const title = fill(own.title, values);
    return {
      subject,
      attachment:
        message.kind === "completed"
          ? attachReceipt(title, details(message), message.proof, values)
          : undefined,
      text: writeText(title, blocks),
      html: markForeignWords(
        writeHtml({
          language: options.language,
          subject,
          preview: fill(own.preview, values),
          brand: shared.brand,
          title,
          blocks,
          look: options.look,
          hem: options.hem ?? "waves",
        }),
        options.language,
        options.names ?? [],
      ),
    };
  };
}

/** How far the request is when a mail tells of it. Empty where the mail cannot know. */
function roadOfMessage(message: Message): Stop[] {
  const at = (instant: string) => Temporal.Instant.from(instant);
  switch (message.kind) {
    case "confirm":
      return tellRoad("received", {}, { confirmUntil: at(message.validUntil) });
    case "confirmed":
    case "in-progress":
    case "reopened":
    case "reminder": {
      const { kind, dueOn } = message;
      const isBegun =
        kind === "reminder" ? message.state === "in-progress" : kind === "in-progress";
      const next = { dueOn: Temporal.PlainDate.from(dueOn), isLate: "late" in message };
      return tellRoad(isBegun ? "in-progress" : "confirmed", {}, next);
    }
    case "completed":
      return tellRoad("completed", {
        received: at(message.receivedAt),
        confirmed: at(message.confirmedAt),
        completed: at(message.completedAt),
      });
    case "cancelled":
    case "cancelled-for-you":
      return tellRoad("cancelled");
    case "refused":
      return tellRoad("refused");
    default:
      return [];
  }
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

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined)
      throw new Error(`The words of the mails use ${whole}, which is not known there`);
    return value;
  });
}
