/**
 * How many characters of an email address fit on one line of the narrowest card, whatever the
 * button's font.
 */
export const shortAddress = 20;
