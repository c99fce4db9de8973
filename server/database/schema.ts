import type { Generated } from "kysely";
import { draftDays, linkHours, record, session } from "../terms.ts";

/**
 * The tables, and the map of the data in them. Instants are UTC text of fixed width (`2026-11-21T06:40:23.123Z`), so that
 * text order is time order in every database; dates are text such as `2026-11-21`.
 *
 * Each table says why its rows are kept and until when, each column whose it is; a column that is kept for another reason,
 * or goes before its row, says so itself (`own`). None compiles without. Made from it: the statements that take away what
 * is old (`aged.ts`), what is erased, what a person is told of theirs, what the public is told of this website, and what a
 * move carries. The migrations make the tables; a test compares them with this description.
 */
type Whose =
  /**
   * Names and describes nobody, or stands for somebody only under a key of ours that is gone within days. When a trail's lines
   * and mails were written and what they are is told of each line (`telling/subject.ts`), not of each column.
   */
  | "plain"
  /** Of the person who asked: erased with the request to which the row belongs by `request_id`. */
  | "person"
  /** Of that person, and kept as long as its row: what proves that it was done. */
  | "proof"
  /** Of somebody of the team: told to no person who asked, and gone with its row. */
  | "team";

/**
 * What this website holds of the person who asked, in the kinds that the public and the receipts are told of, each in words of
 * its own (`held` in `deletion.yaml` of each language of the product): what goes with the person, and what stays as proof. Their
 * names stand in what was signed: keep them.
 */
export const kinds = {
  /** By what they are reached, what they or the team wrote of them, and mails to them that wait. */
  "deletion-request": "person",
  /** What was asked for and why, what became of it, and by what an account that comes back is recognised. */
  proof: "proof",
} as const;

export type Kind = keyof typeof kinds;

/** A row goes after the moment (a number: milliseconds since 1970), or the last day, that stands in a column. */
export type Age<Name extends string = string> = {
  column: Name;
  /** So long; at once where it does not say. */
  after?: { months?: number; days?: number; hours?: number };
  /** Only where nothing stands there. */
  ifNone?: Name;
};

/** What a job of its own ends: `keeping/retention-jobs.ts` has one under each of these names. */
export type Job =
  /** Nobody confirmed it while its links worked: with all that belongs to the request. */
  | "expired"
  /** When its person was told of the end, or had time to be. */
  | "erased"
  /** So long after the end as a record is kept: with all that belongs to the request. */
  | "forgotten"
  /** Once nothing can be written under it any more. */
  | "swept";

type End<Name extends string = string> =
  | Age<Name>
  | Job
  /** Goes by the statement that makes it so, its row with it or not. */
  | "tried"
  | "settled"
  | "ended"
  | "left"
  /** By a person, or because it has had its use. */
  | "taken away"
  /** Says how it is now, and not how it was. */
  | "overwritten"
  /** Of servers that run: no part of the store, and carried into no other. */
  | "running"
  | "for good";

/** One at least; whichever comes first. */
type Ends<Name extends string = string> = readonly [End<Name>, ...End<Name>[]];

export type Column<Type = unknown> = Declared<Type> & Kept;

type Kept = { why: string; until: Ends };

type Declared<Type = unknown> = Partial<Kept> & {
  whose: Whose;
  /** What stands there once it is erased. */
  erased: "" | null;
  type: "integer" | "text";
  /** What the text or the number stands for: statements take that, and tell it. */
  holds?: "instant" | "day" | "flag";
  isNullable: boolean;
  /** Counted up by the database. */
  counts?: true;
  /** What stands there where nothing is given. */
  given?: string | number;
  isKey?: true;
  isUnique?: true;
  /** The table to whose `id` it points, and whether the row goes with that one. */
  pointsTo?: { table: string; goesWith: boolean };
  /** For the compiler alone. */
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
    /** With a value of its own where none is given. */
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

/** What is a person's goes before its row does. */
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
/** Kept for a reason of its own; with ends, until then at most. */
const own = <Type>(why: string, column: Declared<Type>, ...until: Ends | []) =>
  having(column, until.length > 0 ? { why, until: until as Ends } : { why });
/** Two in one table make one key. */
const key = <Type>(column: Declared<Type>) => having(column, { isKey: true });
const unique = <Type>(column: Declared<Type>) => having(column, { isUnique: true });
const of = <Type>(table: string, column: Declared<Type>, goesWith = false) =>
  having(column, { pointsTo: { table, goesWith } });
const partOf = <Type>(table: string, column: Declared<Type>) => of(table, column, true);

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

/** Each behind those to which it points. */
export const tables = {
  /** One wish of one mailbox to have its account deleted. */
  requests: rows("the wish, its dates and what became of it", withRequest, {
    id: plain.id,
    state: proof.text,
    email: own("writing to its person", person.text),
    /** The address in lower case. */
    email_match: own("at most one open request of an address", person.text),
    received_at: proof.at,
    /** Of the submission that was confirmed; until then of the newest. */
    reference: own("naming it to its person", proof.text),
    /** Why, as that submission says. */
    reason: proof.text,
    /** In which its person is written to; empty for the campus's first. Of the newest form until one is confirmed. */
    language: own("writing to its person", proof.givenText),
    /** How many forms belong to it. */
    sent: plain.number,
    /** When an unconfirmed request goes. */
    expires_at: proof.atOrNull,
    confirmed_at: proof.atOrNull,
    /** The campus's date of the confirmation. */
    confirmed_on: proof.dayOrNull,
    due_on: proof.dayOrNull,
    /** The days between that did not count: `SkippedDay` of the calendar, as JSON. */
    skipped: proof.textOrNull,
    /** The date of the first promise, whatever was promised later. */
    first_due_on: proof.dayOrNull,
    /** The date by which it is judged: the last that was promised while the one before had not passed. */
    on_time_by: proof.dayOrNull,
    started_at: proof.atOrNull,
    /** The operator who is at work on it. */
    owner: own("dividing the work", team.textOrNull, "ended"),
    /** What an operator has answered on the walk so far, as JSON: fields of the form and what was in them. */
    walk: own("keeping what was gone through", team.textOrNull, "ended"),
    /** When an operator said that it is done, while that can still be undone. */
    done_at: proof.atOrNull,
    /** What really happened to the data, as JSON. */
    completion: proof.textOrNull,
    held_reason: proof.textOrNull,
    /** The last day of the hold. */
    held_until: proof.dayOrNull,
    /** Operator or system: who set it, and ends it. */
    held_by: proof.textOrNull,
    /** The operator who entered it for somebody whose mailbox is closed. */
    entered_by: own("who answers for it", team.textOrNull),
    /** Where mails go instead of to the closed mailbox. Empty where there is none. */
    contact: own("writing to its person", person.givenText),
    contact_match: own("finding it by that mailbox", person.givenText),
    ended_at: proof.atOrNull,
    /** The earliest approval of an entered request; it stays if that request ended before anyone approved it. */
    approvable_at: proof.givenAtOrNull,
    /** Person, operator or system. */
    ended_by: proof.textOrNull,
    /** When the operators were warned of the due date as it stands. */
    warned_at: own("telling it once", plain.atOrNull),
    /** When the person was told that the due date as it stands has passed. */
    told_late_at: own("telling it once", plain.atOrNull),
    /** When a mail server took the news of the end; null for a mail that became a file. */
    told_at: own("telling it once", plain.atOrNull),
    refusal_reason: proof.textOrNull,
    /** Of the address in lower case, since the end. */
    address_hash: own("recognising an account that came back", proof.textOrNull),
    address_hash_version: own("recognising an account that came back", plain.numberOrNull),
    erased_at: proof.atOrNull,
  }),

  /** One sent form. Every submission has its own reference; repeats belong to the open request. */
  submissions: rows("which forms asked for it", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    reference: own("naming it to its person", unique(proof.text)),
    form_key_hash: own("one form of one that is sent twice", unique(plain.text)),
    /** As typed by this submission. */
    email: own("writing to its person", person.text),
    reason: proof.text,
    feedback: own("learning why somebody leaves", person.text),
    received_at: proof.at,
  }),

  /** The audit trail: rows are added, never changed; only free text goes when the request is erased. */
  request_events: rows("who did what, and when", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    at: plain.at,
    actor: plain.text,
    /** Of the operator; empty for others. */
    name: team.text,
    type: plain.text,
    from_state: plain.text,
    to_state: plain.text,
    /** Reason code or similar; empty where there is none. */
    code: plain.text,
    /** What an operator wrote. */
    note: own("why, for its person or the team", person.text),
    due_from: plain.dayOrNull,
    due_to: plain.dayOrNull,
    form_key: own("one act of an operator's form that is sent twice", plain.textOrNull),
    /** What undoing the act gives back, as JSON (`working/taking-back.ts`). */
    change: own("undoing a mistake", team.textOrNull),
  }),

  /** The links in mails. */
  tokens: rows("opening the links in mails", [...withRequest, { column: "closes_at" }], {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** The submission whose mail carries it. */
    submission_id: partOf("submissions", plain.numberOrNull),
    purpose: plain.text,
    hash: unique(plain.text),
    /** Empty: who caused the mail, as versions up to 1.10 wrote it. The next that contracts takes it away. */
    asked_by: plain.text,
    /** Keyed hash of the mailbox, for what strangers caused; null for what does not count. */
    mailbox: own("limiting what others have sent there", person.textOrNull),
    created_at: plain.at,
    expires_at: plain.atOrNull,
    used_at: plain.atOrNull,
    /** When it stops to open anything, once its request has ended. */
    closes_at: plain.atOrNull,
  }),

  /** What must leave, written in the same transaction as the fact. */
  outbox: rows("sending each message once", messageEnds, {
    id: plain.id,
    request_id: partOf("requests", plain.numberOrNull),
    recipient: plain.text,
    kind: plain.text,
    /** The reference the mail speaks of; empty for those about several. */
    reference: plain.text,
    /** Sealed JSON; holds no address. */
    payload: own("what it says", person.text, "settled"),
    /** Makes the Message-ID, the same at every attempt. */
    message_key: unique(plain.text),
    /** At most one message each; null where repeats are fine. */
    once: unique(plain.textOrNull),
    state: plain.text,
    /** Attempts that ended with a refusal. */
    failures: plain.number,
    next_at: plain.at,
    lease_until: plain.atOrNull,
    last_problem: plain.text,
    created_at: plain.at,
    settled_at: plain.atOrNull,
    /** Its place in line; 0 stands before whatever strangers caused. */
    turn: plain.givenNumber,
    /** Keyed hash of the network that caused it. */
    lane: own("turns between networks", person.textOrNull, "tried"),
  }),

  /** How many forms came from a network in an hour, and how many mails they caused to one mailbox, for 48 hours. */
  network_forms: rows("turns between networks", [{ column: "hour", after: { hours: linkHours } }], {
    /** Keyed hash of the network, or of the network and the mailbox together. */
    network: key(plain.text),
    /** Such as 2026-11-21T06. */
    hour: key(plain.text),
    forms: plain.number,
  }),

  /** One row. */
  last_seen: rows("noticing a clock that is wrong", ["overwritten"], {
    id: key(plain.number),
    /** When the server last ran with a clock that could be believed. */
    at: plain.at,
    /** When it last wrote. */
    probed_at: plain.at,
  }),

  /** A hash made with each key, to recognise it. */
  key_checks: rows("noticing wrong keys", ["for good"], {
    version: key(plain.number),
    hash: plain.text,
  }),

  /** How often something happened in a month of the campus: all that is left of requests that nobody confirmed. */
  tallies: rows("figures about nobody", ["for good"], {
    /** Such as 2026-11. */
    month: key(plain.text),
    name: key(plain.text),
    count: plain.number,
  }),

  /** Mails of forgotten requests, whose files must go. */
  doomed_mails: rows("removing mail files", ["swept"], {
    message_key: key(plain.text),
    /** Until then a file may still be written: the mail was on its way. */
    until: plain.at,
  }),

  /** Who may act under which name. */
  operators: rows("who may act", ["for good"], {
    id: plain.id,
    name: team.text,
    /** In lower case: one of each at a time. */
    name_match: team.text,
    added_at: plain.at,
    left_at: plain.atOrNull,
    /** Operator or admin. */
    role: having(plain.givenText, { given: "operator" }),
    /** Where the team's mails to them go; empty for those who work with the command line alone. */
    address: own("writing to them", team.givenText, "left"),
    /** What their passkeys call them: random, and names nobody. */
    user_handle: team.text,
    /** When they were last invited to the pages. */
    invited_at: plain.givenAtOrNull,
    /** 1 where they want more mails than the digest and what is broken. */
    more_mails: plain.givenFlag,
  }),

  /** Links and recovery codes, each of which lets somebody enrol a passkey, once. */
  operator_invitations: rows("letting somebody enrol a passkey", ["taken away", "left"], {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** Invitation, device for one more, or recovery after a lost one. */
    purpose: plain.text,
    /** A code stays good. */
    expires_at: plain.atOrNull,
    used_at: plain.atOrNull,
  }),

  /** The public halves of what operators' devices sign with. */
  operator_passkeys: rows("signing in", ["taken away", "left"], {
    id: plain.id,
    operator_id: of("operators", plain.number),
    credential_id: unique(team.text),
    /** COSE key as base64url. */
    public_key: team.text,
    /** How often it has signed, as its device says; 0 where the device does not count. */
    counter: plain.number,
    /** What the person calls it. */
    device: own("telling one from another", team.text),
    created_at: plain.at,
    used_at: plain.at,
    /** When its counter showed that there are two of it: it opens nothing since. */
    doubted_at: plain.atOrNull,
  }),

  operator_sessions: rows("staying signed in", sessionEnds, {
    id: plain.id,
    operator_id: of("operators", plain.number),
    hash: unique(plain.text),
    /** Which browser, in words. */
    device: own("telling one from another", team.text),
    /** When a passkey was touched for it: whoever touches theirs once more has a new one. */
    opened_at: plain.at,
    seen_at: plain.at,
    /** The passkey that opened it. */
    passkey_id: plain.numberOrNull,
  }),

  /** Challenges that were answered, until they would have expired: none is answered twice. */
  operator_challenges: rows("answering none twice", [{ column: "expires_at" }], {
    hash: key(plain.text),
    expires_at: plain.at,
  }),

  /** References of requests that were forgotten, so that somebody who names one can be told what became of it. */
  gone_references: rows("telling what became of a request", [{ column: "at", after: record }], {
    /** Keyed. */
    hash: key(plain.text),
    how: plain.text,
    at: plain.at,
  }),

  /** What persons did that no request's trail can hold. */
  journal: rows("who did what, and when", [{ column: "at", after: record }], {
    id: plain.id,
    at: plain.at,
    name: team.text,
    act: plain.text,
    /** A reference, how many or what it concerned; or whom of the team, or which device of theirs. */
    about: team.text,
  }),

  /** The erasure ledger: signed entries, which are added and never altered. */
  ledger_entries: rows("proving what was done", [{ column: "entered_at", after: record }], {
    sequence: key(plain.number),
    /** Null for restores, which versions up to 1.12 entered. */
    request_id: plain.numberOrNull,
    what: plain.text,
    entered_at: plain.at,
    /** As it was signed. */
    text: proof.text,
    /** Read by 1.12 alone (decision 0136). */
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

  /** The public half of every key that ever signed. */
  signing_keys: rows("checking receipts", ["for good"], {
    version: key(plain.number),
    public_key: plain.text,
    since: plain.at,
  }),

  /** Each time that a copy was put back. */
  restores: rows("what a copy brought back", [{ column: "confirmed_at", after: record }], {
    id: plain.id,
    at: plain.at,
    /** Who did it. */
    name: team.text,
    /** Up to when the restored data knows what happened. */
    known_until: plain.at,
    /** What was found, as JSON without an address. */
    report: plain.text,
    /** When somebody had looked; null while nothing may expire or leave. */
    confirmed_at: plain.atOrNull,
  }),

  /** Requests that were open in the last copy that was put back: nobody acts on one before its person could cancel. */
  restore_letters: rows("giving people time after a restore", withRequest, {
    id: plain.id,
    request_id: unique(partOf("requests", plain.number)),
    /** The hour that its letter names; null until the letter has left. */
    cancel_until: plain.atOrNull,
  }),

  /** Deletion jobs that the account system named and this store does not know. */
  unknown_jobs: rows(
    "finding requests that a restore lost",
    ["taken away", { column: "at", after: { days: 90 } }],
    {
      public_id: key(plain.text),
      /** The last answer about it, such as started. */
      said: plain.text,
      /** When that came. */
      at: plain.at,
    },
  ),

  /** How often somebody was refused on a day of the campus. */
  refusals: rows("noticing that people are turned away", [{ column: "day", after: { days: 8 } }], {
    day: key(plain.day),
    way: key(plain.text),
    count: plain.number,
    newest_at: plain.at,
  }),

  /** A confirmed request as the account system knows it. */
  hand_overs: rows("what the account system was asked", withRequest, {
    id: plain.id,
    request_id: partOf("requests", plain.number),
    /** What both systems call it. */
    public_id: unique(plain.text),
    /** 1 where it was sent in a dry run. */
    test: plain.flag,
    state: plain.text,
    /** When it was last asked for. */
    asked_at: plain.at,
    /** When its start was accepted: from then on it is the account system's. */
    begun_at: plain.atOrNull,
    /** When its last answer was accepted. */
    answered_at: plain.atOrNull,
    /** The due date of which the account system was reminded. */
    reminded_for: plain.dayOrNull,
    /** When to ask once more, because it failed and said so. */
    again_at: plain.atOrNull,
    /** What the account system calls the account it deleted: opaque. */
    account_id: own("asking whether it is still gone", proof.textOrNull),
    /** Since when it is asked whether the account is still gone; null once it has answered. */
    rechecked_at: plain.atOrNull,
    /** Since when an answer is waited for, however often it was asked for meanwhile; null where none is. */
    waiting_since: plain.atOrNull,
    /** When it was last asked what it knows, because a copy was put back. */
    standing_at: plain.atOrNull,
  }),

  /** The calls of the account system that were accepted, so that none is heard twice. */
  account_calls: rows("hearing each call once", [{ column: "at", after: { days: 30 } }], {
    call_id: key(plain.text),
    at: plain.at,
  }),

  /** One row. */
  account_system: rows("what the account system said of itself", ["overwritten"], {
    id: key(plain.number),
    /** Since when nothing is sent to it, because it said that it is gone. */
    stopped_at: plain.atOrNull,
    /** The campus's date of the last nightly reconciliation. */
    reconciled_on: plain.dayOrNull,
    /** When its last call was accepted. */
    answered_at: plain.atOrNull,
  }),

  /** Days on which an operator is not there. */
  absences: rows("giving work to those who are there", [{ column: "until_on" }], {
    id: plain.id,
    operator_id: partOf("operators", plain.number),
    reason: team.text,
    from_on: plain.day,
    /** The last day. */
    until_on: plain.day,
  }),

  /** What an operator typed into a form of a request and has not sent. */
  drafts: rows("restoring what was typed", [...withRequest, draftEnds], {
    operator_id: key(of("operators", plain.number)),
    request_id: key(partOf("requests", plain.number)),
    /** The act of the form. */
    form: key(plain.text),
    text: person.text,
    saved_at: plain.at,
  }),

  /** When a copy of each kind was last made. */
  last_copies: rows("noticing that copies are missing", ["overwritten"], {
    what: key(plain.text),
    at: plain.at,
    /** Of when the oldest is that stands beside it; null where that was not looked at. */
    oldest_at: plain.atOrNull,
  }),

  /** The servers that run on this database. */
  instances: rows("servers knowing of each other", ["running"], {
    /** A random name for each time that one was started. */
    id: key(plain.text),
    /** Counted up by whoever lives. */
    beat: plain.number,
    /** What has to be the same everywhere, as JSON of hashes. */
    facts: plain.text,
    /** 1 where mails become files. */
    mail_files: plain.flag,
    entered_at: plain.at,
  }),

  /** What networks spent lately. Empty where one server counts for itself. */
  limits: rows("what a network may spend", [{ column: "expire" }], {
    /** What was spent, and a keyed hash of the network on that day. */
    key: key(plain.text),
    points: plain.number,
    /** Milliseconds since 1970, by the database's clock; then the row goes. */
    expire: plain.numberOrNull,
  }),

  /** What one instance of the server does for all of them. */
  leases: rows("one server doing what is done once", ["running"], {
    name: key(plain.text),
    /** Of whom it is, a random name for each time that it was taken. */
    holder: plain.text,
    /** By the database's clock. Whoever wants it may take it then. */
    until: plain.at,
  }),
} satisfies Record<string, { until: Ends; columns: Record<string, Column> }>;

type TypeOf<One> = One extends Declared<infer Type> ? Type : never;
type RowOf<Columns> = { [Name in keyof Columns]: TypeOf<Columns[Name]> };

export type Tables = { [Table in keyof typeof tables]: RowOf<(typeof tables)[Table]["columns"]> };

export function columnsIn(table: keyof Tables): [name: string, column: Column][] {
  return Object.entries(tables[table].columns);
}

/** What a column is called in a row that was read, such as `receivedAt`. */
export function nameOf(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function listTables(): (keyof Tables)[] {
  return Object.keys(tables) as (keyof Tables)[];
}

/** What in which tables is of the person who asked, and by which column their request's rows are found. */
export function listTheirs(...whose: ("person" | "proof")[]) {
  return listTables()
    .map((table) => ({
      table,
      owner: table === "requests" ? ("id" as const) : ("request_id" as const),
      columns: columnsIn(table).filter(([, column]) => whose.some((one) => one === column.whose)),
    }))
    .filter(({ columns }) => columns.length > 0);
}
