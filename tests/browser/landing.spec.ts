import type { Page } from "@playwright/test";
import { encode } from "uqr";
import { desktop, expect, phone, test } from "../harness/browser.ts";
import { campus, hoodPaths } from "../harness/campus.ts";
import * as looks from "../harness/looks.ts";
import { untilShown, untilStill } from "../harness/page-state.ts";
import { countForcedLayouts } from "../harness/trace.ts";

const { hero, paint, services } = campus.landing;

test("headline and both buttons are seen without scrolling on a small phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  for (const name of [hero.downloadLabel, hero.joinLabel]) {
    await expect(
      page.getByRole("link", { name: new RegExp(RegExp.escape(name)) }).first(),
    ).toBeInViewport({
      ratio: 1,
    });
  }
});

test("the bike behind the name in the footer keeps clear of it", async ({ page }) => {
  await page.goto("/");
  await page.evaluate(() => document.fonts.ready);
  const name = page.locator("footer p:has(img)");
  for (const width of [320, 360, 412]) {
    await page.setViewportSize({ width, height: 640 });
    const overlaps = await name.evaluate((paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph.firstChild ?? paragraph);
      const bike = paragraph.querySelector("img")?.getBoundingClientRect();
      return [...range.getClientRects()].map(
        (line) => bike !== undefined && line.right > bike.left,
      );
    });
    expect(overlaps.at(-1), `at ${width} px`).toBe(false);
  }
});

test("the board with a hood's address hides nothing, and its pots stand in one row", async ({
  page,
}) => {
  await page.goto(hoodPaths.toSorted((a, b) => b.length - a.length)[0] ?? "/");
  await page.evaluate(() => document.fonts.ready);
  const board = page.locator("main form");
  for (const width of hoodPaths.length > 0 ? [960, 1024, 1280] : []) {
    await page.setViewportSize({ width, height: 900 });
    await untilShown(page);
    const tops = await board
      .getByRole("radio")
      .evaluateAll((pots) => pots.map((pot) => Math.round(pot.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(1);
    const facts = page.getByText(hero.facts[0] ?? "", { exact: true }).first();
    const above = await facts.boundingBox();
    const below = await board.boundingBox();
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  }
});

test("no line of a card runs around its picture", async ({ page }) => {
  await page.goto("/");
  for (const width of [360, 412, 768, 960]) {
    await page.setViewportSize({ width, height: 900 });
    const torn = await page.evaluate(() =>
      [...document.querySelectorAll(":is(#features, #steps, #safety) :is(h3, h3 + p)")]
        .filter((words) => {
          const range = document.createRange();
          range.selectNodeContents(words);
          const lefts = [...range.getClientRects()].map(({ left }) => Math.round(left));
          return new Set(lefts).size > 1;
        })
        .map(({ textContent }) => textContent),
    );
    expect(torn, `at ${width} px`).toEqual([]);
  }
});

test("the words about the makers end within the header's width", async ({ page }) => {
  await page.goto("/");
  const end = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
  for (const width of [960, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const words = await end("#about :is(h2, p)");
    expect(words, `at ${width} px`).toBeLessThan((await end("header nav")) + 1);
  }
});

test("what is coming soon says so, and nothing on it can be clicked or reached by keyboard", async ({
  page,
}) => {
  await page.goto("/");
  for (const { title } of services.items.filter(({ status }) => status === "coming")) {
    const heading = page.getByRole("heading", { name: title, exact: true });
    const card = page.locator("article, li, div").filter({ has: heading }).last();
    await expect(card.getByText(services.comingSoon)).toBeVisible();
    await expect(card.locator("a, button, [tabindex], input, summary")).toHaveCount(0);
    expect(await card.evaluate((element) => getComputedStyle(element).cursor)).not.toBe("pointer");
    expect(await heading.evaluate((element) => element.closest("a, button"))).toBeNull();
  }
});

test("the app's screenshot is there, and no picture of a card covers its words", async ({
  page,
}) => {
  await page.goto("/");
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    await expect(page.getByText(campus.landing.hero.phone.fare).first()).toBeVisible();
    const covered = await page.locator("main article").evaluateAll((cards) =>
      cards.flatMap((card) => {
        const picture = card.querySelector("img")?.getBoundingClientRect();
        if (!picture) return [];
        const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
        const under: string[] = [];
        while (texts.nextNode()) {
          // A ribbon may lie over the edge of a picture.
          if (texts.currentNode.parentElement?.closest("p[class]")) continue;
          const range = document.createRange();
          range.selectNodeContents(texts.currentNode);
          const over = [...range.getClientRects()].some(
            (box) =>
              box.left < picture.right - 1 &&
              box.right > picture.left + 1 &&
              box.top < picture.bottom - 1 &&
              box.bottom > picture.top + 1,
          );
          if (over) under.push(texts.currentNode.textContent ?? "");
        }
        return under;
      }),
    );
    expect(covered, `at ${viewport.width} px`).toEqual([]);
  }
});

test("nothing lies over the paint shop or the facts beside it, by day and by night", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 360, 412, 600, 768, 960, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const covered = await page
        .locator(
          "main section:first-of-type :is(form input:not([type=hidden]), form button, ul li)",
        )
        .evaluateAll((all) =>
          all
            .filter((one) => one.checkVisibility({ visibilityProperty: true }))
            .filter((one) => {
              one.scrollIntoView({ block: "center", behavior: "instant" });
              const { left, top, height } = one.getBoundingClientRect();
              const places = [top + 2, top + height / 2, top + height - 3];
              return places.some((y) => {
                const above = document.elementFromPoint(left + 22, y);
                // The street reaches behind the facts, with nothing drawn there.
                if (!one.closest("form")) return above?.closest("form, figure");
                return !above || !(one.parentElement ?? one).contains(above);
              });
            })
            .map((one) => one.getAttribute("aria-label") ?? one.textContent),
        );
      expect.soft(covered, `at ${width}, ${colorScheme}`).toEqual([]);
    }
  }
});

test("an element that only names another file of a picture takes no place in the layout", async ({
  page,
}) => {
  await page.goto("/");
  const places = await page
    .locator("source")
    .evaluateAll((all) => all.map((source) => source.getClientRects().length));
  expect(places.length).toBeGreaterThan(10);
  expect(places.filter(Boolean)).toEqual([]);
});

test("no script makes the page wait for a layout while it loads", async ({ page }) => {
  const devtools = await page.context().newCDPSession(page);
  const counted = await countForcedLayouts(devtools, async () => {
    await page.goto("/");
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
  });
  expect(counted).toBe(0);
  // A script that does is found.
  const forced = await countForcedLayouts(devtools, async () => {
    await page.evaluate(
      `document.body.style.fontSize = "20px", document.body.offsetHeight //# sourceURL=${page.url()}forcing.js`,
    );
  });
  expect(forced).toBeGreaterThan(0);
});

test.describe("a phone, while the pictures are still on their way", () => {
  let arrive: () => void;

  test.beforeEach(async ({ page }) => {
    await page.setViewportSize(phone);
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route(/\/hero\.svg$/, async (route) => {
      await arrived;
      await route.continue();
    });
  });

  const lateParts = (page: Page) => page.evaluate(looks.lateParts);

  test("does not lay out what is far below, and has all of it once they have arrived", async ({
    page,
  }) => {
    await page.goto("/", { waitUntil: "domcontentloaded" });
    expect(await lateParts(page)).toBeGreaterThan(5);
    arrive();
    await expect.poll(() => lateParts(page)).toBe(0);
  });

  for (const id of ["careers", "cookies"]) {
    test(`stands at #${id} when the address says so, and stays there`, async ({ page }) => {
      await page.goto(`/#${id}`, { waitUntil: "domcontentloaded" });
      const top = () =>
        page.locator(`#${id}`).evaluate((section) => Math.round(section.getBoundingClientRect().y));
      await expect.poll(top).toBeLessThan(120);
      // With the page's own letters, among which the browser keeps its place in a later frame.
      await page.evaluate(async () => {
        await Promise.allSettled([...document.fonts].map((face) => face.load()));
      });
      arrive();
      await expect.poll(() => lateParts(page)).toBe(0);
      await untilShown(page);
      // A line or two of the section's own margin may be above; a lost place is hundreds away.
      await expect.poll(async () => Math.abs(await top())).toBeLessThan(160);
    });
  }
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  // Where nothing is painted, there is nothing to try.
  if (!paint) return;

  test("a chosen paint and stamp lie over the hood at once, and the form leads to their link", async ({
    page,
  }) => {
    await page.goto("/");
    const { colours, motifs } = paint;
    const over = (name: string) => page.locator(`form img[src*="/hood-${name}."]`);
    await expect(over("rani")).toBeVisible();
    await expect(over("peacock")).toBeHidden();
    await page.getByRole("radio", { name: colours.peacock }).check();
    await page.getByRole("radio", { name: motifs.star }).check();
    await expect(over("peacock")).toBeVisible();
    await expect(over("star")).toBeVisible();
    await expect(over("rani")).toBeHidden();
    const scene = page.locator('main img[src*="/hero."]').first();
    await untilStill(page);
    expect(await over("peacock").boundingBox()).toEqual(await scene.boundingBox());
    await page.getByRole("button", { name: paint.show }).click();
    await expect(page).toHaveURL(/\/\?hood=peacock-star$/);
    await expect(page.getByRole("radio", { name: colours.peacock })).toBeChecked();
    await expect(page.locator('form a[href$="/?hood=peacock-star"]')).toBeVisible();
  });

  test("the lamp turns day into night, and back", async ({ page }) => {
    await page.goto("/");
    const night = page.locator('main img[src$="#night"]');
    const sky = () =>
      page
        .locator("main section")
        .first()
        .evaluate((hero) => getComputedStyle(hero).backgroundColor);
    const day = await sky();
    await expect(night).toBeHidden();
    await page.getByRole("checkbox", { name: paint.lamp }).check();
    await expect(night).toBeVisible();
    await expect.poll(sky).not.toBe(day);
    await page.getByRole("checkbox", { name: paint.lamp }).uncheck();
    await expect(night).toBeHidden();
  });
});

test("at a desk a code takes the store's address to the phone; a phone is not told to scan itself", async ({
  page,
}) => {
  const { stores } = campus.settings;
  const live = stores.filter(({ url }) => url);
  await page.goto("/");
  const codes = page.locator("#Registration figure");
  await expect(codes).toHaveCount(live.length);
  for (const [index, { url }] of live.entries()) {
    await expect(codes.nth(index)).toContainText(url.replace("https://", ""));
    const picture = codes.nth(index).locator("img");
    await picture.scrollIntoViewIfNeeded();
    const svg = await (await page.request.get((await picture.getAttribute("src")) ?? "")).text();
    // The dark modules that are drawn are those of the address.
    const { data, size } = encode(url, { ecc: "M", border: 0 });
    const drawn = new Set(
      [...svg.matchAll(/M(\d+) (\d+\.5)h(\d+)/g)].flatMap(([, x, y, length]) =>
        Array.from(
          { length: Number(length) },
          (_, step) => `${Number(x) + step - 4} ${Number(y) - 4.5}`,
        ),
      ),
    );
    const wanted = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `${x} ${y}` : [])));
    expect(drawn).toEqual(new Set(wanted));
    expect((await picture.boundingBox())?.width).toBeGreaterThanOrEqual(size * 4);
  }
  await page.setViewportSize(phone);
  await expect(codes.first()).toBeHidden();
});
