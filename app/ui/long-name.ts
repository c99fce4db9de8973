/** Longest app name in full size; a longer one is smaller in the header, on two lines in the footer. */
const most = 14;

export const isLongName = (product: string) => product.length > most;
