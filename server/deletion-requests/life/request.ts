import type { SkippedDay } from "../../calendar/business-days.ts";
import { untouchedHours } from "../../terms.ts";
import type { Completion } from "./completion.ts";

/**
 * A request as it is stored: in one of its states, with what that state has; and the words and figures of the promise that
 * everybody else takes from here.
 */
export const openStates = ["received", "confirmed", "in-progress"] as const;

export type State = (typeof openStates)[number] | "completed" | "cancelled" | "refused";

export const actors = ["person", "operator", "system"] as const;

export type Actor = (typeof actors)[number];

/** Why somebody leaves, in the order of the form. The words belong to the campus's content. */
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

/** Why a request waits. */
export const holdReasons = ["open-ride", "dues", "dispute", "legal-hold", "other"] as const;

export type HoldReason = (typeof holdReasons)[number];

/** Who set a hold: an operator, or the account system, which ends its own only. */
export type Holder = "operator" | "system";

/** A hold that outlasts the promised date promises one so long after its end. */
export const businessDaysAfterHold = 2;

/**
 * Of so many forms for one request the feedback is kept, and each is entered in the trail. Any number of them gets a
 * reference that finds the request, at no cost for those that come after.
 */
export const formsKeptWhole = 20;

export type Received = {
  id: number;
  /** The one that was confirmed, until then the newest. */
  reference: string;
  /** Why, as that submission says. */
  reason: ReasonCode;
  /** In which its person is written to; empty for the campus's first. */
  language: string;
  /** How many forms belong to it; none yet where an operator is about to enter it. */
  sent: number;
  receivedAt: Temporal.Instant;
  /** Where mails go instead, because the mailbox is closed. Undefined where there is no such, and once erased. */
  contact: string | undefined;
  /** The operator who entered it for that person. */
  enteredBy: string | undefined;
};

/** Why a request waits, until the end of which day, and who keeps it waiting. */
export type Hold = { reason: HoldReason; until: Temporal.PlainDate; by: Holder };

/** What an operator answered on the walk so far: fields of the form, each with what was in it. */
export type WalkAnswers = Readonly<Record<string, readonly string[]>>;

export type Confirmed = Received & {
  confirmedAt: Temporal.Instant;
  /** The campus's date of the confirmation. */
  confirmedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  skipped: SkippedDay[];
  /** What was promised first. */
  firstDueOn: Temporal.PlainDate;
  /** The last date that was promised while the one before had not passed: by it the promise is judged. */
  onTimeBy: Temporal.PlainDate;
};

export type Ended = Confirmed & {
  /** Undefined once erased. */
  email: string | undefined;
  /** Undefined where nobody took it up. */
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant;
  endedBy: Actor;
  /** What really happened to the data; undefined where nothing was deleted, or nobody wrote it down. */
  completion: Completion | undefined;
  erasedAt: Temporal.Instant | undefined;
  /** Set if it ended before anyone confirmed it: then its promise says nothing. */
  approvableAt: Temporal.Instant | undefined;
};

export type ReceivedRequest = Received & {
  state: "received";
  email: string;
  /** When it goes, if nobody confirms it. */
  expiresAt: Temporal.Instant;
  /** Of an entered request: the earliest approval, because the old mailbox was told of that hour. */
  approvableAt: Temporal.Instant | undefined;
};

/** Confirmed, with a promised date that is still to be kept. */
export type WorkingRequest = Confirmed & {
  email: string;
  hold: Hold | undefined;
  /** The operator who is at work on it. */
  owner: string | undefined;
  /** An operator said that it is done, which can still be taken back. */
  done: { at: Temporal.Instant; completion: Completion } | undefined;
  /** Kept with each answer, so that a closed phone loses none and a colleague sees them. */
  walk: WalkAnswers | undefined;
} & ({ state: "confirmed" } | { state: "in-progress"; startedAt: Temporal.Instant });

export type EndedRequest = Ended &
  ({ state: "completed" | "cancelled" } | { state: "refused"; refusalReason: RefusalReason });

export type ConfirmedRequest = WorkingRequest | EndedRequest;
export type StoredRequest = ReceivedRequest | ConfirmedRequest;

/** The fields of all members of a union; those that a member lacks are undefined. */
export type InAny<Kinds> = { [Name in NameIn<Kinds>]: In<Kinds, Name> };
export type InAnyState = InAny<StoredRequest>;
type NameIn<One> = One extends unknown ? keyof One : never;
type In<One, Name> = One extends unknown ? (Name extends keyof One ? One[Name] : undefined) : never;

/** Reads a member of a union by the fields of all of them. */
export function fieldsOf<Kinds extends object>(member: Kinds): InAny<Kinds> {
  return member as InAny<Kinds>;
}

export function isWorking(request: StoredRequest): request is WorkingRequest {
  return request.state === "confirmed" || request.state === "in-progress";
}

/** The promised date, as text; empty where there is none. */
export function dueOf(request: StoredRequest): string {
  return "dueOn" in request ? request.dueOn.toString() : "";
}

/** Why it waits, and until when; the day may have passed. */
export function waitOf(request: StoredRequest): Hold | undefined {
  return isWorking(request) ? request.hold : undefined;
}

/** The operator who is at work on it. */
export function ownerOf(request: StoredRequest): string | undefined {
  return isWorking(request) ? request.owner : undefined;
}

/** Whether it ended while it still waited for an approval. */
export function endedUnconfirmed(request: StoredRequest): boolean {
  return isEnded(request) && request.approvableAt !== undefined;
}

/** When work on an approved request may begin; undefined if its person confirmed it and no one entered it. */
export function untouchedUntil(request: WorkingRequest): Temporal.Instant | undefined {
  return request.enteredBy === undefined
    ? undefined
    : request.confirmedAt.add({ hours: untouchedHours });
}

export function isEnded(request: StoredRequest): request is EndedRequest {
  return "endedAt" in request;
}

/**
 * The hidden 128-bit key of one form. A form sent twice on a weak network carries the same key and counts once; the
 * key also opens that form's success panel for an hour, so it is as unguessable as a token.
 */
export function createFormKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** 22 characters of base64url, or 32 hexadecimal digits. */
export function isFormKey(value: unknown): value is string {
  return typeof value === "string" && /^(?:[\w-]{21}[AQgw]|[0-9a-f]{32})$/.test(value);
}

// What a submission is called

/**
 * The name of a submission that people read out on the phone: eight characters in two groups, such as K7RM-4XQP.
 * Nothing that looks like something else (0 O D, 1 I L, 2 Z, 5 S, 8 B, U V, G 6) stands twice in the alphabet, and
 * no vowels, so that no words appear. It is a name, not a secret.
 */
const alphabet = "23456789CDFHJKMNPQRTVWXY";

export function createReference(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(8));
  return inGroups(Array.from(numbers, (number) => alphabet[number % alphabet.length]).join(""));
}

/** Reads a reference however it was typed: small letters, Bangla digits, spaces, with or without the hyphen. */
export function parseReference(typed: string): string | undefined {
  const characters = readCharacters(typed);
  return characters?.length === 8 ? inGroups(characters) : undefined;
}

/** Reads the first two to seven characters of one. */
export function parseReferenceBeginning(typed: string): string | undefined {
  const characters = readCharacters(typed);
  const isBeginning = characters && characters.length > 1 && characters.length < 8;
  return isBeginning ? inGroups(characters) : undefined;
}

function readCharacters(typed: string): string | undefined {
  const characters = typed
    // Full-width letters and digits become plain ones.
    .normalize("NFKC")
    .replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - "০".charCodeAt(0)))
    .toUpperCase()
    .replace(/[\s\p{Cf}\p{Pd}]/gu, "");
  return [...characters].every((one) => alphabet.includes(one)) ? characters : undefined;
}

function inGroups(characters: string): string {
  return characters.replace(/^.{4}(?=.)/, "$&-");
}
