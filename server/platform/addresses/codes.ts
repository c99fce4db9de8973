/**
 * Checks for a reference, an address or a hash: a word with a digit or an @, which translation
 * programs must leave alone.
 */
export const isCode = (text: string) => /^\S*[\d@]\S*$/.test(text);
