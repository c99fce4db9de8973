/**
 * Maximum length, in characters, of an email address that fits on one line of the narrowest card in
 * any font.
 */
export const shortAddress = 20;
