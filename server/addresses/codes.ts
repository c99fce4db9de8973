/** A reference, an address, a hash: one word with a digit or an @, which no translation should touch. */
export const isCode = (text: string) => /^\S*[\d@]\S*$/.test(text);
