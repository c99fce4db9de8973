/** A name of an app with more letters than this is written smaller: in the header beside the menu, in the footer on two lines. */
const most = 14;

export const isLongName = (product: string) => product.length > most;
