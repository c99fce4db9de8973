import { expect } from "vitest";

// `toMatchObject` compares own properties. Temporal values have none, so without this tester all of
// them would be equal.
expect.addEqualityTesters([
  (a: unknown, b: unknown) =>
    isOfTime(a) && isOfTime(b) ? `${tag(a)} ${a}` === `${tag(b)} ${b}` : undefined,
]);

const tag = (value: unknown) => Object.prototype.toString.call(value);
const isOfTime = (value: unknown) => tag(value).startsWith("[object Temporal.");
