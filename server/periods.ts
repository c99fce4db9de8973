/**
 * Periods that several modules share: pages and emails promise them, and the data map in
 * `database/schema.ts` ends by them.
 */

/**
 * Retention of the request log, 24 months by the CCPA regulations, section 7101, and of the
 * operators' history.
 */
export const record = { months: 24 };

/** Days that the address is kept for retries if the final email could not be delivered. */
export const eraseAfterDays = 30;

/** Days after the end for which the status page and its receipt can be opened. */
export const statusDays = 30;

/** Days that the team has to check a request entered by an operator. */
export const approvalDays = 7;

/** Hours that approval waits after the notice left for a mailbox that is said to be closed. */
export const noticeHours = 48;

/**
 * Hours after an approval in which nothing is deleted, so that the mailbox's reader can still
 * cancel.
 */
export const untouchedHours = 24;

/** Hours that an email's link confirms; an unconfirmed request is deleted with its last link. */
export const linkHours = 48;

/** Minutes until a visit opened by a link ends, whatever is done in between. */
export const visitMinutes = 30;

/** Emails that the forms of one client can cause to one address in 24 hours. */
export const linkMailsPerDay = 3;

/**
 * Emails to one mailbox in 24 hours after which a form for another variant of it (dots, tags
 * behind a plus) causes none beyond its own network's `linkMailsPerDay`. Ten variants must not
 * silence an owner, so it is well above ten; and a stranger must not fill a screen of an inbox
 * twice, so it is below a hundred.
 */
export const mailboxMailsPerDay = 40;

/** Unicode code points, counting each line end as one. */
export const feedbackLimit = 5000;

/**
 * Minutes in which a completion or an ending by an operator or account system can be undone
 * before its email leaves; also the time in which an account system that has begun may finish
 * before its person gets an email about the start.
 */
export const undoMinutes = 10;

/** Business days before a due date on which it becomes urgent and the team gets an email. */
export const warnBusinessDays = 2;

/** Days that an operator's unsent text is kept. */
export const draftDays = 7;

/** A session ends after `idle` without a request, and after `longest` in any case. */
export const session = { idle: { hours: 12 }, longest: { hours: 7 * 24 } };

/** Problem of a message that was under way when a backup was made: it may have arrived. */
export const doubtful = "may have left before the restore";
/** Problem of an email that was handed over whole and got no answer. */
export const unanswered = "mail server did not say whether it took the mail";
