/**
 * Longest email address, in characters, that fits on one line of the narrowest card in any font.
 */
export const shortAddress = 20;
