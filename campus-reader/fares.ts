type FareSettings = {
  places?: readonly { id: string; name: string }[] | undefined;
  trips?:
    | readonly { between: readonly [string, string]; km: number; minutes: number }[]
    | undefined;
  ride?: { fare: { base: number; distance: number; time: number } } | undefined;
};

/** Parts of a fare in the campus's currency. Each part is rounded so that the parts add up. */
export type Fare = { base: number; distance: number; time: number; total: number };

/** Ids of the two different places that a trip connects. */
export type TripEnds = { from: string; to: string };

/** A trip on the fare board, in one direction. */
type Trip = TripEnds & { minutes: number; fare: Fare };

/**
 * Computes the fare of every trip, in the order of `trips`. The first trip costs `ride.fare`. Other
 * trips have the same base fare; their parts for distance and time are proportional to the first
 * trip's.
 * @returns an empty list if the campus has no places, trips or fare
 */
export function listTrips({ places, trips = [], ride }: FareSettings): Trip[] {
  const [first] = trips;
  if (!places || !ride || !first) return [];
  const { base, distance, time } = ride.fare;
  const unit = 10 ** Math.max(...[base, distance, time].map(countDecimals));
  const round = (amount: number) => Math.round(amount * unit) / unit;
  return trips.map(({ between: [from, to], km, minutes }) => {
    const parts = {
      base,
      distance: round((distance * km) / first.km),
      time: round((time * minutes) / first.minutes),
    };
    const total = round(parts.base + parts.distance + parts.time);
    return { from, to, minutes, fare: { ...parts, total } };
  });
}

function countDecimals(amount: number): number {
  return `${amount}`.split(".")[1]?.length ?? 0;
}

/** Checks whether two trips connect the same two places, in either direction. */
export function connectsSame(a: TripEnds, b: TripEnds): boolean {
  const places = [a.from, a.to];
  return places.includes(b.from) && places.includes(b.to);
}

/** Returns a function that looks up the name of a place by its id. */
export function namePlaces({ places = [] }: Pick<FareSettings, "places">) {
  const names = new Map(places.map(({ id, name }) => [id, name]));
  return (id: string) => names.get(id) ?? id;
}

/** Returns the name of a trip's share image, which is the same in both directions. */
export function tripImage(a: string, b: string): string {
  return `trip-${[a, b].toSorted().join("-")}`;
}
