/**
 * Takes pictures of every page, state, email and print of the built site into screenshots/ (ignored
 * by git), with an index.html that shows them side by side.
 *
 *   npm run campus -- screenshots                      everything: nine widths, both schemes
 *   npm run campus -- screenshots landing deletion     only those with one of the words in their name
 *   npm run campus -- screenshots --width=360,1280 --scheme=dark blog
 *   npm run campus -- screenshots --language=bn        pages, states, emails and desk in another language
 *   npm run campus -- screenshots --forced operator    in the colours of a high-contrast theme
 *   npm run campus -- screenshots --campus campus-examples/kaltensee
 */
import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import playwrightConfig from "../playwright.config.ts";
import { sampleWords } from "../server/command-line/sample-words.ts";
import { createMailWriters } from "../server/deletion-requests/telling/mail-writer.ts";
import { sampleMessages } from "../server/deletion-requests/telling/sample-messages.ts";
import { paths } from "../server/http/paths.ts";
import { openSiteBundle } from "../server/site-bundle.ts";
import {
  addressIn,
  buildDir,
  calendar,
  campus,
  editionIn,
  hoodPaths,
  root,
} from "../tests/harness/campus.ts";
import { walkDeletion } from "../tests/harness/deletion-walk.ts";
import { openDeskScenes } from "../tests/harness/desk-scenes.ts";
import { lateParts, unfold } from "../tests/harness/looks.ts";
import { buildWithPosts, makePosts } from "../tests/harness/many-posts.ts";
import { openTestSite } from "../tests/harness/test-site.ts";
import { findPdfToPictures } from "./browsers.mjs";
import { ensureBuilt } from "./project.mjs";

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: "string", default: "320,360,412,768,960,1280,1440,1920,2560" },
    scheme: { type: "string", default: "light,dark" },
    language: { type: "string", default: campus.settings.language },
    forced: { type: "boolean", default: false },
  },
});
const widths = flags.width.split(",").map(Number);
const schemes = flags.scheme.split(",") as ("light" | "dark")[];
const { language } = flags;
const isFirst = language === campus.settings.language;
const words = editionIn(language);
const folder = join(root, "screenshots", isFirst ? "" : language);
/** The menu folds below this width. */
const wideMenu = 768;

/** A page or state: how to show it, and in which widths and schemes. */
type Shot = {
  name: string;
  show: (page: Page) => Promise<unknown>;
  widths?: number[];
  schemes?: typeof schemes;
  /**
   * `first` skips the whole page, if a different shot shows it; `whole` skips the first view, if
   * everything fits into it.
   */
  only?: "first" | "whole";
};

ensureBuilt();
await using walk = await walkDeletion(language);
await using desk = await openDeskScenes(language);
await using demonstration = await openTestSite({ listen: true, deletionMode: "simulated" });
await using broken = await openTestSite({ listen: true });
await broken.kysely.schema.alterTable("submissions").renameTo("gone").execute();
using manyPosts = buildWithPosts(makePosts(60));
await using longBlog = await openTestSite({ listen: true, buildDir: manyPosts.buildDir });
const built = await openSiteBundle(buildDir);
const writeMail = createMailWriters(built, walk.site.publicUrl);
const { form } = words.deletion;
const sample = sampleWords(words);
const name = campus.settings.sampleNames[0] ?? "";
const address = `${name}@uni.example`;
const inWords = (path: string) => addressIn(language, path);
const at = (path: string) => (page: Page) => page.goto(walk.site.publicUrl + inWords(path));
/** Opens a visit's page, whose address carries the language. */
const atState = (path: string) => (page: Page) => page.goto(walk.site.publicUrl + path);
/**
 * Emails by kind. Those of one kind differ in a sentence, and the first is the longest; those of a
 * late request differ more.
 */
const mailsByKind = Map.groupBy(sampleMessages(calendar.holidays, sample.explanation), (message) =>
  "late" in message ? `${message.kind}-late` : message.kind,
);
const mails = [...mailsByKind].map(([kind, [message]]) => ({
  kind,
  html: message ? writeMail(message, language, { hasPages: true }).html : "",
}));

/** Shots in all widths and schemes. */
const plain: Record<string, Shot["show"]> = {
  landing: at(paths.landing),
  blog: at(paths.blog),
  "blog-all": at(`${paths.blog}?category=All`),
  "blog-empty": at(`${paths.blog}?category=Gardening`),
  "post-missing": at(paths.post(99999)),
  faq: at(paths.faq),
  "faq-open": showAnswers,
  privacy: at(paths.privacyPolicy),
  terms: at(paths.terms),
  "error-not-found": at("/no-such-page"),
  "error-fault": (page) =>
    page.goto(broken.publicUrl + inWords(`${paths.deletion}?submitted=AAAAAAAAAAAAAAAAAAAAAA`)),
  deletion: at(paths.deletion),
  "deletion-filled": (page) => fill(page, address),
  "deletion-problems": showProblems,
  "deletion-offline": showOffline,
  "deletion-processing": showProcessing,
  "deletion-demonstration": (page) => page.goto(demonstration.publicUrl + inWords(paths.deletion)),
  "deletion-new-link-sent": askNewLink,
  "deletion-too-late-to-cancel": cancelTooLate,
};
for (const { id } of campus.posts) plain[`post-${id}`] = at(paths.post(id));
for (const [state, path] of Object.entries(walk.states)) plain[`deletion-${state}`] = atState(path);
// A blog four times as long as the campus's own; its posts are in the first language only.
const longBlogPages = isFirst ? { "": 1, "-page-2": 2, "-no-page": 99 } : {};
for (const [name, number] of Object.entries(longBlogPages)) {
  const address = `${longBlog.publicUrl}${paths.blog}?category=All&page=${number}`;
  plain[`blog-long${name}`] = (page) => page.goto(address);
}
// Operators' pages, on the forty requests of a drill.
for (const { name, show } of desk.scenes) plain[`operator-${name}`] = show;

const shots: Shot[] = [
  ...Object.entries(plain).map(([name, show]) => ({ name, show })),
  ...hoodPaths.map(
    (path): Shot => ({ name: `landing-hood-${path.split("=")[1]}`, show: at(path), only: "first" }),
  ),
  // The lamp exists by day only, and only on a landing page with paint.
  {
    name: "landing-lamp",
    show: lightLamp,
    schemes: schemes.filter((scheme) => scheme === "light" && words.landing.paint),
    only: "first",
  },
  { name: "menu-open", show: showMenu, widths: widths.filter((width) => width < wideMenu) },
  ...mails.map(
    ({ kind, html }): Shot => ({
      name: `mail-${kind}`,
      show: (page) => page.setContent(html),
      only: "whole",
    }),
  ),
];
const printed =
  /^(?:landing|faq|post-\d+|privacy|terms|deletion(?:-(?:submitted|confirmed|in-progress|refused|completed))?)$/;
const pdfToPictures = findPdfToPictures();
const isWanted = (name: string) =>
  wanted.length === 0 || wanted.some((word) => name.includes(word));

await mkdir(folder, { recursive: true });
// Uses this machine's fonts, not those of the tests.
const browser = await chromium.launch({ ...playwrightConfig.use?.launchOptions, env: process.env });
try {
  const pictures = shots
    .filter(({ name }) => isWanted(name))
    .flatMap((shot) => (shot.widths ?? widths).map((width) => ({ shot, width })));
  await Readable.from(pictures).forEach(
    async ({ shot, width }) => {
      await take(browser, shot, width);
    },
    { concurrency: 3 },
  );
  for (const shot of shots.filter(({ name }) => printed.test(name) && isWanted(`print-${name}`))) {
    await print(browser, shot);
  }
} finally {
  await browser.close();
}
await writeIndex();
console.log(`Open ${join(folder, "index.html")}`);

/** Takes a state at one width in each scheme: its first view and the whole page. */
async function take(browser: Browser, shot: Shot, width: number): Promise<void> {
  const page = await browser.newPage({
    ...(flags.forced && { forcedColors: "active" as const }),
    viewport: { width, height: width < 600 ? 640 : 900 },
    reducedMotion: "reduce",
  });
  for (const [index, colorScheme] of (shot.schemes ?? schemes).entries()) {
    await page.emulateMedia({ colorScheme });
    if (index === 0) await shot.show(page);
    await page.evaluate(() => document.fonts.ready);
    await takeScheme(page, shot, `${shot.name}-${width}-${colorScheme}`);
  }
  await page.close();
}

async function takeScheme(page: Page, { only }: Shot, name: string): Promise<void> {
  await page.evaluate(async () => {
    for (const picture of document.images) picture.loading = "eager";
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => {})));
  });
  if (only !== "whole") await page.screenshot({ path: join(folder, `${name}-first.png`) });
  if (only !== "first") {
    // Waits for lazily laid-out parts to get their real height.
    while ((await page.evaluate(lateParts)) > 0) await setTimeout(50);
    // The sticky header belongs at the page's top in a whole picture.
    const seenFrom = await page.evaluate(() => {
      const from = scrollY;
      scrollTo({ top: 0, behavior: "instant" });
      return from;
    });
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), seenFrom);
  }
  console.log(`screenshots/${name}.png`);
}

/** Prints a page as a PDF, and its sheets as pictures if poppler's pdftoppm is installed. */
async function print(browser: Browser, shot: Shot): Promise<void> {
  const page = await browser.newPage();
  await shot.show(page);
  const name = `print-${shot.name}`;
  const pdf = join(folder, `${name}.pdf`);
  await page.pdf({ path: pdf, format: "A4" });
  await page.close();
  if (pdfToPictures) spawnSync(pdfToPictures, ["-r", "60", "-png", pdf, join(folder, name)]);
  console.log(`screenshots/${name}.pdf`);
}

async function lightLamp(page: Page): Promise<void> {
  await at(paths.landing)(page);
  await page.getByRole("checkbox", { name: words.landing.paint?.lamp ?? "" }).check();
}

async function askNewLink(page: Page): Promise<void> {
  await atState(walk.states["link-expired"])(page);
  await page.getByRole("button", { name: words.deletion.visit.newLink.button }).click();
  await page.getByRole("heading", { name: words.deletion.visit.newLink.sentTitle }).waitFor();
}

/** Answers the cancel question after an operator has begun. */
async function cancelTooLate(page: Page): Promise<void> {
  await atState(walk.states["in-progress"])(page);
  const visit = new URL(page.url()).searchParams.get("visit") ?? "";
  await atState(walk.states["cancel-asked"])(page);
  const yes = page.getByRole("button", { name: words.deletion.visit.cancel.yes });
  await page.locator("form:has(button) [name=visit]").evaluateAll((fields, value) => {
    for (const field of fields as HTMLInputElement[]) field.value = value;
  }, visit);
  await yes.click();
  await page.getByText(words.deletion.visit.cancel.tooLate).waitFor();
}

async function showMenu(page: Page): Promise<void> {
  await at(paths.faq)(page);
  await page.getByRole("button", { name: words.interface.nav.menu }).click();
}

async function showAnswers(page: Page): Promise<void> {
  await at(paths.faq)(page);
  await page.evaluate(unfold);
}

async function fill(page: Page, email: string): Promise<void> {
  await at(paths.deletion)(page);
  await page.locator("#deletion-form[data-ready]").waitFor();
  await page.getByLabel(form.emailLabel).fill(email);
  await page.getByLabel(form.reasonLabel).selectOption("other");
  await page.getByLabel(form.feedbackLabel).fill(sample.feedback);
  await page.getByLabel(form.confirmLabel).check();
}

async function send(page: Page, email: string): Promise<void> {
  await fill(page, email);
  await page.getByRole("button", { name: form.submit }).click();
}

async function showProblems(page: Page): Promise<void> {
  await send(page, `${name}@localhost`);
  await page.getByRole("alert").waitFor();
}

async function showOffline(page: Page): Promise<void> {
  await page.route(`**${paths.deletionRequests}*`, (route) => route.abort());
  await send(page, address);
  await page.getByRole("alert").waitFor();
}

/** Shows the form while its answer never arrives. */
async function showProcessing(page: Page): Promise<void> {
  await page.route(`**${paths.deletionRequests}*`, () => {});
  await send(page, address);
  await page.getByRole("button", { name: form.processing }).waitFor();
}

/**
 * Writes a page with all pictures at a fifth of their size: one row for each page or state, narrow
 * to wide.
 */
async function writeIndex(): Promise<void> {
  const order = new Intl.Collator("en", { numeric: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith(".png"));
  const shotOf = (file: string) => file.replace(/-\d+(-light|-dark)?(-first)?\.png$/, "");
  const rows = Map.groupBy(files.sort(order.compare), shotOf);
  const sections = [...rows].map(([name, files]) => {
    const pictures = files.map(
      (file) => `<a href="${file}"><img loading="lazy" src="${file}" alt="" title="${file}"></a>`,
    );
    return `<h2>${name}</h2><div>${pictures.join("")}</div>`;
  });
  await writeFile(
    join(folder, "index.html"),
    `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Screenshots</title><style>body{font:14px system-ui;margin:1rem;background:#777}div{display:flex;gap:.5rem;overflow-x:auto;align-items:start}img{display:block;zoom:.2}</style>${sections.join("")}</html>\n`,
  );
}
