import { z } from "zod";
import {
  type EmailAddress,
  matchEmail,
  parseEmailAddress,
} from "../../platform/addresses/email-address.ts";
import { countDaysLeft, dateAt, readDate } from "../../platform/calendar/business-days.ts";
import {
  describeFields,
  emailField,
  type FieldAsked,
  type FieldError,
  type FormValues,
  readFields,
} from "../../platform/forms/form-values.ts";
import { isNoticeUnsent } from "../mails/messages.ts";
import type { RequestDetail } from "../queries/request-queries.ts";
import type { Grace } from "../repository/restore-letters.ts";
import {
  account,
  accountKindMark,
  type DataList,
  readTicks,
  readWalk,
  walkAccount,
} from "../state-machine/checklist.ts";
import type { Completion } from "../state-machine/completion.ts";
import {
  businessDaysAfterHold,
  holdReasons,
  isEnded,
  isWorking,
  ownerOf,
  reasonCodes,
  refusalReasons,
  type StoredRequest,
  type WalkAnswers,
} from "../state-machine/request.ts";
import {
  type Act,
  isSameName,
  type Refusal,
  transition,
  type Undone,
} from "../state-machine/state-machine.ts";
import type { ActServices } from "./apply-act.ts";
import type { Entry } from "./closed-mailbox.ts";
import { findUndo, reversingActs } from "./undo.ts";

/**
 * The operators' acts on requests, each declared once: its fields, its effect and its conditions.
 * Pages, forms for several requests, previews, the command line and the history derive from this.
 */

/** Context of an operator without a request. */
export type ActSurroundings = {
  services: ActServices & {
    dataList: DataList;
    /** Languages of the emails to people, the campus's first language first. */
    languages: readonly string[];
  };
  name: string;
  now: Temporal.Instant;
};

/** Context of an operator who looks at a request. */
export type ActContext = ActSurroundings & {
  request: StoredRequest;
  mails: RequestDetail["mails"];
  events: RequestDetail["events"];
  /** Set during the waiting period after a restore. */
  grace?: Grace | undefined;
};

/** Reasons for which typed fields make no act. */
type Unmade =
  | { ok: false; refusal: Refusal }
  | { kind: "unexplained" }
  /** The typed address is not the request's; undefined if it is no valid address. */
  | { kind: "another-address"; email: EmailAddress | undefined };

/** An act that changes the state of a request. */
type OfLife<Fields> = {
  /** Makes the act from its fields. */
  makes(fields: Fields, look: ActContext): Act | Unmade;
  /** Returns valid fields, for checking if the state machine allows the act at all. */
  atBest(look: ActContext): Fields;
};

/** An act that leaves the state of a request unchanged. A form sent twice counts once. */
type BesideLife<Fields> = {
  /** Returns a refusal that is known before trying; undefined if there is none. */
  whyNot?(look: ActContext): Refusal | undefined;
  /** Does the act; returns the refusal if it was impossible after all. */
  does(fields: Fields, means: Means): Promise<Refusal | undefined>;
};

/** Effects besides a change of state, in the transaction that read the request. */
export type Means = {
  /** Adds an event to the history. */
  enter(event: { type: string; note?: string }): Promise<undefined>;
  /** Resends failed emails; sends a new link if none failed, or if `anew`. */
  sendAgain(anew?: boolean): Promise<undefined>;
  /** Hands the request to the account system again, or returns the refusal. */
  askAgain(): Promise<Refusal | undefined>;
  /** Removes the request without a trace. */
  remove(): Promise<undefined>;
};

type FormDeclaration<Fields> = {
  /** Fields in the order of the form. */
  fields: readonly FieldAsked[];
  /** Reads a form into fields, or returns its errors. */
  read(typed: FormValues, around: ActSurroundings): { fields: Fields } | { wrong: FieldError[] };
  /** Shows the checklist of places in its form. */
  walks?: true;
  /** Asks for the passkey again, because undo is possible only for a short time. */
  serious?: true;
  /** Allows several requests at once: with a button, or with one form for all. */
  several?: "pressed" | "filled-in";
  /** Removes the request. */
  removes?: true;
  /** Event types in the history; by default the act's own name. */
  inTrail?: readonly string[];
};

type Doing<Fields> = OfLife<Fields> | BesideLife<Fields>;

export type Declaration<Fields = object> = FormDeclaration<Fields> & Doing<Fields>;

/** Most requests that one form may name. */
export const mostAtOnce = 50;

/** @param schema the act's fields; its output is the input of the act */
function declare<
  Schema extends z.ZodObject,
  Does extends Partial<FormDeclaration<z.output<Schema>>> & Doing<z.output<Schema>>,
>(schema: Schema, does: Does): FormDeclaration<z.output<Schema>> & Does {
  return { fields: describeFields(schema), read: (typed) => readFields(schema, typed), ...does };
}

const nothing = z.object({});

const text = (most: number) => z.string().max(most, { error: "tooLong" }).describe('"TEXT"');
/** A message to the person. */
const explanation = text(1000);

/** Requires an explanation for the reason "other". */
const explained = [
  (fields: { reason: string; explanation: string }) =>
    fields.reason !== "other" || fields.explanation !== "",
  { path: ["explanation"] as PropertyKey[], error: "explanation" },
] as const;

const laterSchema = z
  .object({
    /** Reason of the hold, or "time" if the team needs more time. */
    reason: z.enum(["time", ...holdReasons], { error: "reason" }),
    /** Business days to add; 0 keeps the due date. */
    days: z
      .string()
      .regex(/^(?:0|[1-9]\d?)$/, { error: "date" })
      .transform(Number)
      .describe("N"),
    /** Last day of the hold, if the due date stays. */
    until: z
      .string()
      .transform((text) => readDate(text))
      .optional()
      .describe("DATE"),
    explanation,
  })
  .refine(...explained)
  .refine(({ days, until }) => days !== 0 || until !== undefined, {
    path: ["until"],
    error: "waitUntil",
  })
  .refine(({ days, reason }) => days !== 0 || reason !== "time", {
    path: ["reason"],
    error: "waitReason",
  });

const refuseSchema = z
  .object({ reason: z.enum(refusalReasons, { error: "reason" }), explanation })
  .refine(...explained);

/** Extends a request, or puts it on hold until two business days before its new due date. */
function moveDueDate(
  { reason, days: businessDays, until: lastDay, explanation }: z.output<typeof laterSchema>,
  { services, request, now }: ActContext,
): Act | Unmade {
  if (businessDays === 0 && lastDay && reason !== "time") {
    return isWorking(request) && Temporal.PlainDate.compare(lastDay, request.dueOn) >= 0
      ? { ok: false, refusal: "not-before-due" }
      : { type: "hold", reason, until: lastDay, explanation };
  }
  const extension = listExtensions(services, [request], now)[businessDays - 1];
  // Without a lawful date, the state machine refuses the extension.
  if (reason === "time" || !extension) return { type: "extend", businessDays, explanation };
  const { calendar } = services;
  const today = dateAt(calendar, now);
  const isTooLate = (day: Temporal.PlainDate) =>
    countDaysLeft(calendar, day, extension.dueOn) < businessDaysAfterHold;
  let until = extension.dueOn;
  while (isTooLate(until) && !until.equals(today)) until = until.subtract({ days: 1 });
  return { type: "hold", reason, until, businessDays, explanation };
}

const ifAny = z.string().transform((text) => text || undefined);
const isYes = z.string().transform((text) => text === "yes");

/** Acts that pages offer, in their order. */
const ofPages = {
  take: declare(z.object({ from: ifAny.optional().describe("NAME") }), {
    several: "pressed",
    makes: (fields) => ({ type: "take", ...fields }),
    atBest({ request, name }) {
      const owner = ownerOf(request);
      return { from: owner !== undefined && isSameName(owner, name) ? undefined : owner };
    },
  }),
  /** Can be undone for ten minutes. */
  complete: {
    fields: describeFields(account),
    walks: true,
    serious: true,
    several: "filled-in",
    read(typed, { services, now }) {
      const { missing, ...walked } = readWalk(
        services.dataList,
        typed,
        dateAt(services.calendar, now),
      );
      const read = readFields(account, typed);
      if ("wrong" in read) return { wrong: [...read.wrong, ...missing] };
      const { address } = read.fields;
      return missing.length > 0 ? { wrong: missing } : { fields: { address, ...walked } };
    },
    makes({ address: typed, completion, ticked }, { request }) {
      const address = parseEmailAddress(typed);
      const email = address.ok ? address.email : undefined;
      // An erased request has no address to compare; the state machine refuses its completion.
      if (
        request.email !== undefined &&
        (!email || matchEmail(email) !== matchEmail(request.email))
      ) {
        return { kind: "another-address", email };
      }
      return { type: "complete", completion, ticked };
    },
    atBest: ({ request }) => ({
      address: request.email ?? "",
      completion: { lines: [], backupsGoneBy: null },
      ticked: [],
    }),
  } satisfies Declaration<{ address: string; completion: Completion; ticked: readonly string[] }>,
  later: declare(laterSchema, {
    several: "filled-in",
    inTrail: ["hold", "extend"],
    makes: moveDueDate,
    atBest: () => ({ reason: "time", days: 1, explanation: "" }),
  }),
  refuse: declare(refuseSchema, {
    serious: true,
    makes: (fields) => ({ type: "refuse", ...fields }),
    atBest: () => ({ reason: "other", explanation: "" }),
  }),
  cancel: declare(z.object({ explanation }), {
    makes: (fields) => ({ type: "cancel", ...fields }),
    atBest: () => ({ explanation: "" }),
  }),
  /** Reverses the last step. If we told the person of that step, we tell them of this, too. */
  undo: declare(z.object({ explanation }), {
    inTrail: ["undo", ...reversingActs],
    makes({ explanation }, { request, events, mails, name }): Act | Unmade {
      const found = findUndo(request, events, mails, name);
      if ("because" in found) return { ok: false, refusal: found.because };
      if ("undone" in found) return { type: "undo", ...found };
      if (found.act !== "reopen") return { type: found.act };
      // After the erasure no one can get an explanation.
      return request.email !== undefined && explanation === ""
        ? { kind: "unexplained" }
        : { type: "reopen", explanation };
    },
    atBest: () => ({ explanation: "…" }),
  }),
  /** Possible after the notice period; `reply` says if the old mailbox's reader objected. */
  approve: declare(z.object({ reply: z.enum(["no", "yes"], { error: "reply" }) }), {
    serious: true,
    inTrail: ["approve", "refuse"],
    makes({ reply }, { mails }) {
      if (reply === "yes") return { type: "refuse", reason: "not-the-owner", explanation: "" };
      return isNoticeUnsent(mails) ? { ok: false, refusal: "notice-unsent" } : { type: "approve" };
    },
    atBest: () => ({ reply: "no" as const }),
  }),
  /** An approver who is not convinced asks the contact for another proof. */
  ask: declare(z.object({ explanation }), {
    makes({ explanation }, { services }): Act | Unmade {
      const asks = services.dataList.ownershipProofs.flatMap(({ ask }) => (ask ? [ask] : []));
      if (asks.length === 0 && explanation === "") return { kind: "unexplained" };
      return { type: "ask", asks, explanation };
    },
    atBest: () => ({ explanation: "…" }),
  }),
  resend: declare(z.object({ anew: isYes.optional().describe("yes") }), {
    inTrail: ["resend", "retry"],
    whyNot: ({ request, mails }) =>
      isEnded(request) && !mails.some(isStuck) ? "already-ended" : undefined,
    does: ({ anew }, means) => means.sendAgain(anew),
  }),
  /** Adds a note for the team. The person gets no email, but reads it in a copy of their data. */
  note: declare(z.object({ note: text(2000).min(1, { error: "note" }) }), {
    // A note written after the erasure would never be erased.
    whyNot: ({ request }) => (isEnded(request) && request.erasedAt ? "erased" : undefined),
    does: (fields, means) => means.enter({ type: "note", ...fields }),
  }),
};

export type PageAct = keyof typeof ofPages;
/** Names of the acts in the order of the pages. */
export const deskActs = Object.keys(ofPages) as PageAct[];

/** Oldest date of receipt that an operator may enter; an older one has a mistyped year. */
export const longestAgoDays = 30;

function entrySchema({ services, now }: ActSurroundings) {
  const { calendar, dataList, languages } = services;
  const today = dateAt(calendar, now);
  const atNoon = { timeZone: calendar.timeZone, plainTime: "12:00" };
  const proofs = dataList.ownershipProofs.map(({ key }) => key);
  return z
    .object({
      old: emailField,
      contact: emailField,
      language: z
        .enum(["", ...languages], { error: "language" })
        .transform((language) => language || undefined),
      received: z.iso
        .date({ error: "received" })
        .transform((text) => Temporal.PlainDate.from(text))
        .refine((on) => on.until(today).sign >= 0, { error: "received" })
        .refine((on) => on.until(today).days <= longestAgoDays, { error: "received" })
        .transform((on) => (on.equals(today) ? now : on.toZonedDateTime(atNoon).toInstant())),
      reason: z.enum(reasonCodes, { error: "reason" }),
      proof: z.enum(proofs, { error: "proof" }),
      note: text(2000),
    })
    .refine(({ old, contact }) => old.toLowerCase() !== contact.toLowerCase(), {
      path: ["contact"],
      error: "sameMailbox",
    });
}

/** The form for a new request of a person whose mailbox is closed. */
export const newRequestForm: FormDeclaration<Entry> = {
  // Pages build these fields from the campus's languages and proofs.
  fields: [],
  read(typed, around) {
    const read = readFields(entrySchema(around), typed);
    if ("wrong" in read) return read;
    const { old: email, received: receivedAt, ...said } = read.fields;
    return { fields: { ...said, email, receivedAt } };
  },
};

/** Saves the checklist's answers so far; a button of the form that completes a request. */
const tick = {
  fields: describeFields(walkAccount),
  walks: true,
  read: (typed, { services }) => ({ fields: readTicks(services.dataList, typed) }),
  makes({ walk, begins, answered }, { request }) {
    const before = isWorking(request) ? request.walk : undefined;
    const isAnew = (field: string) => walk[field]?.[0] !== before?.[field]?.[0];
    const ticked = answered.filter((place) => isAnew(`at-${place}`));
    const kind = isAnew("account") ? [accountKindMark] : [];
    return { type: "tick", walk, begins, ticked: [...kind, ...ticked] };
  },
  atBest: () => ({ walk: {}, begins: false, answered: [] }),
} satisfies Declaration<{ walk: WalkAnswers; begins: boolean; answered: readonly string[] }>;

export type DeskAct = PageAct | "enter" | "tick";

/** Forms by act name. */
export const forms = new Map<string, FormDeclaration<unknown> & { act: DeskAct }>([
  ...deskActs.map((act) => [act, { ...ofPages[act], act }] as const),
  ["enter", { ...newRequestForm, act: "enter" }],
  ["tick", { ...tick, act: "tick" }],
]);

/** Tells if an act has one form for several requests. */
export const isForSeveral = (name: string): name is PageAct =>
  forms.get(name)?.several === "filled-in";

export const isForm = (name: string): boolean => forms.has(name);

/** Returns the free texts of a form by field, without blank ones. */
export function typedTexts(act: string, typed: FormValues): FormValues {
  const { fields = [] } = forms.get(act) ?? {};
  const texts = fields.flatMap(({ name, text }) => (text ? [name] : []));
  const isText = (name: string) => texts.some((one) => name === one || name.startsWith(`${one}-`));
  return Object.fromEntries(
    Object.entries(typed).filter(
      ([name, values]) => isText(name) && values?.some((value) => value.trim() !== ""),
    ),
  );
}

export const acts = {
  ...ofPages,
  tick,
  /** Hands the request over again despite the account system's answer, once an operator checked. */
  "hand-over": declare(nothing, {
    does: async (_, means) => (await means.askAgain()) ?? means.enter({ type: "hand-over" }),
  }),
  /** Removes spam; never a confirmed request. Command line only. */
  remove: declare(nothing, {
    removes: true,
    whyNot: ({ request }) => (request.state === "received" ? undefined : "already-confirmed"),
    does: (_, means) => means.remove(),
  }),
};

export type ActName = keyof typeof acts;

type Read<Name extends ActName> = Extract<
  ReturnType<(typeof acts)[Name]["read"]>,
  { fields: unknown }
>["fields"];

/** An act by name with its parsed fields. */
export type SubmittedAct = {
  [Name in ActName]: { type: Name } & (Read<Name> extends Record<string, never>
    ? object
    : Read<Name>);
}[ActName];

/** The declarations of all acts, with their event types filled in. */
export const declarations = Object.fromEntries(
  Object.entries<Declaration>(acts).map(([name, one]) => [name, { inTrail: [name], ...one }]),
) as Record<ActName, Declaration & { inTrail: readonly string[] }>;

/** Parses the typed fields of an act, or returns their errors. */
export function readAct(
  name: ActName,
  typed: FormValues,
  around: ActSurroundings,
): SubmittedAct | FieldError[] {
  const read = declarations[name].read(typed, around);
  return "wrong" in read ? read.wrong : ({ type: name, ...read.fields } as SubmittedAct);
}

/** Acts that must wait after a restore, because the person may have cancelled before it. */
const waitAfterRestore: readonly string[] = ["take", "tick", "complete"] satisfies ActName[];

/** Returns the refusal of an act as of now; undefined if the act is possible. */
export function findWhyNot(name: ActName, look: ActContext): Refusal | undefined {
  const declared = declarations[name];
  if ("does" in declared) return declared.whyNot?.(look);
  const made = declared.makes(declared.atBest(look), look);
  // Missing fields don't block the act.
  if ("kind" in made) return undefined;
  const by = { actor: "operator", name: look.name } as const;
  const { services, request, now } = look;
  const decision = "type" in made ? transition(request, made, { rules: services, by, now }) : made;
  if (!decision.ok) return decision.refusal;
  return look.grace && waitAfterRestore.includes(name) ? "after-restore" : undefined;
}

/** Finds the act of an event type; undefined if it is no act of an operator. */
export function actOf(type: string): DeskAct | undefined {
  if (type === "enter" || type === "tick") return type;
  return deskActs.find((name) => declarations[name].inTrail.includes(type));
}

/** Event types that change nothing an operator's decision depends on. */
export const harmlessEvents: readonly string[] = [
  ...deskActs.flatMap((name) => ("does" in acts[name] ? declarations[name].inTrail : [])),
  "late",
  "erase",
];

export const isAct = (name: string): name is ActName => Object.hasOwn(acts, name);

/** Tells if an email to the person failed; events to the account system don't count. */
export const isStuck = ({ recipient, state }: ActContext["mails"][number]): boolean =>
  recipient === "person" && state === "needs-person";

/** Tells if the last step, or that of `act`, can be undone and the person hasn't heard of it. */
export const isUnknown = (look: Parameters<typeof findUndone>[0], act?: string): boolean =>
  findUndone(look, act) !== undefined;

/** Finds the last step that can be undone unknown to the person; only one of `act`, if given. */
export function findUndone(
  { request, events, mails, name }: Pick<ActContext, "request" | "events" | "mails" | "name">,
  act?: string,
): Undone | undefined {
  const found = findUndo(request, events, mails, name);
  if (!("undone" in found)) return undefined;
  return act === undefined || actOf(found.undone.act) === act ? found.undone : undefined;
}

/** Lists extensions that all requests allow, soonest first; the dates are the first request's. */
export function listExtensions(
  services: ActServices,
  requests: readonly StoredRequest[],
  now: Temporal.Instant,
) {
  /** Each number of business days with the resulting due date. */
  const found: { businessDays: number; dueOn: Temporal.PlainDate }[] = [];
  for (let businessDays = 1; ; businessDays++) {
    const act = { type: "extend", businessDays, explanation: "" } as const;
    const how = { rules: services, by: { actor: "operator" }, now } as const;
    const decisions = requests.map((one) => transition(one, act, how));
    const [first] = decisions;
    if (!first?.ok || !("dueOn" in first.after) || decisions.some(({ ok }) => !ok)) return found;
    found.push({ businessDays, dueOn: first.after.dueOn });
  }
}

/** Formats a request for a form: the reference and the last event shown, to detect changes. */
export function toChoice({ reference, seen }: { reference: string; seen: number }): string {
  return `${reference}~${seen}`;
}

/** Parses a request in a form; without a last event, `seen` is 0. */
export function readChoice(choice: string): { reference: string; seen: number } {
  const [reference = "", seen = ""] = choice.split("~");
  return { reference, seen: /^\d{1,15}$/.test(seen) ? Number(seen) : 0 };
}
