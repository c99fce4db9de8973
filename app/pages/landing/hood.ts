import {
  type HoodColour,
  type HoodMotif,
  hoodColours,
  hoodMotifs,
} from "../../../campus-reader/choices.ts";
import { paths } from "../../../server/platform/http/paths.ts";

export type Hood = { colour: HoodColour; motif: HoodMotif };

/** Hood for visitors who haven't painted one. */
export const plainHood: Hood = { colour: "rani", motif: "lotus" };

const hoods = new Map<string, Hood>(
  hoodColours.flatMap((colour) =>
    hoodMotifs.map((motif) => [`${colour}-${motif}`, { colour, motif }] as const),
  ),
);

/**
 * Reads the hood from the query string. Returns undefined if the query string has no hood or an
 * unknown color or motif.
 */
export function readHood(url: URL): Hood | undefined {
  const asked = url.searchParams.getAll("hood");
  // Without JavaScript, the form sends color and motif as separate parameters.
  const name = [...asked, ...url.searchParams.getAll("motif")].join("-");
  return hoods.get(name);
}

/** Returns the URL path for sharing this hood. */
export function hoodPath({ colour, motif }: Hood): string {
  return `${paths.landing}?hood=${colour}-${motif}`;
}
