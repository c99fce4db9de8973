import { expect, test } from "vitest";
import { createTrust } from "./networks.ts";
import { createRequestIds } from "./request-ids.ts";

const ids = createRequestIds(createTrust({ kind: "hops", count: 1 }));
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

test.each(["0d8f8a1c5b7e4d2f9a6c3b1e0f7d8c9a", "01890a5d-ac96-774b-bcce-b302099a8057"])(
  "adopts the id %s from a trusted proxy",
  (given) => {
    expect(ids.idOf("127.0.0.1", given)).toBe(given);
  },
);

test.each([
  ["nothing", undefined],
  ["an email address", "nadia@university.example"],
  ["a name", "nadia-rahman-and-rafi"],
  ["a short number", "01711123456"],
  ["a line break", "0d8f8a1c5b7e4d2f\n9a6c3b1e0f7d8c9a"],
  ["a very long id", "a".repeat(65)],
])("creates a new id if a trusted proxy sends %s", (_, given) => {
  expect(ids.idOf("127.0.0.1", given)).toMatch(uuid);
});

test("ignores an id from a client that isn't a trusted proxy", () => {
  const given = "0d8f8a1c5b7e4d2f9a6c3b1e0f7d8c9a";
  expect(ids.idOf("203.0.113.7", given)).toMatch(uuid);
  expect(createRequestIds(createTrust({ kind: "none" })).idOf("127.0.0.1", given)).not.toBe(given);
});

test("returns the current request's id only within the request", async () => {
  const seen = await Promise.all(
    ["first", "second"].map((id) =>
      ids.within(id, async () => {
        await Promise.resolve();
        return ids.current();
      }),
    ),
  );
  expect(seen).toEqual(["first", "second"]);
  expect(ids.current()).toBeUndefined();
});
