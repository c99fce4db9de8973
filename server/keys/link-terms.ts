/** What holds of the links in mails, whose secret is a token; the texts of a campus say it, too. */

/** How long one confirms, in hours; a request that nobody confirms goes with its last link. */
export const linkHours = 48;

/** So many mails that somebody caused by typing an address go to that address in 24 hours. */
export const linkMailsPerDay = 3;
