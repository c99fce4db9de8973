import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { sampleWords } from "../../server/cli/sample-words.ts";
import { createMailWriters } from "../../server/deletion-requests/mails/mail-writer.ts";
import { sampleMessages } from "../../server/deletion-requests/mails/sample-messages.ts";
import { filePaths, paths } from "../../server/platform/http/paths.ts";
import { readTheme } from "../../vite/theme.ts";
import {
  addressIn,
  calendar,
  campus,
  campusDir,
  contentPaths,
  editions,
  languagePaths,
  pagePaths,
  tripPaths,
} from "../harness/campus.ts";
import { filledForm } from "../harness/deletion-form.ts";
import { openDeletionScenario } from "../harness/deletion-scenario.ts";
import { elementsOf, mainOf, plain, textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const publicUrl = "https://rides.campus.test";
const site = await openTestSite({ publicUrl });
afterAll(() => site[Symbol.asyncDispose]());

const first = campus.settings.language;
const theme = readTheme(join(campusDir, "theme.css"));
const write = createMailWriters({ campus, translations: campus.translations, theme }, publicUrl);
const samples = sampleMessages(calendar.holidays);
const [original] = campus.posts;
const postPath = `/blog/${original?.id}`;

describe.each(campus.translations)("in $settings.language", (words) => {
  const { language } = words.settings;
  const to = (path: string) => addressIn(language, path);
  const read = async (path: string) => (await site.ask(to(path))).text();

  const isIn = (address: string) =>
    languagePaths.read(new URL(address, publicUrl).pathname).language === language;

  /** Finds words in another script without a `lang` attribute. Skips URLs, codes and file names. */
  function unmarkedIn(html: string): string[] {
    const { product, developer, campus: place } = words.settings;
    const unmarked = html
      .slice(html.indexOf("<body"))
      .replace(/<(script|style|svg|pre|code|select)\b[\s\S]*?<\/\1>/g, " ")
      .replace(/<(\w+)[^>]* lang="(?!html)[^"]*"[^>]*>[\s\S]*?<\/\1>/g, " ")
      .replace(/<wbr\/?>/g, "")
      .replace(/<[^>]+>/g, " ")
      .replaceAll("&amp;", "&");
    const left = [developer, product, place].reduce(
      (text, name) => text.replaceAll(name, ""),
      unmarked,
    );
    return left.match(/(?<![\w@./:&?=#-])[a-z][a-z]+(?![\w@/:;]|\.\w)/g) ?? [];
  }

  test.each(pagePaths)("sets the lang attribute of words in another script on %s", async (path) => {
    expect(unmarkedIn(await read(path))).toEqual([]);
  });

  test("sets the lang attribute of words in another script in emails", () => {
    for (const message of samples) {
      const { html } = write(message, language, { hasPages: true });
      expect(unmarkedIn(html), message.kind).toEqual([]);
      expect(html, message.kind).not.toContain('<span lang="en">{');
    }
    const extended = samples.find(({ kind }) => kind === "extended");
    if (!extended) throw new Error("There is no sample of a request that takes longer");
    const explained = { ...extended, explanation: "exam week" } as typeof extended;
    expect(write(explained, language).html).toContain('<span lang="en">exam week</span>');
    expect(write(explained, first).html).not.toContain(`<span lang="${first}">`);
  });

  test("uses the language's digits in emails to operators", () => {
    const digest = samples.find(({ kind }) => kind === "operator-digest");
    if (digest?.kind !== "operator-digest") throw new Error("There is no sample of a digest");
    const seven = new Intl.NumberFormat(words.mail.locale).format(7);
    expect(write({ ...digest, overdue: 7 }, language).subject).toContain(seven);
  });

  test("shows a rejected form in the form's language", async () => {
    const refused = await site.post(to("/delete-my-account"), { email: "half@" });
    expect(refused.status).toBe(422);
    const html = await refused.text();
    expect(html).toContain(`<html lang="${language}" dir="ltr">`);
    expect(textOf(mainOf(html))).toContain(words.deletion.problems.emailMalformed);
    const inBackground = await site.post(to("/deletion-requests"), { email: "half@" });
    expect(await inBackground.text()).toContain(words.deletion.problems.emailMalformed);
    const stored = await site.post(to("/delete-my-account"), filledForm());
    const answer = mainOf(await stored.text());
    expect(textOf(answer)).toContain(words.deletion.success.title);
    const links = elementsOf(answer, "a").map(({ attributes }) => attributes.href ?? "");
    expect(links.filter((href) => href.startsWith("/") && !isIn(href))).toEqual([]);
  });

  test("shows every request state and the receipt in the page's language", async () => {
    const { status, entered } = words.deletion.visit;
    const { explanation } = sampleWords(words);
    const texts: Partial<Record<string, string[]>> = {
      // This page includes a note for people who made no request.
      entered: [words.mail.facts.contact, "@home.example", textOf(entered.notYou)],
      // While the operator can still undo the completion, the page doesn't mention it.
      done: [status.states["in-progress"].title],
      refused: [words.mail.reasons["open-matter"], explanation],
      extended: [explanation],
    };
    await using scenario = await openDeletionScenario(language);
    for (const state of scenario.names) {
      const { address, html } = await scenario.open(state);
      expect(unmarkedIn(html), state).toEqual([]);
      const text = textOf(mainOf(html));
      for (const expected of texts[state] ?? []) expect(text, state).toContain(plain(expected));
      const links = elementsOf(html, "a").map(({ attributes }) => attributes);
      // The key file is for programs and has no translations.
      const languageLinks = links.filter(
        ({ href }) => href?.startsWith("/") && !href.startsWith(filePaths.receiptKeys),
      );
      const leaving = languageLinks.filter(({ href }) => !isIn(href ?? ""));
      const left = new URL(address, publicUrl);
      const unprefixed = languagePaths.read(left.pathname + left.search).path;
      expect(
        leaving.map(({ lang, href }) => [lang, href]),
        state,
      ).toEqual([[first, unprefixed]]);
      for (const { attributes } of elementsOf(html, "form")) {
        expect(isIn(attributes.action ?? ""), state).toBe(true);
      }
    }
    const { address } = await scenario.open("completed");
    const visit = new URL(address, publicUrl).searchParams.get("visit") ?? "";
    const receipt = await scenario.site.read(to(`${paths.deletionReceipt}?visit=${visit}`));
    expect(receipt).toContain(`${scenario.site.publicUrl}${to(paths.receiptKeys)}\n`);
    const { check } = words.deletion.visit.receipt;
    expect(await scenario.site.read(to(paths.receiptKeys))).toContain(check.title);
    expect(await scenario.site.read(paths.receiptKeys)).not.toContain(check.title);
    // After the visit session expires, the download button leads to the request's page.
    const ended = await scenario.site.ask(to(`${paths.deletionReceipt}?visit=gone`));
    expect(ended.status).toBe(303);
    expect(ended.headers.get("location")).toBe(to(`${paths.deletion}?visit=gone`));
    // Opening the script's endpoint in a browser leads to the form.
    const typed = await scenario.site.ask(to(paths.deletionRequests));
    expect(typed.status).toBe(303);
    expect(typed.headers.get("location")).toBe(to(paths.deletion));
  });

  test("shows a server error in the visitor's language", async () => {
    await using broken = await openTestSite();
    vi.spyOn(broken.services.visits, "confirm").mockRejectedValue(new Error("broken"));
    const answer = await broken.post(to(paths.deletion), { act: "confirm", visit: "any" });
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain(words.interface.error.faultText);
  });

  test("translates category names but not their URLs", async () => {
    const { all, categories: names } = words.interface.blog;
    for (const category of ["All", ...campus.settings.categories]) {
      const html = await read(`/blog?${new URLSearchParams({ category })}`);
      const [current] = elementsOf(html, "a", { "aria-current": "true" });
      expect(textOf(current?.html ?? "")).toBe(category === "All" ? all : names[category]);
    }
  });

  test("translates the feed, the manifest and llms.txt", async () => {
    const feed = await read("/feed.xml");
    expect(feed).toContain(words.interface.blog.title.replace("&", "&amp;"));
    expect(feed).toContain(`href="${publicUrl}${to(postPath)}"`);
    // Feed readers recognize posts by these ids. They must never change.
    expect(feed).toContain(`<id>${publicUrl}${postPath}?lang=${language}</id>`);
    expect(feed).toContain(`<feed xml:lang="${language}"`);
    expect(JSON.parse(await read("/manifest.webmanifest"))).toMatchObject({
      lang: language,
      start_url: to("/"),
    });
    expect(await read("/llms.txt")).toContain(words.deletion.title);
  });

  test("uses the language's digits in a post's date", async () => {
    const post = words.posts.find(({ id }) => id === original?.id);
    expect(post?.date).not.toBe(original?.date);
    expect(textOf(mainOf(await read(postPath)))).toContain(plain(post?.date ?? ""));
  });
});

test.skipIf(!campus.translations.some(({ settings }) => settings.language === "bn"))(
  "never breaks a line before a Bangla suffix or unit",
  async () => {
    for (const path of [paths.terms, paths.faq, paths.landing]) {
      const text = textOf(await (await site.ask(addressIn("bn", path))).text());
      expect(text).toMatch(/-\u2060\p{Script=Bengali}/u);
      expect(text).not.toMatch(/-\p{Script=Bengali}{1,3}(?![\p{Script=Bengali}\p{M}])/u);
    }
    const html = await (await site.ask(addressIn("bn", paths.landing))).text();
    expect(html).toMatch(/[০-৯]\u00a0মিনিট/);
    expect(html).not.toMatch(/[০-৯] মিনিট/);
  },
);

test("serves the same page for any query string", async () => {
  for (const { settings } of editions) {
    for (const path of contentPaths) {
      const [plain = ""] = addressIn(settings.language, path).split("?", 1);
      for (const query of ["", "?lang=xx", "?lang=bn", "?utm=1", (tripPaths[0] ?? "/").slice(1)]) {
        const answer = await site.ask(plain + query);
        if (answer.status === 308) {
          // If a cache stored this redirect, it could also serve the redirect for the path without
          // a query.
          expect(answer.headers.get("cache-control"), plain + query).toContain("no-store");
          continue;
        }
        const html = await answer.text();
        expect(html, plain + query).toContain(`<html lang="${settings.language}"`);
        expect(answer.headers.get("vary"), plain + query).toBe("Accept-Encoding");
      }
    }
  }
});

describe("a URL from an earlier version", () => {
  const [other] = campus.translations;
  const language = other?.settings.language ?? "xx";
  const to = (path: string) => addressIn(language, path);

  test.each([
    ["a page", `/faq?lang=${language}`, to("/faq")],
    ["the landing page", `/?lang=${language}`, to("/")],
    ["a list", `/blog?category=All&lang=${language}&page=2`, to("/blog?category=All&page=2")],
    [
      "an email's link",
      `/delete-my-account?link=a_B-9&lang=${language}`,
      to("/delete-my-account?link=a_B-9"),
    ],
    ["a file for programs", `/feed.xml?lang=${language}`, to("/feed.xml")],
    ["an operators' page", `/operator/me?done=1&lang=${language}`, to("/operator/me?done=1")],
    ["an unknown page", `/none?lang=${language}`, to("/none")],
    ["another spelling of the path", `/f%61q/?lang=${language}`, to("/faq")],
    ["a page in the default language", `/faq?lang=${first}`, "/faq"],
    ["a page in an unknown language", "/faq?lang=xx&utm=1", "/faq"],
    ["a page with an empty language", "/faq?lang=", "/faq"],
    ["the default language's prefix", `/${first}/faq?utm=1`, "/faq"],
    ["the landing page with the default language's prefix", `/${first}`, "/"],
  ])("redirects an earlier version's URL permanently: %s", async (_, former, current) => {
    const answer = await site.ask(former);
    expect([answer.status, answer.headers.get("location")]).toEqual([308, current]);
  });

  test("never redirects an earlier version's URL to another site", async () => {
    for (const address of [`/${first}//evil.example`, `//evil.example?lang=${language}`]) {
      const location = (await site.ask(address)).headers.get("location") ?? "/";
      expect(new URL(location, publicUrl).origin, address).toBe(publicUrl);
    }
  });

  test.skipIf(!other)("accepts a form from a page opened before the update", async () => {
    const former = (path: string) => `${path}?lang=${language}`;
    const refused = await site.post(former(paths.deletion), { email: "half@" });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(`<html lang="${language}"`);
    const inBackground = await site.post(former(paths.deletionRequests), { email: "half@" });
    expect(await inBackground.text()).toContain(other?.deletion.problems.emailMalformed);
    const form = filledForm({ email: "former@uni.example" });
    const taken = await site.post(former(paths.deletion), form);
    expect(taken.status).toBe(200);
    expect(await taken.text()).toContain(`<html lang="${language}"`);
    expect((await site.stored()).map(({ email }) => email)).toContain(form.email);
  });
});

test("returns 404 for a path with an unknown language prefix", async () => {
  for (const path of ["/xx", "/xx/faq", "/BN/faq", "/bn/bn/faq"]) {
    expect((await site.ask(path)).status, path).toBe(404);
  }
});
