import type { DataList } from "../deletion-requests/life/checklist.ts";
import type { Refusal } from "../deletion-requests/life/life.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/store/request.ts";
import type { Act } from "../deletion-requests/working/acts.ts";
import { completeFrom } from "./completing.ts";
import type { Answer } from "./events.ts";
import type { HandOver, HandOverState } from "./hand-overs.ts";
import { isKeptWaiting } from "./handing-over.ts";

/** What each answer of the account system means, declared once for each type, and when it may be said. */

/** An answer with what it is about. */
export type Heard = {
  answer: Answer;
  handOver: HandOver;
  request: StoredRequest;
  /** Whether a copy was put back since, so that what it knows comes first. */
  doubted: boolean;
  now: Temporal.Instant;
};

type Meaning<Said> = {
  /** What it makes of the hand-over. */
  state?(said: Said): HandOverState;
  /** Whether the account system has begun with that: its own hold is over, and the request is in its hands. */
  begins?(said: Said): boolean;
  /** What it makes of the request then. */
  acts?(said: Said, list: DataList, today: Temporal.PlainDate): Act[];
  /** What was said beside the type: what it found, or why not. Names nobody. */
  detail?(said: Said): string;
};

const meanings: {
  [Type in Answer["type"]]: Meaning<Extract<Answer, { type: Type }>["data"]>;
} = {
  "account.deletion.received": {},
  "account.deletion.started": { state: () => "started", begins: () => true },
  "account.deletion.completed": {
    state: () => "done",
    begins: () => true,
    acts: (said, list, today) => [
      { type: "complete", completion: completeFrom(list, said, today) },
    ],
    detail: ({ lines }) =>
      lines
        .map(({ store, kind, outcome, count }) => {
          const rows = count === undefined ? "" : ` ${count}`;
          return `${store}/${kind} ${outcome}${rows}`;
        })
        .join("; "),
  },
  "account.deletion.not-found": {
    state: () => "closed",
    acts: () => [{ type: "refuse", reason: "no-account", explanation: "" }],
  },
  // What was cancelled before waits until an operator has looked.
  "account.deletion.standing": {
    state: ({ state }) =>
      (({ unknown: "asked", open: "asked", begun: "started", cancelled: "blocked" }) as const)[
        state
      ],
    begins: ({ state }) => state === "begun",
  },
  "account.deletion.blocked": {
    state: () => "blocked",
    acts: ({ reason, until }) => [
      { type: "hold", reason, until: Temporal.PlainDate.from(until), explanation: "" },
    ],
    detail: ({ reason, until }) => `${reason}, until ${until}`,
  },
  "account.deletion.failed": { state: () => "failed", detail: ({ reason }) => reason },
};

const meaningOf = ({ type }: Answer) => meanings[type] as Meaning<Answer["data"]>;

/** After accounts were restored, the account system is asked about what it had deleted. */
export const isRecheck = ({ request }: Heard): boolean => request.state === "completed";

/** Said again, because our answer was lost, or not asked for: it is true already. */
export function isKnown(heard: Heard): boolean {
  const { answer, handOver, doubted } = heard;
  return answer.type === "account.deletion.started"
    ? isRecheck(heard) || handOver.state === "started"
    : answer.type === "account.deletion.standing" && !doubted;
}

/** What the answer does to the request; nothing in a dry run, and where nothing about it changes. */
export function toActs(heard: Heard, list: DataList, today: Temporal.PlainDate): Act[] {
  const { answer, handOver, request } = heard;
  if (handOver.test || isRecheck(heard) || isKnown(heard)) return [];
  const meaning = meaningOf(answer);
  const begins = meaning.begins?.(answer.data) ?? false;
  // Whoever begins is no longer kept from it by itself; what an operator keeps waiting, `decide` refuses.
  const isHeld = isWorking(request) && request.hold !== undefined;
  return [
    ...(begins && isHeld ? [{ type: "release" } as const] : []),
    // Begun before, and failed or blocked since: it goes on.
    ...(begins && !handOver.isBegun ? [{ type: "take" } as const] : []),
    ...(meaning.acts?.(answer.data, list, today) ?? []),
  ];
}

/** What the hand-over becomes. */
export function nextState(heard: Heard): HandOverState {
  const { answer, handOver } = heard;
  return isRecheck(heard) ? "done" : (meaningOf(answer).state?.(answer.data) ?? handOver.state);
}

/** What was said in a dry run beside its type, and why something failed. */
export function tellDetail({ answer, handOver }: Heard): string {
  const isTold = handOver.test || answer.type === "account.deletion.failed";
  return (isTold && meaningOf(answer).detail?.(answer.data)) || "";
}

/** Whether an account that may have come back is not there any more. */
export function isGone(answer: Answer): boolean {
  if (answer.type === "account.deletion.not-found") return true;
  if (answer.type !== "account.deletion.completed") return false;
  return answer.data.lines.some(({ outcome }) => outcome !== "kept");
}

/** Why the dialogue itself does not allow the answer, whatever the request's own life would. */
export function judge(heard: Heard): Refusal | "not-started" | "put-back" | undefined {
  const { answer, handOver, request, doubted } = heard;
  const type = answer.type.slice("account.deletion.".length);
  if (type === "received") return undefined;
  if (isRecheck(heard) && handOver.recheckedAt) {
    const isAbout = /^(started|completed|not-found|failed)$/.test(type);
    return isAbout ? undefined : "already-ended";
  }
  if (!isWorking(request)) return "already-ended";
  // Said to be done, and perhaps taken back by an operator, who goes on by hand.
  if (handOver.state === "done") return request.done ? "already-done" : "already-taken";
  if (handOver.state === "closed") return "already-ended";
  // An operator has taken it up by hand.
  if (request.state === "in-progress" && !handOver.isBegun) return "already-taken";
  if (type === "completed" && isKeptWaiting(request)) return "held";
  if (type === "standing") return undefined;
  if (doubted) return type === "completed" ? undefined : "put-back";
  if (type === "completed" && handOver.state !== "started") return "not-started";
  return undefined;
}
