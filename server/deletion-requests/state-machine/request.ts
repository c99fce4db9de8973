import { untouchedHours } from "../../periods.ts";
import type { SkippedDay } from "../../platform/calendar/business-days.ts";
import type { Completion } from "./completion.ts";

/**
 * A deletion request as stored: a union of its states, each with its own fields. Also terms of the
 * promise that several modules share.
 */
export const openStates = ["received", "confirmed", "in-progress"] as const;

export type State = (typeof openStates)[number] | "completed" | "cancelled" | "refused";

export const actors = ["person", "operator", "system"] as const;

export type Actor = (typeof actors)[number];

/** Reasons for leaving, in form order. The campus's content has the texts. */
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

/** Reasons for a hold. */
export const holdReasons = ["open-ride", "dues", "dispute", "legal-hold", "other"] as const;

export type HoldReason = (typeof holdReasons)[number];

/** Who set a hold. The account system can only end its own holds. */
export type HoldOwner = "operator" | "system";

/**
 * If a hold lasts beyond the due date, the new due date is this many business days after the hold.
 */
export const businessDaysAfterHold = 2;

/**
 * How many submissions of a request keep their feedback and get an event in the history. Each
 * further one still gets a reference that finds the request, at constant cost.
 */
export const formsKeptWhole = 20;

export type Received = {
  id: number;
  /** Reference of the confirmed submission; until one is confirmed, of the newest. */
  reference: string;
  /** Reason given in that submission. */
  reason: ReasonCode;
  /** Language of the emails to the requester; empty for the campus's first language. */
  language: string;
  /** Number of forms submitted for the request, counting an operator's entry; 0 until the first. */
  sent: number;
  receivedAt: Temporal.Instant;
  /**
   * Email address used if the mailbox is closed. Undefined if there is none, and after the erasure.
   */
  contact: string | undefined;
  /** Operator who entered the request for the requester. */
  enteredBy: string | undefined;
};

/** A hold lasts until the end of the day `until`. */
export type Hold = { reason: HoldReason; until: Temporal.PlainDate; by: HoldOwner };

/** Answers given in the checklist so far, by field. */
export type WalkAnswers = Readonly<Record<string, readonly string[]>>;

export type Confirmed = Received & {
  confirmedAt: Temporal.Instant;
  /** Date of confirmation in the campus's time zone. */
  confirmedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  skipped: SkippedDay[];
  /** First due date, before any extension. */
  firstDueOn: Temporal.PlainDate;
  /**
   * The last due date that was set before the previous one had passed; it decides whether we were
   * on time.
   */
  onTimeBy: Temporal.PlainDate;
};

export type Ended = Confirmed & {
  /** Undefined after the erasure. */
  email: string | undefined;
  /** Undefined if the work never began. */
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant;
  endedBy: Actor;
  /** What happened to the data; undefined if nothing was deleted or recorded. */
  completion: Completion | undefined;
  erasedAt: Temporal.Instant | undefined;
  /** Set only if the request ended without confirmation, which makes its due dates meaningless. */
  approvableAt: Temporal.Instant | undefined;
};

export type ReceivedRequest = Received & {
  state: "received";
  email: string;
  /** When the request is removed unless it is confirmed. */
  expiresAt: Temporal.Instant;
  /**
   * When an entered request can be approved at the earliest; the email to the old mailbox gives
   * this hour.
   */
  approvableAt: Temporal.Instant | undefined;
};

/** An open request with a due date. */
export type WorkingRequest = Confirmed & {
  email: string;
  hold: Hold | undefined;
  /** Operator who is working on the request. */
  owner: string | undefined;
  /**
   * Set when an operator or the account system marks the request done; that can still be undone.
   */
  done: { at: Temporal.Instant; completion: Completion } | undefined;
  /**
   * Saved with each answer, so that nothing is lost when a phone closes the tab, and colleagues see
   * it.
   */
  walk: WalkAnswers | undefined;
} & ({ state: "confirmed" } | { state: "in-progress"; startedAt: Temporal.Instant });

export type EndedRequest = Ended &
  ({ state: "completed" | "cancelled" } | { state: "refused"; refusalReason: RefusalReason });

export type ConfirmedRequest = WorkingRequest | EndedRequest;
export type StoredRequest = ReceivedRequest | ConfirmedRequest;

/** The fields of all members of a union; a field that a member lacks is undefined. */
export type InAny<Kinds> = { [Name in NameIn<Kinds>]: In<Kinds, Name> };
export type InAnyState = InAny<StoredRequest>;
type NameIn<One> = One extends unknown ? keyof One : never;
type In<One, Name> = One extends unknown ? (Name extends keyof One ? One[Name] : undefined) : never;

/** Gives access to the fields of all members of the union. */
export function fieldsOf<Kinds extends object>(member: Kinds): InAny<Kinds> {
  return member as InAny<Kinds>;
}

export function isWorking(request: StoredRequest): request is WorkingRequest {
  return request.state === "confirmed" || request.state === "in-progress";
}

/** Returns the due date as text; empty if there is none. */
export function dueOf(request: StoredRequest): string {
  return "dueOn" in request ? request.dueOn.toString() : "";
}

/** Returns the hold of an open request, whose last day may have passed. */
export function holdOf(request: StoredRequest): Hold | undefined {
  return isWorking(request) ? request.hold : undefined;
}

/** Returns the operator who is working on an open request. */
export function ownerOf(request: StoredRequest): string | undefined {
  return isWorking(request) ? request.owner : undefined;
}

/** Checks whether the request ended while it was waiting for approval. */
export function endedUnconfirmed(request: StoredRequest): boolean {
  return isEnded(request) && request.approvableAt !== undefined;
}

/** Returns when work on an approved request may begin; undefined if the requester confirmed it. */
export function graceUntil(request: WorkingRequest): Temporal.Instant | undefined {
  return request.enteredBy === undefined
    ? undefined
    : request.confirmedAt.add({ hours: untouchedHours });
}

export function isEnded(request: StoredRequest): request is EndedRequest {
  return "endedAt" in request;
}

/**
 * Creates a form's idempotency key from 128 random bits. A form sent twice on a weak network counts
 * once. The key also opens that form's success panel for an hour, so it must be as hard to guess as
 * a token.
 */
export function createFormKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Accepts 22 characters of base64url or 32 hexadecimal digits. */
export function isFormKey(value: unknown): value is string {
  return typeof value === "string" && /^(?:[\w-]{21}[AQgw]|[0-9a-f]{32})$/.test(value);
}

// References of submissions

/**
 * Alphabet of references, which are read out on the phone: two groups of four characters, such as
 * K7RM-4XQP. It has one character from each group of look-alikes (0 O D, 1 I L, 2 Z, 5 S, 8 B, U V,
 * G 6) and no vowels, so that references contain no words. A reference is a name, not a secret.
 */
const alphabet = "23456789CDFHJKMNPQRTVWXY";

export function createReference(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(8));
  return inGroups(Array.from(numbers, (number) => alphabet[number % alphabet.length]).join(""));
}

/** Parses a reference; accepts lowercase, Bangla digits, spaces and a missing hyphen. */
export function parseReference(typed: string): string | undefined {
  const characters = readCharacters(typed);
  return characters?.length === 8 ? inGroups(characters) : undefined;
}

/** Parses the first two to seven characters of a reference. */
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
  return [...characters].every((one) => alphabet.includes(one)) ? characters : undefined;
}

function inGroups(characters: string): string {
  return characters.replace(/^.{4}(?=.)/, "$&-");
}
