import type { Page } from "@playwright/test";
import { encode } from "uqr";
import { expect, phone, test, untilShown, untilStill } from "../harness/browser.ts";
import { campus, hoodPaths } from "../harness/campus.ts";
import * as looks from "../harness/in-page.ts";

const { hero, paint, services } = campus.landing;

test("shows the headline and both buttons above the fold on a small phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport({ ratio: 1 });
  for (const name of [hero.downloadLabel, hero.joinLabel]) {
    const link = page.getByRole("link", { name: new RegExp(RegExp.escape(name)) });
    await expect(link.first()).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByText(hero.phone.fare).first()).toBeVisible();
});

/**
 * Layout faults. `widths` are in pixels; `find` runs in the page and returns the faulty elements.
 */
const faults: { what: string; at?: string; widths: number[]; find: () => unknown[] }[] = [
  {
    what: "the board for a hood's address covers nothing, and its paint pots are in one row",
    at: hoodPaths.toSorted((a, b) => b.length - a.length)[0],
    widths: hoodPaths.length > 0 ? [960, 1024, 1280] : [],
    find() {
      const board = document.querySelector("main form");
      const pots = [...(board?.querySelectorAll("[type=radio]") ?? [])];
      const rows = new Set(pots.map((pot) => Math.round(pot.getBoundingClientRect().top)));
      const fact = document.querySelector("main section:first-of-type ul li");
      const top = board?.getBoundingClientRect().top ?? 0;
      const isFree = (fact?.getBoundingClientRect().bottom ?? Number.NaN) <= top;
      return rows.size === 1 && isFree ? [] : [...rows, fact?.textContent];
    },
  },
  {
    what: "no line of a card wraps around its picture",
    widths: [360, 412, 768, 960],
    find: () =>
      [...document.querySelectorAll(":is(#features, #steps, #safety) :is(h3, h3 + p)")]
        .filter((words) => {
          const range = document.createRange();
          range.selectNodeContents(words);
          const lefts = [...range.getClientRects()].map(({ left }) => Math.round(left));
          return new Set(lefts).size > 1;
        })
        .map(({ textContent }) => textContent),
  },
  {
    what: "nothing covers the paint shop or the facts beside it",
    widths: [320, 360, 412, 600, 768, 960, 1024, 1280, 1920],
    find: () =>
      [
        ...document.querySelectorAll(
          "main section:first-of-type :is(form input:not([type=hidden]), form button, ul li)",
        ),
      ]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .filter((one) => {
          one.scrollIntoView({ block: "center", behavior: "instant" });
          const { left, top, height } = one.getBoundingClientRect();
          return [top + 2, top + height / 2, top + height - 3].some((y) => {
            const above = document.elementFromPoint(left + 22, y);
            // The street continues behind the facts, but nothing is drawn there.
            if (!one.closest("form")) return above?.closest("form, figure");
            return !above || !(one.parentElement ?? one).contains(above);
          });
        })
        .map((one) => one.getAttribute("aria-label") ?? one.textContent),
  },
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`has no layout faults at any width (${colorScheme} scheme)`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [at, asked] of Map.groupBy(faults, ({ at }) => at ?? "/")) {
      await page.goto(at);
      await page.evaluate(() => document.fonts.ready.then(() => {}));
      for (const { what, widths, find } of asked) {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          await untilShown(page);
          expect.soft(await page.evaluate(find), `${what}, at ${width} px`).toEqual([]);
        }
      }
    }
  });
}

test("labels upcoming services and stores, which can't be clicked or focused", async ({ page }) => {
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

test.describe("on a phone, while images load", () => {
  let arrive: () => void;

  test.beforeEach(async ({ page }) => {
    await page.setViewportSize(phone);
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    arrive = resolve;
    await page.route(/\/hero\.svg$/, async (route) => {
      await arrived;
      await route.continue();
    });
  });

  const lateParts = (page: Page) => page.evaluate(looks.lateParts);

  test("lays out sections far below the fold only after the images have loaded", async ({
    page,
  }) => {
    await page.goto("/", { waitUntil: "domcontentloaded" });
    expect(await lateParts(page)).toBeGreaterThan(5);
    arrive();
    await expect.poll(() => lateParts(page)).toBe(0);
  });

  for (const id of ["careers", "cookies"]) {
    test(`scrolls to #${id} and stays there`, async ({ page }) => {
      await page.goto(`/#${id}`, { waitUntil: "domcontentloaded" });
      const top = () =>
        page.locator(`#${id}`).evaluate((section) => Math.round(section.getBoundingClientRect().y));
      await expect.poll(top).toBeLessThan(120);
      // Waits for the page's fonts, because the page restores the scroll position in the frame that
      // swaps the fonts in.
      await page.evaluate(async () => {
        await Promise.allSettled([...document.fonts].map((face) => face.load()));
      });
      arrive();
      await expect.poll(() => lateParts(page)).toBe(0);
      await untilShown(page);
      // The section's margin may show a line or two above it; a lost position is off by hundreds of
      // pixels.
      await expect.poll(async () => Math.abs(await top())).toBeLessThan(160);
    });
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  // Skips campuses where nothing can be painted.
  if (!paint) return;

  test("paints the hood in the chosen color and pattern, and links to the painted hood", async ({
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

  test("the lamp switches between day and night", async ({ page }) => {
    await page.goto("/");
    const night = page.locator('main img[src$="#night"]');
    const scene = page.locator("main section").first();
    const sky = () => scene.evaluate((one) => getComputedStyle(one).backgroundColor);
    const day = await sky();
    await expect(night).toBeHidden();
    await page.getByRole("checkbox", { name: paint.lamp }).check();
    await expect(night).toBeVisible();
    await expect.poll(sky).not.toBe(day);
    await page.getByRole("checkbox", { name: paint.lamp }).uncheck();
    await expect(night).toBeHidden();
  });
});

test("shows the store's QR code on a desktop but not on a phone", async ({ page }) => {
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
    // The dark modules of the drawn QR code must match those that encode the URL.
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
