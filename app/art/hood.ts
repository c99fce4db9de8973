/** What a rickshaw's hood can be painted with; `landing.yaml` has their names. */
export const hoodColours = ["rani", "marigold", "peacock", "leaf"] as const;
export type HoodColour = (typeof hoodColours)[number];

export const hoodMotifs = ["lotus", "feather", "star"] as const;
export type HoodMotif = (typeof hoodMotifs)[number];
