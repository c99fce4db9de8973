import { join } from "node:path";
import { createMailWriters } from "../../server/deletion-requests/mails/mail-writer.ts";
import { sampleMessages } from "../../server/deletion-requests/mails/sample-messages.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { openSiteBundle } from "../../server/site-bundle.ts";
import { type Page, test } from "../harness/browser.ts";
import {
  addressIn,
  buildDir,
  calendar,
  campus,
  editions,
  postPaths,
  root,
  tripPaths,
} from "../harness/campus.ts";
import { untilLaidOut } from "../harness/every-page.ts";
import { buildWithPosts, makePosts } from "../harness/many-posts.ts";
import { pageScenes, type Scene } from "../harness/page-scenes.ts";
import { openTestSite } from "../harness/test-site.ts";

/**
 * Takes screenshots of every page, state, email and printout into screenshots/LANGUAGE/NAME/, which
 * git ignores. A name ending in "-view" means the part above the fold; all others are full pages.
 *
 *   npm run screenshots                                  everything
 *   npm run screenshots -- -g "bn faq"                   one page in one language
 *   ONLY=today npm run screenshots -- -g operators       only matching requests, operator pages or emails
 *   WIDTHS=360,1280 SCHEMES=dark,forced npm run screenshots
 *   CAMPUS_DIR=campus-examples/kaltensee BUILD_DIR=build-kaltensee npm run screenshots
 */
const {
  ONLY = "",
  WIDTHS = "320,360,412,768,960,1280,1440,1920,2560",
  SCHEMES = "light,dark",
} = process.env;
const isWanted = (name: string) => new RegExp(ONLY).test(name);

const printed =
  /^(?:landing|faq|post-\d+|privacy|terms|deletion|request-(?:submitted|confirmed|in-progress|refused|completed))$/;

test.beforeEach(({ noise }) => noise.expect(/./));

for (const { settings, deletion } of editions) {
  const { language } = settings;
  const isFirst = language === campus.settings.language;
  const to = (path: string) => addressIn(language, path);
  const at = (name: string, path: string): Scene => ({
    name,
    show: (page) => page.goto(to(path)),
  });

  const scenes = [
    at("landing", paths.landing),
    at("blog", paths.blog),
    at("blog-all", `${paths.blog}?category=All`),
    at("blog-empty", `${paths.blog}?category=Gardening`),
    at("post-missing", paths.post(99999)),
    at("faq", paths.faq),
    at("privacy", paths.privacyPolicy),
    at("terms", paths.terms),
    at("deletion", paths.deletion),
    at("error-not-found", "/no-such-page"),
    ...postPaths.map((path) => at(path.replace("/blog/", "post-"), path)),
    ...tripPaths.slice(0, 1).map((path) => at("landing-trip", path)),
    ...pageScenes(language),
  ];

  test.describe(language, () => {
    for (const scene of scenes) {
      test(scene.name, ({ page }) => take(page, language, scene));
    }

    test("takes screenshots of requests", async ({ page, requestsIn }) => {
      const scenario = await requestsIn(language);
      const open = (path: string) => page.goto(scenario.site.publicUrl + path);
      const { newLink, cancel } = deletion.visit;
      const states: Scene[] = scenario.names.map((name) => ({
        name: `request-${name}`,
        show: () => open(scenario.states[name]),
      }));
      async function requestNewLink() {
        await open(scenario.states["link-expired"]);
        await page.getByRole("button", { name: newLink.button }).click();
        await page.getByRole("heading", { name: newLink.sentTitle }).waitFor();
      }
      /**
       * Presses the button that confirms a cancellation after an operator has started work on the
       * request.
       */
      async function cancelTooLate() {
        await open(scenario.states["in-progress"]);
        const visit = new URL(page.url()).searchParams.get("visit") ?? "";
        await open(scenario.states["cancel-asked"]);
        const fields = page.locator("form:has(button) [name=visit]");
        await fields.evaluateAll((all: HTMLInputElement[], value) => {
          for (const field of all) field.value = value;
        }, visit);
        await page.getByRole("button", { name: cancel.yes }).click();
        await page.getByText(cancel.tooLate).waitFor();
      }
      states.push({ name: "request-new-link-sent", show: requestNewLink });
      states.push({ name: "request-too-late-to-cancel", show: cancelTooLate });
      for (const scene of states.filter(({ name }) => isWanted(name)))
        await take(page, language, scene);
      await page.goto("about:blank");
    });

    test("takes screenshots of operators", async ({ page, deskIn }) => {
      const desk = await deskIn(language);
      const scenes = desk.scenes.map(({ name, show }) => ({ name: `operator-${name}`, show }));
      for (const scene of scenes.filter(({ name }) => isWanted(name)))
        await take(page, language, scene);
      await page.goto("about:blank");
    });

    test("takes screenshots of emails", async ({ page }) => {
      const write = createMailWriters(await openSiteBundle(buildDir), "https://rides.example");
      // Emails of one kind differ in a single sentence; emails about a late request differ more.
      const kinds = Map.groupBy(sampleMessages(calendar.holidays), (message) =>
        "late" in message ? `mail-${message.kind}-late` : `mail-${message.kind}`,
      );
      for (const [name, [message]] of kinds) {
        const html = message ? write(message, language, { hasPages: true }).html : "";
        const scene: Scene = { name, show: () => page.setContent(html) };
        if (isWanted(name)) await take(page, language, scene);
      }
    });

    test("takes screenshots of other sites", async ({ page }) => {
      await using demonstration = await openTestSite({ listen: true, deletionMode: "simulated" });
      await using broken = await openTestSite({ listen: true });
      await broken.kysely.schema.alterTable("submissions").renameTo("gone").execute();
      using manyPosts = buildWithPosts(makePosts(60));
      await using long = await openTestSite({ listen: true, buildDir: manyPosts.buildDir });
      const on = (name: string, site: { publicUrl: string }, path: string): Scene => ({
        name,
        show: () => page.goto(site.publicUrl + to(path)),
      });
      const otherScenes = [
        on("deletion-demonstration", demonstration, paths.deletion),
        on("error-fault", broken, `${paths.deletion}?submitted=AAAAAAAAAAAAAAAAAAAAAA`),
      ];
      // Only the default language has posts that fill several pages.
      for (const number of isFirst ? [1, 2, 99] : []) {
        const path = `${paths.blog}?category=All&page=${number}`;
        otherScenes.push(on(`blog-long-${number}`, long, path));
      }
      for (const scene of otherScenes.filter(({ name }) => isWanted(name)))
        await take(page, language, scene);
      await page.goto("about:blank");
    });
  });
}

/** Shows a page and takes screenshots at each width in each color scheme. */
async function take(page: Page, language: string, { name, show }: Scene): Promise<void> {
  const folder = join(root, "screenshots", language, name);
  await page.setViewportSize({ width: 360, height: 740 });
  await show(page);
  for (const width of WIDTHS.split(",").map(Number)) {
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    for (const scheme of SCHEMES.split(",")) {
      await page.emulateMedia({
        colorScheme: scheme === "dark" ? "dark" : "light",
        forcedColors: scheme === "forced" ? "active" : "none",
      });
      await page.evaluate(async () => {
        for (const picture of document.images) picture.loading = "eager";
        await Promise.all([...document.images].map((picture) => picture.decode().catch(() => {})));
      });
      const file = join(folder, `${width}-${scheme}`);
      await page.screenshot({ path: `${file}-view.png` });
      await untilLaidOut(page);
      // In a full-page screenshot, the sticky header must be at the top.
      const top = await page.evaluate(() => scrollY);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await page.screenshot({ path: `${file}.png`, fullPage: true });
      await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), top);
    }
  }
  if (printed.test(name)) await page.pdf({ path: join(folder, "print.pdf"), format: "A4" });
}
