import {
  type KnownFacts,
  presentFacts,
  presentTimeline,
  type TimelineStep,
} from "../presenters/request.ts";
import { fieldsOf, type State } from "../state-machine/request.ts";
import type { Message, PersonNews } from "./messages.ts";

/** The final state that an email reports, by kind of email. */
export const stateAsPublished: Readonly<Partial<Record<string, State>>> = {
  completed: "completed",
  cancelled: "cancelled",
  "cancelled-for-you": "cancelled",
  stopped: "cancelled",
  faded: "refused",
  refused: "refused",
} satisfies Partial<Record<PersonNews["kind"], State>>;

/** The state that an email reports, by kind of email. */
const stateKnown: typeof stateAsPublished = {
  ...stateAsPublished,
  confirm: "received",
  confirmed: "confirmed",
  reopened: "confirmed",
  "in-progress": "in-progress",
  "ask-proof": "received",
};

/**
 * Returns a message's facts as of when it was queued, and the request's progress steps. The steps
 * are empty if the email doesn't know the request's state.
 */
export function presentMessage(message: Message): { facts: KnownFacts; road: TimelineStep[] } {
  const { kind, moved, state, daysLeft, ...said } = fieldsOf(message);
  const on = (day = "") => (day ? Temporal.PlainDate.from(day) : undefined);
  const at = (moment = "") => (moment ? Temporal.Instant.from(moment) : undefined);
  const known = {
    reference: said.reference,
    receivedAt: at(said.receivedAt),
    expiresAt: at(said.validUntil),
    confirmedAt: at(said.confirmedAt),
    hold: { until: on(said.until) },
    previouslyDueOn: on(said.previouslyDueOn ?? moved?.previouslyDueOn),
    dueOn: on(said.dueOn),
    endedAt: at(said.completedAt),
  };
  const { receivedAt: received, confirmedAt: confirmed, endedAt: completed } = known;
  const reached = kind === "reminder" || kind === "restored" ? state : stateKnown[kind];
  const next = {
    confirmUntil: known.expiresAt,
    dueOn: known.dueOn,
    isLate: said.late,
    isUnconfirmed: said.neverConfirmed,
  };
  return {
    // The late notice describes the state in a sentence instead.
    facts: presentFacts({ ...known, ...(kind !== "late" && { state }) }, "person", { daysLeft }),
    road: reached
      ? presentTimeline(reached, completed && { received, confirmed, completed }, next)
      : [],
  };
}
