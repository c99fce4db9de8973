import type { Generated } from "kysely";

/**
 * The tables. Instants are UTC text of fixed width (`2026-11-21T06:40:23.123Z`), so that text order is time order in
 * every database; dates are text such as `2026-11-21`.
 */
export type Tables = {
  requests: RequestsTable;
  submissions: SubmissionsTable;
  request_events: RequestEventsTable;
  tokens: TokensTable;
  outbox: OutboxTable;
  tallies: TalliesTable;
  doomed_mails: DoomedMailsTable;
  journal: JournalTable;
  key_checks: KeyChecksTable;
  last_seen: LastSeenTable;
  ledger_entries: LedgerEntriesTable;
  ledger_checkpoint: LedgerCheckpointTable;
  signing_keys: SigningKeysTable;
  restores: RestoresTable;
  hand_overs: HandOversTable;
  account_calls: AccountCallsTable;
  account_system: AccountSystemTable;
  operators: OperatorsTable;
  operator_invitations: OperatorInvitationsTable;
  operator_passkeys: OperatorPasskeysTable;
  operator_recovery_codes: OperatorRecoveryCodesTable;
  operator_sessions: OperatorSessionsTable;
  operator_challenges: OperatorChallengesTable;
  gone_references: GoneReferencesTable;
  absences: AbsencesTable;
  calendar_feeds: CalendarFeedsTable;
  last_copies: LastCopiesTable;
  leases: LeasesTable;
  instances: InstancesTable;
  limits: LimitsTable;
};

/** One wish of one mailbox to have its account deleted. */
export type RequestsTable = {
  id: Generated<number>;
  state: string;
  /** Empty once erased. */
  email: string;
  /** The address in lower case: at most one open request each. Empty once erased. */
  email_match: string;
  received_at: string;
  /** Of the submission that was confirmed; until then of the newest. */
  reference: string;
  /** Why, as that submission says. */
  reason: string;
  /** In which its person is written to; empty for the campus's first. Of the newest form until one is confirmed. */
  language: Generated<string>;
  /** How many forms belong to it. */
  sent: number;
  /** When an unconfirmed request goes. */
  expires_at: string | null;
  confirmed_at: string | null;
  /** The campus's date of the confirmation. */
  confirmed_on: string | null;
  due_on: string | null;
  /** The days between that did not count, as `skippedToText` writes them. */
  skipped: string | null;
  /** The date of the first promise, whatever was promised later. */
  first_due_on: string | null;
  /** The date by which it is judged: the last that was promised while the one before had not passed. */
  on_time_by: string | null;
  started_at: string | null;
  /** The operator who is at work on it. */
  owner: string | null;
  /** When an operator said that it is done, while that can still be undone. */
  done_at: string | null;
  /** What really happened to the data, as JSON. */
  completion: string | null;
  held_reason: string | null;
  /** The last day of the hold. */
  held_until: string | null;
  /** The operator who entered it for somebody whose mailbox is closed. */
  entered_by: string | null;
  /** Where mails go instead of to the closed mailbox. Empty where there is none, and once erased. */
  contact: Generated<string>;
  contact_match: Generated<string>;
  ended_at: string | null;
  /** Person, operator or system. */
  ended_by: string | null;
  /** When the operators were warned of the due date as it stands. */
  warned_at: string | null;
  /** When a mail server took the news of the end; null for a mail that became a file. */
  told_at: string | null;
  refusal_reason: string | null;
  /** Of the address in lower case, since the end. */
  address_hash: string | null;
  address_hash_version: number | null;
  erased_at: string | null;
};

/** One sent form. Every submission has its own reference; repeats belong to the open request. */
export type SubmissionsTable = {
  id: Generated<number>;
  request_id: number;
  reference: string;
  form_key_hash: string;
  /** As typed by this submission. Empty once erased. */
  email: string;
  reason: string;
  /** Empty once erased. */
  feedback: string;
  received_at: string;
};

/** The audit trail: rows are added, never changed; only free text goes when the request is erased. */
export type RequestEventsTable = {
  id: Generated<number>;
  request_id: number;
  at: string;
  actor: string;
  /** Of the operator; empty for others. */
  name: string;
  type: string;
  from_state: string;
  to_state: string;
  /** Reason code or similar; empty where there is none. */
  code: string;
  /** What an operator wrote. Empty once erased. */
  note: string;
  due_from: string | null;
  due_to: string | null;
};

/** The links in mails. */
export type TokensTable = {
  id: Generated<number>;
  request_id: number;
  /** The submission whose mail carries it. */
  submission_id: number | null;
  purpose: string;
  hash: string;
  /** Who caused the mail; what strangers can cause is limited for each address. */
  asked_by: string;
  /** Keyed hash of the mailbox, for what strangers caused; null for what does not count. */
  mailbox: string | null;
  created_at: string;
  expires_at: string | null;
  used_at: string | null;
  /** When it stops to open anything, once its request has ended. */
  closes_at: string | null;
};

/** What must leave, written in the same transaction as the fact. */
export type OutboxTable = {
  id: Generated<number>;
  request_id: number | null;
  recipient: string;
  kind: string;
  /** The reference the mail speaks of; empty for those about several. */
  reference: string;
  /** Sealed JSON; empty once settled. Holds no address. */
  payload: string;
  /** Makes the Message-ID, the same at every attempt. */
  message_key: string;
  /** At most one message each; null where repeats are fine. */
  once: string | null;
  state: string;
  /** Attempts that ended with a refusal. */
  failures: number;
  next_at: string;
  lease_until: string | null;
  last_problem: string;
  created_at: string;
  settled_at: string | null;
};

/** One row. */
export type LastSeenTable = {
  id: number;
  /** When the server last ran with a clock that could be believed. */
  at: string;
  /** When it last wrote. */
  probed_at: string;
};

/** A hash made with each key, to recognise it. */
export type KeyChecksTable = {
  version: number;
  hash: string;
};

/** How often something happened in a month of the campus: all that is left of requests that nobody confirmed. */
export type TalliesTable = {
  /** Such as 2026-11. */
  month: string;
  name: string;
  count: number;
};

/** Mails of forgotten requests, whose files must go. */
export type DoomedMailsTable = {
  message_key: string;
  /** Until then a file may still be written: the mail was on its way. */
  until: string;
};

/** Who may act under which name. */
export type OperatorsTable = {
  id: Generated<number>;
  name: string;
  /** In lower case: one of each at a time. */
  name_match: string;
  added_at: string;
  left_at: string | null;
  /** Operator or keeper. */
  role: Generated<string>;
  /** Where the team's mails to them go; empty for those who work with the command line alone. */
  address: Generated<string>;
  /** What their passkeys call them: random, and names nobody. */
  user_handle: Generated<string | null>;
  /** When they were last invited to the pages. */
  invited_at: Generated<string | null>;
};

/** Links that let somebody enrol a passkey, once. */
export type OperatorInvitationsTable = {
  id: Generated<number>;
  operator_id: number;
  hash: string;
  /** Invitation, or recovery after a lost device. */
  purpose: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
};

/** The public halves of what operators' devices sign with. */
export type OperatorPasskeysTable = {
  id: Generated<number>;
  operator_id: number;
  credential_id: string;
  /** COSE key as base64url. */
  public_key: string;
  /** How often it has signed, as its device says; 0 where the device does not count. */
  counter: number;
  /** Words of the standard, with commas. */
  transports: string;
  /** What the person calls it. */
  device: string;
  created_at: string;
  used_at: string | null;
  /** When its counter showed that there are two of it: it opens nothing since. */
  doubted_at: string | null;
};

export type OperatorRecoveryCodesTable = {
  hash: string;
  operator_id: number;
  created_at: string;
  used_at: string | null;
};

export type OperatorSessionsTable = {
  id: Generated<number>;
  operator_id: number;
  hash: string;
  /** Which browser, in words. */
  device: string;
  opened_at: string;
  seen_at: string;
  /** When a passkey was last touched in it. */
  touched_at: string | null;
};

/** Challenges that were answered, until they would have expired: none is answered twice. */
export type OperatorChallengesTable = {
  hash: string;
  expires_at: string;
};

/** References of requests that were forgotten, so that somebody who names one can be told what became of it. */
export type GoneReferencesTable = {
  /** Keyed. */
  hash: string;
  how: string;
  at: string;
};

/** What persons did that no request's trail can hold. */
export type JournalTable = {
  id: Generated<number>;
  at: string;
  name: string;
  act: string;
  about: string;
};

/** The erasure ledger, a chain. Rows are added, and forgotten from the oldest on; none is ever changed. */
export type LedgerEntriesTable = {
  /** From 1, without a gap. */
  sequence: number;
  /** Null for entries that concern no single request. */
  request_id: number | null;
  what: string;
  entered_at: string;
  /** What was entered, as it was hashed and signed. */
  text: string;
  hash: string;
  /** Both null until the server has signed what an upgrade entered. */
  key_version: number | null;
  signature: string | null;
};

/** One row at most: the last entry that the ledger has forgotten. */
export type LedgerCheckpointTable = {
  id: number;
  sequence: number;
  hash: string;
  /** As it was signed. */
  text: string;
  key_version: number;
  signature: string;
};

/** The public half of every key that ever signed. */
export type SigningKeysTable = {
  version: number;
  public_key: string;
  since: string;
};

/** Each time that a copy was put back. */
export type RestoresTable = {
  id: Generated<number>;
  at: string;
  /** Who did it. */
  name: string;
  /** Up to when the restored data knows what happened. */
  known_until: string;
  /** What was found, as JSON without an address. */
  report: string;
  /** When somebody had looked; null while nothing may expire or leave. */
  confirmed_at: string | null;
};

/** A confirmed request as the account system knows it. */
export type HandOversTable = {
  id: Generated<number>;
  request_id: number;
  /** What both systems call it. */
  public_id: string;
  /** 1 where it was sent in a dry run. */
  test: number;
  state: string;
  /** When it was last asked for. */
  asked_at: string;
  /** When its start was accepted: from then on it is the account system's. */
  begun_at: string | null;
  /** When its last answer was accepted. */
  answered_at: string | null;
  /** The due date of which the account system was reminded. */
  reminded_for: string | null;
  /** When to ask once more, because it failed and said so. */
  again_at: string | null;
  /** What the account system calls the account it deleted: opaque. */
  account_id: string | null;
  /** When it was last asked whether the account is still gone; null once it has answered. */
  rechecked_at: string | null;
};

/** The calls of the account system that were accepted, so that none is heard twice. */
export type AccountCallsTable = {
  call_id: string;
  at: string;
};

/** One row. */
export type AccountSystemTable = {
  id: number;
  /** Since when nothing is sent to it, because it said that it is gone. */
  stopped_at: string | null;
  /** The campus's date of the last nightly reconciliation. */
  reconciled_on: string | null;
  /** When its last call was accepted. */
  answered_at: string | null;
};

/** Days on which an operator is not there. */
export type AbsencesTable = {
  id: Generated<number>;
  operator_id: number;
  reason: string;
  from_on: string;
  /** The last day. */
  until_on: string;
};

/** The private address at which an operator's calendar is read; one each. */
export type CalendarFeedsTable = {
  operator_id: number;
  token_hash: string;
  made_at: string;
};

/** When a copy of each kind was last made. */
export type LastCopiesTable = {
  what: string;
  at: string;
};

/** The servers that run on this database. */
export type InstancesTable = {
  /** A random name for each time that one was started. */
  id: string;
  /** Counted up by whoever lives. */
  beat: number;
  /** What has to be the same everywhere, as JSON of hashes. */
  facts: string;
  /** 1 where mails become files. */
  mail_files: number;
  entered_at: string;
};

/** What clients sent lately, as `rate-limiter-flexible` keeps it. Empty where one server counts for itself. */
export type LimitsTable = {
  /** Keyed hash of the client's network on that day. */
  key: string;
  points: number;
  /** Milliseconds since 1970; rows go an hour later. */
  expire: number | null;
};

/** What one instance of the server does for all of them. */
export type LeasesTable = {
  name: string;
  /** Of whom it is, a random name for each time that it was taken. */
  holder: string;
  /** By the database's clock. Whoever wants it may take it then. */
  until: string;
};
