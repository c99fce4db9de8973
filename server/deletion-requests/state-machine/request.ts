import { untouchedHours } from "../../periods.ts";
import type { SkippedDay } from "../../platform/calendar/business-days.ts";
import type { Completion } from "./completion.ts";

/**
 * A stored deletion request, as a union of its states. Also defines terms that several modules
 * share.
 */
export const openStates = ["received", "confirmed", "in-progress"] as const;

export type State = (typeof openStates)[number] | "completed" | "cancelled" | "refused";

export const actors = ["person", "operator", "system"] as const;

export type Actor = (typeof actors)[number];

/** Fields of the public form that a visitor fills in, in form order. */
export const visibleFields = ["email", "reason", "feedback", "confirmation"] as const;

/** Fields of the public form. `formKey` is a hidden field, and `website` is a honeypot. */
export type FormField = (typeof visibleFields)[number] | "formKey" | "website";

/** Reasons for leaving, in form order. Their text is part of the campus's content. */
export const reasonCodes = [
  "no-longer-needed",
  "privacy-concerns",
  "better-alternative",
  "too-many-notifications",
  "technical-issues",
  "other",
] as const;

export type ReasonCode = (typeof reasonCodes)[number];

export const refusalReasons = [
  "no-account",
  "not-the-owner",
  "open-matter",
  "legal-duty",
  "other",
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

export const holdReasons = ["open-ride", "dues", "dispute", "legal-hold", "other"] as const;

export type HoldReason = (typeof holdReasons)[number];

/** Owner of a hold. The account system can end only its own holds. */
type HoldOwner = "operator" | "system";

/**
 * If a hold outlasts the due date, the new due date is this many business days after the hold's
 * last day.
 */
export const businessDaysAfterHold = 2;

/**
 * Number of submissions per request that store their feedback and add an event to the history.
 * Later submissions do neither but still get a working reference.
 */
export const formsKeptWhole = 20;

export type Received = {
  id: number;
  /** Reference of the confirmed submission, or of the newest submission if none is confirmed. */
  reference: string;
  /** The reason given in the submission that `reference` identifies. */
  reason: ReasonCode;
  /**
   * Language of emails to the requester: of the newest form or, once the requester has confirmed, of
   * the page on which they confirmed. Empty for the campus's default language.
   */
  language: string;
  /**
   * Number of forms submitted for the request, including an operator's entry. 0 until the first
   * form is stored.
   */
  sent: number;
  receivedAt: Temporal.Instant;
  /**
   * Email address used in place of the closed mailbox. `undefined` if the mailbox isn't closed, or
   * after the erasure.
   */
  contact: string | undefined;
  /** The operator who entered the request. `undefined` if the requester submitted it. */
  enteredBy: string | undefined;
};

/** A hold. It lasts until the end of the day `until`. */
export type Hold = { reason: HoldReason; until: Temporal.PlainDate; by: HoldOwner };

/** The checklist's answers so far, keyed by form field. */
export type ChecklistAnswers = Readonly<Record<string, readonly string[]>>;

export type Confirmed = Received & {
  confirmedAt: Temporal.Instant;
  /** Date of the confirmation in the campus's time zone. */
  confirmedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  skipped: SkippedDay[];
  /** First due date, before any extension. */
  firstDueOn: Temporal.PlainDate;
  /**
   * Deadline for completing the request on time. It moves with the due date unless the previous due
   * date has already passed.
   */
  onTimeBy: Temporal.PlainDate;
};

export type Ended = Confirmed & {
  /** The email address. `undefined` after the erasure. */
  email: string | undefined;
  /** When the work started. `undefined` if it never did. */
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant;
  endedBy: Actor;
  /**
   * Outcome for the data. `undefined` if nothing was deleted, or if the request ended before
   * completions were recorded.
   */
  completion: Completion | undefined;
  erasedAt: Temporal.Instant | undefined;
  /** Set only if the request ended unconfirmed. Its due dates then have no meaning. */
  approvableAt: Temporal.Instant | undefined;
};

export type ReceivedRequest = Received & {
  state: "received";
  email: string;
  /** When the request expires unless it is confirmed. */
  expiresAt: Temporal.Instant;
  /**
   * Earliest time at which an entered request can be approved, as stated in the email to the old
   * mailbox.
   */
  approvableAt: Temporal.Instant | undefined;
};

/** An open request with a due date. */
export type WorkingRequest = Confirmed & {
  email: string;
  hold: Hold | undefined;
  /** The operator who is working on the request. */
  owner: string | undefined;
  /** Set while a completion by an operator or the account system can still be undone. */
  done: { at: Temporal.Instant; completion: Completion } | undefined;
  /**
   * The checklist's answers. They are saved after each answer so that a closed tab loses nothing
   * and other operators see the progress.
   */
  checklist: ChecklistAnswers | undefined;
} & ({ state: "confirmed" } | { state: "in-progress"; startedAt: Temporal.Instant });

export type EndedRequest = Ended &
  ({ state: "completed" | "cancelled" } | { state: "refused"; refusalReason: RefusalReason });

export type ConfirmedRequest = WorkingRequest | EndedRequest;
export type StoredRequest = ReceivedRequest | ConfirmedRequest;

/** All fields of a union's members. A field is undefined in members without it. */
type InAny<Kinds> = { [Name in NameIn<Kinds>]: In<Kinds, Name> };
export type InAnyState = InAny<StoredRequest>;
type NameIn<One> = One extends unknown ? keyof One : never;
type In<One, Name> = One extends unknown ? (Name extends keyof One ? One[Name] : undefined) : never;

/** Casts a member of a union to a type with the fields of all members. */
export function fieldsOf<Kinds extends object>(member: Kinds): InAny<Kinds> {
  return member as InAny<Kinds>;
}

export function isWorking(request: StoredRequest): request is WorkingRequest {
  return request.state === "confirmed" || request.state === "in-progress";
}

/** Returns the due date, or undefined before the confirmation. */
export function dueDateOf(request: StoredRequest): Temporal.PlainDate | undefined {
  return request.state === "received" ? undefined : request.dueOn;
}

/** Returns the due date as text, or an empty string if there is none. */
export function dueOf(request: StoredRequest): string {
  return dueDateOf(request)?.toString() ?? "";
}

/** Returns an open request's hold, even if the hold's last day has passed. */
export function holdOf(request: StoredRequest): Hold | undefined {
  return isWorking(request) ? request.hold : undefined;
}

export function ownerOf(request: StoredRequest): string | undefined {
  return isWorking(request) ? request.owner : undefined;
}

/** Checks whether the request ended while it awaited approval. */
export function endedUnconfirmed(request: StoredRequest): boolean {
  return isEnded(request) && request.approvableAt !== undefined;
}

/**
 * Returns when work on an entered request may start, even if its requester confirmed it. Returns
 * undefined if no operator entered the request.
 */
export function graceUntil(request: WorkingRequest): Temporal.Instant | undefined {
  return request.enteredBy === undefined
    ? undefined
    : request.confirmedAt.add({ hours: untouchedHours });
}

export function isEnded(request: StoredRequest): request is EndedRequest {
  return request.state !== "received" && !isWorking(request);
}

/**
 * Creates a form's idempotency key from 128 random bits. With this key, a form sent twice over a
 * weak network counts once. For an hour, the key also opens the form's success panel, so it must be
 * as hard to guess as a token.
 */
export function createFormKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Accepts 22 characters of base64url, or 32 hexadecimal digits. */
export function isFormKey(value: unknown): value is string {
  return typeof value === "string" && /^(?:[\w-]{21}[AQgw]|[0-9a-f]{32})$/.test(value);
}

// References of submissions

/**
 * Alphabet of references. A reference has two groups of four characters, such as K7RM-4XQP, and
 * people read it out on the phone. The alphabet has at most one character of each group of look-alikes
 * (0 O D, 1 I L, 2 Z, 5 S, 8 B, U V, G 6). It has no vowels so that references contain no words.
 * References aren't secret.
 */
const alphabet = "23456789CDFHJKMNPQRTVWXY";

export function createReference(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(8));
  return inGroups(Array.from(numbers, (number) => alphabet[number % alphabet.length]).join(""));
}

/** Parses a reference. Accepts lowercase letters, Bangla digits, spaces and a missing hyphen. */
export function parseReference(typed: string): string | undefined {
  const characters = readCharacters(typed);
  return characters?.length === 8 ? inGroups(characters) : undefined;
}

/** Parses the start of a reference: its first two to seven characters. */
export function parseReferenceBeginning(typed: string): string | undefined {
  const characters = readCharacters(typed);
  const isBeginning = characters && characters.length > 1 && characters.length < 8;
  return isBeginning ? inGroups(characters) : undefined;
}

function readCharacters(typed: string): string | undefined {
  const characters = typed
    // Converts full-width letters and digits to ASCII.
    .normalize("NFKC")
    .replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - "০".charCodeAt(0)))
    .toUpperCase()
    .replace(/[\s\p{Cf}\p{Pd}]/gu, "");
  return [...characters].every((character) => alphabet.includes(character))
    ? characters
    : undefined;
}

function inGroups(characters: string): string {
  return characters.replace(/^.{4}(?=.)/, "$&-");
}
