import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/** Creates the tables and indexes of the first release. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await runScript(
    database,
    ({ id, integer, text }) => `
    create table "requests" (
      "id" ${id},
      "state" ${text} not null,
      "email" ${text} not null,
      "email_match" ${text} not null,
      "received_at" ${text} not null,
      "reference" ${text} not null,
      "reason" ${text} not null,
      "language" ${text} default '' not null,
      "sent" ${integer} not null,
      "expires_at" ${text},
      "confirmed_at" ${text},
      "confirmed_on" ${text},
      "due_on" ${text},
      "skipped" ${text},
      "first_due_on" ${text},
      "on_time_by" ${text},
      "started_at" ${text},
      "owner" ${text},
      "done_at" ${text},
      "completion" ${text},
      "held_reason" ${text},
      "held_until" ${text},
      "held_by" ${text},
      "entered_by" ${text},
      "contact" ${text} default '' not null,
      "contact_match" ${text} default '' not null,
      "ended_at" ${text},
      "ended_by" ${text},
      "warned_at" ${text},
      "told_late_at" ${text},
      "told_at" ${text},
      "refusal_reason" ${text},
      "address_hash" ${text},
      "address_hash_version" ${integer},
      "erased_at" ${text}
    );
    create table "submissions" (
      "id" ${id},
      "request_id" ${integer} not null references "requests" ("id") on delete cascade,
      "reference" ${text} not null unique,
      "form_key_hash" ${text} not null unique,
      "email" ${text} not null,
      "reason" ${text} not null,
      "feedback" ${text} not null,
      "received_at" ${text} not null
    );
    create table "request_events" (
      "id" ${id},
      "request_id" ${integer} not null references "requests" ("id") on delete cascade,
      "at" ${text} not null,
      "actor" ${text} not null,
      "name" ${text} not null,
      "type" ${text} not null,
      "from_state" ${text} not null,
      "to_state" ${text} not null,
      "code" ${text} not null,
      "note" ${text} not null,
      "due_from" ${text},
      "due_to" ${text},
      "form_key" ${text}
    );
    create table "tokens" (
      "id" ${id},
      "request_id" ${integer} not null references "requests" ("id") on delete cascade,
      "submission_id" ${integer} references "submissions" ("id") on delete cascade,
      "purpose" ${text} not null,
      "hash" ${text} not null unique,
      "asked_by" ${text} not null,
      "mailbox" ${text},
      "created_at" ${text} not null,
      "expires_at" ${text},
      "used_at" ${text},
      "closes_at" ${text}
    );
    create table "outbox" (
      "id" ${id},
      "request_id" ${integer} references "requests" ("id") on delete cascade,
      "recipient" ${text} not null,
      "kind" ${text} not null,
      "reference" ${text} not null,
      "payload" ${text} not null,
      "message_key" ${text} not null unique,
      "once" ${text} unique,
      "state" ${text} not null,
      "failures" ${integer} not null,
      "next_at" ${text} not null,
      "lease_until" ${text},
      "last_problem" ${text} not null,
      "created_at" ${text} not null,
      "settled_at" ${text},
      "turn" ${integer} default 0 not null,
      "lane" ${text}
    );
    create table "network_forms" (
      "network" ${text} not null,
      "hour" ${text} not null,
      "forms" ${integer} not null,
      constraint "network_forms_key" primary key ("network", "hour")
    );
    create table "last_seen" (
      "id" ${integer} primary key,
      "at" ${text} not null,
      "probed_at" ${text} not null
    );
    create table "key_checks" (
      "version" ${integer} primary key,
      "hash" ${text} not null
    );
    create table "tallies" (
      "month" ${text} not null,
      "name" ${text} not null,
      "count" ${integer} not null,
      constraint "tallies_key" primary key ("month", "name")
    );
    create table "doomed_mails" (
      "message_key" ${text} primary key,
      "until" ${text} not null
    );
    create table "operators" (
      "id" ${id},
      "name" ${text} not null,
      "name_match" ${text} not null,
      "added_at" ${text} not null,
      "left_at" ${text},
      "role" ${text} default 'operator' not null,
      "address" ${text} default '' not null,
      "user_handle" ${text} not null,
      "invited_at" ${text},
      "more_mails" ${integer} default 0 not null
    );
    create table "operator_invitations" (
      "id" ${id},
      "operator_id" ${integer} not null references "operators" ("id"),
      "hash" ${text} not null unique,
      "purpose" ${text} not null,
      "expires_at" ${text},
      "used_at" ${text}
    );
    create table "operator_passkeys" (
      "id" ${id},
      "operator_id" ${integer} not null references "operators" ("id"),
      "credential_id" ${text} not null unique,
      "public_key" ${text} not null,
      "counter" ${integer} not null,
      "device" ${text} not null,
      "created_at" ${text} not null,
      "used_at" ${text} not null,
      "doubted_at" ${text}
    );
    create table "operator_sessions" (
      "id" ${id},
      "operator_id" ${integer} not null references "operators" ("id"),
      "hash" ${text} not null unique,
      "device" ${text} not null,
      "opened_at" ${text} not null,
      "seen_at" ${text} not null,
      "passkey_id" ${integer}
    );
    create table "operator_challenges" (
      "hash" ${text} primary key,
      "expires_at" ${text} not null
    );
    create table "gone_references" (
      "hash" ${text} primary key,
      "how" ${text} not null,
      "at" ${text} not null
    );
    create table "journal" (
      "id" ${id},
      "at" ${text} not null,
      "name" ${text} not null,
      "act" ${text} not null,
      "about" ${text} not null
    );
    create table "ledger_entries" (
      "sequence" ${integer} primary key,
      "request_id" ${integer},
      "what" ${text} not null,
      "entered_at" ${text} not null,
      "text" ${text} not null,
      "hash" ${text} not null,
      "key_version" ${integer} not null,
      "signature" ${text} not null
    );
    create table "ledger_checkpoint" (
      "id" ${integer} primary key,
      "sequence" ${integer} not null,
      "hash" ${text} not null,
      "text" ${text} not null,
      "key_version" ${integer} not null,
      "signature" ${text} not null
    );
    create table "ledger_heads" (
      "day" ${text} primary key,
      "sequence" ${integer} not null,
      "hash" ${text} not null
    );
    create table "signing_keys" (
      "version" ${integer} primary key,
      "public_key" ${text} not null,
      "since" ${text} not null
    );
    create table "restores" (
      "id" ${id},
      "at" ${text} not null,
      "name" ${text} not null,
      "known_until" ${text} not null,
      "report" ${text} not null,
      "confirmed_at" ${text}
    );
    create table "refusals" (
      "day" ${text} not null,
      "way" ${text} not null,
      "count" ${integer} not null,
      "newest_at" ${text} not null,
      constraint "refusals_key" primary key ("day", "way")
    );
    create table "hand_overs" (
      "id" ${id},
      "request_id" ${integer} not null references "requests" ("id") on delete cascade,
      "public_id" ${text} not null unique,
      "test" ${integer} not null,
      "state" ${text} not null,
      "asked_at" ${text} not null,
      "begun_at" ${text},
      "answered_at" ${text},
      "reminded_for" ${text},
      "again_at" ${text},
      "account_id" ${text},
      "rechecked_at" ${text},
      "waiting_since" ${text},
      "standing_at" ${text}
    );
    create table "account_calls" (
      "call_id" ${text} primary key,
      "at" ${text} not null
    );
    create table "account_system" (
      "id" ${integer} primary key,
      "stopped_at" ${text},
      "reconciled_on" ${text},
      "answered_at" ${text}
    );
    create table "absences" (
      "id" ${id},
      "operator_id" ${integer} not null references "operators" ("id") on delete cascade,
      "reason" ${text} not null,
      "from_on" ${text} not null,
      "until_on" ${text} not null
    );
    create table "last_copies" (
      "what" ${text} primary key,
      "at" ${text} not null,
      "oldest_at" ${text}
    );
    create table "instances" (
      "id" ${text} primary key,
      "beat" ${integer} not null,
      "facts" ${text} not null,
      "mail_files" ${integer} not null,
      "entered_at" ${text} not null
    );
    create table "limits" (
      "key" ${text} primary key,
      "points" ${integer} not null,
      "expire" ${integer}
    );
    create table "leases" (
      "name" ${text} primary key,
      "holder" ${text} not null,
      "until" ${text} not null
    );
    create index absences_by_operator on absences (operator_id);
    create index account_calls_by_time on account_calls (at);
    create index gone_references_by_time on gone_references (at);
    create index hand_overs_again on hand_overs (again_at) where again_at is not null;
    create index hand_overs_by_request on hand_overs (request_id);
    create index hand_overs_deleted_held on hand_overs (id) where state = 'deleted-held';
    create index hand_overs_done on hand_overs (id) where state = 'done';
    create index hand_overs_open on hand_overs (state, asked_at) where state in ('asked', 'started', 'blocked', 'failed');
    create index hand_overs_rechecked on hand_overs (asked_at) where rechecked_at is not null;
    create index hand_overs_silent on hand_overs (asked_at) where state in ('asked', 'started');
    create index hand_overs_waiting on hand_overs (waiting_since) where waiting_since is not null;
    create index journal_by_time on journal (at);
    create index journal_by_time_and_id on journal (at, id);
    create index ledger_by_request on ledger_entries (request_id, sequence);
    create index network_forms_by_hour on network_forms (hour);
    create index operator_invitations_of on operator_invitations (operator_id);
    create index operator_passkeys_of on operator_passkeys (operator_id);
    create index operator_sessions_of on operator_sessions (operator_id);
    create unique index operators_known on operators (name_match) where left_at is null;
    create index outbox_by_request on outbox (request_id);
    create index outbox_done on outbox (settled_at) where request_id is null;
    create index outbox_failing on outbox (created_at) where state = 'waiting' and failures > 0;
    create index outbox_failing_of on outbox (recipient, created_at) where state = 'waiting' and failures > 0;
    create index outbox_lanes on outbox (lane, turn) where lane is not null;
    create index outbox_leased on outbox (recipient, lease_until) where state = 'sending';
    create index outbox_troubled on outbox (id) where state = 'needs-person';
    create index outbox_turns on outbox (recipient, turn, id, next_at) where state = 'waiting';
    create index outbox_waiting on outbox (recipient, next_at, id) where state = 'waiting';
    create index request_events_by_date on request_events (at) where code = 'by-date';
    create index request_events_by_form on request_events (request_id, form_key) where form_key is not null;
    create index request_events_by_operators on request_events (at, id) where actor = 'operator';
    create index request_events_by_request on request_events (request_id);
    create index request_events_of_trials on request_events (id) where type = 'trial';
    create index requests_by_address on requests (email_match) where email_match <> '';
    create index requests_by_address_hash on requests (address_hash_version, address_hash) where address_hash is not null;
    create index requests_by_contact on requests (contact_match) where contact_match <> '';
    create index requests_by_end on requests (state, ended_at, id) where ended_at is not null;
    create index requests_by_owner on requests (owner, due_on, id) where state in ('confirmed', 'in-progress');
    create index requests_done on requests (done_at) where done_at is not null;
    create index requests_ended on requests (ended_at, id) where ended_at is not null;
    create index requests_held on requests (held_until, id) where held_until is not null and ended_at is null;
    create unique index requests_one_open_per_address on requests (email_match) where state in ('received', 'confirmed', 'in-progress');
    create index requests_owned on requests (owner, id) where owner is not null and ended_at is null;
    create index requests_to_do on requests (due_on, id) where state in ('confirmed', 'in-progress');
    create index requests_to_do_received on requests (received_at, id) where state in ('confirmed', 'in-progress');
    create index requests_to_erase on requests (ended_at) where ended_at is not null and erased_at is null;
    create index requests_to_expire on requests (expires_at, id) where state = 'received';
    create index requests_to_tell_late on requests (due_on, id) where state in ('confirmed', 'in-progress') and told_late_at is null;
    create index requests_to_warn on requests (due_on) where state in ('confirmed', 'in-progress') and warned_at is null;
    create index requests_told on requests (told_at) where told_at is not null and erased_at is null;
    create index submissions_by_request on submissions (request_id);
    create index tokens_asked on tokens (mailbox, created_at);
    create index tokens_by_request on tokens (request_id);
    create index tokens_by_submission on tokens (submission_id);
    create index tokens_to_close on tokens (closes_at) where closes_at is not null;
    insert into account_system (id) values (1)`,
  );
}
