import { expect } from "vitest";

// `toMatchObject` compares own properties. Temporal dates and instants have none, so it would treat
// all of them as equal.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    isOfTime(one) && isOfTime(other)
      ? `${tag(one)} ${one}` === `${tag(other)} ${other}`
      : undefined,
]);

const tag = (value: unknown) => Object.prototype.toString.call(value);
const isOfTime = (value: unknown) => tag(value).startsWith("[object Temporal.");
