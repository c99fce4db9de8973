import { expect, test } from "vitest";
import { type Actor, decide, type Life, type LifeEvent, type State } from "./life.ts";

const day = Temporal.PlainDate.from("2026-11-22");
const due = Temporal.PlainDate.from("2026-12-06");
const expiry = Temporal.Instant.from("2026-11-29T04:00:00Z");

const lives: Record<State, Life> = {
  received: { state: "received", expiresAt: expiry },
  confirmed: { state: "confirmed", confirmedOn: day, dueOn: due },
  "in-progress": { state: "in-progress", confirmedOn: day, dueOn: due },
  completed: { state: "completed" },
  cancelled: { state: "cancelled" },
  refused: { state: "refused" },
  expired: { state: "expired" },
};

const events: Record<LifeEvent["type"], LifeEvent> = {
  repeat: { type: "repeat", expiresAt: expiry.add({ hours: 1 }) },
  confirm: { type: "confirm", on: day, dueOn: due },
  cancel: { type: "cancel" },
  take: { type: "take" },
  complete: { type: "complete" },
  refuse: { type: "refuse", reason: "no-account" },
  extend: { type: "extend", dueOn: due.add({ days: 5 }) },
  expire: { type: "expire", at: expiry },
};

/** Everything that may happen; whatever is not here is refused. */
const allowed: Record<string, State> = {
  "received repeat person": "received",
  "received confirm person": "confirmed",
  "received expire system": "expired",
  "confirmed repeat person": "confirmed",
  "confirmed cancel person": "cancelled",
  "confirmed take operator": "in-progress",
  "confirmed take system": "in-progress",
  "confirmed refuse operator": "refused",
  "confirmed refuse system": "refused",
  "confirmed extend operator": "confirmed",
  "in-progress repeat person": "in-progress",
  "in-progress complete operator": "completed",
  "in-progress complete system": "completed",
  "in-progress refuse operator": "refused",
  "in-progress refuse system": "refused",
  "in-progress extend operator": "in-progress",
};

test("in every state, every event by everybody: allowed exactly where the promise allows it", () => {
  const actors: Actor[] = ["person", "operator", "system"];
  const happened: Record<string, State> = {};
  for (const [state, life] of Object.entries(lives)) {
    for (const [type, event] of Object.entries(events)) {
      for (const actor of actors) {
        const decision = decide(life, event, actor);
        if (decision.ok) happened[`${state} ${type} ${actor}`] = decision.life.state;
      }
    }
  }
  expect(happened).toEqual(allowed);
});

test.each([
  ["received", "take", "operator", "not-confirmed"],
  ["received", "cancel", "person", "not-confirmed"],
  ["confirmed", "confirm", "person", "already-confirmed"],
  ["confirmed", "expire", "system", "already-confirmed"],
  ["confirmed", "complete", "operator", "not-taken"],
  ["in-progress", "cancel", "person", "already-taken"],
  ["in-progress", "take", "operator", "already-taken"],
  ["completed", "cancel", "person", "already-ended"],
  ["confirmed", "cancel", "operator", "not-yours-to-do"],
] as const)("%s: %s by %s is refused: %s", (state, type, actor, refusal) => {
  expect(decide(lives[state], events[type], actor)).toEqual({ ok: false, refusal });
});

test("a due date moves only later, and at most three months from the confirmation", () => {
  const extend = (dueOn: string) =>
    decide(lives.confirmed, { type: "extend", dueOn: Temporal.PlainDate.from(dueOn) }, "operator");
  expect(extend("2026-12-06")).toEqual({ ok: false, refusal: "not-later" });
  expect(extend("2027-02-22").ok).toBe(true);
  expect(extend("2027-02-23")).toEqual({ ok: false, refusal: "too-late-a-date" });
});

test("nothing expires before its time", () => {
  const at = expiry.subtract({ milliseconds: 1 });
  expect(decide(lives.received, { type: "expire", at }, "system")).toEqual({
    ok: false,
    refusal: "not-due-to-expire",
  });
});
