/**
 * The life of a request, as a function without side effects: what may happen in which state, who may do it, and what
 * it changes. Everything that stores, sends or tells the time stands around it.
 */
export type State =
  | "received"
  | "confirmed"
  | "in-progress"
  | "completed"
  | "cancelled"
  | "refused"
  | "expired";

export const openStates = ["received", "confirmed", "in-progress"] as const satisfies State[];

export function isOpen(state: State): boolean {
  return openStates.some((open) => open === state);
}

export const refusalReasons = [
  "no-account",
  "not-the-owner",
  "open-matter",
  "legal-duty",
  "other",
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

export type Life =
  | { state: "received"; expiresAt: Temporal.Instant }
  | {
      state: "confirmed" | "in-progress";
      confirmedOn: Temporal.PlainDate;
      dueOn: Temporal.PlainDate;
    }
  | { state: "completed" | "cancelled" | "refused" | "expired" };

export type LifeEvent =
  | { type: "repeat"; expiresAt: Temporal.Instant }
  | { type: "confirm"; on: Temporal.PlainDate; dueOn: Temporal.PlainDate }
  | { type: "cancel" }
  | { type: "take" }
  | { type: "complete" }
  | { type: "refuse"; reason: RefusalReason }
  | { type: "extend"; dueOn: Temporal.PlainDate }
  | { type: "expire"; at: Temporal.Instant };

export const actors = ["person", "operator", "system"] as const;

export type Actor = (typeof actors)[number];

export type Refusal =
  | "not-yours-to-do"
  | "not-confirmed"
  | "already-confirmed"
  | "not-taken"
  | "already-taken"
  | "already-ended"
  | "not-later"
  | "too-late-a-date"
  | "not-due-to-expire";

export type Decision = { ok: true; life: Life } | { ok: false; refusal: Refusal };

/** GDPR article 12(3): one month, which may be extended by two further months. */
const longestMonths = 3;

const whoMay: Record<LifeEvent["type"], readonly Actor[]> = {
  repeat: ["person"],
  confirm: ["person"],
  cancel: ["person"],
  // An account system that reports its work is the system; an operator does it by hand.
  take: ["operator", "system"],
  complete: ["operator", "system"],
  // An account system that knows no such account.
  refuse: ["operator", "system"],
  extend: ["operator"],
  expire: ["system"],
};

export function decide(life: Life, event: LifeEvent, actor: Actor): Decision {
  if (!whoMay[event.type].includes(actor)) return refuse("not-yours-to-do");
  if (life.state !== "received" && life.state !== "confirmed" && life.state !== "in-progress") {
    return refuse("already-ended");
  }
  switch (event.type) {
    case "repeat":
      return accept(life.state === "received" ? { ...life, expiresAt: event.expiresAt } : life);
    case "confirm":
      if (life.state !== "received") return refuse("already-confirmed");
      return accept({ state: "confirmed", confirmedOn: event.on, dueOn: event.dueOn });
    case "expire":
      if (life.state !== "received") return refuse("already-confirmed");
      return Temporal.Instant.compare(event.at, life.expiresAt) < 0
        ? refuse("not-due-to-expire")
        : accept({ state: "expired" });
  }
  if (life.state === "received") return refuse("not-confirmed");
  switch (event.type) {
    case "cancel":
      return life.state === "in-progress"
        ? refuse("already-taken")
        : accept({ state: "cancelled" });
    case "take":
      return life.state === "in-progress"
        ? refuse("already-taken")
        : accept({ ...life, state: "in-progress" });
    case "complete":
      return life.state === "confirmed" ? refuse("not-taken") : accept({ state: "completed" });
    case "refuse":
      return accept({ state: "refused" });
    case "extend": {
      if (Temporal.PlainDate.compare(event.dueOn, life.dueOn) <= 0) return refuse("not-later");
      const latest = life.confirmedOn.add({ months: longestMonths });
      return Temporal.PlainDate.compare(event.dueOn, latest) > 0
        ? refuse("too-late-a-date")
        : accept({ ...life, dueOn: event.dueOn });
    }
  }
}

function accept(life: Life): Decision {
  return { ok: true, life };
}

function refuse(refusal: Refusal): Decision {
  return { ok: false, refusal };
}
