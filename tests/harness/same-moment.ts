import { expect } from "vitest";

// `toMatchObject` compares objects by their own properties, and dates and moments have none: without this any is like any other.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    isOfTime(one) && isOfTime(other)
      ? `${tag(one)} ${one}` === `${tag(other)} ${other}`
      : undefined,
]);

const tag = (value: unknown) => Object.prototype.toString.call(value);
const isOfTime = (value: unknown) => tag(value).startsWith("[object Temporal.");
