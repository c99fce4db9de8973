import type { Generated } from "kysely";

/**
 * The tables. Instants are UTC text of fixed width (`2026-11-21T06:40:23.123Z`), so that text order is time order in
 * every database.
 */
export type Tables = {
  requests: RequestsTable;
  submissions: SubmissionsTable;
};

/** One wish of one mailbox to have its account deleted. */
export type RequestsTable = {
  id: Generated<number>;
  state: string;
  email: string;
  /** The address in lower case: at most one open request each. */
  email_match: string;
  received_at: string;
};

/** One sent form. Every submission has its own reference; repeats belong to the open request. */
export type SubmissionsTable = {
  id: Generated<number>;
  request_id: number;
  reference: string;
  form_key_hash: string;
  /** As typed by this submission. */
  email: string;
  reason: string;
  feedback: string;
  received_at: string;
};
