import type { TripEnds } from "../../../campus-reader/fares.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { PageWords } from "../../words.ts";

/** Parses a trip from the query string. Returns undefined if the campus has no such trip. */
export function readTrip(url: URL, { settings }: PageWords): TripEnds | undefined {
  const ids = settings.places?.map(({ id }) => id) ?? [];
  const [from = "", second] = url.searchParams.getAll("from");
  const [to = "", third] = url.searchParams.getAll("to");
  const isTrip = ids.includes(from) && ids.includes(to) && from !== to;
  return isTrip && second === undefined && third === undefined ? { from, to } : undefined;
}

/** Returns whether the query string contains a trip, even an unknown one. */
export function asksForTrip(url: URL): boolean {
  return url.searchParams.has("from") || url.searchParams.has("to");
}

/** Returns the URL path for sharing a trip's fare. */
export function tripPath({ from, to }: TripEnds): string {
  return `${paths.landing}?${new URLSearchParams({ from, to })}`;
}
