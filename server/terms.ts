/** Terms that more than one room goes by: what pages and mails promise, and what the map of the data ends (`database/schema.ts`). */

/** A log of requests is kept for 24 months: CCPA regulations, section 7101. So is who of the team did what. */
export const record = { months: 24 };

/** Where the end could not be told: how long the address stays for trying. */
export const eraseAfterDays = 30;

/** The status page and its receipt can be opened for so long after the end. */
export const statusDays = 30;

/** The team has so long to check what an operator entered. */
export const approvalDays = 7;

/** Approval waits so long after the notice left for the mailbox that is said to be closed. */
export const noticeHours = 48;

/** Nothing is deleted for so long after an approval, so that the mailbox's reader can still cancel. */
export const untouchedHours = 24;

/** How long the link in a mail confirms; a request that nobody confirms goes with its last link. */
export const linkHours = 48;

/** A visit that a link opens ends so long after it, whatever is done in between. */
export const visitMinutes = 30;

/** The forms of one client cause at most so many mails to one address in 24 hours. */
export const linkMailsPerDay = 3;

/**
 * After so many mails in 24 hours, a form for another variant of the same mailbox (dots, notes behind a plus) causes none
 * beyond its own network's `linkMailsPerDay`. Ten variants must not silence an owner, so it is well above ten; and a
 * stranger should not be able to fill a screen of somebody's inbox twice, so it is no hundred.
 */
export const mailboxMailsPerDay = 40;

/** Counted in Unicode code points after line ends became one character each. */
export const feedbackLimit = 5000;

/**
 * How long what an operator or an account system called done, or ended, can be taken back before its person is told; and
 * how long a machine that has begun may take to be done before its person is told that it has.
 */
export const undoMinutes = 10;

/** Two business days before, a promised date begins to press, and the team is told. */
export const warnBusinessDays = 2;

/** What an operator typed and did not send is kept for so long. */
export const draftDays = 7;

/** A session ends without a request for so long, and however busy after so long. */
export const session = { idle: { hours: 12 }, longest: { hours: 7 * 24 } };

/** What a message is told to be that was on its way when a copy was made: it may have arrived. */
export const doubtful = "may have left before the restore";
/** The same of one that was handed over whole and got no answer. */
export const unanswered = "mail server did not say whether it took the mail";
