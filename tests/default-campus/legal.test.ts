import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { elementsOf, idsOf, linksOf, mainOf, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site[Symbol.asyncDispose]());

describe.each([
  ["/privacy-policy", "Privacy Policy"],
  ["/terms-conditions", "Terms & Conditions"],
])("%s", (path, title) => {
  test("has its title and its date", async () => {
    const main = mainOf(await site.read(path));
    expect(elementsOf(main, "h1").map((heading) => textOf(heading.html))).toEqual([title]);
    expect(textOf(main)).toContain("Last updated: July 2025");
  });

  test("has ten sections, contents that lead to them, and a way back to the top", async () => {
    const main = mainOf(await site.read(path));
    const wanted = Array.from({ length: 10 }, (_, index) => `section-${index + 1}`);
    const ids = idsOf(main).filter((id) => /^section-\d+$/.test(id));
    expect(ids).toEqual(wanted);
    const contents = linksOf(main).filter((link) => /^#section-\d+$/.test(link.href ?? ""));
    expect(contents.slice(0, 10).map((link) => link.href)).toEqual(wanted.map((id) => `#${id}`));
    expect(linksOf(main).some((link) => /back to top/i.test(link.text))).toBe(true);
  });

  test("sums up every section in a sentence", async () => {
    expect(textOf(mainOf(await site.read(path))).match(/In short/g)).toHaveLength(10);
  });
});

test.each([
  "name",
  "student ID",
  "profile photo",
  "email",
  "phone",
  "university or college",
  "campus",
  "password",
  "security questions",
  "pick-up and drop-off",
  "routes",
  "times",
  "fares",
  "preferences",
  "location",
  "permission",
  "device information",
  "usage data",
  "logs",
])("the privacy policy names %s among what is collected", async (kind) => {
  const text = textOf(mainOf(await site.read("/privacy-policy"))).toLowerCase();
  expect(text).toContain(kind.toLowerCase());
});

test("the privacy policy shows the same table of what is deleted and kept as the deletion page", async () => {
  const tableOn = async (path: string) =>
    elementsOf(await site.read(path), "table")
      .map((table) => textOf(table.html))
      .find((text) => campus.dataKinds.every((row) => text.includes(row.kind)));
  const table = await tableOn("/privacy-policy");
  expect(table).toBeDefined();
  expect(await tableOn("/delete-my-account")).toBe(table);
});

test.each([
  ["the minimum age", /18 (years of age )?or older/],
  ["enrolment or employment", /enrolled or employed at an educational institution/],
  [
    "the educational email or institutional ID",
    /educational email( address)? or an institutional ID/,
  ],
  ["the government ID", /government ID/],
  ["the driver's licence", /driver.s licen[cs]e/],
  ["the vehicle registration", /vehicle registration/],
  ["the insurance", /insurance/],
  ["one account per person", /one account per person/i],
  ["limits until verification", /limit or suspend|limited or suspended/],
  [
    "no cash between driver and rider",
    /cash payments? between (driver and rider|a driver and a rider|rider and driver)[^.]*prohibited|prohibit[^.]*cash/i,
  ],
  ["payment through the platform", /through the platform/],
  ["the five minutes to cancel", /5 minutes (after|of)[^.]*accept/],
  ["the fee after it", /fee/],
  ["the no-show", /no-show/i],
  ["the driver's arrival", /5 minutes (after|of)[^.]*arriv/],
  ["sixty days of mediation", /60 days/],
  ["mediation before arbitration", /mediat[\s\S]*binding arbitration/i],
  ["the liability cap", /(six|6) months/],
  ["the emergency number", /\b911\b/],
  ["the local emergency number", new RegExp(`\\b${campus.settings.localEmergency}\\b`)],
  ["no scheduled rides", /Scheduled rides are not offered/i],
  ["bids", /\bbid/],
  ["who is called rider", /User/],
  ["who is called driver", /Rider/],
])("the terms say %s", async (_, pattern) => {
  expect(textOf(mainOf(await site.read("/terms-conditions")))).toMatch(pattern);
});

test("marketing offers cash, the terms forbid it between driver and rider: both stay", async () => {
  const { wallet } = campus.settings;
  expect(textOf(await site.read("/"))).toMatch(new RegExp(`cash or ${wallet}`, "i"));
  expect(textOf(await site.read("/faq"))).toMatch(/cash/);
});

test("the local emergency number stands beside 911", async () => {
  const text = textOf(mainOf(await site.read("/terms-conditions")));
  const place = text.indexOf("911");
  expect(text.slice(Math.max(0, place - 200), place + 200)).toContain(
    campus.settings.localEmergency,
  );
});
