import { expect, test } from "vitest";
import { type Actor, decide, type Life, type LifeEvent, type State } from "./life.ts";

const day = Temporal.PlainDate.from("2026-11-22");
const due = Temporal.PlainDate.from("2026-12-06");
const expiry = Temporal.Instant.from("2026-11-29T04:00:00Z");

const waiting = {
  receivedOn: day,
  dueOn: due,
  heldUntil: undefined,
  heldBy: undefined,
  done: false,
};
const over = { receivedOn: day, dueOn: due, erased: false, byPerson: false };

const lives: Record<State, Life> = {
  received: { state: "received", expiresAt: expiry, enteredBy: "Rahim" },
  confirmed: { state: "confirmed", ...waiting, owner: undefined },
  "in-progress": { state: "in-progress", ...waiting, owner: "Nadia" },
  completed: { state: "completed", ...over },
  cancelled: { state: "cancelled", ...over },
  refused: { state: "refused", ...over },
  expired: { state: "expired" },
};

const events: Record<LifeEvent["type"], LifeEvent> = {
  repeat: { type: "repeat", expiresAt: expiry.add({ hours: 1 }) },
  confirm: { type: "confirm", on: day, dueOn: due },
  cancel: { type: "cancel" },
  approve: { type: "approve", by: "Nadia", bySecond: true, on: day, dueOn: due },
  take: { type: "take", by: "Nadia", on: day },
  "hand-back": { type: "hand-back" },
  complete: { type: "complete", by: "Nadia", isFinal: false, on: day },
  undo: { type: "undo" },
  refuse: { type: "refuse", reason: "no-account", on: day },
  extend: { type: "extend", on: day, dueOn: due.add({ days: 5 }) },
  hold: { type: "hold", on: day, until: due, dueOn: due.add({ days: 2 }) },
  release: { type: "release", on: day },
  reopen: { type: "reopen" },
  expire: { type: "expire", at: expiry },
};

/** Everything that may happen; whatever is not here is refused. */
const allowed: Record<string, State> = {
  "received repeat person": "received",
  "received confirm person": "confirmed",
  "received approve operator": "confirmed",
  "received expire system": "expired",
  "confirmed repeat person": "confirmed",
  "confirmed cancel person": "cancelled",
  "confirmed cancel operator": "cancelled",
  "confirmed take operator": "in-progress",
  "confirmed take system": "in-progress",
  "confirmed refuse operator": "refused",
  "confirmed refuse system": "refused",
  "confirmed extend operator": "confirmed",
  "confirmed hold operator": "confirmed",
  "confirmed hold system": "confirmed",
  "in-progress repeat person": "in-progress",
  "in-progress cancel operator": "cancelled",
  "in-progress hand-back operator": "in-progress",
  "in-progress hold operator": "in-progress",
  "in-progress hold system": "in-progress",
  // Done, and to be completed by the clock.
  "in-progress complete operator": "in-progress",
  "in-progress complete system": "in-progress",
  "in-progress refuse operator": "refused",
  "in-progress refuse system": "refused",
  "in-progress extend operator": "in-progress",
  "completed reopen operator": "confirmed",
  "cancelled reopen operator": "confirmed",
  "refused reopen operator": "confirmed",
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
  ["confirmed", "undo", "operator", "not-done"],
  ["confirmed", "release", "operator", "not-held"],
  ["confirmed", "hand-back", "operator", "not-taken"],
  ["confirmed", "approve", "operator", "already-confirmed"],
  ["confirmed", "reopen", "operator", "not-ended"],
  ["confirmed", "refuse", "person", "not-yours-to-do"],
] as const)("%s: %s by %s is refused: %s", (state, type, actor, refusal) => {
  expect(decide(lives[state], events[type], actor)).toEqual({ ok: false, refusal });
});

const date = (text: string) => Temporal.PlainDate.from(text);

test("a due date moves only later, and never beyond 90 days from receipt", () => {
  const extend = (dueOn: string) =>
    decide(lives.confirmed, { type: "extend", on: day, dueOn: date(dueOn) }, "operator");
  expect(extend("2026-12-06")).toEqual({ ok: false, refusal: "not-later" });
  expect(extend("2027-02-20").ok).toBe(true);
  expect(extend("2027-02-21")).toEqual({ ok: false, refusal: "too-late-a-date" });
});

test("beyond 45 days from receipt, the person is told of the extension within a month, or it is too late", () => {
  const extend = (on: string, dueOn: string, from = due) =>
    decide(
      { ...waiting, state: "confirmed", owner: undefined, dueOn: from },
      { type: "extend", on: date(on), dueOn: date(dueOn) },
      "operator",
    );
  expect(extend("2026-12-22", "2027-01-07").ok).toBe(true);
  expect(extend("2026-12-23", "2027-01-07")).toEqual({ ok: false, refusal: "too-late-to-tell" });
  expect(extend("2026-12-23", "2027-01-06").ok).toBe(true);
  // Who was told in time of a date beyond can be told of a later one.
  expect(extend("2027-01-20", "2027-02-10", date("2027-01-30")).ok).toBe(true);
});

test("an extension of a late request is never a day that has passed", () => {
  expect(
    decide(
      lives.confirmed,
      { type: "extend", on: date("2026-12-15"), dueOn: date("2026-12-10") },
      "operator",
    ),
  ).toEqual({ ok: false, refusal: "not-later" });
});

const held = { ...waiting, state: "in-progress", owner: "Nadia", heldUntil: day } as const;

test("what is held is not completed by an operator until the hold is over", () => {
  const complete = (on: Temporal.PlainDate) =>
    ({ type: "complete", by: "nadia", isFinal: false, on }) as const;
  for (const heldBy of ["operator", "system"] as const) {
    const life = { ...held, heldBy };
    expect(decide(life, complete(day), "operator")).toEqual({ ok: false, refusal: "held" });
    expect(decide(life, complete(day.add({ days: 1 })), "operator").ok).toBe(true);
    expect(decide(life, { type: "release", on: day }, "operator")).toMatchObject({
      life: { heldUntil: undefined, heldBy: undefined },
    });
  }
});

test("what an operator keeps waiting, no system begins, ends or frees until the hold is over", () => {
  const acts = ["take", "complete", "refuse", "hold", "release"] as const;
  const theirs = { ...held, owner: undefined, heldBy: "operator" } as const;
  for (const type of acts) {
    expect(decide(theirs, events[type], "system")).toEqual({ ok: false, refusal: "held" });
  }
  const next = { type: "release", on: day.add({ days: 1 }) } as const;
  expect(decide(theirs, next, "system").ok).toBe(true);
  const itsOwn = { ...theirs, heldBy: "system" } as const;
  for (const type of ["refuse", "hold", "release"] as const) {
    expect(decide(itsOwn, events[type], "system").ok).toBe(true);
  }
});

test("a hold that ends before the promised date leaves it, a longer one moves it as far as an extension may", () => {
  const hold = (until: string, on = day, dueOn = date(until).add({ days: 2 })) =>
    decide(lives.confirmed, { type: "hold", on, until: date(until), dueOn }, "operator");
  expect(hold("2026-11-21")).toEqual({ ok: false, refusal: "in-the-past" });
  expect(hold("2026-12-05")).toMatchObject({ life: { dueOn: due, heldUntil: date("2026-12-05") } });
  expect(hold("2026-12-06")).toMatchObject({
    life: { dueOn: date("2026-12-08"), heldUntil: date("2026-12-06") },
  });
  expect(hold("2027-02-18").ok).toBe(true);
  expect(hold("2027-02-19")).toEqual({ ok: false, refusal: "too-late-a-date" });
  expect(hold("2027-01-20", date("2026-12-23"))).toEqual({
    ok: false,
    refusal: "too-late-to-tell",
  });
});

test("what was called done waits: it can be undone or completed, and nothing else", () => {
  const done = { ...waiting, state: "in-progress", owner: "Nadia", done: true } as const;
  for (const type of ["cancel", "refuse", "extend", "hold", "take", "hand-back"] as const) {
    expect(decide(done, events[type], "operator")).toEqual({ ok: false, refusal: "already-done" });
  }
  expect(decide(done, events.undo, "operator")).toMatchObject({ life: { done: false } });
  for (const actor of ["operator", "system"] as const) {
    expect(decide(done, events.complete, actor)).toEqual({ ok: false, refusal: "already-done" });
  }
  const byClock = { type: "complete", by: undefined, isFinal: true, on: day } as const;
  expect(decide(done, byClock, "system")).toMatchObject({ life: { state: "completed" } });
});

test("one operator does not complete what another one is at work on", () => {
  const event = { type: "complete", by: "Rahim", isFinal: false, on: day } as const;
  expect(decide(lives["in-progress"], event, "operator")).toEqual({
    ok: false,
    refusal: "somebody-elses",
  });
  const begun = { ...waiting, state: "in-progress", owner: undefined } as const;
  expect(decide(begun, { type: "take", by: "Rahim", on: day }, "operator")).toMatchObject({
    life: { state: "in-progress", owner: "Rahim" },
  });
  expect(decide(begun, { type: "take", by: undefined, on: day }, "system")).toEqual({
    ok: false,
    refusal: "already-taken",
  });
});

test("what ended goes on only while its address is there, and never against the person's own wish", () => {
  const reopen = (life: object) =>
    decide({ ...over, state: "cancelled", ...life }, { type: "reopen" }, "operator");
  expect(reopen({}).ok).toBe(true);
  expect(reopen({ erased: true })).toEqual({ ok: false, refusal: "erased" });
  expect(reopen({ byPerson: true })).toEqual({ ok: false, refusal: "persons-own-wish" });
});

test("who entered a request does not approve it, unless the team has agreed that one is enough", () => {
  const approve = (by: string, bySecond: boolean) =>
    decide(lives.received, { type: "approve", by, bySecond, on: day, dueOn: due }, "operator");
  expect(approve("rahim", true)).toEqual({ ok: false, refusal: "needs-second-person" });
  expect(approve("Rahim", false).ok).toBe(true);
  const form: Life = { state: "received", expiresAt: expiry, enteredBy: undefined };
  expect(decide(form, events.approve, "operator")).toEqual({ ok: false, refusal: "not-entered" });
});

test("nothing expires before its time", () => {
  const at = expiry.subtract({ milliseconds: 1 });
  expect(decide(lives.received, { type: "expire", at }, "system")).toEqual({
    ok: false,
    refusal: "not-due-to-expire",
  });
});
