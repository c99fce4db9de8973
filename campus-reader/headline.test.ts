import { expect, test } from "vitest";
import { splitHeadline } from "./headline.ts";

test.each([
  ["Campus Rides, Made Simple", ["Campus Rides,", "Made Simple"], 13],
  ["ক্যাম্পাসের রাইড, একদম সহজে", ["ক্যাম্পাসের রাইড,", "একদম সহজে"], 13],
  ["Auf dem Campus einfach mitfahren", ["Auf dem Campus", "einfach mitfahren"], 17],
  ["نوصّلك، فسكّتنا واحدة", ["نوصّلك،", "فسكّتنا واحدة"], 12],
  ["Rides", ["Rides"], 5],
])("splits the headline %j at a natural break", (headline, lines, letters) => {
  expect(splitHeadline(headline)).toEqual({ lines, letters });
});
