/**
 * Checks whether a text is a reference, an address or a hash: a word with a digit or an @, which
 * translation programs must not touch.
 */
export const isCode = (text: string) => /^\S*[\d@]\S*$/.test(text);
