import { type Act, type By, isByClock } from "./life.ts";
import {
  type ConfirmedRequest,
  formsKeptWhole,
  type Hold,
  isEnded,
  type StoredRequest,
} from "./request.ts";

/** As the trail has it, under the names of acts. What was called done is completed twice: then, and when it has become final. */
export type LifeEvent = {
  type: Act["type"];
  /** Where that is not the state that it was in: it begins with that. */
  fromState?: "";
  /** The key of its reason, or that its day was over. */
  code?: string;
  /** What was promised before. */
  dueFrom?: Temporal.PlainDate;
  /** What is promised now; of a hold its last day. */
  dueTo?: Temporal.PlainDate;
};

const endings = { completed: "complete", cancelled: "cancel", refused: "refuse" } as const;

/** Whether its life went on. Otherwise a form came, which whoever takes it answers. */
export function wentOn(before: StoredRequest, after: StoredRequest): after is ConfirmedRequest {
  return after.state !== "received" && after.sent === before.sent;
}

/**
 * What happened to a request, told from what it was and what it has become alone: trail, figures, mails and the account
 * system's events go by it. Of a hold that moves the promised date it is both; of what changed nothing, nothing.
 */
export function tellChange(before: StoredRequest, after: StoredRequest, by: By): LifeEvent[] {
  if (!wentOn(before, after)) {
    if (by.actor === "person") return before.sent < formsKeptWhole ? [{ type: "repeat" }] : [];
    return [{ type: "enter", ...(before.sent === 0 && { fromState: "" }) }];
  }
  if (before.state === "received") {
    return [{ type: by.actor === "operator" ? "approve" : "confirm", dueTo: after.dueOn }];
  }
  if (isEnded(after)) {
    const code = after.state === "refused" && { code: after.refusalReason };
    return [{ type: endings[after.state], ...code }];
  }
  if (isEnded(before)) return [{ type: "reopen" }];
  const happened: LifeEvent[] = [];
  if (after.hold && !isSame(after.hold, before.hold)) {
    happened.push({ type: "hold", code: after.hold.reason, dueTo: after.hold.until });
  }
  if (before.hold && !after.hold) {
    happened.push({ type: "release", ...(isByClock(by) && { code: "by-date" }) });
  }
  if (!after.dueOn.equals(before.dueOn)) {
    happened.push({ type: "extend", dueFrom: before.dueOn, dueTo: after.dueOn });
  }
  const isBegun = before.state !== after.state;
  if (isBegun || (after.owner && after.owner !== before.owner)) happened.push({ type: "take" });
  if (before.owner && !after.owner) happened.push({ type: "hand-back" });
  if (after.done && !before.done) happened.push({ type: "complete" });
  if (before.done && !after.done) happened.push({ type: "undo" });
  return happened;
}

function isSame(one: Hold, other: Hold | undefined): boolean {
  return one.reason === other?.reason && one.until.equals(other.until) && one.by === other.by;
}
