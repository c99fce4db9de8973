/**
 * Periods that several modules share. Pages and emails promise them, and the retention rules in
 * `database/schema.ts` use them.
 */

/**
 * Retention of the request log and the operators' history: 24 months, as section 7101 of the CCPA
 * regulations requires.
 */
export const record = { months: 24 };

/**
 * Days for which the email address is kept for retries if the final email couldn't be delivered.
 */
export const eraseAfterDays = 30;

/** Days after a request ends for which its status page and receipt stay available. */
export const statusDays = 30;

/** Days that the team has to check a request that an operator entered. */
export const approvalDays = 7;

/** Hours between the notice to a mailbox that is said to be closed and the earliest approval. */
export const noticeHours = 48;

/**
 * Hours after an approval during which nothing is deleted, so that someone who still reads the
 * mailbox can cancel.
 */
export const untouchedHours = 24;

/**
 * Hours for which the link in an email can confirm a request. An unconfirmed request is deleted
 * when its last link expires.
 */
export const linkHours = 48;

/** Minutes until a visit that a link opened ends, even if the visitor is active. */
export const visitMinutes = 30;

/** Maximum number of emails that the forms of one client can send to one address in 24 hours. */
export const linkMailsPerDay = 3;

/**
 * Maximum number of emails to one mailbox in 24 hours. Beyond it, a form for another variant of the
 * address (dots, a tag after a plus) sends only its own network's `linkMailsPerDay`. Using ten
 * variants must not keep the owner from getting emails, so the limit is well above ten. A stranger
 * must not fill two screens of an inbox, so it is below a hundred.
 */
export const mailboxMailsPerDay = 40;

/** Maximum length of feedback in Unicode code points. A line break counts as one. */
export const feedbackLimit = 5000;

/**
 * Minutes during which an operator's or the account system's completion or ending can be undone
 * before its email is sent. Also how long an account system that has started may take to finish
 * before the requester gets an email about the start.
 */
export const undoMinutes = 10;

/**
 * Business days before the due date at which a request becomes urgent and the team gets an email.
 */
export const warnBusinessDays = 2;

/** Days for which an operator's unsent text is kept. */
export const draftDays = 7;

/** A session ends after `idle` without a request, and after `longest` in any case. */
export const session = { idle: { hours: 12 }, longest: { hours: 7 * 24 } };

/**
 * Problem recorded for a message that was being sent when a backup was made. The message may have
 * arrived.
 */
export const doubtful = "may have left before the restore";
/**
 * Problem recorded for an email that the mail server received completely but didn't acknowledge.
 */
export const unanswered = "mail server did not say whether it took the mail";
