/** Longest app name at full size. A longer one shrinks in the header and wraps in the footer. */
const most = 14;

export const isLongName = (product: string) => product.length > most;
