/**
 * Longest app name, in characters, that fits at full size. Longer names shrink in the header and
 * wrap in the footer.
 */
const most = 14;

export const isLongName = (product: string) => product.length > most;
