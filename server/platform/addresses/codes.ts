/**
 * Checks whether text is a code that must not be translated, such as a reference, an email address
 * or a hash: a single word with a digit or an @.
 */
export const isCode = (text: string) => /^\S*[\d@]\S*$/.test(text);
