import type { Generated } from "kysely";
import { draftDays, linkHours, record, session } from "../../periods.ts";

/**
 * Describes the tables and their data. Instants are stored as fixed-width UTC text
 * (`2026-11-21T06:40:23.123Z`) so that text order is time order in every database. Dates are stored
 * as text such as `2026-11-21`. Each table declares why and for how long its rows are kept. Each
 * column declares whose data it contains and, with `withPurpose`, a purpose or retention that
 * differs from its table's. The compiler rejects tables and columns without a declaration. This
 * description drives the deletion of aged rows (`delete-aged-rows.ts`), erasure, the data export,
 * the public list of this website's data, and moves to another database. Migrations create the
 * tables; a test compares them with this description.
 */
type Whose =
  /**
   * Data that identifies no one, or only through a keyed hash that is deleted within days. The data
   * export omits these columns and instead describes history entries and emails in sentences
   * (`presenters/personal-data.ts`).
   */
  | "plain"
  /** The requester's data, erased together with the request that `request_id` references. */
  | "person"
  /** Evidence about the requester's request, kept as long as its row. */
  | "proof"
  /** An operator's data. Never given to a requester. Deleted with its row. */
  | "team";

/**
 * Kinds of personal data that this website stores. Their labels are in `held` in the product's
 * `deletion.yaml`. The value says whether a kind is erased with the requester's data or kept as
 * proof. Never rename a kind, because signed receipts contain its name.
 */
export const kinds = {
  /**
   * The requester's contact details, text by or about the requester, and unsent emails to the
   * requester.
   */
  "deletion-request": "person",
  /** The request and its reason, the outcome, and the hash that recognizes a restored account. */
  proof: "proof",
} as const;

export type Kind = keyof typeof kinds;

/**
 * Retention that starts at the time in a column. If the column contains a date, the retention
 * starts at the end of that date. If it contains a number, the number means milliseconds since
 * 1970.
 */
export type Age<Name extends string = string> = {
  column: Name;
  /** Length of the retention. Defaults to zero. */
  after?: { months?: number; days?: number; hours?: number };
  /** Name of another column. The retention applies only while that column is null. */
  ifNone?: Name;
};

/** Jobs that delete or erase data, implemented in `jobs/retention-jobs.ts`. */
export type Job =
  /** Deletes all rows of an unconfirmed request after its links have expired. */
  | "expired"
  /**
   * Erases personal data once the requester has received the final email or a grace period has
   * passed.
   */
  | "erased"
  /** Deletes all rows of a request at the end of its retention. */
  | "forgotten"
  /** Deletes the row once no server can still write the email file that the row identifies. */
  | "swept";

type End<Name extends string = string> =
  | Age<Name>
  | Job
  /** Cleared by the statement that changes the state. The statement may delete the row instead. */
  | "tried"
  | "settled"
  | "ended"
  | "left"
  /** Deleted by an operator or after use. */
  | "taken away"
  /** Current state only; each write overwrites the previous value. */
  | "overwritten"
  /** Runtime state of the servers; never copied or moved. */
  | "running"
  | "for good";

/** Events that end the retention of a row or column. The earliest one applies. */
type Ends<Name extends string = string> = readonly [End<Name>, ...End<Name>[]];

export type Column<Type = unknown> = Declared<Type> & Kept;

type Kept = { why: string; until: Ends };

type Declared<Type = unknown> = Partial<Kept> & {
  whose: Whose;
  /** Value that erasure writes to the column. */
  erased: "" | null;
  type: "integer" | "text";
  /** Type of the decoded value, if it differs from the stored type. */
  holds?: "instant" | "day" | "flag";
  isNullable: boolean;
  /** Whether the column is auto-incremented. */
  counts?: true;
  /** Default value. */
  given?: string | number;
  isKey?: true;
  isUnique?: true;
  /** Foreign key to a table's `id`. `cascades` means `on delete cascade`. */
  pointsTo?: { table: string; cascades: boolean };
  /** Phantom property that tells the compiler the column's type; never set. */
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

/**
 * Declares a table, the purpose of its rows and the ends of their retention. Adds the "erased" job
 * to columns with the requester's data.
 */
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
const withPurpose = <Type>(why: string, column: Declared<Type>, ...until: Ends | []) =>
  having(column, until.length > 0 ? { why, until: until as Ends } : { why });
/** Declares a key column. Several key columns form a composite key. */
const key = <Type>(column: Declared<Type>) => having(column, { isKey: true });
const unique = <Type>(column: Declared<Type>) => having(column, { isUnique: true });
const of = <Type>(table: string, column: Declared<Type>, { cascades = false } = {}) =>
  having(column, { pointsTo: { table, cascades } });
const partOf = <Type>(table: string, column: Declared<Type>) =>
  of(table, column, { cascades: true });

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

/** Tables in dependency order: each table follows the tables that it references. */
export const tables = {
  /** A request to delete the account of one email address. */
  requests: rows("the request, its dates and its outcome", withRequest, {
    id: plain.id,
    state: proof.text,
    email: withPurpose("emailing the person", person.text),
    /** Email address in lowercase. */
    email_match: withPurpose("allowing one open request per address", person.text),
    received_at: proof.at,
    /**
     * Reference of the confirmed submission or, until one is confirmed, of the newest submission.
     */
    reference: withPurpose("identifying the request to the person", proof.text),
    /** Reason given in the submission with this reference. */
    reason: proof.text,
    /**
     * Language of the emails to the requester: of the newest submission or, once the requester has
     * confirmed, of the page on which they confirmed. Empty for the campus's default language.
     */
    language: withPurpose("emailing the person", proof.givenText),
    /** Number of forms submitted for the request, including an operator's entry. */
    sent: plain.number,
    /** When the request expires if no one confirms it. */
    expires_at: proof.atOrNull,
    confirmed_at: proof.atOrNull,
    /** Date of confirmation in the campus's time zone. */
    confirmed_on: proof.dayOrNull,
    due_on: proof.dayOrNull,
    /** Days that the due date skips, as a JSON array of the calendar's `SkippedDay`. */
    skipped: proof.textOrNull,
    /** Original due date, before any extension. */
    first_due_on: proof.dayOrNull,
    /**
     * Last day on which completion counts as on time. A new due date replaces it only if the
     * previous due date hadn't passed yet.
     */
    on_time_by: proof.dayOrNull,
    started_at: proof.atOrNull,
    owner: withPurpose("dividing the work among operators", team.textOrNull, "ended"),
    /** Operators' answers in the unfinished checklist, as JSON (form fields and their values). */
    walk: withPurpose("keeping the checklist's answers", team.textOrNull, "ended"),
    /** When an operator marked the request done. Null again once the completion is final. */
    done_at: proof.atOrNull,
    /** Outcome for each kind of data, as JSON. */
    completion: proof.textOrNull,
    held_reason: proof.textOrNull,
    /** Last day of the hold. */
    held_until: proof.dayOrNull,
    /**
     * Names the side that set the hold, an operator or the account system. The account system can't
     * end an operator's hold.
     */
    held_by: proof.textOrNull,
    /** Operator who entered the request for a requester whose mailbox is closed. */
    entered_by: withPurpose("holding the operator who entered it accountable", team.textOrNull),
    /** Email address used in place of the closed mailbox. Empty if the mailbox isn't closed. */
    contact: withPurpose("emailing the person", person.givenText),
    contact_match: withPurpose("finding the request by that mailbox", person.givenText),
    ended_at: proof.atOrNull,
    /**
     * Earliest time at which an operator may approve an entered request. Remains if the request
     * ends without approval.
     */
    approvable_at: proof.givenAtOrNull,
    /** Who ended the request: the requester, an operator or the system. */
    ended_by: proof.textOrNull,
    /** When operators were warned that the current due date is near. */
    warned_at: withPurpose("sending the notice only once", plain.atOrNull),
    /** When we emailed the requester that the current due date has passed. */
    told_late_at: withPurpose("sending the notice only once", plain.atOrNull),
    /**
     * When a mail server accepted the email about the request's outcome. Null if the email was
     * written to a file.
     */
    told_at: withPurpose("sending the notice only once", plain.atOrNull),
    refusal_reason: proof.textOrNull,
    /** Keyed hash of the lowercase email address, set when the request ends. */
    address_hash: withPurpose("recognizing a restored account", proof.textOrNull),
    address_hash_version: withPurpose("recognizing a restored account", plain.numberOrNull),
    erased_at: proof.atOrNull,
  }),

  /**
   * Submitted forms, each with its own reference. A resubmission belongs to the request that is
   * already open.
   */
  submissions: rows("recording the forms that asked for the deletion", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    reference: withPurpose("identifying the request to the person", unique(proof.text)),
    form_key_hash: withPurpose("counting a re-sent form once", unique(plain.text)),
    /** Email address as the requester typed it. */
    email: withPurpose("emailing the person", person.text),
    reason: proof.text,
    feedback: withPurpose("learning why people leave", person.text),
    received_at: proof.at,
  }),

  /** Append-only history of each request. Erasure clears the free text. */
  request_events: rows("recording who did what and when", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    at: plain.at,
    actor: plain.text,
    /** The operator's name. Empty for other actors. */
    name: team.text,
    type: plain.text,
    from_state: plain.text,
    to_state: plain.text,
    /** Code that qualifies the type, such as a reason. Empty if there is none. */
    code: plain.text,
    /** Free text that an operator wrote. */
    note: withPurpose("explaining an act to the person or the team", person.text),
    due_from: plain.dayOrNull,
    due_to: plain.dayOrNull,
    form_key: withPurpose("performing a re-sent form's act once", plain.textOrNull),
    /** Column values to restore if the act is undone, as JSON (`commands/undo.ts`). */
    change: withPurpose("undoing acts", team.textOrNull),
  }),

  tokens: rows("opening the links in emails", [...withRequest, { column: "closes_at" }], {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** Submission whose email contains the link. */
    submission_id: partOf("submissions", plain.numberOrNull),
    purpose: plain.text,
    hash: unique(plain.text),
    /**
     * Unused. Versions up to 1.10 stored a hash of the client here. The next migration that drops
     * columns will drop this one.
     */
    asked_by: plain.text,
    /**
     * Keyed hash of the mailbox, for limiting the emails that strangers can trigger. Null if the
     * email doesn't count toward that limit.
     */
    mailbox: withPurpose("limiting emails that strangers cause", person.textOrNull),
    created_at: plain.at,
    expires_at: plain.atOrNull,
    used_at: plain.atOrNull,
    /** When a link of an ended request stops working. */
    closes_at: plain.atOrNull,
  }),

  /** Messages to send, stored in the same transaction as the change that causes them. */
  outbox: rows("sending each message once", messageEnds, {
    id: plain.id,
    request_id: partOf("requests", plain.numberOrNull),
    recipient: plain.text,
    kind: plain.text,
    /**
     * Reference of the request that the email is about. Empty if it isn't about a single request.
     */
    reference: plain.text,
    /** Sealed JSON. Never contains the recipient's address. */
    payload: withPurpose("content of the message", person.text, "settled"),
    /** Source of the Message-ID, which is the same for every attempt. */
    message_key: unique(plain.text),
    /** Idempotency key: a message with a given key is queued only once. Null allows repeats. */
    once: unique(plain.textOrNull),
    state: plain.text,
    failures: plain.number,
    next_at: plain.at,
    lease_until: plain.atOrNull,
    last_problem: plain.text,
    created_at: plain.at,
    settled_at: plain.atOrNull,
    /** Position in the queue. 0 precedes all messages that strangers triggered. */
    turn: plain.givenNumber,
    /** Keyed hash of the network that triggered the message. */
    lane: withPurpose("taking turns between networks", person.textOrNull, "tried"),
  }),

  /**
   * Hourly counts per network: the forms that the network submitted, and the emails to each mailbox
   * that these forms caused.
   */
  network_forms: rows(
    "taking turns between networks",
    [{ column: "hour", after: { hours: linkHours } }],
    {
      /** Keyed hash of the network, or of the network and the mailbox together. */
      network: key(plain.text),
      /** UTC hour and row slot (`row-slots.ts`), such as `2026-11-21T06.17`. */
      hour: key(plain.text),
      forms: plain.number,
    },
  ),

  /** A single row with the times at which a server last ran. */
  last_seen: rows("detecting a wrong clock", ["overwritten"], {
    id: key(plain.number),
    /** When a server last ran with a trusted clock. */
    at: plain.at,
    /** When a server last wrote this row. */
    probed_at: plain.at,
  }),

  /**
   * One hash per key version, made with the key of that version. Servers use the hash to detect a
   * wrong key.
   */
  key_checks: rows("detecting wrong keys", ["for good"], {
    version: key(plain.number),
    hash: plain.text,
  }),

  /**
   * Monthly counts in the campus's time zone. Nothing else remains of requests that were never
   * confirmed.
   */
  tallies: rows("anonymous figures", ["for good"], {
    /** Month, such as `2026-11`. */
    month: key(plain.text),
    name: key(plain.text),
    count: plain.number,
  }),

  /** Emails whose files must be deleted because their request has been deleted. */
  doomed_mails: rows("deleting email files", ["swept"], {
    message_key: key(plain.text),
    /** Latest time at which a running send attempt may still write the file. */
    until: plain.at,
  }),

  operators: rows("knowing who may act", ["for good"], {
    id: plain.id,
    name: team.text,
    /** Name without case, accents and punctuation (`foldName`), unique among current operators. */
    name_match: team.text,
    added_at: plain.at,
    left_at: plain.atOrNull,
    /** "operator" or "admin". */
    role: having(plain.givenText, { given: "operator" }),
    /** Email address. Empty for operators who use only the command line. */
    address: withPurpose("emailing operators", team.givenText, "left"),
    /** Random WebAuthn user handle for the operator's passkeys. */
    user_handle: team.text,
    /** When the operator was last invited to the operator pages. */
    invited_at: plain.givenAtOrNull,
    /** Whether the operator wants more emails than the digest and alerts. */
    more_mails: plain.givenFlag,
  }),

  /** Links and recovery codes, each of which enrolls one passkey. */
  operator_invitations: rows("enrolling passkeys", ["taken away", "left"], {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** "invitation", "device" (to add a device) or "recovery" (after losing a device). */
    purpose: plain.text,
    /** Null for a recovery code, which doesn't expire. */
    expires_at: plain.atOrNull,
    used_at: plain.atOrNull,
  }),

  operator_passkeys: rows("signing in", ["taken away", "left"], {
    id: plain.id,
    operator_id: of("operators", plain.number),
    credential_id: unique(team.text),
    /** COSE key as base64url. */
    public_key: team.text,
    /** The device's signature counter; 0 if it has none. */
    counter: plain.number,
    /**
     * Browser and operating system, as `nameDevice` describes them, until the operator renames the
     * device.
     */
    device: withPurpose("distinguishing devices", team.text),
    created_at: plain.at,
    used_at: plain.at,
    /**
     * When the signature counter revealed a clone of the passkey. The passkey has been disabled
     * since then.
     */
    doubted_at: plain.atOrNull,
  }),

  operator_sessions: rows("staying signed in", sessionEnds, {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** Browser and operating system, as `nameDevice` describes them. */
    device: withPurpose("distinguishing devices", team.text),
    /** When the operator signed in. Each sign-in opens a new session. */
    opened_at: plain.at,
    seen_at: plain.at,
    passkey_id: plain.numberOrNull,
  }),

  /** Answered WebAuthn challenges, kept until they expire to prevent replays. */
  operator_challenges: rows("accepting each answer once", [{ column: "expires_at" }], {
    hash: key(plain.text),
    expires_at: plain.at,
  }),

  /**
   * References of deleted requests. With a reference, we can tell a requester what happened to the
   * request.
   */
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

  /** Operators' acts that don't belong to a single request. */
  journal: rows("recording who did what and when", [{ column: "at", after: record }], {
    id: plain.id,
    at: plain.at,
    name: team.text,
    act: plain.text,
    /** Subject of the act: a reference, a count, a topic, an operator's name or a device. */
    about: team.text,
  }),

  /** The erasure ledger. Its entries are signed and never change. */
  ledger_entries: rows("proving deletions", [{ column: "entered_at", after: record }], {
    sequence: key(plain.number),
    /** Null for restores, which versions up to 1.12 recorded here. */
    request_id: plain.numberOrNull,
    what: plain.text,
    entered_at: plain.at,
    /** The text exactly as signed. */
    text: proof.text,
    /** Used only by version 1.12, which may run alongside this version (decision 0136). */
    hash: plain.givenText,
    key_version: plain.number,
    signature: plain.text,
  }),

  /** Used only by version 1.12, which may run alongside this version (decision 0136). */
  ledger_checkpoint: rows("compatibility with a version that chained the ledger", ["overwritten"], {
    id: key(plain.number),
    sequence: plain.number,
    hash: plain.text,
    text: plain.text,
    key_version: plain.number,
    signature: plain.text,
  }),

  /** Used only by version 1.12, which may run alongside this version (decision 0136). */
  ledger_heads: rows("compatibility with a version that chained the ledger", ["overwritten"], {
    day: key(plain.day),
    sequence: plain.number,
    hash: plain.text,
  }),

  /** Public keys of all signing keys that a server on this database has ever had. */
  signing_keys: rows("checking receipts", ["for good"], {
    version: key(plain.number),
    public_key: plain.text,
    since: plain.at,
  }),

  restores: rows(
    "recording the data that a restore brought back",
    [{ column: "confirmed_at", after: record }],
    {
      id: plain.id,
      at: plain.at,
      /** Operator who restored the backup. */
      name: team.text,
      /** Time of the newest data in the restored backup. */
      known_until: plain.at,
      /** Findings of the restore, as JSON without email addresses. */
      report: plain.text,
      /** When an operator confirmed the restore. Until then, nothing may expire or be sent. */
      confirmed_at: plain.atOrNull,
    },
  ),

  /**
   * Requests that were open in the last restored backup. Operators can't act on such a request
   * until its requester has had time to cancel.
   */
  restore_letters: rows("giving people time after a restore", withRequest, {
    id: plain.id,
    request_id: unique(partOf("requests", plain.number)),
    /** End of the requester's time to cancel. Null until the email about the restore is sent. */
    cancel_until: plain.atOrNull,
  }),

  /** Deletion jobs that the account system reported but that are missing from this store. */
  unknown_jobs: rows(
    "finding requests that a restore lost",
    ["taken away", { column: "at", after: { days: 90 } }],
    {
      public_id: key(plain.text),
      /** Type of the account system's last message about the job, such as `started`. */
      said: plain.text,
      at: plain.at,
    },
  ),

  /** Daily counts of refused sign-ins and account-system calls, in the campus's time zone. */
  refusals: rows("detecting that people are turned away", [{ column: "day", after: { days: 8 } }], {
    day: key(plain.day),
    way: key(plain.text),
    count: plain.number,
    newest_at: plain.at,
  }),

  /** Deletion jobs: confirmed requests that were handed over to the account system. */
  hand_overs: rows("tracking jobs of the account system", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** Job id in the account system's messages. */
    public_id: unique(plain.text),
    /** Whether the job is a dry run of the connection. */
    test: plain.flag,
    state: plain.text,
    /** When the job was last handed over. */
    asked_at: plain.at,
    /**
     * When we accepted the account system's "started" message. From then on, the account system
     * owns the request.
     */
    begun_at: plain.atOrNull,
    /** When we accepted the account system's latest answer. */
    answered_at: plain.atOrNull,
    /** Due date at the time of the last reminder. */
    reminded_for: plain.dayOrNull,
    /**
     * When to try to hand over the job again. Null unless the account system requested a retry or
     * the requester still has time to cancel after a restore.
     */
    again_at: plain.atOrNull,
    /** Opaque id that the deleted account had in the account system. */
    account_id: withPurpose("asking whether it is still gone", proof.textOrNull),
    /**
     * When we asked the account system again whether the account is still gone. Null once it has
     * answered.
     */
    rechecked_at: plain.atOrNull,
    /**
     * When we began to wait for the current answer. Retries don't change it. Null if we expect no
     * answer.
     */
    waiting_since: plain.atOrNull,
    /** When we last asked the account system for the job's state after a restore. */
    standing_at: plain.atOrNull,
  }),

  /** Accepted calls from the account system, kept to recognize repeated calls. */
  account_calls: rows("accepting each call once", [{ column: "at", after: { days: 30 } }], {
    call_id: key(plain.text),
    at: plain.at,
  }),

  /** A single row with the state of our connection to the account system. */
  account_system: rows("state of the connection", ["overwritten"], {
    id: key(plain.number),
    /** When we stopped sending because the account system answered 410 Gone. */
    stopped_at: plain.atOrNull,
    /** Date of the last nightly reconciliation, in the campus's time zone. */
    reconciled_on: plain.dayOrNull,
    /** When we last accepted a call from the account system. */
    answered_at: plain.atOrNull,
  }),

  absences: rows("assigning work to operators who are present", [{ column: "until_on" }], {
    id: plain.id,
    operator_id: partOf("operators", plain.number),
    reason: team.text,
    from_on: plain.day,
    /** Last day of the absence. */
    until_on: plain.day,
  }),

  /** Text that an operator typed into a form on a request but hasn't submitted. */
  drafts: rows("restoring typed texts", [...withRequest, draftEnds], {
    operator_id: key(of("operators", plain.number)),
    request_id: key(partOf("requests", plain.number)),
    /** Name of the act that the form performs. */
    form: key(plain.text),
    text: person.text,
    saved_at: plain.at,
  }),

  /** Time of the last backup of each kind. */
  last_copies: rows("detecting missing backups", ["overwritten"], {
    what: key(plain.text),
    at: plain.at,
    /**
     * Time of the oldest backup that remains in the same folder or the data folder. Null if
     * unknown.
     */
    oldest_at: plain.atOrNull,
  }),

  /** Servers that are using this database. */
  instances: rows("coordinating servers", ["running"], {
    /** Random id, new at each start. */
    id: key(plain.text),
    /** Heartbeat counter, which a live server keeps increasing. */
    beat: plain.number,
    /** Hashes of the settings that must be the same on all servers, as JSON. */
    facts: plain.text,
    /** Whether this server writes emails to files. */
    mail_files: plain.flag,
    entered_at: plain.at,
  }),

  /** Rate-limit counters per network. Empty with SQLite, where each server counts in memory. */
  limits: rows("limiting each network's use", [{ column: "expire" }], {
    /** Name of the limiter and the network's keyed hash for that day. */
    key: key(plain.text),
    points: plain.number,
    /** Expiry by the database's clock, in milliseconds since 1970. */
    expire: plain.numberOrNull,
  }),

  leases: rows("running each job on one server", ["running"], {
    name: key(plain.text),
    /** Random id of a server, new at each start. */
    holder: plain.text,
    /** When the lease expires by the database's clock. Afterward, another server may acquire it. */
    until: plain.at,
  }),
} satisfies Record<string, { until: Ends; columns: Record<string, Column> }>;

type TypeOf<One> = One extends Declared<infer Type> ? Type : never;
type RowOf<Columns> = { [Name in keyof Columns]: TypeOf<Columns[Name]> };

export type Tables = { [Table in keyof typeof tables]: RowOf<(typeof tables)[Table]["columns"]> };

export function columnsIn(table: keyof Tables): [name: string, column: Column][] {
  return Object.entries(tables[table].columns);
}

/** Converts a column name to a field name of decoded rows: `received_at` becomes `receivedAt`. */
export function nameOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function listTables(): (keyof Tables)[] {
  return Object.keys(tables) as (keyof Tables)[];
}

/**
 * Lists each table's columns with requesters' data. `owner` is the column that references the
 * request.
 */
export function listTheirs(...whose: ("person" | "proof")[]) {
  return listTables()
    .map((table) => ({
      table,
      owner: table === "requests" ? ("id" as const) : ("request_id" as const),
      columns: columnsIn(table).filter(([, column]) => whose.some((kind) => kind === column.whose)),
    }))
    .filter(({ columns }) => columns.length > 0);
}
