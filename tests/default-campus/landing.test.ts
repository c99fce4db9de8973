import { afterAll, beforeAll, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { elementsOf, idsOf, linksOf, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

const { settings } = campus;
let site: TestSite;
let html: string;
let text: string;
beforeAll(async () => {
  site = await openTestSite();
  html = await site.read("/");
  text = textOf(html);
});
afterAll(() => site[Symbol.asyncDispose]());

test("the first words say what this is", () => {
  expect(text).toContain("Campus Ride-Share");
  const headlines = elementsOf(html, "h1").map((heading) => textOf(heading.html));
  expect(headlines).toEqual(["Campus Rides, Made Simple"]);
  expect(text).toContain("By the students, for the students");
});

test.each([
  [`Download ${settings.product} App`, settings.links.download],
  ["Join as Rider", settings.links.joinAsRider],
])('"%s" opens a placeholder address in a new tab, and says so', (name, href) => {
  const link = linksOf(html).find((candidate) => candidate.text.startsWith(name));
  expect(link?.attributes).toMatchObject({ href, target: "_blank" });
  expect(link?.attributes.rel).toContain("noopener");
  expect(`${link?.text} ${link?.attributes["aria-label"] ?? ""}`).toMatch(/new tab/);
  expect(new URL(href).hostname).toMatch(/\.example$/);
});

test.each(["about", "contact", "careers", "cookies", "refund", "Registration"])(
  "#%s is a section with a heading and something to read",
  (id) => {
    expect(idsOf(html)).toContain(id);
    const after = html.slice(html.search(new RegExp(`<[a-z]+[^>]* id="${id}"`)));
    expect(after).toMatch(/^<(section|div|article|footer|aside)\b[\s\S]{0,2500}<h[23]\b/);
  },
);

test("each section at an anchor has something of its own to say", () => {
  expect(text).toContain(campus.landing.about.title);
  expect(text).toContain(campus.landing.contact.title);
  expect(text).toContain(campus.landing.careers.title);
  expect(text).toContain("Cookie Policy");
  expect(text).toContain("Refund Policy");
  expect(linksOf(html).some((link) => link.href === `mailto:${settings.email}`)).toBe(true);
});

test("four services: one on the road, three coming soon", () => {
  expect(text).toContain("Campus Services");
  for (const name of [
    "Bike Ride Share",
    "Rickshaw Booking",
    "Food Delivery",
    "Find People for Assistance",
  ]) {
    expect(text).toContain(name);
  }
  expect(campus.landing.services.items.map((item) => [item.title, item.status])).toEqual([
    ["Bike Ride Share", "available"],
    ["Rickshaw Booking", "coming"],
    ["Food Delivery", "coming"],
    ["Find People for Assistance", "coming"],
  ]);
  expect(text.match(/Coming Soon/g)).toHaveLength(3);
});

test("the four things the app does", () => {
  expect(text).toContain("Ride Smarter Ride Better");
  for (const name of [
    "Quick Ride Requests",
    "Live Ride Tracking",
    `Pay Cash or ${settings.wallet}`,
    "Student-Friendly Fares",
  ]) {
    expect(text).toContain(name);
  }
});

test("the four steps of a ride, in order", () => {
  expect(text).toContain("Ride Made Simple");
  const places = [
    "Sign Up & Verify",
    "Request a Ride",
    "Accept & Start Ride",
    "Payment & Feedback",
  ].map((name) => text.indexOf(name, text.indexOf("Ride Made Simple")));
  expect(places).not.toContain(-1);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
});

test("five questions of the FAQ, and the way to all of them", () => {
  const asked = [...html.matchAll(/<details name="faq"[^>]*><summary[^>]*>([\s\S]*?)<\/summary>/g)];
  expect(asked.map((match) => textOf(match[1] ?? ""))).toEqual(
    campus.faq.slice(0, 5).map((item) => item.question),
  );
  expect(linksOf(html)).toContainEqual(
    expect.objectContaining({ href: "/faq", text: "View All FAQs" }),
  );
});

test("trust and safety: who may ride, which papers, the minutes, the number to call", () => {
  for (const word of ["18", "licence", "registration", "insurance", "5 min", "no-show"]) {
    expect(text.toLowerCase()).toContain(word);
  }
  expect(text).toContain(settings.localEmergency);
  expect(text).toContain(settings.emergency);
});

test("both account kinds, what each needs, and which shop has the app", () => {
  expect(text).toMatch(/\bUser\b/);
  expect(text).toMatch(/\bRider\b/);
  expect(text).toMatch(/government ID/);
  expect(text).toContain("Google Play");
  expect(text).toMatch(/App Store\W.*coming soon/i);
});

test("rides are on demand, and a bid or an offer makes the fare", () => {
  expect(text.toLowerCase()).toMatch(/on-demand|on demand/);
  expect(text).toMatch(/\bbid\b/);
  expect(text).toMatch(/\boffer\b/);
});
