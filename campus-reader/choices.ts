/** What a campus chooses of its drawings; `landing.yaml` has the names of hoods. */

/**
 * What the drawings of a campus are made of where regions differ: what is painted on things, its trees and halls, how
 * its people dress.
 *
 * - `delta`: a warm river country. Lotus and scallops, flame trees, pointed arches, long tunics and headscarves.
 * - `lake`: a cold shore. Compass roses and waves, firs and birches, stepped gables, coats and woollen hats.
 * - `plain`: what stands in most places. The compass rose, broad trees, gables, shirts.
 */
export const motifSets = ["delta", "lake", "plain"] as const;
export type Motifs = (typeof motifSets)[number];

/** What may drive in the first view. A rickshaw's hood can be painted by whoever looks at it. */
export const heroVehicles = ["rickshaw", "motorbike"] as const;
export type HeroVehicle = (typeof heroVehicles)[number];

export const hoodColours = ["rani", "marigold", "peacock", "leaf"] as const;
export type HoodColour = (typeof hoodColours)[number];

export const hoodMotifs = ["lotus", "feather", "star"] as const;
export type HoodMotif = (typeof hoodMotifs)[number];
