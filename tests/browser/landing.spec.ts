import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { encode } from "uqr";
import { formatAmount } from "../../campus-reader/facts.ts";
import { listTrips } from "../../campus-reader/fares.ts";
import { findRideState } from "../../server/platform/calendar/ride-hours.ts";
import { removeMarks } from "../../server/platform/i18n/borrowed-words.ts";
import { expect, phone, test, untilShown } from "../harness/browser.ts";
import { addressIn, calendar, campus, editions, root } from "../harness/campus.ts";
import * as probes from "../harness/in-page.ts";
import { openTestSite } from "../harness/test-site.ts";

const { services } = campus.landing;

test.describe("the first view of a small phone", () => {
  test.use({ viewport: { width: 360, height: 640 }, javaScriptEnabled: false });

  for (const [state, opensAt] of findRideTimes()) {
    test(`shows fare, wait, hours and buttons without layout shift (${state})`, async ({
      page,
    }) => {
      await using site = await openTestSite({ listen: true, opensAt });
      for (const { settings, landing } of editions) {
        await page.goto(site.publicUrl + addressIn(settings.language, "/"));
        const { hero, fares } = landing;
        const board = page.getByRole("form", { name: fares.label });
        const parts = [
          page.getByText(hero.badge, { exact: true }),
          page.getByRole("heading", { level: 1 }),
          page.getByText(removeMarks(hero.lead)).first(),
          ...(settings.places ? [board] : []),
          ...[hero.downloadLabel, hero.joinLabel].map((name) =>
            page.getByRole("link", { name: new RegExp(RegExp.escape(removeMarks(name))) }).first(),
          ),
        ];
        for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
        const trips = listTrips(settings);
        const shown = board.locator("p:has(b):visible");
        const last = trips.at(-1);
        if (!last) continue;
        const before = await board.boundingBox();
        await board.getByLabel(fares.from).selectOption(last.to);
        await board.getByLabel(fares.to).selectOption(last.from);
        await expect(shown).toHaveCount(1);
        await expect(shown).toContainText(formatAmount(settings.language, last.fare.total));
        await board.getByLabel(fares.to).selectOption(last.to);
        await expect(shown).toHaveCount(0);
        await expect(board.getByText(fares.same)).toBeVisible();
        expect(await board.boundingBox()).toEqual(before);
      }
      await page.goto("about:blank");
    });
  }
});

/** Returns an instant for each ride state: open, busy, closed and holiday. */
function findRideTimes(): Map<string, Temporal.Instant> {
  const found = new Map<string, Temporal.Instant>();
  const start = Temporal.Instant.from("2026-11-21T04:00:00Z");
  const { times } = campus.settings.ride ?? {};
  if (!times) return found.set("without hours", start);
  for (let hours = 0; hours < 180 * 24; hours += 1) {
    const at = start.add({ hours });
    const { is, holiday } = findRideState(times, calendar, at);
    const state = holiday ? "on a holiday" : is;
    if (!found.has(state)) found.set(state, at);
  }
  return found;
}

test("breaks the headline only between its two lines at every width", async ({ page }) => {
  for (const { settings, landing } of editions) {
    await page.goto(addressIn(settings.language, "/"));
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    for (const width of [320, 360, 390, 768, 1024, 1280, 1440, 1920, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await page.getByRole("heading", { level: 1 }).evaluate((title) =>
        [...title.children].map((line) => {
          const range = document.createRange();
          range.selectNodeContents(line);
          const { width: ink, height } = range.getBoundingClientRect();
          const size = Number.parseFloat(getComputedStyle(title).fontSize);
          return {
            fits: ink <= title.getBoundingClientRect().width,
            rows: Math.round(height / size / 1.5),
          };
        }),
      );
      expect(lines, `${landing.hero.headline} at ${width} px`).toEqual(
        Array.from({ length: 2 }, () => ({ fits: true, rows: 1 })),
      );
    }
  }
});

test("puts the chosen trip into the URL on Share if the browser has no share sheet", async ({
  page,
}) => {
  const [trip] = listTrips(campus.settings);
  // A campus may have no fare board.
  if (!trip) return;
  await page.addInitScript(() => Object.defineProperty(navigator, "share", { value: undefined }));
  await page.goto("/");
  await page
    .getByRole("combobox", { name: campus.landing.fares.from, exact: true })
    .selectOption(trip.to);
  await page
    .getByRole("combobox", { name: campus.landing.fares.to, exact: true })
    .selectOption(trip.from);
  await page.getByRole("button", { name: campus.landing.fares.share }).click();
  await expect(page).toHaveURL(`/?from=${trip.to}&to=${trip.from}`);
  await expect(
    page.getByRole("combobox", { name: campus.landing.fares.from, exact: true }),
  ).toHaveValue(trip.to);
});

test("passes the chosen trip to the browser's share sheet and the URL", async ({ page }) => {
  const [trip] = listTrips(campus.settings);
  // A campus may have no fare board.
  if (!trip) return;
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "share", {
      value: async ({ url }: { url: string }) =>
        document.documentElement.setAttribute("data-sent", url),
    }),
  );
  await page.goto("/");
  await page.getByRole("button", { name: campus.landing.fares.share }).click();
  await expect(page.locator("html")).toHaveAttribute(
    "data-sent",
    new RegExp(RegExp.escape(`/?from=${trip.from}&to=${trip.to}`)),
  );
  await expect(page).toHaveURL(`/?from=${trip.from}&to=${trip.to}`);
});

test("updates the ride hours in a tab that stays open", async ({ page }) => {
  // A campus may have no ride hours.
  if (!campus.settings.places || !campus.settings.ride?.times) return;
  await page.clock.install();
  await page.goto("/");
  const strip = page.locator("form p[data-rides]");
  const hours = await strip.innerText();
  const until = Number(await page.locator("form[data-until]").getAttribute("data-until"));
  await strip.evaluate((part) => {
    part.textContent = "Yesterday";
    part.dataset.rides = "yesterday";
  });
  await page.clock.fastForward(until - Date.now() - 120_000);
  await expect(strip).toHaveText("Yesterday");
  await page.clock.fastForward(180_000);
  await expect(strip).toHaveText(hours);
  await expect(strip).toHaveAttribute("data-rides", /^(?:open|busy|closed)$/);
});

/**
 * Layout faults. `widths` are in pixels; `find` runs in the page and returns the faulty elements.
 */
const faults: { what: string; widths: number[]; find: () => unknown[] }[] = [
  {
    what: "ribbons come after the words, lie within their card and cover nothing",
    widths: [320, 360, 768, 960, 1280, 1920],
    find: () =>
      [...document.querySelectorAll("#services h3 + p + p")]
        .filter((ribbon) => {
          const card = ribbon.closest("article");
          const [edge, ribbonBox] = [card, ribbon].map((element) =>
            element?.getBoundingClientRect(),
          );
          if (!edge || !ribbonBox) return true;
          const covers = [...(card?.querySelectorAll("img, h3, h3 + p") ?? [])].some((other) => {
            const { left, right, top, bottom } = other.getBoundingClientRect();
            const isBeside = left >= ribbonBox.right || right <= ribbonBox.left;
            return !isBeside && top < ribbonBox.bottom - 1 && bottom > ribbonBox.top + 1;
          });
          const isInside = ribbonBox.left > edge.left && ribbonBox.right < edge.right + 1;
          return covers || !isInside || ribbonBox.top < edge.top + 4;
        })
        .map(({ parentElement }) => parentElement?.textContent),
  },
  {
    what: "no picture covers its card's frame",
    widths: [320, 360, 768, 960, 1280, 1920],
    find: () =>
      [...document.querySelectorAll(":is(#services, #features, #steps) article img, #steps li img")]
        .filter((picture) => {
          const card = picture.closest(".frame");
          const [edge, pictureBox] = [card, picture].map((element) =>
            element?.getBoundingClientRect(),
          );
          const pen = Number.parseFloat(getComputedStyle(card ?? picture).borderTopWidth);
          if (!edge || !pictureBox) return true;
          return (
            pictureBox.left < edge.left + pen - 0.5 ||
            pictureBox.right > edge.right - pen + 0.5 ||
            pictureBox.top < edge.top + pen - 0.5 ||
            pictureBox.bottom > edge.bottom - pen + 0.5
          );
        })
        .map((picture) => picture.getAttribute("src")),
  },
  {
    what: "an available service shows most of its picture",
    widths: [320, 360, 768, 960, 1280],
    find: () =>
      [...document.querySelectorAll<HTMLImageElement>("#services article:has(a) img")]
        .filter(({ width, height, naturalWidth, naturalHeight }) => {
          const stretch = width / height / (naturalWidth / naturalHeight);
          return Math.min(stretch, 1 / stretch) < 0.6;
        })
        .map(({ src }) => src),
  },
  {
    what: "part of the next card shows that a row scrolls",
    widths: [320, 336, 360, 412, 600],
    find: () =>
      [...document.querySelectorAll("main [role=region][tabindex='0']")]
        .filter((row) => row.scrollWidth > row.clientWidth + 1)
        .filter((row) => {
          row.scrollTo({ left: 0, behavior: "instant" });
          const edge = row.getBoundingClientRect();
          return ![...row.children].some((card) => {
            const { left, right } = card.getBoundingClientRect();
            const hidden = Math.max(edge.left - left, right - edge.right);
            return hidden > 0 && right - left - hidden >= 16;
          });
        })
        .map((row) => row.getAttribute("aria-label")),
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
    what: "nothing covers the board, the buttons or the links below them",
    widths: [320, 360, 412, 600, 768, 960, 1024, 1280, 1920],
    find: () =>
      [
        ...document.querySelectorAll(
          "main section:first-of-type :is(select, form p, a, button, ul li)",
        ),
      ]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => {
          element.scrollIntoView({ block: "center", behavior: "instant" });
          const { left, top, height } = element.getBoundingClientRect();
          return [top + 2, top + height / 2, top + height - 3].some((y) => {
            const above = document.elementFromPoint(left + 12, y);
            return !above || !(element.parentElement ?? element).contains(above);
          });
        })
        .map((element) => element.getAttribute("name") ?? element.textContent),
  },
  {
    what: "the phone's price leaves the Rider's name free",
    widths: [320, 360, 600, 768, 960, 1280, 1920],
    find: () => {
      const name = document.querySelector("figure > div > b");
      const price = document.querySelector("figure > div > b + div");
      if (!name || !price) return [];
      const range = document.createRange();
      range.selectNodeContents(name);
      const plate = price.getBoundingClientRect();
      return [...range.getClientRects()]
        .filter(({ left, right, bottom }) => {
          const isBeside = right <= plate.left || left >= plate.right;
          return !isBeside && bottom > plate.top + 2;
        })
        .map(() => `${name.textContent} under ${price.textContent}`);
    },
  },
  {
    what: "no text in the first view is smaller than 12 px",
    widths: [320, 360, 768, 1280],
    find: () =>
      [...document.querySelectorAll("main section:first-of-type *")]
        .filter((element) =>
          [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE),
        )
        .filter((element) => Number.parseFloat(getComputedStyle(element).fontSize) < 12)
        .map((element) => element.textContent),
  },
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`has no layout faults at any width (${colorScheme} scheme)`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto("/");
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    for (const { what, widths, find } of faults) {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await untilShown(page);
        expect.soft(await page.evaluate(find), `${what}, at ${width} px`).toEqual([]);
      }
    }
  });
}

test("a price of six characters leaves the stars on the phone free", async ({ page }) => {
  const drawing = readFileSync(join(root, `art/${campus.settings.motifs}/phone.svg`), "utf8");
  const stars = [...drawing.matchAll(/d="(M[\d. ]+L[^"]+)" fill="#ffb000" stroke="none"/g)];
  const corners = stars.flatMap(([, path = ""]) => path.match(/(?<=[ML])[\d.]+/g) ?? []);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/");
  await untilShown(page);
  const plate = await page.locator("figure > div > b + div").evaluate((price) => {
    for (const amount of price.querySelectorAll("b")) amount.textContent = "R$6,50";
    const phone = price.closest("figure")?.getBoundingClientRect();
    return (280 * (price.getBoundingClientRect().left - (phone?.left ?? 0))) / (phone?.width ?? 0);
  });
  expect(stars).toHaveLength(5);
  expect(plate).toBeGreaterThan(Math.max(...corners.map(Number)));
});

test("puts the hero's picture below its text if the text is twice as large", async ({ page }) => {
  await page.goto("/");
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { font-size: 200% }");
    document.adoptedStyleSheets = [sheet];
  });
  await untilShown(page);
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  const facts = await page.locator("main section:first-of-type > ul").boundingBox();
  const scene = await page.locator("main section:first-of-type img").first().boundingBox();
  expect(title?.width).toBeGreaterThan(900);
  expect(scene?.width).toBeGreaterThan(1200);
  expect(scene?.y).toBeGreaterThan((facts?.y ?? 0) - 100);
});

test("keeps text and controls clear of a campus's hero photo", async ({ page }) => {
  // The hero of this campus is a drawing, so mark it as a photo and apply the styles for photos.
  const styles = readFileSync(join(root, "app/pages/landing/hero-photo.css"), "utf8");
  await page.goto("/");
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
    const [scene] = document.querySelectorAll<HTMLElement>("main section:first-of-type img");
    if (scene) scene.dataset.own = "photo";
  }, styles);
  for (const width of [320, 360, 600, 768, 960, 1024, 1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await untilShown(page);
    const covered = await page.evaluate(() => {
      const photo = document.querySelector("img[data-own=photo]")?.getBoundingClientRect();
      const hero = document.querySelector("main section")?.getBoundingClientRect();
      if (!photo || !hero || photo.width < 100 || photo.bottom > hero.bottom) return ["no photo"];
      const parts = "h1 span, h1 + p, form, a, button, ul li";
      return [...document.querySelectorAll(`main section:first-of-type :is(${parts})`)]
        .filter((part) => {
          const range = document.createRange();
          range.selectNodeContents(part);
          // A button's text for screen readers is wider than its box.
          const box = part.matches("a, button") ? part : range;
          const { left, right, top, bottom } = box.getBoundingClientRect();
          const isBeside = left >= photo.right || right <= photo.left;
          return !isBeside && top < photo.bottom - 1 && bottom > photo.top + 1;
        })
        .map(({ textContent }) => textContent);
    });
    expect.soft(covered, `at ${width} px`).toEqual([]);
  }
});

test("labels upcoming services and makes them neither clickable nor focusable", async ({
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

  const lateParts = (page: Page) => page.evaluate(probes.lateParts);

  test("lays out sections below the fold only after the images have loaded", async ({ page }) => {
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
      // The page restores its scroll position as soon as the fonts have loaded.
      await page.evaluate(async () => {
        await Promise.allSettled([...document.fonts].map((face) => face.load()));
      });
      arrive();
      await expect.poll(() => lateParts(page)).toBe(0);
      await untilShown(page);
      // A line or two above the section may be visible; a lost scroll position is off by hundreds
      // of pixels.
      await expect.poll(async () => Math.abs(await top())).toBeLessThan(160);
    });
  }
});

test("shows a store's QR code on desktops but not on phones", async ({ page }) => {
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
    // The dark modules of the drawing must encode the URL.
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
