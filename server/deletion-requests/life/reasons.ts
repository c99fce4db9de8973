/** Why somebody leaves, in the order of the form. The words belong to the campus's content. */
export const reasonCodes = [
  "no-longer-needed",
  "privacy-concerns",
  "better-alternative",
  "too-many-notifications",
  "technical-issues",
  "other",
] as const;

export type ReasonCode = (typeof reasonCodes)[number];
