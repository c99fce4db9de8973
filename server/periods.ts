/**
 * Periods and limits that several modules share. Pages and emails state them, and the retention
 * rules in `platform/database/schema.ts` use them.
 */

/**
 * Retention of the request log and the operators' history: 24 months, as section 7101 of the CCPA
 * regulations requires.
 */
export const record = { months: 24 };

/**
 * Days for which the requester's email address is kept for retries if the final email couldn't be
 * delivered.
 */
export const eraseAfterDays = 30;

/** Days for which a request's status page and receipt stay available after the request ends. */
export const statusDays = 30;

/** Days that the team has to check a request that an operator entered. */
export const approvalDays = 7;

/** Minimum hours between the notice to a mailbox that is reported as closed and the approval. */
export const noticeHours = 48;

/**
 * Hours after an approval during which nothing is deleted. Until then, anyone who still reads the
 * mailbox can cancel.
 */
export const untouchedHours = 24;

/**
 * Hours for which the link in an email can confirm a request. An unconfirmed request is deleted
 * when its last link expires.
 */
export const linkHours = 48;

/**
 * Maximum duration of a visit session that began with a link, in minutes, even if the visitor is
 * active.
 */
export const visitMinutes = 30;

/**
 * Limit on the emails that forms from one client can send to one mailbox in 24 hours. Wider
 * networks have a multiple of it (`share`). The first email to an exact address is sent even beyond
 * it, up to `mailboxMailsPerDay`.
 */
export const linkMailsPerDay = 3;

/**
 * Limit on emails to one mailbox in 24 hours. Below it, the first email to each spelling of the
 * email address (dots, a tag after a plus) is sent even if the network has reached
 * `linkMailsPerDay`. At the limit, only `linkMailsPerDay` applies. The limit is well above ten so
 * that someone who tries ten spellings can't keep the owner from getting emails. It is below a
 * hundred so that a stranger can't fill two screens of an inbox.
 */
export const mailboxMailsPerDay = 40;

/** Maximum length of feedback in Unicode code points. A line break counts as one. */
export const feedbackLimit = 5000;

/**
 * Minutes between a completion (or another outcome) and the email about it. Until then, an operator
 * can undo the outcome, even if the account system caused it. If the account system starts and
 * finishes a deletion within these minutes, the requester gets no email about the start.
 */
export const undoMinutes = 10;

/**
 * Number of business days before the due date at which a request becomes urgent and the team gets
 * an email.
 */
export const warnBusinessDays = 2;

/** Days for which an operator's draft is kept. */
export const draftDays = 7;

/** A session ends after `idle` without a request, and `longest` after sign-in at the latest. */
export const session = { idle: { hours: 12 }, longest: { hours: 7 * 24 } };

/** Problem stored for a message that was being sent when a backup was made and may have arrived. */
export const doubtful = "may have left before the restore";
/** Problem stored for an email that the mail server received completely but didn't acknowledge. */
export const unanswered = "mail server did not say whether it took the mail";
