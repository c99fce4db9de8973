import { isHeld, isSameName, undoMinutes } from "../../../../server/deletion-requests/life/life.ts";
import { isEnded, isWorking, waitOf } from "../../../../server/deletion-requests/store/request.ts";
import type { QueuedRequest } from "../../../../server/deletion-requests/working/reading.ts";
import type { Mark } from "../../../../server/operator-desk/lists.ts";
import type { Sight } from "../../../../server/operator-desk/operator-desk.ts";
import type { Words } from "../../../words.ts";

/** A request as a card or a row shows it, in words. */
export type RowView = {
  reference: string;
  /** Undefined once erased. */
  address: string | undefined;
  state: string;
  /** The person was told that somebody has begun. */
  isBegun: boolean;
  /** Undefined where nobody is to do anything by then. */
  due: DueView | undefined;
  /** Whose work it is, and whether they are at it, in words. */
  owner: { name: string; isOwn: boolean; standing: string; isAway: boolean } | undefined;
  waits: string | undefined;
  /** When the receipt of a done one leaves. */
  leaves: string | undefined;
  canTake: boolean;
  /** What is special about it, in words. */
  marks: string[];
  enteredBy: { name: string; isOwn: boolean } | undefined;
  received: string;
};

/** How near a promised date is: in words, and as a tone that colours it. */
export type DueView = { day: string; left: string; tone: "late" | "soon" | "calm" };

/** So many business days before its date a request begins to press. */
const soonDays = 2;

function toDue({ dates, mail }: Words, dueOn: Temporal.PlainDate, daysLeft = 0): DueView {
  return {
    day: dates.dayNear(dueOn),
    left: dates.daysLeft(daysLeft, mail.shared),
    tone: daysLeft < 0 ? "late" : daysLeft <= soonDays ? "soon" : "calm",
  };
}

/** An address stands in full wherever somebody is signed in: whoever works here has to compare it. */
export function toRow(
  words: Words,
  request: QueuedRequest,
  shown: Sight & { marks?: ReadonlyMap<number, ReadonlySet<Mark>> },
): RowView {
  const { dates, mail, operator, say } = words;
  const { desk } = operator;
  const { card } = desk;
  const working = isWorking(request) ? request : undefined;
  const wait = waitOf(request);
  const { owner } = working ?? {};
  const marks = shown.marks?.get(request.id);
  const isBegun = working?.state === "in-progress";
  const isLeft = isBegun && owner === undefined && !marks?.has("system");
  return {
    reference: request.reference,
    address: request.email,
    state: isLeft ? desk.request.nobody : mail.shared.states[request.state],
    isBegun,
    due: working && !working.done ? toDue(words, working.dueOn, request.daysLeft) : undefined,
    owner: owner === undefined ? undefined : ownerOf(words, owner, shown),
    waits:
      wait && isHeld({ heldUntil: wait.until }, shown.today)
        ? say(card.waits, {
            date: dates.dayNear(wait.until),
            reason: desk.request.holds[wait.reason],
          })
        : undefined,
    leaves:
      working?.done &&
      say(card.leaves, { time: dates.time(working.done.at.add({ minutes: undoMinutes })) }),
    canTake: working !== undefined && owner === undefined && !wait && !marks?.has("system"),
    marks: marksOf(words, request, marks),
    enteredBy:
      isEnded(request) || request.enteredBy === undefined
        ? undefined
        : { name: request.enteredBy, isOwn: isSameName(request.enteredBy, shown.name) },
    received: dates.momentBriefly(request.receivedAt),
  };
}

function marksOf(
  { operator, settings, mail }: Words,
  request: QueuedRequest,
  marks: ReadonlySet<Mark> | undefined,
): string[] {
  const { card } = operator.desk;
  const { language, contact } = request;
  const isForeign = language !== "" && language !== settings.language;
  return [
    isForeign && new Intl.DisplayNames([mail.locale], { type: "language" }).of(language),
    contact !== undefined && card.closed,
    ...(["wrote", "undelivered", "system"] as const).map((mark) => marks?.has(mark) && card[mark]),
  ].filter((text) => typeof text === "string");
}

function ownerOf({ dates, operator, say }: Words, name: string, shown: Sight): RowView["owner"] {
  const { card } = operator.desk;
  const isOwn = isSameName(name, shown.name);
  const until = isOwn ? undefined : shown.away.get(name);
  const standing = isOwn
    ? card.yours
    : until
      ? say(card.away, { name, date: dates.dayNear(until) })
      : say(card.owner, { name });
  return { name, isOwn, standing, isAway: until !== undefined };
}
