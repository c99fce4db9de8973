import { afterAll, expect, test } from "vitest";
import { listTrips } from "../../campus-reader/fares.ts";
import { campus, tripPaths } from "../harness/campus.ts";
import { elementsOf, linkIn, mainOf, metaOf, textOf, titleOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const publicUrl = "http://localhost:3000";

const site = await openTestSite({ publicUrl });
afterAll(() => site[Symbol.asyncDispose]());

/** Returns the selected places, such as `gate library`. */
const chosenOn = (html: string) =>
  elementsOf(html, "option")
    .filter(({ attributes }) => "selected" in attributes)
    .map(({ attributes }) => attributes.value)
    .join(" ");

test("shows the first trip and its fare by default", async () => {
  const html = await site.read("/");
  const [trip] = listTrips(campus.settings);
  expect(chosenOn(html)).toBe(`${trip?.from} ${trip?.to}`);
  expect(trip?.fare.total).toBe(45);
});

test("gives each trip its own title and sharing URL", async () => {
  const html = await site.read("/?from=library&to=gate");
  expect(chosenOn(html)).toBe("library gate");
  expect(titleOf(html)).toBe("Library to Main Gate: ৳45 · CampusRide");
  expect(metaOf(html, "og:url")).toBe(`${publicUrl}/?from=library&to=gate`);
  expect(linkIn(html, "canonical")).toBe(`${publicUrl}/`);
});

test("gives each trip a small share image, the same in both directions", async () => {
  const images = await Promise.all(
    tripPaths.map(async (path) => metaOf(await site.read(path), "og:image") ?? ""),
  );
  expect(new Set(images).size).toBe(tripPaths.length / 2);
  const response = await site.ask((images[0] ?? "").slice(publicUrl.length));
  const png = Buffer.from(await response.arrayBuffer());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  // Messaging apps skip images over 300 KB. This limit leaves a margin.
  expect(png.byteLength).toBeLessThan(200 * 1024);
});

test.each([
  "/?from=gate&to=gate",
  "/?from=gate",
  "/?to=moon&from=gate",
  "/?from=gate&to=library&to=gate",
])("redirects the invalid trip %s to the landing page", async (path) => {
  const response = await site.ask(path);
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe("/");
});

test("redirects an earlier version's ?hood= URL to the landing page", async () => {
  const response = await site.ask("/?hood=leaf-star");
  expect([response.status, response.headers.get("location")]).toEqual([308, "/"]);
});

test("refreshes the cached page when busy hours begin and when rides close", async () => {
  // 7:29 AM in Dhaka, a minute before the busy hours.
  await using day = await openTestSite({
    publicUrl,
    opensAt: Temporal.Instant.from("2026-11-30T01:29:00Z"),
  });
  const strip = async () => textOf(mainOf(await day.read("/")));
  expect(await strip()).toMatch(/Open until 10\sPM/);
  day.wait({ minutes: 1 });
  expect(await strip()).toMatch(/Open, busy until 9:00\sAM/);
  expect(await strip()).toMatch(/Rider in about 12 min/);
  day.wait({ hours: 14, minutes: 29 });
  expect(await strip()).toMatch(/Open until 10\sPM/);
  day.wait({ minutes: 1 });
  expect(await strip()).toMatch(/Closed, opens at 7\sAM/);
});
