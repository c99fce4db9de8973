/**
 * Checks whether a text is a reference, an email address or a hash: one word with a digit or an @,
 * which translation programs must not touch.
 */
export const isCode = (text: string) => /^\S*[\d@]\S*$/.test(text);
