/** An e-mail address of so many signs fits a line of the narrowest card, in letters of any button. */
export const shortAddress = 20;
