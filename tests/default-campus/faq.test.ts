import { afterAll, beforeAll, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { elementsOf, idsOf, linksOf, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

let site: TestSite;
let html: string;
beforeAll(async () => {
  site = await openTestSite();
  html = await site.read("/faq");
});
afterAll(() => site[Symbol.asyncDispose]());

test("eight questions, each with an answer in the page itself", () => {
  const items = elementsOf(html, "details");
  expect(items).toHaveLength(8);
  for (const [index, item] of items.entries()) {
    const asked = campus.faq[index];
    expect(textOf(elementsOf(item.html, "summary")[0]?.html ?? "")).toBe(asked?.question);
    expect(textOf(item.html).length).toBeGreaterThan(150);
    expect(idsOf(item.html)).toContain(asked?.id);
    // One name for all: the browser keeps one open at a time.
    expect(item.attributes.name).toBe("faq");
    expect(item.attributes).not.toHaveProperty("open");
  }
});

test("whoever still has questions is led to the contact", () => {
  expect(textOf(html)).toContain("Still have questions?");
  expect(linksOf(html)).toContainEqual(
    expect.objectContaining({ text: "Contact Support", href: "/#contact" }),
  );
});

test("the facts that people ask for are among the answers", () => {
  const text = textOf(html);
  for (const fact of [
    "User",
    "Rider",
    "18 or older",
    "bid",
    "offer",
    campus.settings.wallet,
    campus.settings.stores[0]?.name ?? "",
    campus.settings.localEmergency,
    "Rickshaw Booking",
  ]) {
    expect(text).toContain(fact);
  }
  expect(text).toMatch(/on.demand/i);
  expect(text).toMatch(/staff and faculty/i);
});
