/**
 * Longest app name, in characters, that fits at full size. A longer name shrinks in the header and
 * wraps in the footer.
 */
const most = 14;

export const isLongName = (product: string) => product.length > most;
