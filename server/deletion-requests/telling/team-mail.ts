import { formatMessage } from "../../language/message.ts";
import type { Block } from "../../mail/blocks.ts";
import { tellDeliveryProblem } from "../../mail/delivery-problem.ts";
import { detailsOf, headOf } from "./mail-details.ts";
import type { Wording } from "./mail-wording.ts";
import type { Message, OpenRequest, OperatorMessage, TroubledDelivery } from "./messages.ts";

/** What a mail to the team tells: of one request, of the day, or of what is broken. */

export function teamDetails(
  wording: Wording,
  message: OperatorMessage,
  hasPages: boolean,
): Block[] {
  const { words } = wording;
  if (message.kind === "operator-digest") {
    const { troubled, troubledCount, head } = message;
    return [
      ...noticesOf(wording, message),
      ...openList(wording, message, hasPages),
      ...(troubled.length > 0
        ? [{ kind: "title", text: words["operator-trouble"].title } as const]
        : []),
      ...troubledList(wording, { troubled, troubledCount }, hasPages),
      ...(head ? [headOf(wording, words["operator-digest"].head, head)] : []),
    ];
  }
  if ("troubled" in message) return troubledList(wording, message, hasPages);
  return "reference" in message ? detailsOf(wording, message) : [];
}

function openList(
  { words, day, daysLeft, deskAt, say }: Wording,
  { open, openCount }: { open: readonly OpenRequest[]; openCount: number },
  hasPages: boolean,
): Block[] {
  const { shared } = words;
  if (open.length === 0) return [];
  const rows = open.map((request) => {
    const { reference, dueOn, state, owner, heldUntil } = request;
    const facts = [
      ...[day(dueOn), daysLeft(request.daysLeft), shared.states[state], owner],
      heldUntil && say(shared.heldUntil, { date: day(heldUntil) }),
    ];
    const address = hasPages ? deskAt(reference) : undefined;
    return [reference, facts.filter(Boolean).join(", "), address] as const;
  });
  return [{ kind: "facts", rows }, ...others(words, openCount - open.length)];
}

/** What the operators must know before they read their list. */
function noticesOf(
  { words, day, time, say }: Wording,
  message: Extract<Message, { kind: "operator-digest" }>,
): Block[] {
  const own = words["operator-digest"];
  const { nobodyOn, waitingSince, silentSince, calendarEnd } = message;
  const references = message.freed?.join(", ");
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
  { words, day, deskAt, say }: Wording,
  told: { troubled: readonly TroubledDelivery[]; troubledCount: number },
  hasPages: boolean,
): Block[] {
  const { troubled, troubledCount } = told;
  if (troubled.length === 0) return [];
  const items = troubled.map(({ reference, kind, problem, dueOn }) =>
    [
      reference,
      words.mailKinds[kind] ?? kind,
      tellDeliveryProblem(words.deliveryProblems, problem),
      dueOn && say(words.operators.due, { date: day(dueOn) }),
    ]
      .filter(Boolean)
      .join(", "),
  );
  const addresses = troubled.map(({ reference }) =>
    hasPages && reference ? deskAt(reference) : undefined,
  );
  return [{ kind: "list", items, addresses }, ...others(words, troubledCount - troubled.length)];
}

function others({ locale, shared }: Wording["words"], count: number): Block[] {
  if (count <= 0) return [];
  return [{ kind: "paragraph", text: formatMessage(locale, shared.more, { count }) }];
}

/** One tap from a mail to the team to what it tells of. */
export function wayToDesk({ words, deskAt }: Wording, message: OperatorMessage): Block {
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

/** The subject of a digest: whether each promised date still holds. */
export function standingOf(
  { words, inWords }: Wording,
  { open, openCount, overdue }: Extract<Message, { kind: "operator-digest" }>,
): string {
  const [next] = open;
  const first = next && Temporal.PlainDate.from(next.dueOn);
  return inWords.standing({ open: openCount, late: overdue, first }, words.shared.standing);
}
