/** Longest app name in full size; a longer one shrinks in the header and wraps in the footer. */
const most = 14;

export const isLongName = (product: string) => product.length > most;
