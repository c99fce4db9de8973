/**
 * Parts of the public site that a campus can omit, in their default order: the sections of the
 * landing page, and the blog.
 */
export const sectionNames = [
  "services",
  "features",
  "steps",
  "safety",
  "faq",
  "registration",
  "about",
  "careers",
  "contact",
  "cookies",
  "refund",
  "blog",
] as const;
/** Sections of earlier versions. A campus may still list them. */
export const formerSections: readonly string[] = ["paint"];
export type SectionName = (typeof sectionNames)[number];

/**
 * In URLs, the name of the list of all posts. Also the category of posts that have no other
 * category.
 */
export const allCategories = "All";

/**
 * Regional styles for a campus's drawings: decoration, trees, buildings, clothes.
 *
 * - `delta`: a warm river country. Lotus and scallops, flame trees, pointed arches, long tunics and
 * headscarves.
 * - `lake`: a cold shore. Compass roses and waves, firs and birches, stepped gables, coats and
 * woolen hats.
 * - `plain`: neutral. The compass rose, broad trees, gables, shirts.
 */
export const motifSets = ["delta", "lake", "plain"] as const;
export type Motifs = (typeof motifSets)[number];

export const heroVehicles = ["rickshaw", "motorbike"] as const;
export type HeroVehicle = (typeof heroVehicles)[number];
