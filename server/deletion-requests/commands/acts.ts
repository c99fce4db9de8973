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
  type FieldDeclaration,
  type FieldsRead,
  type FormValues,
  readFields,
} from "../../platform/forms/form-values.ts";
import { isNoticeUnsent } from "../mails/messages.ts";
import type { RequestDetail } from "../queries/request-queries.ts";
import type { Grace } from "../repository/restore-letters.ts";
import {
  account,
  accountKindMark,
  checklistAccount,
  type DataList,
  readChecklist,
  readTicks,
} from "../state-machine/checklist.ts";
import type { Completion } from "../state-machine/completion.ts";
import {
  businessDaysAfterHold,
  type ChecklistAnswers,
  dueDateOf,
  holdReasons,
  isEnded,
  isWorking,
  ownerOf,
  reasonCodes,
  refusalReasons,
  type StoredRequest,
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
 * Declares every operator act on a request, with its form fields, effect and preconditions. The
 * pages, batch forms, email previews, command line and history all derive from these declarations.
 */

/** Context for parsing a form. `ActContext` adds the request. */
export type ActSurroundings = {
  services: ActServices & {
    dataList: DataList;
    /** Languages of the emails to requesters. The campus's default language comes first. */
    languages: readonly string[];
  };
  name: string;
  now: Temporal.Instant;
};

/** Context for checking or performing an act on a request. */
export type ActContext = ActSurroundings & {
  request: StoredRequest;
  mails: RequestDetail["mails"];
  events: RequestDetail["events"];
  /** Set only during the grace period after a restore, while the requester can still cancel. */
  grace?: Grace | undefined;
};

/** Result of converting a form's fields to a state machine act. */
type Made =
  | { kind: "act"; act: Act }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "unexplained" }
  /**
   * The typed email address doesn't match the request's. `email` is undefined if the typed text
   * isn't a valid address.
   */
  | { kind: "another-address"; email: EmailAddress | undefined };

const made = (act: Act): Made => ({ kind: "act", act });

/** An act that goes through the state machine. */
type TransitionAct<Fields> = {
  kind: "transition";
  makes(fields: Fields, context: ActContext): Made;
  /**
   * Returns sample fields that are valid for this request. They are used to check whether the state
   * machine would allow the act.
   */
  atBest(context: ActContext): Fields;
};

/** An act that bypasses the state machine. */
type EffectAct<Fields> = {
  kind: "effect";
  /** Returns the reason to refuse the act, if that reason is known before the form is submitted. */
  whyNot?(context: ActContext): Refusal | undefined;
  /** Performs the act, or returns the reason for refusing it. */
  does(fields: Fields, means: Means): Promise<Refusal | undefined>;
};

/**
 * Side effects available to acts that bypass the state machine. They run in the transaction that
 * read the request.
 */
export type Means = {
  /** Adds an event to the request's history. */
  enter(event: { type: string; note?: string }): Promise<undefined>;
  /**
   * Resends failed emails. If none failed, or if `anew` is true, sends a new link instead, unless the
   * request has ended.
   */
  sendAgain(anew?: boolean): Promise<undefined>;
  /** Hands the request over to the account system again, or returns why that is impossible. */
  handOverAgain(): Promise<Refusal | undefined>;
  /** Deletes the request but keeps hashes of its references. */
  remove(): Promise<undefined>;
};

type FormDeclaration<Fields> = {
  fields: readonly FieldDeclaration[];
  read(typed: FormValues, around: ActSurroundings): FieldsRead<Fields>;
  /** Whether the form includes the checklist. */
  hasChecklist?: true;
  /**
   * Whether the operator must confirm with a passkey, because the act can be undone only briefly.
   */
  serious?: true;
  /**
   * Set if the act can be performed on several requests at once. "pressed" needs only a button,
   * "filled-in" needs a form.
   */
  several?: "pressed" | "filled-in";
  removes?: true;
  /** Event types that the act adds to the history. Defaults to the act's name. */
  inTrail?: readonly string[];
};

type Doing<Fields> = TransitionAct<Fields> | EffectAct<Fields>;

export type Declaration<Fields = object> = FormDeclaration<Fields> & Doing<Fields>;

/** Maximum number of requests in a batch form. */
export const mostAtOnce = 50;

function declare<
  Schema extends z.ZodObject,
  Does extends Partial<FormDeclaration<z.output<Schema>>> & Doing<z.output<Schema>>,
>(schema: Schema, does: Does): FormDeclaration<z.output<Schema>> & Does {
  return { fields: describeFields(schema), read: (typed) => readFields(schema, typed), ...does };
}

const nothing = z.object({});

const text = (most: number) => z.string().max(most, { error: "tooLong" }).describe('"TEXT"');
const explanation = text(1000);

/** Requires an explanation if the reason is "other". */
const explained = [
  (fields: { reason: string; explanation: string }) =>
    fields.reason !== "other" || fields.explanation !== "",
  { path: ["explanation"] as PropertyKey[], error: "explanation" },
] as const;

const laterSchema = z
  .object({
    /** "time" if the team needs more time; otherwise the reason for a hold. */
    reason: z.enum(["time", ...holdReasons], { error: "reason" }),
    /** Business days to add to the due date. 0 keeps the due date. */
    days: z
      .string()
      .regex(/^(?:0|[1-9]\d?)$/, { error: "date" })
      .transform(Number)
      .describe("N"),
    /** Last day of the hold. Used only if `days` is 0. */
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

/**
 * Extends the due date, puts the request on hold, or both. A hold that moves the due date ends two
 * business days before the new due date.
 */
function moveDueDate(
  { reason, days: businessDays, until: lastDay, explanation }: z.output<typeof laterSchema>,
  { services, request, now }: ActContext,
): Made {
  if (businessDays === 0 && lastDay && reason !== "time") {
    return isWorking(request) && Temporal.PlainDate.compare(lastDay, request.dueOn) >= 0
      ? { kind: "refused", refusal: "not-before-due" }
      : made({ type: "hold", reason, until: lastDay, explanation });
  }
  const extension = listExtensions(services, [request], now)[businessDays - 1];
  // Attempts even a forbidden extension so that the state machine returns the refusal.
  if (reason === "time" || !extension) {
    return made({ type: "extend", businessDays, explanation });
  }
  const { calendar } = services;
  const today = dateAt(calendar, now);
  const isTooLate = (day: Temporal.PlainDate) =>
    countDaysLeft(calendar, day, extension.dueOn) < businessDaysAfterHold;
  let until = extension.dueOn;
  while (isTooLate(until) && !until.equals(today)) until = until.subtract({ days: 1 });
  return made({ type: "hold", reason, until, businessDays, explanation });
}

const ifAny = z.string().transform((text) => text || undefined);
const isYes = z.string().transform((text) => text === "yes");

/** Acts available on the pages, in display order. */
const ofPages = {
  take: declare(z.object({ from: ifAny.optional().describe("NAME") }), {
    kind: "transition",
    several: "pressed",
    makes: (fields) => made({ type: "take", ...fields }),
    atBest({ request, name }) {
      const owner = ownerOf(request);
      return { from: owner !== undefined && isSameName(owner, name) ? undefined : owner };
    },
  }),
  complete: {
    kind: "transition",
    fields: describeFields(account),
    hasChecklist: true,
    serious: true,
    several: "filled-in",
    read(typed, { services, now }) {
      const { missing, ...result } = readChecklist(
        services.dataList,
        typed,
        dateAt(services.calendar, now),
      );
      const read = readFields(account, typed);
      if (read.kind === "wrong") return { kind: "wrong", wrong: [...read.wrong, ...missing] };
      const { address } = read.fields;
      return missing.length > 0
        ? { kind: "wrong", wrong: missing }
        : { kind: "read", fields: { address, ...result } };
    },
    makes({ address: typed, completion, ticked }, { request }) {
      const address = parseEmailAddress(typed);
      const email = address.ok ? address.email : undefined;
      // Skips the comparison for an erased request. The state machine refuses its completion
      // anyway.
      if (
        request.email !== undefined &&
        (!email || matchEmail(email) !== matchEmail(request.email))
      ) {
        return { kind: "another-address", email };
      }
      return made({ type: "complete", completion, ticked });
    },
    atBest: ({ request }) => ({
      address: request.email ?? "",
      completion: { lines: [], backupsGoneBy: null },
      ticked: [],
    }),
  } satisfies Declaration<{ address: string; completion: Completion; ticked: readonly string[] }>,
  later: declare(laterSchema, {
    kind: "transition",
    several: "filled-in",
    inTrail: ["hold", "extend"],
    makes: moveDueDate,
    atBest: () => ({ reason: "time", days: 1, explanation: "" }),
  }),
  refuse: declare(refuseSchema, {
    kind: "transition",
    serious: true,
    makes: (fields) => made({ type: "refuse", ...fields }),
    atBest: () => ({ reason: "other", explanation: "" }),
  }),
  cancel: declare(z.object({ explanation }), {
    kind: "transition",
    makes: (fields) => made({ type: "cancel", ...fields }),
    atBest: () => ({ explanation: "" }),
  }),
  /**
   * Reverses the last step. If the requester was notified of the step, they also get an email about
   * the reversal.
   */
  undo: declare(z.object({ explanation }), {
    kind: "transition",
    inTrail: ["undo", ...reversingActs],
    makes({ explanation }, { request, events, mails, name }) {
      const found = findUndo(request, events, mails, name);
      if (found.kind === "refused") return found;
      if (found.kind === "undo") return made({ type: "undo", undone: found.undone });
      if (found.act !== "reopen") return made({ type: found.act });
      // An erased request has no email address to send the explanation to.
      return request.email !== undefined && explanation === ""
        ? { kind: "unexplained" }
        : made({ type: "reopen", explanation });
    },
    atBest: () => ({ explanation: "…" }),
  }),
  /**
   * Approves an entered request, or refuses it if someone objected from the old mailbox (`reply`).
   * Approval requires that the notice to that mailbox was sent and that the notice period is over.
   */
  approve: declare(z.object({ reply: z.enum(["no", "yes"], { error: "reply" }) }), {
    kind: "transition",
    serious: true,
    inTrail: ["approve", "refuse"],
    makes({ reply }, { mails }) {
      if (reply === "yes") {
        return made({ type: "refuse", reason: "not-the-owner", explanation: "" });
      }
      return isNoticeUnsent(mails)
        ? { kind: "refused", refusal: "notice-unsent" }
        : made({ type: "approve" });
    },
    atBest: () => ({ reply: "no" as const }),
  }),
  /**
   * Asks the contact for another proof of ownership if the first one doesn't convince the approver.
   */
  ask: declare(z.object({ explanation }), {
    kind: "transition",
    makes({ explanation }, { services }) {
      const asks = services.dataList.ownershipProofs.flatMap(({ ask }) => (ask ? [ask] : []));
      if (asks.length === 0 && explanation === "") return { kind: "unexplained" };
      return made({ type: "ask", asks, explanation });
    },
    atBest: () => ({ explanation: "…" }),
  }),
  resend: declare(z.object({ anew: isYes.optional().describe("yes") }), {
    kind: "effect",
    inTrail: ["resend", "retry"],
    whyNot: ({ request, mails }) =>
      isEnded(request) && !mails.some(isStuck) ? "already-ended" : undefined,
    does: ({ anew }, means) => means.sendAgain(anew),
  }),
  /**
   * Adds an internal note. The requester isn't notified, but their data export includes the note.
   */
  note: declare(z.object({ note: text(2000).min(1, { error: "note" }) }), {
    kind: "effect",
    // A note added after the erasure would never be erased.
    whyNot: ({ request }) => (isEnded(request) && request.erasedAt ? "erased" : undefined),
    does: (fields, means) => means.enter({ type: "note", ...fields }),
  }),
};

export type PageAct = keyof typeof ofPages;
export const deskActs = Object.keys(ofPages) as PageAct[];

/**
 * Maximum age of an entered request's date of receipt, in days. An older date is probably a typo.
 */
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

/** Form for entering a request on behalf of someone whose mailbox is closed. */
export const newRequestForm: FormDeclaration<Entry> = {
  // Empty, because the pages build the fields from the campus's languages and proofs of ownership.
  fields: [],
  read(typed, around) {
    const read = readFields(entrySchema(around), typed);
    if (read.kind === "wrong") return read;
    const { old: email, received: receivedAt, ...rest } = read.fields;
    return { kind: "read", fields: { ...rest, email, receivedAt } };
  },
};

/** Saves the unfinished checklist. The completion form has a button for it next to each answer. */
const tick = {
  kind: "transition",
  fields: describeFields(checklistAccount),
  hasChecklist: true,
  read: (typed, { services }) => ({ kind: "read", fields: readTicks(services.dataList, typed) }),
  makes({ checklist, begins, answered }, { request }) {
    const before = isWorking(request) ? request.checklist : undefined;
    const isChanged = (field: string) => checklist[field]?.[0] !== before?.[field]?.[0];
    const ticked = answered.filter((place) => isChanged(`at-${place}`));
    const kind = isChanged("account") ? [accountKindMark] : [];
    return made({ type: "tick", checklist, begins, ticked: [...kind, ...ticked] });
  },
  atBest: () => ({ checklist: {}, begins: false, answered: [] }),
} satisfies Declaration<{
  checklist: ChecklistAnswers;
  begins: boolean;
  answered: readonly string[];
}>;

export type DeskAct = PageAct | "enter" | "tick";

export const forms = new Map<string, FormDeclaration<unknown> & { act: DeskAct }>([
  ...deskActs.map((act) => [act, { ...ofPages[act], act }] as const),
  ["enter", { ...newRequestForm, act: "enter" }],
  ["tick", { ...tick, act: "tick" }],
]);

/** Checks whether an act has a batch form. */
export const isForSeveral = (name: string): name is PageAct =>
  forms.get(name)?.several === "filled-in";

export const isForm = (name: string): boolean => forms.has(name);

/** Returns the free-text fields that aren't blank. */
export function typedTexts(act: string, typed: FormValues): FormValues {
  const { fields = [] } = forms.get(act) ?? {};
  const texts = fields.flatMap(({ name, text }) => (text ? [name] : []));
  const isText = (name: string) =>
    texts.some((field) => name === field || name.startsWith(`${field}-`));
  return Object.fromEntries(
    Object.entries(typed).filter(
      ([name, values]) => isText(name) && values?.some((value) => value.trim() !== ""),
    ),
  );
}

export const acts = {
  ...ofPages,
  tick,
  /**
   * Hands the request over to the account system again after an operator has checked that system's
   * earlier answer.
   */
  "hand-over": declare(nothing, {
    kind: "effect",
    does: async (_, means) => (await means.handOverAgain()) ?? means.enter({ type: "hand-over" }),
  }),
  /** Deletes an unconfirmed request, such as spam. Available only on the command line. */
  remove: declare(nothing, {
    kind: "effect",
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

export type SubmittedAct = {
  [Name in ActName]: { type: Name } & (Read<Name> extends Record<string, never>
    ? object
    : Read<Name>);
}[ActName];

/** All acts, keyed by name, with the default of `inTrail` applied. */
export const declarations = Object.fromEntries(
  Object.entries<Declaration>(acts).map(([name, declaration]) => [
    name,
    { inTrail: [name], ...declaration },
  ]),
) as Record<ActName, Declaration & { inTrail: readonly string[] }>;

export function readAct(
  name: ActName,
  typed: FormValues,
  around: ActSurroundings,
): FieldsRead<SubmittedAct> {
  const read = declarations[name].read(typed, around);
  if (read.kind === "wrong") return read;
  return { kind: "read", fields: { type: name, ...read.fields } as SubmittedAct };
}

/**
 * Acts refused during the grace period after a restore, because the lost data may include a
 * cancellation by the requester.
 */
const waitAfterRestore: readonly string[] = ["take", "tick", "complete"] satisfies ActName[];

/** Returns the reason an act would be refused now, or undefined if it would be allowed. */
export function findWhyNot(name: ActName, context: ActContext): Refusal | undefined {
  const declared = declarations[name];
  if (declared.kind === "effect") return declared.whyNot?.(context);
  const found = declared.makes(declared.atBest(context), context);
  if (found.kind === "refused") return found.refusal;
  // Missing fields don't block an act.
  if (found.kind !== "act") return undefined;
  const by = { actor: "operator", name: context.name } as const;
  const { services, request, now } = context;
  const decision = transition(request, found.act, { rules: services, by, now });
  if (!decision.ok) return decision.refusal;
  return context.grace && waitAfterRestore.includes(name) ? "after-restore" : undefined;
}

/** Returns the operator act that causes this type of event, or undefined if there is none. */
export function actOf(type: string): DeskAct | undefined {
  if (type === "enter" || type === "tick") return type;
  return deskActs.find((name) => declarations[name].inTrail.includes(type));
}

/** Event types that don't make an operator's page outdated. */
export const harmlessEvents: readonly string[] = [
  ...deskActs.flatMap((name) => (acts[name].kind === "effect" ? declarations[name].inTrail : [])),
  "late",
  "erase",
];

export const isAct = (name: string): name is ActName => Object.hasOwn(acts, name);

/** Checks whether a message is a failed email to the requester. */
export const isStuck = ({ recipient, state }: ActContext["mails"][number]): boolean =>
  recipient === "person" && state === "needs-person";

/**
 * Checks whether the last step can still be undone without the requester noticing.
 * @param act if given, the step must have been caused by this act
 */
export const isUnknown = (context: Parameters<typeof findUndone>[0], act?: string): boolean =>
  findUndone(context, act) !== undefined;

/**
 * Finds the last step if it can still be undone without the requester noticing.
 * @param act if given, the step must have been caused by this act
 */
export function findUndone(
  { request, events, mails, name }: Pick<ActContext, "request" | "events" | "mails" | "name">,
  act?: string,
): Undone | undefined {
  const found = findUndo(request, events, mails, name);
  if (found.kind !== "undo") return undefined;
  return act === undefined || actOf(found.undone.act) === act ? found.undone : undefined;
}

/**
 * Lists the extensions that every given request allows, shortest first. `dueOn` applies to the
 * first request.
 */
export function listExtensions(
  services: ActServices,
  requests: readonly StoredRequest[],
  now: Temporal.Instant,
) {
  const found: { businessDays: number; dueOn: Temporal.PlainDate }[] = [];
  for (let businessDays = 1; ; businessDays++) {
    const act = { type: "extend", businessDays, explanation: "" } as const;
    const how = { rules: services, by: { actor: "operator" }, now } as const;
    const decisions = requests.map((request) => transition(request, act, how));
    const [first] = decisions;
    const dueOn = first?.ok ? dueDateOf(first.after) : undefined;
    if (!dueOn || decisions.some(({ ok }) => !ok)) return found;
    found.push({ businessDays, dueOn });
  }
}

/**
 * Encodes a selected request as a form value. The id of the last event shown lets the server detect
 * later changes.
 */
export function toChoice({ reference, seen }: { reference: string; seen: number }): string {
  return `${reference}~${seen}`;
}

/** Decodes a form value written by `toChoice`. `seen` is 0 if the value has no valid event id. */
export function readChoice(choice: string): { reference: string; seen: number } {
  const [reference = "", seen = ""] = choice.split("~");
  return { reference, seen: /^\d{1,15}$/.test(seen) ? Number(seen) : 0 };
}
