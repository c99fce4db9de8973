import { expect, test } from "vitest";
import { findMenuRoom } from "./menu-room.ts";

test.each([
  [[], "roomy"],
  [["Events"], "roomy"],
  [["Night rides", "House rules"], "crowded"],
  [["Night rides", "House rules", "Clubs and teams"], "full"],
])("a menu with %j is %s", (names, room) => {
  expect(findMenuRoom(names)).toBe(room);
});
