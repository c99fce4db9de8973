import { expect } from "vitest";

// `toMatchObject` compares own properties. Temporal values have none, so without this tester all of
// them would be equal.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    isOfTime(one) && isOfTime(other)
      ? `${tag(one)} ${one}` === `${tag(other)} ${other}`
      : undefined,
]);

const tag = (value: unknown) => Object.prototype.toString.call(value);
const isOfTime = (value: unknown) => tag(value).startsWith("[object Temporal.");
