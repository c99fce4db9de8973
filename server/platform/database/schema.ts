import type { Generated } from "kysely";
import { draftDays, linkHours, record, session } from "../../periods.ts";

/**
 * The tables, and the data map. Instants are UTC text of fixed width
 * (`2026-11-21T06:40:23.123Z`), so that text order is time order in every database; dates are
 * text such as `2026-11-21`.
 *
 * Each table declares why its rows are kept and for how long, and each column whose data it has. A
 * column that is kept for another reason, or erased before its row, declares that, too (`own`);
 * the compiler rejects tables and columns without a declaration. The deletion of aged rows
 * (`delete-aged-rows.ts`), erasure, the data export, the public list of this website's data, and
 * moves to another database are all derived from this map. Migrations create the tables; a test
 * compares them with this description.
 */
type Whose =
  /**
   * Identifies no person, or only through a keyed hash that is deleted within days. A person gets
   * the dates and types of history and emails as lines (`presenters/personal-data.ts`), not as
   * columns.
   */
  | "plain"
  /** Data of the person who asked; erased together with the request that `request_id` refers to. */
  | "person"
  /** Evidence about that person's request; kept for as long as its row. */
  | "proof"
  /** Data of an operator; never given to a person who asked, and deleted with its row. */
  | "team";

/**
 * Kinds of personal data held by this website, by their names in the public list and on receipts.
 * The texts are in `held` in the product's `deletion.yaml`, in each language. A kind is erased with
 * the person's data, or kept as proof. Signed receipts contain the names, so don't change them.
 */
export const kinds = {
  /** The person's contact details, texts by or about the person, and unsent emails to the person. */
  "deletion-request": "person",
  /** The request and its reason, the outcome, and the hash that recognizes a restored account. */
  proof: "proof",
} as const;

export type Kind = keyof typeof kinds;

/**
 * Time at which a row expires, counted from an instant (a number means milliseconds since 1970) or
 * from the end of the day in a column.
 */
export type Age<Name extends string = string> = {
  column: Name;
  /** Time added to the column's value; defaults to none. */
  after?: { months?: number; days?: number; hours?: number };
  /** Applies only while this column is null. */
  ifNone?: Name;
};

/** Jobs that delete or erase; `jobs/retention-jobs.ts` implements each under its name. */
export type Job =
  /** Deletes all rows of a request that no one confirmed while its links worked. */
  | "expired"
  /** Erases personal data after the person was notified of the end, or had time to be. */
  | "erased"
  /** Deletes all rows of a request whose retention has ended. */
  | "forgotten"
  /** Deletes the row when no file can be written under its key anymore. */
  | "swept";

type End<Name extends string = string> =
  | Age<Name>
  | Job
  /** Cleared by the statement that changes the state, in some cases with the whole row. */
  | "tried"
  | "settled"
  | "ended"
  | "left"
  /** Deleted by a person, or after use. */
  | "taken away"
  /** Only holds the current state. */
  | "overwritten"
  /** Runtime state of servers, which is never copied or moved. */
  | "running"
  | "for good";

/** When a row or column is deleted or erased; the earliest of these applies. */
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

/** Declares a table. Personal data is erased before its row is deleted. */
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
/** Overrides a column's purpose and, if `until` is given, its retention. */
const own = <Type>(why: string, column: Declared<Type>, ...until: Ends | []) =>
  having(column, until.length > 0 ? { why, until: until as Ends } : { why });
/** A key column; several in one table form a composite key. */
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

/** The tables, each after those that it refers to. */
export const tables = {
  /** A request to delete one mailbox's account. */
  requests: rows("the request, its dates and its outcome", withRequest, {
    id: plain.id,
    state: proof.text,
    email: own("emailing the person", person.text),
    /** Address in lowercase. */
    email_match: own("allowing one open request per address", person.text),
    received_at: proof.at,
    /** Reference of the confirmed submission, or of the newest before a confirmation. */
    reference: own("identifying the request to the person", proof.text),
    /** Reason given in that submission. */
    reason: proof.text,
    /**
     * Language of the emails to the person; empty for the campus's first. Taken from the newest
     * form until one is confirmed.
     */
    language: own("emailing the person", proof.givenText),
    /** Number of forms. */
    sent: plain.number,
    /** Time at which it expires unless it is confirmed. */
    expires_at: proof.atOrNull,
    confirmed_at: proof.atOrNull,
    /** Date of the confirmation in the campus's time zone. */
    confirmed_on: proof.dayOrNull,
    due_on: proof.dayOrNull,
    /** Days skipped in computing the due date: the calendar's `SkippedDay`s as JSON. */
    skipped: proof.textOrNull,
    /** First due date, before any extension. */
    first_due_on: proof.dayOrNull,
    /**
     * Date that decides whether the request was on time: the last due date that was set before the
     * previous one had passed.
     */
    on_time_by: proof.dayOrNull,
    started_at: proof.atOrNull,
    /** The operator working on the request. */
    owner: own("dividing the work among operators", team.textOrNull, "ended"),
    /** Operators' answers in the checklist so far, as JSON: form fields and their values. */
    walk: own("keeping the checklist's answers", team.textOrNull, "ended"),
    /** When an operator marked the request done; null once that is final. */
    done_at: proof.atOrNull,
    /** Outcome for each kind of data, as JSON. */
    completion: proof.textOrNull,
    held_reason: proof.textOrNull,
    /** The last day of the hold. */
    held_until: proof.dayOrNull,
    /** Operator or system; only the one who set the hold can end it. */
    held_by: proof.textOrNull,
    /** Operator who entered the request for a person whose mailbox is closed. */
    entered_by: own("holding the operator who entered it accountable", team.textOrNull),
    /** Address for emails in place of the closed mailbox; empty if there is none. */
    contact: own("emailing the person", person.givenText),
    contact_match: own("finding the request by that mailbox", person.givenText),
    ended_at: proof.atOrNull,
    /**
     * Earliest approval of an entered request; kept if the request ended before anyone approved it.
     */
    approvable_at: proof.givenAtOrNull,
    /** Person, operator or system. */
    ended_by: proof.textOrNull,
    /** When operators were warned of the current due date. */
    warned_at: own("sending the notice only once", plain.atOrNull),
    /** When the person was emailed that the current due date has passed. */
    told_late_at: own("sending the notice only once", plain.atOrNull),
    /**
     * When a mail server accepted the email about the end; null for an email written to a file.
     */
    told_at: own("sending the notice only once", plain.atOrNull),
    refusal_reason: proof.textOrNull,
    /** Keyed hash of the lowercase address, set when the request ends. */
    address_hash: own("recognizing a restored account", proof.textOrNull),
    address_hash_version: own("recognizing a restored account", plain.numberOrNull),
    erased_at: proof.atOrNull,
  }),

  /** A submitted form, with its own reference. Repeated forms belong to the open request. */
  submissions: rows("recording the forms that asked for the deletion", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    reference: own("identifying the request to the person", unique(proof.text)),
    form_key_hash: own("counting a re-sent form once", unique(plain.text)),
    /** Address as typed in this form. */
    email: own("emailing the person", person.text),
    reason: proof.text,
    feedback: own("learning why people leave", person.text),
    received_at: proof.at,
  }),

  /** The history. Rows are added and never changed, except that erasure clears free text. */
  request_events: rows("recording who did what and when", withRequest, {
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
    /** Free text by an operator. */
    note: own("explaining an act to the person or the team", person.text),
    due_from: plain.dayOrNull,
    due_to: plain.dayOrNull,
    form_key: own("performing a re-sent form's act once", plain.textOrNull),
    /** Columns to restore when the act is undone, as JSON (`commands/undo.ts`). */
    change: own("undoing acts", team.textOrNull),
  }),

  /** Links in emails. */
  tokens: rows("opening the links in emails", [...withRequest, { column: "closes_at" }], {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** Submission whose email contains the link. */
    submission_id: partOf("submissions", plain.numberOrNull),
    purpose: plain.text,
    hash: unique(plain.text),
    /**
     * Unused and empty. Versions up to 1.10 stored a hash of the client here; the next migration
     * that removes columns drops it.
     */
    asked_by: plain.text,
    /**
     * Keyed hash of the mailbox, used to limit emails that strangers cause; null if the email
     * doesn't count.
     */
    mailbox: own("limiting emails that strangers cause", person.textOrNull),
    created_at: plain.at,
    expires_at: plain.atOrNull,
    used_at: plain.atOrNull,
    /** When the link of an ended request stops working. */
    closes_at: plain.atOrNull,
  }),

  /** Messages to send, stored in the transaction of their cause. */
  outbox: rows("sending each message once", messageEnds, {
    id: plain.id,
    request_id: partOf("requests", plain.numberOrNull),
    recipient: plain.text,
    kind: plain.text,
    /** Reference of the request in the email; empty if the email is about several requests. */
    reference: plain.text,
    /** Sealed JSON without an address. */
    payload: own("content of the message", person.text, "settled"),
    /** Source of the Message-ID, which is the same at every attempt. */
    message_key: unique(plain.text),
    /** Idempotency key: each is queued at most once; null allows repeats. */
    once: unique(plain.textOrNull),
    state: plain.text,
    /** Number of failed attempts. */
    failures: plain.number,
    next_at: plain.at,
    lease_until: plain.atOrNull,
    last_problem: plain.text,
    created_at: plain.at,
    settled_at: plain.atOrNull,
    /** Position in the queue; 0 comes before all messages that strangers caused. */
    turn: plain.givenNumber,
    /** Keyed hash of the network that caused the message. */
    lane: own("taking turns between networks", person.textOrNull, "tried"),
  }),

  /**
   * Number of forms from a network in each hour, and of emails that they caused to one mailbox, for
   * 48 hours.
   */
  network_forms: rows(
    "taking turns between networks",
    [{ column: "hour", after: { hours: linkHours } }],
    {
      /** Keyed hash of the network, or of the network and the mailbox together. */
      network: key(plain.text),
      /** UTC hour, such as 2026-11-21T06. */
      hour: key(plain.text),
      forms: plain.number,
    },
  ),

  /** A table of one row. */
  last_seen: rows("detecting a wrong clock", ["overwritten"], {
    id: key(plain.number),
    /** When the server last ran with a trusted clock. */
    at: plain.at,
    /** When the server last wrote this row. */
    probed_at: plain.at,
  }),

  /** A hash made with each key, used to recognize the key. */
  key_checks: rows("detecting wrong keys", ["for good"], {
    version: key(plain.number),
    hash: plain.text,
  }),

  /**
   * Monthly counts by the campus's calendar; nothing else is left of requests that were never
   * confirmed.
   */
  tallies: rows("anonymous figures", ["for good"], {
    /** Month, such as 2026-11. */
    month: key(plain.text),
    name: key(plain.text),
    count: plain.number,
  }),

  /** Emails of deleted requests whose files must be deleted. */
  doomed_mails: rows("deleting email files", ["swept"], {
    message_key: key(plain.text),
    /** Latest end of the send attempt, which may still write a file until then. */
    until: plain.at,
  }),

  /** The team. */
  operators: rows("knowing who may act", ["for good"], {
    id: plain.id,
    name: team.text,
    /** Name in lowercase; unique among current operators. */
    name_match: team.text,
    added_at: plain.at,
    left_at: plain.atOrNull,
    /** Operator or admin. */
    role: having(plain.givenText, { given: "operator" }),
    /** Address for emails to the operator; empty for operators who only use the command line. */
    address: own("emailing operators", team.givenText, "left"),
    /** Random WebAuthn user handle of their passkeys. */
    user_handle: team.text,
    /** When they were last invited to the operator pages. */
    invited_at: plain.givenAtOrNull,
    /** 1 if the operator wants more emails than the digest and alerts. */
    more_mails: plain.givenFlag,
  }),

  /** Links and recovery codes, each of which enrolls one passkey. */
  operator_invitations: rows("enrolling passkeys", ["taken away", "left"], {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** Invitation, device (an additional one), or recovery (after a lost one). */
    purpose: plain.text,
    /** Null for a recovery code, which doesn't expire. */
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
    device: own("distinguishing devices", team.text),
    created_at: plain.at,
    used_at: plain.at,
    /** When its counter revealed a clone; the passkey no longer works after that. */
    doubted_at: plain.atOrNull,
  }),

  operator_sessions: rows("staying signed in", sessionEnds, {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** Browser and system, as `nameDevice` describes them. */
    device: own("distinguishing devices", team.text),
    /** When a passkey opened it; using the passkey again opens a new session. */
    opened_at: plain.at,
    seen_at: plain.at,
    /** Passkey that opened the session. */
    passkey_id: plain.numberOrNull,
  }),

  /** Answered challenges, kept until their expiry so that none works twice. */
  operator_challenges: rows("accepting each answer once", [{ column: "expires_at" }], {
    hash: key(plain.text),
    expires_at: plain.at,
  }),

  /** References of deleted requests, so that we can say what happened to a request. */
  gone_references: rows(
    "explaining what happened to a request",
    [{ column: "at", after: record }],
    {
      /** Keyed hash of the reference. */
      hash: key(plain.text),
      how: plain.text,
      at: plain.at,
    },
  ),

  /** Operators' acts that concern no single request. */
  journal: rows("recording who did what and when", [{ column: "at", after: record }], {
    id: plain.id,
    at: plain.at,
    name: team.text,
    act: plain.text,
    /** A reference, a count, a topic, an operator's name or a device. */
    about: team.text,
  }),

  /** The erasure ledger, whose signed entries are never altered. */
  ledger_entries: rows("proving deletions", [{ column: "entered_at", after: record }], {
    sequence: key(plain.number),
    /** Null for restores, which versions up to 1.12 recorded. */
    request_id: plain.numberOrNull,
    what: plain.text,
    entered_at: plain.at,
    /** The text exactly as signed. */
    text: proof.text,
    /** Only read by version 1.12 (decision 0136). */
    hash: plain.givenText,
    key_version: plain.number,
    signature: plain.text,
  }),

  /** Only used by version 1.12, which may run beside this version (decision 0136). */
  ledger_checkpoint: rows("compatibility with a version that chained the ledger", ["overwritten"], {
    id: key(plain.number),
    sequence: plain.number,
    hash: plain.text,
    text: plain.text,
    key_version: plain.number,
    signature: plain.text,
  }),

  /** Only used by version 1.12, which may run beside this version (decision 0136). */
  ledger_heads: rows("compatibility with a version that chained the ledger", ["overwritten"], {
    day: key(plain.day),
    sequence: plain.number,
    hash: plain.text,
  }),

  /** Public halves of all keys that ever signed. */
  signing_keys: rows("checking receipts", ["for good"], {
    version: key(plain.number),
    public_key: plain.text,
    since: plain.at,
  }),

  /** Restores of a backup. */
  restores: rows(
    "recording the data that a restore brought back",
    [{ column: "confirmed_at", after: record }],
    {
      id: plain.id,
      at: plain.at,
      /** Operator who restored the backup. */
      name: team.text,
      /** Time of the newest restored data. */
      known_until: plain.at,
      /** Result of the comparison, as JSON without an address. */
      report: plain.text,
      /** When an operator confirmed the restore; until then, nothing may expire or be sent. */
      confirmed_at: plain.atOrNull,
    },
  ),

  /**
   * Requests that were open in the last restored backup. Operators wait until their people have had
   * time to cancel.
   */
  restore_letters: rows("giving people time after a restore", withRequest, {
    id: plain.id,
    request_id: unique(partOf("requests", plain.number)),
    /** Hour given in the letter; null until the letter is sent. */
    cancel_until: plain.atOrNull,
  }),

  /** Deletion jobs that the account system named but this store doesn't know. */
  unknown_jobs: rows(
    "finding requests that a restore lost",
    ["taken away", { column: "at", after: { days: 90 } }],
    {
      public_id: key(plain.text),
      /** Last answer about the job, such as started. */
      said: plain.text,
      /** When that answer came. */
      at: plain.at,
    },
  ),

  /** Refused sign-ins and calls per day in the campus's time zone. */
  refusals: rows("detecting that people are turned away", [{ column: "day", after: { days: 8 } }], {
    day: key(plain.day),
    way: key(plain.text),
    count: plain.number,
    newest_at: plain.at,
  }),

  /** Deletion jobs, which represent confirmed requests in the account system. */
  hand_overs: rows("tracking jobs of the account system", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** Id of the job in both systems. */
    public_id: unique(plain.text),
    /** 1 for a dry run. */
    test: plain.flag,
    state: plain.text,
    /** When the job was last handed over. */
    asked_at: plain.at,
    /** When its start was accepted; from then on, the account system owns the request. */
    begun_at: plain.atOrNull,
    /** When its last answer was accepted. */
    answered_at: plain.atOrNull,
    /** Due date given in the last reminder. */
    reminded_for: plain.dayOrNull,
    /**
     * When to hand the job over again, because it failed and the account system asked for a retry.
     */
    again_at: plain.atOrNull,
    /** Opaque id of the deleted account in the account system. */
    account_id: own("asking whether it is still gone", proof.textOrNull),
    /** Start of a recheck of whether the account is still gone; null once that is answered. */
    rechecked_at: plain.atOrNull,
    /** Since when an answer has been missing, regardless of repeats; null if none is expected. */
    waiting_since: plain.atOrNull,
    /** When the account system was last asked for its state, after a restore. */
    standing_at: plain.atOrNull,
  }),

  /** Accepted calls of the account system, so that no call is accepted twice. */
  account_calls: rows("accepting each call once", [{ column: "at", after: { days: 30 } }], {
    call_id: key(plain.text),
    at: plain.at,
  }),

  /** A table of one row. */
  account_system: rows("state of the connection", ["overwritten"], {
    id: key(plain.number),
    /** Since when we send nothing, because the account system answered 410. */
    stopped_at: plain.atOrNull,
    /** Date of the last nightly reconciliation in the campus's time zone. */
    reconciled_on: plain.dayOrNull,
    /** When its last call was accepted. */
    answered_at: plain.atOrNull,
  }),

  /** Operators' absences. */
  absences: rows("assigning work to operators who are present", [{ column: "until_on" }], {
    id: plain.id,
    operator_id: partOf("operators", plain.number),
    reason: team.text,
    from_on: plain.day,
    /** Last day of the absence. */
    until_on: plain.day,
  }),

  /** An operator's unsent text in a form for a request. */
  drafts: rows("restoring typed texts", [...withRequest, draftEnds], {
    operator_id: key(of("operators", plain.number)),
    request_id: key(partOf("requests", plain.number)),
    /** Act that the form performs. */
    form: key(plain.text),
    text: person.text,
    saved_at: plain.at,
  }),

  /** When a backup of each kind was last made. */
  last_copies: rows("detecting missing backups", ["overwritten"], {
    what: key(plain.text),
    at: plain.at,
    /** Date of the oldest backup in the same folder; null if unknown. */
    oldest_at: plain.atOrNull,
  }),

  /** Servers that use this database. */
  instances: rows("coordinating servers", ["running"], {
    /** Random id, new for each start. */
    id: key(plain.text),
    /** Heartbeat counter, which a live server increases. */
    beat: plain.number,
    /** Settings that must be the same on all servers, as JSON of hashes. */
    facts: plain.text,
    /** 1 if emails are written to files. */
    mail_files: plain.flag,
    entered_at: plain.at,
  }),

  /** Rate limits of networks. Empty if a single server counts in memory. */
  limits: rows("limiting each network's use", [{ column: "expire" }], {
    /** Name of the limiter, and a keyed hash of the network for that day. */
    key: key(plain.text),
    points: plain.number,
    /** Expiry in milliseconds since 1970, by the database's clock. */
    expire: plain.numberOrNull,
  }),

  /** Leases for work that one server does for all of them. */
  leases: rows("running each job on one server", ["running"], {
    name: key(plain.text),
    /** Random id, new each time a server takes the lease. */
    holder: plain.text,
    /** Expiry by the database's clock, after which another server may take the lease. */
    until: plain.at,
  }),
} satisfies Record<string, { until: Ends; columns: Record<string, Column> }>;

type TypeOf<One> = One extends Declared<infer Type> ? Type : never;
type RowOf<Columns> = { [Name in keyof Columns]: TypeOf<Columns[Name]> };

export type Tables = { [Table in keyof typeof tables]: RowOf<(typeof tables)[Table]["columns"]> };

export function columnsIn(table: keyof Tables): [name: string, column: Column][] {
  return Object.entries(tables[table].columns);
}

/** Converts a column's name to that of a decoded row's field, such as `receivedAt`. */
export function nameOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function listTables(): (keyof Tables)[] {
  return Object.keys(tables) as (keyof Tables)[];
}

/**
 * Lists the columns with data of the person who asked, by table, with the column that refers to the
 * request.
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
