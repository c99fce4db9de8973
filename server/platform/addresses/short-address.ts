/**
 * Number of characters of an email address that fit on one line of the narrowest card, in any
 * button's font.
 */
export const shortAddress = 20;
