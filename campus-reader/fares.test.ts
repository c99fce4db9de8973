import { join } from "node:path";
import { expect, test } from "vitest";
import { listTrips } from "./fares.ts";
import { settingsSchema } from "./schema.ts";
import { parseYaml, readTextFile } from "./text-files.ts";

const settings = parseYaml(
  readTextFile(join(import.meta.dirname, "../campus/campus.yaml")),
) as object;

const places = ["gate", "library", "hall"].map((id) => ({ id, name: id }));
const waitMinutes = { usual: 5, longest: 12 };
const trip = (a: string, b: string, km: number, minutes: number) => ({
  between: [a, b] as [string, string],
  km,
  minutes,
});
const trips = [trip("gate", "library", 2, 6), trip("hall", "gate", 1.2, 4)];

test("charges the example fare for the first trip, and proportional distance and time for others", () => {
  const ride = { reachKm: 6, waitMinutes, fare: { base: 20, distance: 20, time: 5 } };
  expect(listTrips({ places, trips, ride })).toEqual([
    {
      from: "gate",
      to: "library",
      minutes: 6,
      fare: { base: 20, distance: 20, time: 5, total: 45 },
    },
    { from: "hall", to: "gate", minutes: 4, fare: { base: 20, distance: 12, time: 3, total: 35 } },
  ]);
});

test("rounds the parts of a fare to the decimals of the example fare, so that they add up", () => {
  const ride = { reachKm: 6, waitMinutes, fare: { base: 0.8, distance: 1.6, time: 0.4 } };
  expect(listTrips({ places, trips, ride })[1]?.fare).toEqual({
    base: 0.8,
    distance: 1,
    time: 0.3,
    total: 2.1,
  });
});

test("returns no trips for a campus without places", () => {
  const ride = { reachKm: 6, waitMinutes, fare: { base: 1, distance: 1, time: 1 } };
  expect(listTrips({ places: undefined, trips: undefined, ride })).toEqual([]);
});

test.each([
  [{ places, trips }, "trips: lacks the trip between library and hall"],
  [
    {
      places: places.slice(0, 2),
      trips: [trip("gate", "library", 2, 6), trip("gate", "pond", 1, 2)],
    },
    "trips.1.between: pond is not one of the places",
  ],
  [
    {
      places: places.slice(0, 2),
      trips: [trip("gate", "library", 2, 6), trip("library", "gate", 1, 2)],
    },
    "trips.1.between: gate and library is listed twice",
  ],
])("rejects missing, unknown and duplicate trips (%#)", (given, reason) => {
  const { error } = settingsSchema.safeParse({ ...settings, translations: {}, ...given });
  const reasons = error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  expect(reasons).toContain(reason);
});

test("rejects a trip that costs more per kilometer than the law allows", () => {
  const capped = { reachKm: 6, waitMinutes, fare: { base: 0.1, distance: 0.4, time: 0.1 } };
  const check = (mostPerKm: number) =>
    settingsSchema.safeParse({
      ...settings,
      translations: {},
      places: places.slice(0, 2),
      trips: [trip("gate", "library", 2, 6)],
      ride: { ...capped, mostPerKm },
    });
  expect(check(0.3).success).toBe(true);
  const reasons = check(0.29).error?.issues.map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );
  expect(reasons).toEqual(["trips.0: costs 0.6, but ride.mostPerKm allows 0.58 for 2 km"]);
});
