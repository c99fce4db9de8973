import { skippedFromText } from "../../calendar/business-days.ts";
import type { Text } from "../../language/message.ts";
import type { Block, RouteStop } from "../../mail/blocks.ts";
import type { Wording } from "./mail-wording.ts";
import { reasonsOf } from "./mail-words.ts";
import type { Message } from "./messages.ts";
import { tellOutcomes, toReceipt } from "./receipt.ts";
import { type Stop, tellRoad } from "./tell-request.ts";

/** What a mail about one request tells of it, by the facts that its message has: whichever kind has them, tells them alike. */

type About = Extract<Message, { reference: string }>;

/** Why, in whose words, the facts, and what became of the data. */
export function detailsOf(wording: Wording, message: About): Block[] {
  const { words } = wording;
  // The person who put it off is told nothing but that it is gone.
  if (message.kind === "operator-deleted-held") return [];
  const skipped = "moved" in message ? message.moved?.skipped : undefined;
  return [
    ...("reason" in message
      ? [strong(reasonsOf(words, message.kind)?.[message.reason] ?? message.reason)]
      : []),
    ...("explanation" in message && message.explanation !== "" ? [quote(message.explanation)] : []),
    ...(message.kind === "late" ? [quote(words.late.reasons[message.state])] : []),
    { kind: "facts", rows: factsOf(wording, message) },
    ...skippedDays(wording, "skipped" in message ? message.skipped : skipped),
    ...(message.kind === "completed" ? outcomesOf(wording, message) : []),
  ];
}

const quote = (text: string): Block => ({ kind: "quote", text });
const strong = (text: string): Block => ({ kind: "paragraph", text: `**${text}**` });

/** The facts that a message has, in the order in which they are told. */
function factsOf(
  { words, day, time, daysLeft }: Wording,
  message: About,
): [label: string, value: string][] {
  const { labels, states } = words.shared;
  const from =
    "moved" in message
      ? message.moved?.previouslyDueOn
      : "previouslyDueOn" in message && message.previouslyDueOn;
  const isLate = message.kind === "late" || ("late" in message && message.late);
  const rows: (false | [string, string])[] = [
    [labels.reference, message.reference],
    "state" in message && message.kind !== "late" && [labels.state, states[message.state]],
    "receivedAt" in message && [labels.received, time(message.receivedAt)],
    "confirmedAt" in message && [labels.confirmed, time(message.confirmedAt)],
    "completedAt" in message && [labels.completed, time(message.completedAt)],
    "validUntil" in message && [labels.validUntil, time(message.validUntil)],
    "until" in message && [labels.heldUntil, day(message.until)],
    from ? [labels.previouslyDue, day(from)] : false,
    "dueOn" in message && [isLate ? labels.promised : labels.due, day(message.dueOn)],
    "daysLeft" in message && [labels.left, daysLeft(message.daysLeft)],
  ];
  return rows.filter((row) => row !== false);
}

function skippedDays({ words, inWords }: Wording, skipped = "[]"): Block[] {
  const { skippedTitle, skippedWeekend } = words.shared;
  const days = skippedFromText(skipped);
  if (days.length === 0) return [];
  const items = inWords.skipped(days, skippedWeekend, inWords.dayInMail);
  return [
    { kind: "title", text: skippedTitle },
    { kind: "list", items },
  ];
}

/** What became of the data, and where that stands in the ledger. */
function outcomesOf(
  wording: Wording,
  { completion, proof }: Extract<About, { kind: "completed" }>,
): Block[] {
  const { words, dataKinds, day, say } = wording;
  const receipt = toReceipt(completion, dataKinds, words.receipt, { day, say });
  return [
    ...tellOutcomes(receipt.lines, words.receipt, { due: receipt.backups }).flatMap(
      ({ title, items }): Block[] => [
        { kind: "title", text: title },
        { kind: "list", items },
      ],
    ),
    ...receipt.told.map((text): Block => ({ kind: "paragraph", text })),
    ...(proof ? [headOf(wording, words.receipt.head, proof)] : []),
  ];
}

/** How the ledger ends, for whoever wants to hold it against that later. */
export function headOf({ say }: Wording, text: Text, head: { entry: number; hash: string }): Block {
  const values = { entry: String(head.entry), hash: head.hash };
  return { kind: "paragraph", text: say(text, values) };
}

/** The road, as far as the request is when a mail tells of it. */
export function roadIn({ words, inWords, dayOf, say }: Wording, message: Message): Block[] {
  const { reached, ahead, here, cancelUntil: _, ...says } = words.route;
  const road = roadOfMessage(message);
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
