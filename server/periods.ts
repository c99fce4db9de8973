/**
 * Periods that several modules share. Pages and emails promise them, and the retention rules in
 * `database/schema.ts` use them.
 */

/**
 * Retention of the request log and the operators' history: 24 months, by the CCPA regulations,
 * section 7101.
 */
export const record = { months: 24 };

/** Days that we keep the address for retries if the final email could not be delivered. */
export const eraseAfterDays = 30;

/** Days after a request ends during which its status page and receipt stay available. */
export const statusDays = 30;

/** Days that the team has to check a request that an operator entered. */
export const approvalDays = 7;

/** Hours between the notice to a mailbox that is said to be closed and the earliest approval. */
export const noticeHours = 48;

/**
 * Hours after an approval during which nothing is deleted, so that the reader of the mailbox can
 * still cancel.
 */
export const untouchedHours = 24;

/**
 * Hours for which the link in an email can confirm a request. An unconfirmed request is deleted
 * when its last link expires.
 */
export const linkHours = 48;

/** Minutes until a visit through a link ends, even if the visitor is active. */
export const visitMinutes = 30;

/** Emails that the forms of one client can send to one address in 24 hours. */
export const linkMailsPerDay = 3;

/**
 * Emails to one mailbox in 24 hours. Beyond it, a form for another variant of the address (dots, a
 * tag after a plus) sends only its own network's `linkMailsPerDay`. Ten variants must not silence
 * an owner, so the limit is well above ten; a stranger must not fill two screens of an inbox, so it
 * is below a hundred.
 */
export const mailboxMailsPerDay = 40;

/** Length in Unicode code points; a line end counts as one. */
export const feedbackLimit = 5000;

/**
 * Minutes during which an operator's or the account system's completion or ending can be undone
 * before its email leaves. Also the time in which an account system that has begun may finish
 * before the person gets an email about the start.
 */
export const undoMinutes = 10;

/**
 * Business days before the due date at which a request becomes urgent and the team gets an email.
 */
export const warnBusinessDays = 2;

/** Days that we keep an operator's unsent text. */
export const draftDays = 7;

/** A session ends after `idle` without a request, and after `longest` in any case. */
export const session = { idle: { hours: 12 }, longest: { hours: 7 * 24 } };

/** Problem of a message that was being sent when a backup was made: it may have arrived. */
export const doubtful = "may have left before the restore";
/** Problem of an email that the server received whole but did not acknowledge. */
export const unanswered = "mail server did not say whether it took the mail";
