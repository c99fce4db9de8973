import { expect, test } from "vitest";
import { sampleCompletion as completion } from "../mails/receipt-mail.ts";
import { actors, type Ended, type Received, type State, type StoredRequest } from "./request.ts";
import { type Act, type By, transition } from "./state-machine.ts";

const date = (text: string) => Temporal.PlainDate.from(text);
const day = date("2026-11-22");
const due = date("2026-12-06");
const at = Temporal.Instant.from("2026-11-22T04:00:00Z");

/** Every day is a business day. */
const rules = { calendar: { timeZone: "UTC", weekend: [], holidays: [] }, businessDays: 14 };

const form: Received = {
  id: 1,
  reference: "K7RM-4XQP",
  reason: "other",
  language: "",
  sent: 1,
  receivedAt: at,
  contact: undefined,
  enteredBy: undefined,
};
const email = "anika@uni.example";
const promised = {
  ...form,
  email,
  confirmedAt: at,
  confirmedOn: day,
  dueOn: due,
  firstDueOn: due,
  onTimeBy: due,
  skipped: [],
};
const waiting = {
  ...promised,
  hold: undefined,
  owner: undefined,
  done: undefined,
  checklist: undefined,
};
const started = { ...waiting, state: "in-progress", startedAt: at } as const;
const done = { ...started, done: { at, completion } };
const over: Ended = {
  ...promised,
  startedAt: undefined,
  endedAt: at,
  endedBy: "operator",
  completion: undefined,
  erasedAt: undefined,
  approvableAt: undefined,
};

const requests = {
  received: {
    ...form,
    email,
    state: "received",
    expiresAt: at,
    approvableAt: at,
    enteredBy: "Rahim",
  },
  confirmed: { ...waiting, state: "confirmed" },
  "in-progress": { ...started, owner: "Nadia" },
  completed: { ...over, state: "completed" },
  cancelled: { ...over, state: "cancelled" },
  refused: { ...over, state: "refused", refusalReason: "no-account" },
} as const satisfies Record<State, StoredRequest>;

const hold = (until: string) =>
  ({ type: "hold", reason: "dues", until: date(until), explanation: "" }) as const;
const extend = (businessDays: number) =>
  ({ type: "extend", businessDays, explanation: "" }) as const;

const newest = { reference: "7XQP-K4RM", reason: "privacy-concerns", language: "bn" } as const;
const contact = "anika@home.example";

const waitingFor = { ...waiting, state: "confirmed" } as const;

const acts: { [One in Act as One["type"]]: One } = {
  repeat: { type: "repeat", ...newest },
  enter: { type: "enter", ...newest, contact, receivedAt: at, proof: "last-ride" },
  confirm: { type: "confirm", reference: "K7RM-4XQP", reason: "other" },
  cancel: { type: "cancel" },
  approve: { type: "approve" },
  ask: { type: "ask", explanation: "", asks: [] },
  take: { type: "take" },
  "hand-back": { type: "hand-back" },
  complete: { type: "complete", completion },
  tick: { type: "tick", checklist: { "at-rides": ["done"] }, begins: true },
  undo: {
    type: "undo",
    undone: { act: "take", at, to: waitingFor, row: {}, mails: [], heldBack: [] },
  },
  refuse: { type: "refuse", reason: "no-account", explanation: "" },
  extend: extend(5),
  hold: hold("2026-12-06"),
  release: { type: "release" },
  reopen: { type: "reopen", explanation: "" },
};

const by = {
  person: { actor: "person" },
  operator: { actor: "operator", name: "Nadia" },
  system: { actor: "system", isAccountSystem: true },
} as const satisfies Record<By["actor"], By>;
const rahim = { actor: "operator", name: "rahim" } as const;
const clock = { actor: "system" } as const;

/** Applies an act at 10:00 on the given day. */
function decide(request: StoredRequest, act: Act, who: By, on = day) {
  const now = on.toZonedDateTime({ timeZone: "UTC", plainTime: "10:00" }).toInstant();
  return transition(request, act, { rules, by: who, now });
}

function happens(...of: Parameters<typeof decide>) {
  const decision = decide(...of);
  return decision.ok ? decision.after : decision.refusal;
}

/** Allowed acts by state and actor, each with the resulting state. All other acts are refused. */
const allowed: Record<string, State> = {
  "received repeat person": "received",
  "received enter operator": "received",
  "received confirm person": "confirmed",
  "received approve operator": "confirmed",
  // Allowed because an operator entered this request.
  "received ask operator": "received",
  "received cancel person": "cancelled",
  "received cancel operator": "cancelled",
  "received refuse operator": "refused",
  // Undo restores the recorded state, which is "confirmed" in this test.
  "received undo operator": "confirmed",
  "received undo person": "confirmed",
  "confirmed repeat person": "confirmed",
  "confirmed cancel person": "cancelled",
  "confirmed cancel operator": "cancelled",
  "confirmed take operator": "confirmed",
  "confirmed take system": "in-progress",
  "confirmed refuse operator": "refused",
  "confirmed refuse system": "refused",
  "confirmed extend operator": "confirmed",
  "confirmed hold operator": "confirmed",
  "confirmed hold system": "confirmed",
  "confirmed tick operator": "in-progress",
  // "complete" also takes the request and starts the work. The request is in progress until the
  // completion is final.
  "confirmed complete operator": "in-progress",
  "confirmed undo operator": "confirmed",
  "confirmed undo person": "confirmed",
  "in-progress repeat person": "in-progress",
  "in-progress cancel operator": "cancelled",
  "in-progress hand-back operator": "in-progress",
  "in-progress tick operator": "in-progress",
  "in-progress undo operator": "confirmed",
  "in-progress undo person": "confirmed",
  "in-progress hold operator": "in-progress",
  "in-progress hold system": "in-progress",
  // The request is only marked done. The clock makes the completion final later.
  "in-progress complete operator": "in-progress",
  "in-progress complete system": "in-progress",
  "in-progress refuse operator": "refused",
  "in-progress refuse system": "refused",
  "in-progress extend operator": "in-progress",
  "completed reopen operator": "confirmed",
  "completed undo operator": "confirmed",
  "completed undo person": "confirmed",
  "cancelled reopen operator": "confirmed",
  "cancelled undo operator": "confirmed",
  "cancelled undo person": "confirmed",
  "refused reopen operator": "confirmed",
  "refused undo operator": "confirmed",
  "refused undo person": "confirmed",
};

test("allows exactly the listed acts by state and actor", () => {
  const happened: Record<string, State> = {};
  for (const [state, request] of Object.entries(requests)) {
    for (const [type, act] of Object.entries(acts)) {
      for (const actor of actors) {
        const decision = decide(request, act, by[actor]);
        if (!decision.ok) continue;
        happened[`${state} ${type} ${actor}`] = decision.after.state;
        // Each act causes an event of the same name. This hold also moves the due date.
        const types = decision.happened.map((event) => event.type);
        expect(types).toEqual(type === "hold" ? ["hold", "extend"] : [type]);
      }
    }
  }
  expect(happened).toEqual(allowed);
});

test("records no event for an act that changes nothing", () => {
  const waits = { ...held("system"), owner: "Nadia" };
  for (const [act, who] of [
    [hold("2026-11-22"), by.system],
    [{ type: "take", from: "Nadia" }, by.operator],
  ] as const) {
    expect(decide(waits, act, who)).toMatchObject({ ok: true, happened: [] });
  }
});

test.each([
  ["received", "take", "operator", "not-confirmed"],
  ["confirmed", "confirm", "person", "already-confirmed"],
  ["confirmed", "complete", "system", "not-taken"],
  ["in-progress", "cancel", "person", "already-taken"],
  ["in-progress", "take", "operator", "already-taken"],
  ["completed", "cancel", "person", "already-ended"],
  ["confirmed", "release", "operator", "not-held"],
  ["confirmed", "hand-back", "operator", "not-taken"],
  ["confirmed", "approve", "operator", "already-confirmed"],
  ["confirmed", "enter", "operator", "already-confirmed"],
  ["confirmed", "reopen", "operator", "not-ended"],
  ["confirmed", "refuse", "person", "not-yours-to-do"],
] as const)(
  "in state %s, refuses %s by the %s with the reason %s",
  (state, type, actor, refusal) => {
    expect(happens(requests[state], acts[type], by[actor])).toBe(refusal);
  },
);

test("uses the newest form's reference until the request is confirmed", () => {
  const { received, confirmed, completed } = requests;
  const again = (request: StoredRequest) => happens(request, acts.repeat, by.person);
  expect(again(received)).toEqual({ ...received, ...newest, sent: 2 });
  for (const request of [confirmed, done]) expect(again(request)).toEqual({ ...request, sent: 2 });
  expect(again(completed)).toBe("already-ended");
});

const { confirmed } = requests;
const dated = (dueOn: string) => ({ dueOn: date(dueOn) });

test("moves a due date only to a later day, at most 90 days from receipt", () => {
  expect(happens(confirmed, extend(0), by.operator)).toBe("not-later");
  expect(happens(confirmed, extend(76), by.operator)).toMatchObject(dated("2027-02-20"));
  expect(happens(confirmed, extend(77), by.operator)).toBe("too-late-a-date");
});

test("refuses a due date beyond 45 days once a month has passed since receipt", () => {
  const later = (on: string, businessDays: number, from: object = {}) =>
    happens(
      { ...confirmed, ...dated("2026-12-26"), ...from },
      extend(businessDays),
      by.operator,
      date(on),
    );
  expect(later("2026-12-22", 12)).toMatchObject(dated("2027-01-07"));
  expect(later("2026-12-23", 12)).toBe("too-late-to-tell");
  expect(later("2026-12-23", 11)).toMatchObject(dated("2027-01-06"));
  // The requester was notified of the first extension in time, so the second one is allowed.
  expect(later("2027-01-20", 11, dated("2027-01-30"))).toMatchObject(dated("2027-02-10"));
});

test("extends a late request from today and still counts it as late", () => {
  const late = happens(confirmed, extend(1), by.operator, date("2026-12-15"));
  expect(late).toMatchObject({ ...dated("2026-12-16"), onTimeBy: due });
});

const held = (keeper: "operator" | "system") =>
  ({ ...started, hold: { reason: "dues", until: day, by: keeper } }) as const;
const next = day.add({ days: 1 });

test.each(["operator", "system"] as const)(
  "refuses an operator's completion during a hold by the %s",
  (keeper) => {
    expect(happens(held(keeper), acts.complete, by.operator)).toBe("held");
    expect(happens(held(keeper), acts.complete, by.operator, next)).toHaveProperty("done.at");
    expect(happens(held(keeper), acts.release, by.operator)).toMatchObject({ hold: undefined });
  },
);

test("refuses every act by the system during an operator's hold", () => {
  for (const type of ["take", "complete", "refuse", "hold", "release"] as const) {
    expect(happens(held("operator"), acts[type], by.system)).toBe("held");
  }
  expect(happens(held("operator"), acts.release, clock, next)).toMatchObject({ hold: undefined });
  for (const type of ["refuse", "hold", "release"] as const) {
    expect(happens(held("system"), acts[type], by.system)).toHaveProperty("state");
  }
});

test("moves the due date only if a hold outlasts it, within the limits of an extension", () => {
  const wait = (until: string, on = day) => happens(confirmed, hold(until), by.operator, on);
  expect(wait("2026-11-21")).toBe("in-the-past");
  expect(wait("2026-12-05")).toMatchObject({ dueOn: due, hold: { until: date("2026-12-05") } });
  expect(wait("2026-12-06")).toMatchObject({
    ...dated("2026-12-08"),
    hold: { until: date("2026-12-06") },
  });
  expect(wait("2027-02-18")).toMatchObject(dated("2027-02-20"));
  expect(wait("2027-02-19")).toBe("too-late-a-date");
  expect(wait("2027-01-20", date("2026-12-23"))).toBe("too-late-to-tell");
});

test("refuses further decisions on a request marked done, but allows handing back and final completion", () => {
  for (const type of ["cancel", "refuse", "extend", "hold", "take"] as const) {
    expect(happens(done, acts[type], by.operator)).toBe("already-done");
  }
  const mine = { ...done, owner: "Nadia" };
  expect(happens(mine, acts["hand-back"], by.operator)).toEqual(done);
  for (const actor of ["operator", "system"] as const) {
    expect(happens(done, acts.complete, by[actor])).toBe("already-done");
  }
  expect(happens(done, acts.complete, clock)).toMatchObject({ state: "completed", endedAt: at });
});

test("starts the work at the first deletion, not when the request is taken", () => {
  const taken = happens(confirmed, acts.take, by.operator);
  expect(taken).toEqual({ ...confirmed, owner: "Nadia" });
  if (typeof taken === "string") throw new Error(taken);
  expect(happens(taken, acts.cancel, by.person)).toMatchObject({ state: "cancelled" });
  const nothingThere = {
    type: "tick",
    checklist: { "at-rides": ["none"] },
    begins: false,
  } as const;
  expect(happens(taken, nothingThere, by.operator)).toMatchObject({ state: "confirmed" });
  expect(happens(taken, acts.tick, rahim)).toBe("somebody-elses");
  const started = happens(taken, acts.tick, by.operator);
  expect(started).toMatchObject({ state: "in-progress", checklist: { "at-rides": ["done"] } });
  if (typeof started === "string") throw new Error(started);
  expect(happens(started, acts.cancel, by.person)).toBe("already-taken");
});

test("refuses completion by an operator who doesn't own the request", () => {
  expect(happens(requests["in-progress"], acts.complete, rahim)).toBe("somebody-elses");
  expect(happens(started, acts.take, rahim)).toMatchObject({
    state: "in-progress",
    owner: "rahim",
  });
  expect(happens(started, acts.take, by.system)).toBe("already-taken");
});

test("refuses to reopen a request that was erased or that its requester cancelled", () => {
  const { cancelled } = requests;
  const reopen = (request: StoredRequest) => happens(request, acts.reopen, by.operator);
  expect(reopen(cancelled)).toEqual({ ...waiting, state: "confirmed" });
  expect(reopen({ ...cancelled, email: undefined })).toBe("erased");
  expect(reopen({ ...cancelled, endedBy: "person" })).toBe("persons-own-wish");
});

test("refuses approval by the operator who entered the request unless the team allows it", () => {
  const { received } = requests;
  expect(happens(received, acts.approve, rahim)).toBe("needs-second-person");
  const agreed = { ...rules, secondPerson: false };
  expect(transition(received, acts.approve, { rules: agreed, by: rahim, now: at }).ok).toBe(true);
  const submitted = { ...received, enteredBy: undefined };
  expect(happens(submitted, acts.approve, by.operator)).toBe("not-entered");
});

test("refuses approval before the old mailbox's notice period ends", () => {
  const { received } = requests;
  const waits = { ...received, approvableAt: at.add({ hours: 48 }) };
  expect(happens(waits, acts.approve, by.operator)).toBe("notice-runs");
  expect(happens(waits, acts.cancel, by.person)).toMatchObject({ state: "cancelled" });
});

test("lets the clock, but not an account system, refuse an unapproved request", () => {
  expect(happens(requests.received, acts.refuse, clock)).toMatchObject({ state: "refused" });
  expect(happens(requests.received, acts.refuse, by.system)).toBe("not-confirmed");
});

test("ends an unconfirmed request only if an operator entered it", () => {
  const submitted = { ...requests.received, enteredBy: undefined };
  expect(happens(submitted, acts.cancel, by.person)).toBe("not-confirmed");
  expect(happens(submitted, acts.refuse, by.operator)).toBe("not-confirmed");
  expect(happens(submitted, acts.ask, by.operator)).toBe("not-entered");
});

test("reopens a request as unapproved if it was refused before the approval", () => {
  const refused = happens(requests.received, acts.refuse, by.operator) as StoredRequest;
  expect(happens(refused, acts.reopen, by.operator)).toMatchObject({
    state: "received",
    approvableAt: at,
  });
});

test("refuses to complete a request within a day of its approval", () => {
  const approved = { ...started, enteredBy: "Rahim" };
  expect(happens(approved, acts.complete, by.operator)).toBe("untouched");
});
