import { afterAll, beforeAll, expect, test } from "vitest";
import { openOffice, type TestOffice } from "../deletion-requests/office.fixture.ts";
import { type Sorting, type View, views } from "./acts.ts";
import { listView, sortingsOf } from "./lists.ts";
import { type Place, placeFromText, placeToText } from "./places.ts";

let office: TestOffice;
let references: string[];

beforeAll(async () => {
  office = await openOffice();
  references = [];
  for (let index = 0; index < 7; index++) {
    references.push(await office.submitConfirmed({ email: `student${index}@uni.example` }));
    office.pass({ days: 1 });
  }
  for (const reference of references.slice(0, 3)) {
    await office.desk.act(reference, { type: "take" }, "Nadia");
  }
  for (const reference of references.slice(5)) {
    const refuse = { type: "refuse", reason: "no-account", explanation: "" } as const;
    await office.desk.act(reference, refuse, "Nadia");
    office.pass({ minutes: 1 });
  }
});

afterAll(() => office.close());

/** A view page by page, two at a time. */
async function walk(view: View, sorting?: Sorting): Promise<string[]> {
  const found: string[] = [];
  const today = Temporal.PlainDate.from("2026-12-01");
  for (let after: Place | undefined; ; ) {
    const asked = { view, sorting, after, today, name: "Nadia", limit: 2 };
    const page = await listView(office.database.read, asked);
    found.push(...page.requests.map(({ reference }) => reference));
    if (!page.next) return found;
    after = placeFromText(placeToText(page.next));
  }
}

test("pages follow each other without a gap or a repeat, in both directions", async () => {
  expect(await walk("open")).toEqual(references.slice(0, 5));
  expect(await walk("open", "last")).toEqual(references.slice(0, 5).toReversed());
  expect(await walk("open", "newest")).toEqual(references.slice(0, 5).toReversed());
  expect(await walk("mine")).toEqual(references.slice(0, 3));
  expect(await walk("nobody")).toEqual(references.slice(3, 5));
  expect(await walk("refused")).toEqual(references.slice(5).toReversed());
  expect(await walk("ended", "first")).toEqual(references.slice(5));
  expect(await walk("completed")).toEqual([]);
  expect(await walk("all", "oldest")).toEqual(references);
});

test("each view of each sorting can be asked for, and walked to its end", async () => {
  for (const view of views) {
    const [usual] = sortingsOf(view);
    for (const sorting of sortingsOf(view)) {
      const found = await walk(view, sorting);
      expect(new Set(found).size, `${view} ${sorting}`).toBe(found.length);
    }
    expect(await walk(view, usual)).toEqual(await walk(view));
  }
});

test("a place that no page made is none", () => {
  for (const text of ["", "x", "2026-12-06", "~", "'~1", "2026-12-06~-1", null]) {
    expect(placeFromText(text)).toBeUndefined();
  }
});
