import { z } from "zod";
import { type EmailAddress, matchEmail, parseEmailAddress } from "../../addresses/email-address.ts";
import { countDaysLeft, dateAt, readDate } from "../../calendar/business-days.ts";
import {
  emailField,
  type FieldAsked,
  readFields,
  type Typed,
  tellFields,
  type Wrong,
} from "../../forms/typed.ts";
import { account, type DataList, readTicks, readWalk, walkAccount } from "../life/checklist.ts";
import type { Completion } from "../life/completion.ts";
import { type Act, decide, isSameName, type Refusal, type Undone } from "../life/life.ts";
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
} from "../life/request.ts";
import { accountKind } from "../store/audit-log.ts";
import type { Grace } from "../store/restore-letters.ts";
import { isNoticeUnsent } from "../telling/messages.ts";
import type { ActServices } from "./apply-act.ts";
import type { Entry } from "./closed-mailbox.ts";
import type { Story } from "./reading.ts";
import { findTakingBack, laterWays } from "./taking-back.ts";

/**
 * Everything that an operator does with a request, each act declared once: what is typed for it, what it does, and when it is
 * possible. Whatever does it, offers it, previews it or tells of it is made from this: pages, several at once, the command
 * line and the trail.
 */

/** Somebody of the team who looks at no request that is there yet. */
export type LookAround = {
  services: ActServices & {
    dataList: DataList;
    /** In which people can be written to, the campus's first one first. */
    languages: readonly string[];
  };
  name: string;
  now: Temporal.Instant;
};

/** A request as somebody looks at it. */
export type Look = LookAround & {
  request: StoredRequest;
  mails: Story["mails"];
  events: Story["events"];
  /** Its wait after a restore. */
  grace?: Grace | undefined;
};

/** Why nothing of a life comes of what was said. */
type Unmade =
  | { ok: false; refusal: Refusal }
  | { kind: "unexplained" }
  /** The address that was typed is not the request's; undefined where it is none at all. */
  | { kind: "another-address"; email: EmailAddress | undefined };

/** An act of the life of a request. */
type OfLife<Fields> = {
  /** What it is, of what was said. */
  makes(fields: Fields, look: Look): Act | Unmade;
  /** What would be said where nothing is wrong with that: whether it may happen then, the life of the request says. */
  atBest(look: Look): Fields;
};

/** What goes with the life of a request and changes nothing in it; sent twice, its form is one act. */
type BesideLife<Fields> = {
  /** Why it cannot be done now, as far as that is known without doing it; undefined where it can. */
  whyNot?(look: Look): Refusal | undefined;
  /** Returns why it could not be done after all. */
  does(fields: Fields, means: Means): Promise<Refusal | undefined>;
};

/** What can be done beside the life of a request, in the transaction in which it was read. */
export type Means = {
  /** Enters something in its trail. */
  enter(event: { type: string; note?: string }): Promise<undefined>;
  /** Sends again what could not be delivered; where all was, or it shall be `anew`, a new link. */
  sendAgain(anew?: boolean): Promise<undefined>;
  /** Asks the account system for it; or returns why that cannot be. */
  askAgain(): Promise<Refusal | undefined>;
  /** Leaves no trace of it. */
  remove(): Promise<undefined>;
};

type Asking<Fields> = {
  /** In the order in which they are asked for. */
  fields: readonly FieldAsked[];
  /** What a form asks for, or what is wrong with it. */
  read(typed: Typed, around: LookAround): { fields: Fields } | { wrong: Wrong[] };
  /** Somebody goes from place to place for it. */
  walks?: true;
  /** What cannot be taken back for long: for it the passkey is touched once more. */
  serious?: true;
  /** It can be done to several at once: by pressing, or by a form of all. */
  several?: "pressed" | "filled-in";
  /** Nothing is left of the request. */
  removes?: true;
  /** Under which names the trail has it, where that is not its own. */
  inTrail?: readonly string[];
};

type Doing<Fields> = OfLife<Fields> | BesideLife<Fields>;

export type Declaration<Fields = object> = Asking<Fields> & Doing<Fields>;

/** More at once nobody does by name. */
export const mostAtOnce = 50;

/** @param schema its fields; what it makes of them is what is asked for */
function declare<
  Schema extends z.ZodObject,
  Does extends Partial<Asking<z.output<Schema>>> & Doing<z.output<Schema>>,
>(schema: Schema, does: Does): Asking<z.output<Schema>> & Does {
  return { fields: tellFields(schema), read: (typed) => readFields(schema, typed), ...does };
}

const nothing = z.object({});

const text = (most: number) => z.string().max(most, { error: "tooLong" }).describe('"TEXT"');
/** What is said to the person of a request. */
const explanation = text(1000);

/** "Something else" says nothing by itself. */
const explained = [
  (fields: { reason: string; explanation: string }) =>
    fields.reason !== "other" || fields.explanation !== "",
  { path: ["explanation"] as PropertyKey[], error: "explanation" },
] as const;

const laterSchema = z
  .object({
    /** What keeps the request, or the team's own lack of time. */
    reason: z.enum(["time", ...holdReasons], { error: "reason" }),
    /** Business days later; 0 where the promised date stays. */
    days: z
      .string()
      .regex(/^(?:0|[1-9]\d?)$/, { error: "date" })
      .transform(Number)
      .describe("N"),
    /** The last day of waiting, where the promised date stays. */
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

/** Puts a request on hold until two business days before its new date, or until a day before the promised one. */
function putOff(
  { reason, days: businessDays, until: lastDay, explanation }: z.output<typeof laterSchema>,
  { services, request, now }: Look,
): Act | Unmade {
  if (businessDays === 0 && lastDay && reason !== "time") {
    return isWorking(request) && Temporal.PlainDate.compare(lastDay, request.dueOn) >= 0
      ? { ok: false, refusal: "not-before-due" }
      : { type: "hold", reason, until: lastDay, explanation };
  }
  const extension = listExtensions(services, [request], now)[businessDays - 1];
  // What no date is lawful for the life of a request refuses.
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

/** What an operator does with a request, in the order in which pages offer it. */
const ofPages = {
  take: declare(z.object({ from: ifAny.optional().describe("NAME") }), {
    several: "pressed",
    makes: (fields) => ({ type: "take", ...fields }),
    atBest({ request, name }) {
      const owner = ownerOf(request);
      return { from: owner !== undefined && isSameName(owner, name) ? undefined : owner };
    },
  }),
  /** Until ten minutes later it can be undone. */
  complete: {
    fields: tellFields(account),
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
      // Once erased there is nothing to compare, and nothing to complete either.
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
    makes: putOff,
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
  /** Takes the last step back. Where its person has heard of that step, they hear of this as well, and of an end why. */
  undo: declare(z.object({ explanation }), {
    inTrail: ["undo", ...laterWays],
    makes({ explanation }, { request, events, mails, name }): Act | Unmade {
      const found = findTakingBack(request, events, mails, name);
      if ("because" in found) return { ok: false, refusal: found.because };
      if ("undone" in found) return { type: "undo", ...found };
      if (found.act !== "reopen") return { type: found.act };
      // Once erased there is nobody left to be told why.
      return request.email !== undefined && explanation === ""
        ? { kind: "unexplained" }
        : { type: "reopen", explanation };
    },
    atBest: () => ({ explanation: "…" }),
  }),
  /** Only once the notice has run, and someone has looked for an answer to it. */
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
  /** Writes something down for the team. The person is not told, and reads it when asking for what is held. */
  note: declare(z.object({ note: text(2000).min(1, { error: "note" }) }), {
    // What is written after the erasure would never be erased.
    whyNot: ({ request }) => (isEnded(request) && request.erasedAt ? "erased" : undefined),
    does: (fields, means) => means.enter({ type: "note", ...fields }),
  }),
};

export type PageAct = keyof typeof ofPages;
/** In the order in which pages offer them. */
export const deskActs = Object.keys(ofPages) as PageAct[];

/** Longer ago nobody writes down what somebody asked: the year is mistyped. */
export const longestAgoDays = 30;

function entrySchema({ services, now }: LookAround) {
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

/** What is asked of a request for somebody whose mailbox is closed, which is not there yet. */
export const enter: Asking<Entry> = {
  // Pages draw them by the campus's languages and proofs.
  fields: [],
  read(typed, around) {
    const read = readFields(entrySchema(around), typed);
    if ("wrong" in read) return read;
    const { old: email, received: receivedAt, ...said } = read.fields;
    return { fields: { ...said, email, receivedAt } };
  },
};

/** Keeps the answers of the walk as they are made: a button of the form with which a request is completed. */
const tick = {
  fields: tellFields(walkAccount),
  walks: true,
  read: (typed, { services }) => ({ fields: readTicks(services.dataList, typed) }),
  makes({ walk, begins, answered }, { request }) {
    const before = isWorking(request) ? request.walk : undefined;
    const isAnew = (field: string) => walk[field]?.[0] !== before?.[field]?.[0];
    const ticked = answered.filter((place) => isAnew(`at-${place}`));
    const kind = isAnew("account") ? [accountKind] : [];
    return { type: "tick", walk, begins, ticked: [...kind, ...ticked] };
  },
  atBest: () => ({ walk: {}, begins: false, answered: [] }),
} satisfies Declaration<{ walk: WalkAnswers; begins: boolean; answered: readonly string[] }>;

export type DeskAct = PageAct | "enter" | "tick";

/** What pages have a form for, by what a form says that it is of. */
export const forms = new Map<string, Asking<unknown> & { act: DeskAct }>([
  ...deskActs.map((act) => [act, { ...ofPages[act], act }] as const),
  ["enter", { ...enter, act: "enter" }],
  ["tick", { ...tick, act: "tick" }],
]);

/** Whether a page has one form of it for several requests. */
export const isForSeveral = (name: string): name is PageAct =>
  forms.get(name)?.several === "filled-in";

export const isForm = (name: string): boolean => forms.has(name);

/** What an operator wrote by hand into a form, by field; blank fields are left out. */
export function typedTexts(act: string, typed: Typed): Typed {
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
  /** Somebody has looked whether it may be deleted, whatever the account system said of it. No page offers it. */
  "hand-over": declare(nothing, {
    does: async (_, means) => (await means.askAgain()) ?? means.enter({ type: "hand-over" }),
  }),
  /** For spam: a confirmed request is never just removed. No page offers it. */
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

/** What an operator asks for with a request: an act by its name, and what its schema makes of its fields, if it has any. */
export type Asked = {
  [Name in ActName]: { type: Name } & (Read<Name> extends Record<string, never>
    ? object
    : Read<Name>);
}[ActName];

/** Each act as it is declared, whichever it is, and under which names the trail has it. */
export const declarations = Object.fromEntries(
  Object.entries<Declaration>(acts).map(([name, one]) => [name, { inTrail: [name], ...one }]),
) as Record<ActName, Declaration & { inTrail: readonly string[] }>;

/** What is typed for an act, as it is asked for; or what is wrong with it. */
export function readAct(name: ActName, typed: Typed, around: LookAround): Asked | Wrong[] {
  const read = declarations[name].read(typed, around);
  return "wrong" in read ? read.wrong : ({ type: name, ...read.fields } as Asked);
}

/** Acts that wait for a person who may have cancelled: work is planned, begins or ends with them. */
const begins: readonly string[] = ["take", "tick", "complete"] satisfies ActName[];

/** Why an act cannot be done now; undefined where it can. */
export function findWhyNot(name: ActName, look: Look): Refusal | undefined {
  const declared = declarations[name];
  if ("does" in declared) return declared.whyNot?.(look);
  const made = declared.makes(declared.atBest(look), look);
  // What only is not said yet can be said.
  if ("kind" in made) return undefined;
  const by = { actor: "operator", name: look.name } as const;
  const { services, request, now } = look;
  const decision = "type" in made ? decide(services, request, made, by, now) : made;
  if (!decision.ok) return decision.refusal;
  return look.grace && begins.includes(name) ? "after-restore" : undefined;
}

/** Of which act the trail tells; undefined where it is none of an operator's. */
export function actOf(type: string): DeskAct | undefined {
  if (type === "enter" || type === "tick") return type;
  return deskActs.find((name) => declarations[name].inTrail.includes(type));
}

/** Names in the trail of what changes nothing that an operator decides by. */
export const quiet: readonly string[] = [
  ...deskActs.flatMap((name) => ("does" in acts[name] ? declarations[name].inTrail : [])),
  "late",
  "erase",
];

export const isAct = (name: string): name is ActName => Object.hasOwn(acts, name);

/** A mail to the person that waits for somebody; what the account system is to be told an operator sends on elsewhere. */
export const isStuck = ({ recipient, state }: Look["mails"][number]): boolean =>
  recipient === "person" && state === "needs-person";

/** Whether the last step, or what this act did, can be undone and the person has heard nothing of it. */
export const isUnknown = (look: Parameters<typeof findUndone>[0], act?: string): boolean =>
  findUndone(look, act) !== undefined;

/** The last step, where it can be undone and the person has heard nothing of it; of this act only, if one is named. */
export function findUndone(
  { request, events, mails, name }: Pick<Look, "request" | "events" | "mails" | "name">,
  act?: string,
): Undone | undefined {
  const found = findTakingBack(request, events, mails, name);
  if (!("undone" in found)) return undefined;
  return act === undefined || actOf(found.undone.act) === act ? found.undone : undefined;
}

/** What an extension may promise now to each of some requests, soonest first; the dates are those of the first. */
export function listExtensions(
  services: ActServices,
  requests: readonly StoredRequest[],
  now: Temporal.Instant,
) {
  /** What `extend` takes, and which day is promised then. */
  const found: { businessDays: number; dueOn: Temporal.PlainDate }[] = [];
  for (let businessDays = 1; ; businessDays++) {
    const act = { type: "extend", businessDays, explanation: "" } as const;
    const decisions = requests.map((one) => decide(services, one, act, { actor: "operator" }, now));
    const [first] = decisions;
    if (!first?.ok || !("dueOn" in first.after) || decisions.some(({ ok }) => !ok)) return found;
    found.push({ businessDays, dueOn: first.after.dueOn });
  }
}

/** How forms name a request: with up to where its trail is told on their page, so that nobody acts on what has changed since. */
export function toChoice({ reference, seen }: { reference: string; seen: number }): string {
  return `${reference}~${seen}`;
}

/** Whoever does not say what they have seen of a request has seen nothing of it. */
export function readChoice(choice: string): { reference: string; seen: number } {
  const [reference = "", seen = ""] = choice.split("~");
  return { reference, seen: /^\d{1,15}$/.test(seen) ? Number(seen) : 0 };
}
