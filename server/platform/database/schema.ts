import type { Generated } from "kysely";
import { draftDays, linkHours, record, session } from "../../periods.ts";

/**
 * The tables, and the data map. Instants are UTC text of fixed width
 * (`2026-11-21T06:40:23.123Z`), so that text order is time order in every database; dates are
 * text such as `2026-11-21`.
 *
 * Each table declares why and how long its rows are kept, each column whose data it is; a column
 * kept for another reason, or erased before its row, declares that (`own`). None compiles
 * without. Derived from it: the deletes of aged rows (`delete-aged-rows.ts`), erasing, the data given to a
 * person, the public list of this website's data, and moves. Migrations create the tables; a
 * test compares them with this description.
 */
type Whose =
  /**
   * About no person, or only under a keyed hash that is deleted within days. A person gets the
   * dates and types of history and emails per line (`presenters/personal-data.ts`), not by column.
   */
  | "plain"
  /** Data of the person who asked; erased with the request that `request_id` names. */
  | "person"
  /** Evidence about that person's request; kept as long as its row. */
  | "proof"
  /** Data of an operator: never given to a person who asked, and deleted with its row. */
  | "team";

/**
 * Kinds of personal data held by this website, as the public list and receipts name them, each
 * with words of its own (`held` in `deletion.yaml` of each language of the product): erased
 * with the person's data, or kept as proof. Signed receipts contain the names, so keep them.
 */
export const kinds = {
  /** The person's contact details, texts by or about the person, and unsent emails to the person. */
  "deletion-request": "person",
  /**
   * The wish and its reason, the outcome, and the means to recognize an account that comes
   * back.
   */
  proof: "proof",
} as const;

export type Kind = keyof typeof kinds;

/**
 * Expiry of a row after the instant (a number: milliseconds since 1970) or the last day in a
 * column.
 */
export type Age<Name extends string = string> = {
  column: Name;
  /** Added to the column's value; by default nothing. */
  after?: { months?: number; days?: number; hours?: number };
  /** Only while this column is null. */
  ifNone?: Name;
};

/** Jobs that delete or erase: `jobs/retention-jobs.ts` has one under each name. */
export type Job =
  /** No one confirmed the request while its links worked: deletes all its rows. */
  | "expired"
  /** The person was notified of the end, or the time for that has passed. */
  | "erased"
  /** The record's retention has ended: deletes all rows of the request. */
  | "forgotten"
  /** Nothing can be written under the row's key any more. */
  | "swept";

type End<Name extends string = string> =
  | Age<Name>
  | Job
  /** Cleared by the statement that changes the state, perhaps with its row. */
  | "tried"
  | "settled"
  | "ended"
  | "left"
  /** Deleted by a person, or once used. */
  | "taken away"
  /** Holds only the current state. */
  | "overwritten"
  /** Runtime state of servers; never copied or moved. */
  | "running"
  | "for good";

/** Ways in which a row or column ends, at least one; the earliest applies. */
type Ends<Name extends string = string> = readonly [End<Name>, ...End<Name>[]];

export type Column<Type = unknown> = Declared<Type> & Kept;

type Kept = { why: string; until: Ends };

type Declared<Type = unknown> = Partial<Kept> & {
  whose: Whose;
  /** The value after erasing. */
  erased: "" | null;
  type: "integer" | "text";
  /** Decoded type; statements take and return it. */
  holds?: "instant" | "day" | "flag";
  isNullable: boolean;
  /** Auto-increment. */
  counts?: true;
  /** Default value. */
  given?: string | number;
  isKey?: true;
  isUnique?: true;
  /** Foreign key to a table's `id`, and whether deletes cascade. */
  pointsTo?: { table: string; goesWith: boolean };
  /** Carries the type for the compiler; never set. */
  is?: Type;
};

function columnsOf(of: "plain" | "team" | Kind) {
  const mark = { whose: of === "plain" || of === "team" ? of : kinds[of] };
  const number = { ...mark, erased: null, type: "integer", isNullable: false } as const;
  const text = { ...mark, erased: "", type: "text", isNullable: false } as const;
  const textOrNull = { ...text, erased: null, isNullable: true } as const;
  const atOrNull = { ...textOrNull, holds: "instant" } as const;
  const dayOrNull = { ...textOrNull, holds: "day" } as const;
  const flag = { ...number, holds: "flag" } as const;
  return {
    id: { ...number, counts: true, isKey: true } as Declared<Generated<number>>,
    number: number as Declared<number>,
    numberOrNull: { ...number, isNullable: true } as Declared<number | null>,
    text: text as Declared<string>,
    textOrNull: textOrNull as Declared<string | null>,
    at: { ...text, holds: "instant" } as Declared<Temporal.Instant>,
    atOrNull: atOrNull as Declared<Temporal.Instant | null>,
    day: { ...text, holds: "day" } as Declared<Temporal.PlainDate>,
    dayOrNull: dayOrNull as Declared<Temporal.PlainDate | null>,
    flag: flag as Declared<boolean>,
    /** Columns with a default. */
    givenNumber: { ...number, given: 0 } as Declared<Generated<number>>,
    givenText: { ...text, given: "" } as Declared<Generated<string>>,
    givenAtOrNull: atOrNull as Declared<Generated<Temporal.Instant | null>>,
    givenFlag: { ...flag, given: 0 } as Declared<Generated<boolean>>,
  };
}

const plain = columnsOf("plain");
const team = columnsOf("team");
const person = columnsOf("deletion-request");
const proof = columnsOf("proof");

/** Personal data is erased before its row is deleted. */
function rows<Columns extends Record<string, Declared>>(
  why: string,
  until: Ends<NoInfer<keyof Columns & string>>,
  columns: Columns,
) {
  const mapped = Object.entries(columns).map(([name, column]) => {
    const ends = column.until ?? (column.whose === "person" ? [] : until);
    const erased = column.whose === "person" ? ["erased"] : [];
    return [name, { why, ...column, until: [...ends, ...erased] }];
  });
  type Mapped = { [Name in keyof Columns]: Columns[Name] & Kept };
  return { until: until as Ends, columns: Object.fromEntries(mapped) as Mapped };
}

const having = <Type>(column: Declared<Type>, more: Partial<Declared>) =>
  ({ ...column, ...more }) as Declared<Type>;
/** Overrides a column's purpose and, with `until`, its retention. */
const own = <Type>(why: string, column: Declared<Type>, ...until: Ends | []) =>
  having(column, until.length > 0 ? { why, until: until as Ends } : { why });
/** Key column; two in one table form a composite key. */
const key = <Type>(column: Declared<Type>) => having(column, { isKey: true });
const unique = <Type>(column: Declared<Type>) => having(column, { isUnique: true });
const of = <Type>(table: string, column: Declared<Type>, { goesWith = false } = {}) =>
  having(column, { pointsTo: { table, goesWith } });
const partOf = <Type>(table: string, column: Declared<Type>) =>
  of(table, column, { goesWith: true });

const withRequest = ["expired", "forgotten"] as const;
const messageEnds = [
  ...withRequest,
  { column: "settled_at", after: { days: 30 }, ifNone: "request_id" },
] as const;
const draftEnds = { column: "saved_at", after: { days: draftDays } } as const;
const sessionEnds = [
  { column: "opened_at", after: session.longest },
  { column: "seen_at", after: session.idle },
] as const;

/** Tables in order: each comes after the tables that it refers to. */
export const tables = {
  /** A request to delete one mailbox's account. */
  requests: rows("the wish, its dates and what became of it", withRequest, {
    id: plain.id,
    state: proof.text,
    email: own("writing to its person", person.text),
    /** Address in lowercase. */
    email_match: own("at most one open request of an address", person.text),
    received_at: proof.at,
    /** Reference of the confirmed submission; until then of the newest. */
    reference: own("naming it to its person", proof.text),
    /** The reason given by that submission. */
    reason: proof.text,
    /**
     * Language for writing to its person; empty for the campus's first. From the newest form
     * until one is confirmed.
     */
    language: own("writing to its person", proof.givenText),
    /** Number of forms. */
    sent: plain.number,
    /** When it expires if unconfirmed. */
    expires_at: proof.atOrNull,
    confirmed_at: proof.atOrNull,
    /** Date of the confirmation on the campus. */
    confirmed_on: proof.dayOrNull,
    due_on: proof.dayOrNull,
    /** Skipped days until the due date: the calendar's `SkippedDay`, as JSON. */
    skipped: proof.textOrNull,
    /** First due date, whatever we promised later. */
    first_due_on: proof.dayOrNull,
    /**
     * The date that decides whether the request was on time: the last due date promised before the
     * previous one had passed.
     */
    on_time_by: proof.dayOrNull,
    started_at: proof.atOrNull,
    /** The operator working on the request. */
    owner: own("dividing the work", team.textOrNull, "ended"),
    /** An operator's answers on the walk so far, as JSON: form fields and their values. */
    walk: own("keeping what was gone through", team.textOrNull, "ended"),
    /** When an operator marked the request as done, as long as that can be undone. */
    done_at: proof.atOrNull,
    /** The result for each kind of data, as JSON. */
    completion: proof.textOrNull,
    held_reason: proof.textOrNull,
    /** The last day of the hold. */
    held_until: proof.dayOrNull,
    /** Operator or system: whoever set the hold can end it. */
    held_by: proof.textOrNull,
    /** The operator who entered it for a person whose mailbox is closed. */
    entered_by: own("who answers for it", team.textOrNull),
    /** Address to use instead of the closed mailbox; empty if there is none. */
    contact: own("writing to its person", person.givenText),
    contact_match: own("finding it by that mailbox", person.givenText),
    ended_at: proof.atOrNull,
    /**
     * The earliest approval of an entered request; it stays if that request ended before anyone
     * approved it.
     */
    approvable_at: proof.givenAtOrNull,
    /** Person, operator or system. */
    ended_by: proof.textOrNull,
    /** When operators were warned of the present due date. */
    warned_at: own("telling it once", plain.atOrNull),
    /** When the person got an email that the current due date has passed. */
    told_late_at: own("telling it once", plain.atOrNull),
    /**
     * When a mail server accepted the email about the end; null for an email written to a file.
     */
    told_at: own("telling it once", plain.atOrNull),
    refusal_reason: proof.textOrNull,
    /** Keyed hash of the address in lower case, set at the end. */
    address_hash: own("recognising an account that came back", proof.textOrNull),
    address_hash_version: own("recognising an account that came back", plain.numberOrNull),
    erased_at: proof.atOrNull,
  }),

  /** A submitted form, with a reference of its own; repeats belong to the open request. */
  submissions: rows("which forms asked for it", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    reference: own("naming it to its person", unique(proof.text)),
    form_key_hash: own("one form of one that is sent twice", unique(plain.text)),
    /** Address as typed in this form. */
    email: own("writing to its person", person.text),
    reason: proof.text,
    feedback: own("learning why somebody leaves", person.text),
    received_at: proof.at,
  }),

  /** History: rows are added and never changed, except that erasing clears free text. */
  request_events: rows("who did what, and when", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    at: plain.at,
    actor: plain.text,
    /** The operator's name; empty for other actors. */
    name: team.text,
    type: plain.text,
    from_state: plain.text,
    to_state: plain.text,
    /** Reason code or similar; empty if there is none. */
    code: plain.text,
    /** Text by an operator. */
    note: own("why, for its person or the team", person.text),
    due_from: plain.dayOrNull,
    due_to: plain.dayOrNull,
    form_key: own("one act of an operator's form that is sent twice", plain.textOrNull),
    /** Columns to restore when the act is undone, as JSON (`commands/undo.ts`). */
    change: own("undoing a mistake", team.textOrNull),
  }),

  /** Links in emails. */
  tokens: rows("opening the links in mails", [...withRequest, { column: "closes_at" }], {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** Submission whose email contains the link. */
    submission_id: partOf("submissions", plain.numberOrNull),
    purpose: plain.text,
    hash: unique(plain.text),
    /**
     * Unused and empty: versions up to 1.10 wrote a hash of the client. The next contracting
     * migration drops it.
     */
    asked_by: plain.text,
    /**
     * Keyed hash of the mailbox, for limiting emails that strangers cause; null if it does not
     * count.
     */
    mailbox: own("limiting what others have sent there", person.textOrNull),
    created_at: plain.at,
    expires_at: plain.atOrNull,
    used_at: plain.atOrNull,
    /** When the link of an ended request stops working. */
    closes_at: plain.atOrNull,
  }),

  /** Messages to send, written in the transaction of their cause. */
  outbox: rows("sending each message once", messageEnds, {
    id: plain.id,
    request_id: partOf("requests", plain.numberOrNull),
    recipient: plain.text,
    kind: plain.text,
    /** The request's reference in the email; empty if it is about several. */
    reference: plain.text,
    /** Sealed JSON without an address. */
    payload: own("what it says", person.text, "settled"),
    /** Makes the Message-ID, the same at every attempt. */
    message_key: unique(plain.text),
    /** Idempotency key: at most one message each; null allows repeats. */
    once: unique(plain.textOrNull),
    state: plain.text,
    /** Failed attempts. */
    failures: plain.number,
    next_at: plain.at,
    lease_until: plain.atOrNull,
    last_problem: plain.text,
    created_at: plain.at,
    settled_at: plain.atOrNull,
    /** Place in the queue; 0 goes before everything that strangers caused. */
    turn: plain.givenNumber,
    /** Keyed hash of the network that caused it. */
    lane: own("turns between networks", person.textOrNull, "tried"),
  }),

  /**
   * Forms from a network in an hour, and emails that they caused to one mailbox, for 48 hours.
   */
  network_forms: rows("turns between networks", [{ column: "hour", after: { hours: linkHours } }], {
    /** Keyed hash of the network, or of the network and the mailbox together. */
    network: key(plain.text),
    /** UTC hour, such as 2026-11-21T06. */
    hour: key(plain.text),
    forms: plain.number,
  }),

  /** A single row. */
  last_seen: rows("noticing a clock that is wrong", ["overwritten"], {
    id: key(plain.number),
    /** When the server last ran with a trusted clock. */
    at: plain.at,
    /** When it last wrote. */
    probed_at: plain.at,
  }),

  /** A hash made with each key, to recognize it. */
  key_checks: rows("noticing wrong keys", ["for good"], {
    version: key(plain.number),
    hash: plain.text,
  }),

  /** Monthly counts, by the campus's months: all that is left of unconfirmed requests. */
  tallies: rows("figures about nobody", ["for good"], {
    /** Month, such as 2026-11. */
    month: key(plain.text),
    name: key(plain.text),
    count: plain.number,
  }),

  /** Emails of deleted requests whose files must be deleted. */
  doomed_mails: rows("removing mail files", ["swept"], {
    message_key: key(plain.text),
    /** When the send attempt must have ended; until then, it may still write a file. */
    until: plain.at,
  }),

  /** The team. */
  operators: rows("who may act", ["for good"], {
    id: plain.id,
    name: team.text,
    /** In lowercase; unique among current operators. */
    name_match: team.text,
    added_at: plain.at,
    left_at: plain.atOrNull,
    /** Operator or admin. */
    role: having(plain.givenText, { given: "operator" }),
    /** Address for the team's emails; empty for operators who use the command line alone. */
    address: own("writing to them", team.givenText, "left"),
    /** User handle of their passkeys: random. */
    user_handle: team.text,
    /** When they were last invited to the pages. */
    invited_at: plain.givenAtOrNull,
    /** 1 if the operator wants more emails than the digest and alerts. */
    more_mails: plain.givenFlag,
  }),

  /** Links and recovery codes, each of which enrols one passkey. */
  operator_invitations: rows("letting somebody enrol a passkey", ["taken away", "left"], {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** Invitation, device (an additional one), or recovery (after a lost one). */
    purpose: plain.text,
    /** Null for a code, which does not expire. */
    expires_at: plain.atOrNull,
    used_at: plain.atOrNull,
  }),

  /** Public keys of operators' devices. */
  operator_passkeys: rows("signing in", ["taken away", "left"], {
    id: plain.id,
    operator_id: of("operators", plain.number),
    credential_id: unique(team.text),
    /** COSE key as base64url. */
    public_key: team.text,
    /** Signature counter of the device; 0 if it has none. */
    counter: plain.number,
    /** The operator's name for the device. */
    device: own("telling one from another", team.text),
    created_at: plain.at,
    used_at: plain.at,
    /** When its counter showed a clone; it no longer signs in. */
    doubted_at: plain.atOrNull,
  }),

  operator_sessions: rows("staying signed in", sessionEnds, {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** Browser and system, as `nameDevice` describes them. */
    device: own("telling one from another", team.text),
    /** When a passkey was touched to open it; another touch opens a new session. */
    opened_at: plain.at,
    seen_at: plain.at,
    /** The passkey that opened it. */
    passkey_id: plain.numberOrNull,
  }),

  /** Answered challenges, kept until they would have expired, so that none works twice. */
  operator_challenges: rows("answering none twice", [{ column: "expires_at" }], {
    hash: key(plain.text),
    expires_at: plain.at,
  }),

  /** References of deleted requests, to explain their fate to someone who names one. */
  gone_references: rows("telling what became of a request", [{ column: "at", after: record }], {
    /** Keyed hash of the reference. */
    hash: key(plain.text),
    how: plain.text,
    at: plain.at,
  }),

  /** Acts of operators that belong to no request. */
  journal: rows("who did what, and when", [{ column: "at", after: record }], {
    id: plain.id,
    at: plain.at,
    name: team.text,
    act: plain.text,
    /** A reference, a count, a topic, an operator's name or a device. */
    about: team.text,
  }),

  /** The erasure ledger: signed entries, never altered. */
  ledger_entries: rows("proving what was done", [{ column: "entered_at", after: record }], {
    sequence: key(plain.number),
    /** Null for restores, which versions up to 1.12 entered. */
    request_id: plain.numberOrNull,
    what: plain.text,
    entered_at: plain.at,
    /** Text exactly as signed. */
    text: proof.text,
    /** Only version 1.12 reads it (decision 0136). */
    hash: plain.givenText,
    key_version: plain.number,
    signature: plain.text,
  }),

  /** Read and written by 1.12 alone, which may serve beside this version (decision 0136). */
  ledger_checkpoint: rows("a version that chained the ledger", ["overwritten"], {
    id: key(plain.number),
    sequence: plain.number,
    hash: plain.text,
    text: plain.text,
    key_version: plain.number,
    signature: plain.text,
  }),

  /** Read and written by 1.12 alone, which may serve beside this version (decision 0136). */
  ledger_heads: rows("a version that chained the ledger", ["overwritten"], {
    day: key(plain.day),
    sequence: plain.number,
    hash: plain.text,
  }),

  /** Public keys of all keys that ever signed. */
  signing_keys: rows("checking receipts", ["for good"], {
    version: key(plain.number),
    public_key: plain.text,
    since: plain.at,
  }),

  /** Restores of a backup. */
  restores: rows("what a copy brought back", [{ column: "confirmed_at", after: record }], {
    id: plain.id,
    at: plain.at,
    /** The operator who restored it. */
    name: team.text,
    /** Time of the newest restored data. */
    known_until: plain.at,
    /** The comparison's result, as JSON without an address. */
    report: plain.text,
    /** When an operator confirmed it; null while nothing may expire or leave. */
    confirmed_at: plain.atOrNull,
  }),

  /**
   * Requests that were open in the last restored backup: operators wait until the people have had
   * time to cancel.
   */
  restore_letters: rows("giving people time after a restore", withRequest, {
    id: plain.id,
    request_id: unique(partOf("requests", plain.number)),
    /** The hour named in its letter; null until the letter has left. */
    cancel_until: plain.atOrNull,
  }),

  /** Deletion jobs that the account system named but this store doesn't know. */
  unknown_jobs: rows(
    "finding requests that a restore lost",
    ["taken away", { column: "at", after: { days: 90 } }],
    {
      public_id: key(plain.text),
      /** The last answer about it, such as started. */
      said: plain.text,
      /** When that answer came. */
      at: plain.at,
    },
  ),

  /** Refused logins and calls, by the campus's days. */
  refusals: rows("noticing that people are turned away", [{ column: "day", after: { days: 8 } }], {
    day: key(plain.day),
    way: key(plain.text),
    count: plain.number,
    newest_at: plain.at,
  }),

  /** Deletion jobs: confirmed requests as the account system knows them. */
  hand_overs: rows("what the account system was asked", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** The job's id in both systems. */
    public_id: unique(plain.text),
    /** 1 for a dry run. */
    test: plain.flag,
    state: plain.text,
    /** When it was last handed over. */
    asked_at: plain.at,
    /** When its start was accepted: from then on the account system owns it. */
    begun_at: plain.atOrNull,
    /** When its last answer was accepted. */
    answered_at: plain.atOrNull,
    /** The due date in the last reminder. */
    reminded_for: plain.dayOrNull,
    /** When to hand it over again, because it failed and the account system asked for a retry. */
    again_at: plain.atOrNull,
    /** The account system's opaque id of the deleted account. */
    account_id: own("asking whether it is still gone", proof.textOrNull),
    /**
     * Start of the recheck whether the account is still gone; null once the recheck is answered.
     */
    rechecked_at: plain.atOrNull,
    /** Since when an answer has been missing, regardless of repeats; null if none is expected. */
    waiting_since: plain.atOrNull,
    /** When the account system was last asked for its state, after a restore. */
    standing_at: plain.atOrNull,
  }),

  /** Accepted calls of the account system, so that no call is accepted twice. */
  account_calls: rows("hearing each call once", [{ column: "at", after: { days: 30 } }], {
    call_id: key(plain.text),
    at: plain.at,
  }),

  /** A single row. */
  account_system: rows("what the account system said of itself", ["overwritten"], {
    id: key(plain.number),
    /** Since when nothing is sent to it, because it answered 410. */
    stopped_at: plain.atOrNull,
    /** The campus's date of the last nightly reconciliation. */
    reconciled_on: plain.dayOrNull,
    /** When its last call was accepted. */
    answered_at: plain.atOrNull,
  }),

  /** Absences of operators. */
  absences: rows("giving work to those who are there", [{ column: "until_on" }], {
    id: plain.id,
    operator_id: partOf("operators", plain.number),
    reason: team.text,
    from_on: plain.day,
    /** The last day. */
    until_on: plain.day,
  }),

  /** An operator's unsent text in a form of a request. */
  drafts: rows("restoring what was typed", [...withRequest, draftEnds], {
    operator_id: key(of("operators", plain.number)),
    request_id: key(partOf("requests", plain.number)),
    /** The act of the form. */
    form: key(plain.text),
    text: person.text,
    saved_at: plain.at,
  }),

  /** When a backup of each kind was last made. */
  last_copies: rows("noticing that copies are missing", ["overwritten"], {
    what: key(plain.text),
    at: plain.at,
    /** Date of the oldest backup beside it; null if unknown. */
    oldest_at: plain.atOrNull,
  }),

  /** Servers on this database. */
  instances: rows("servers knowing of each other", ["running"], {
    /** Random id, new for each start. */
    id: key(plain.text),
    /** Heartbeat counter, which a live server increases. */
    beat: plain.number,
    /** Settings that all servers must share, as JSON of hashes. */
    facts: plain.text,
    /** 1 if emails become files. */
    mail_files: plain.flag,
    entered_at: plain.at,
  }),

  /** Rate limits of networks. Empty if a single server counts in memory. */
  limits: rows("what a network may spend", [{ column: "expire" }], {
    /** The limiter's name, and a keyed hash of the network on that day. */
    key: key(plain.text),
    points: plain.number,
    /** Milliseconds since 1970, by the database's clock; then the row expires. */
    expire: plain.numberOrNull,
  }),

  /** Leases for work that one server does for all. */
  leases: rows("one server doing what is done once", ["running"], {
    name: key(plain.text),
    /** Random id, new each time a server takes the lease. */
    holder: plain.text,
    /** By the database's clock; then another server may take it. */
    until: plain.at,
  }),
} satisfies Record<string, { until: Ends; columns: Record<string, Column> }>;

type TypeOf<One> = One extends Declared<infer Type> ? Type : never;
type RowOf<Columns> = { [Name in keyof Columns]: TypeOf<Columns[Name]> };

export type Tables = { [Table in keyof typeof tables]: RowOf<(typeof tables)[Table]["columns"]> };

export function columnsIn(table: keyof Tables): [name: string, column: Column][] {
  return Object.entries(tables[table].columns);
}

/** Names a column in a decoded row, such as `receivedAt`. */
export function nameOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function listTables(): (keyof Tables)[] {
  return Object.keys(tables) as (keyof Tables)[];
}

/**
 * Lists the columns with data of the person who asked, by table, and the column that finds the
 * rows of their request.
 */
export function listTheirs(...whose: ("person" | "proof")[]) {
  return listTables()
    .map((table) => ({
      table,
      owner: table === "requests" ? ("id" as const) : ("request_id" as const),
      columns: columnsIn(table).filter(([, column]) => whose.some((one) => one === column.whose)),
    }))
    .filter(({ columns }) => columns.length > 0);
}
