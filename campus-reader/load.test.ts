import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { isBorrowed, removeMarks } from "../server/platform/i18n/borrowed-words.ts";
import { createCalendarWords, readPluralForms } from "../server/platform/i18n/texts.ts";
import { copyCampus } from "../tests/harness/campus-copy.ts";
import { readCampusData } from "./data-files.ts";
import { createFill, readPolicyMonth } from "./facts.ts";
import { loadCampus, readCampus } from "./load.ts";
import { CampusError, formatMistake } from "./mistakes.ts";
import type { Post } from "./posts.ts";
import {
  findInvalidOverrides,
  listTexts,
  readEnglish,
  readProductWords,
  wordFiles,
} from "./product-words.ts";
import { settingsSchema } from "./schema.ts";
import { parseYaml, readTextFile } from "./text-files.ts";
import { mapStrings } from "./texts.ts";

const original = join(import.meta.dirname, "../campus");
const { settings } = readCampusData(original);
const given = loadCampus(original);

/** A post with its own picture instead of its category's. */
const sample = given.posts.find(
  ({ picture, category }) => picture !== given.interface.blog.pictures[category]?.picture,
) as Post;

const copy = copyCampus(original);
const load = () => loadCampus(copy.folder);
afterEach(copy.restore);
afterAll(copy[Symbol.dispose]);

test("fills in the campus's facts and sorts posts newest first", () => {
  expect(JSON.stringify(given)).not.toMatch(/\{(product|email|campus|wallet)\}/);
  const dates = given.posts.map((post) => post.isoDate);
  expect(dates.length).toBeGreaterThan(2);
  expect(dates).toEqual(dates.toSorted().toReversed());
});

test("keeps the language in a translation's links, including links in older formats", () => {
  const links = "[a](/faq) [b](/faq?lang=bn) [c](/bn/faq) [d](/faq?lang=bn#what-is-it) [e](/)";
  const [question] = given.faq;
  copy.change(
    "content/bn/faq.yaml",
    "  answer: |-\n",
    `  answer: |-\n    ${links.replace("what-is-it", question?.id ?? "")}\n`,
  );
  const { faq = [] } =
    load().translations.find((translation) => translation.settings.language === "bn") ?? {};
  const written = JSON.stringify(faq[0]).match(/href=\\"[^"]*\\"/g);
  expect(written?.slice(0, 5).map((link) => link.slice(7, -2))).toEqual([
    ...["/bn/faq", "/bn/faq", "/bn/faq", `/bn/faq#${question?.id}`, "/bn"],
  ]);
});

test("removes spaces from the number in a phone link", () => {
  copy.change("campus.yaml", /localEmergency: ".*"/, 'localEmergency: "020 222 2181"');
  const { faq, posts } = load();
  expect(JSON.stringify([faq, posts])).toContain('<a href=\\"tel:0202222181\\">020 222 2181</a>');
});

test("shows the category's picture for a post without its own picture", () => {
  copy.change(sample.file, /^(?:picture|imageAlt): .*\n/gm, "");
  const { interface: words, posts } = load();
  const { picture, alt } = words.blog.pictures[sample.category] ?? {};
  expect(picture).toBeTruthy();
  expect(posts.find(({ id }) => id === sample.id)).toMatchObject({ picture, imageAlt: alt });
});

test("describes a post's own picture in the original's words if a translation doesn't", () => {
  const name = sample.file.split("/").at(-1);
  copy.change(`content/bn/posts/${name}`, /^imageAlt: .*\n/m, "");
  const { posts = [] } =
    load().translations.find((translation) => translation.settings.language === "bn") ?? {};
  expect(posts.find(({ id }) => id === sample.id)?.imageAlt).toBe(sample.imageAlt);
});

describe("posts", () => {
  const front = (fields: string) => `---\n${fields}\n---\n`;
  const frontMatter = 'id: 7\ntitle: "Hello"\ndate: "2026-01-26"\nauthor: Mitu\nexcerpt: "Short."';
  const onlyPost = (text: string) => {
    copy.remove("content/en/posts");
    copy.remove("content/bn/posts");
    copy.remove("content/en/faq.yaml");
    copy.remove("content/bn/faq.yaml");
    copy.change("campus.yaml", "motifs:", "sections: [registration, about, blog]\nmotifs:");
    for (const language of ["en", "bn"]) {
      const policy = `content/${language}/legal/privacy-policy.md`;
      copy.write(policy, copy.read(policy).replaceAll("(/#contact)", "(/#about)"));
    }
    if (text) copy.write("content/en/posts/7-hello.md", text);
  };

  test("accepts a post of one sentence without a category or picture", () => {
    onlyPost(`${front(frontMatter)}The bridge is open again.\n`);
    const [post, ...otherPosts] = load().posts;
    expect(otherPosts).toEqual([]);
    expect(post).toMatchObject({ listed: true, category: "All", words: 5, imageAlt: "" });
    expect(post?.picture).toBe("notebook");
  });

  test("accepts a post of 3,000 words in a category that the campus added", () => {
    copy.change("campus.yaml", /^categories: .*$/m, 'categories: ["Ferry"]');
    copy.change("campus.yaml", /^defaultCategory: .*\n/m, "");
    copy.remove("content/en/interface.yaml");
    copy.remove("content/bn/interface.yaml");
    onlyPost(
      `${front(`${frontMatter}\ncategory: Ferry`)}${"We walked to the ferry. ".repeat(600)}\n`,
    );
    const { posts, interface: words, settings, translations } = load();
    expect(posts[0]).toMatchObject({ category: "Ferry", words: 3000, readMinutes: 15 });
    expect(words.blog.categories).toEqual({ Ferry: "Ferry" });
    expect(translations[0]?.interface.blog.categories).toEqual({ Ferry: "Ferry" });
    expect(settings.defaultCategory).toBe("All");
  });

  test("accepts a campus without posts", () => {
    onlyPost("");
    expect(load().posts).toEqual([]);
  });
});

test("relates each post to three other posts that aren't its neighbors, linked posts first", () => {
  const listed = given.posts.filter((post) => post.listed).map(({ id }) => id);
  for (const { id, html, related } of given.posts) {
    const place = listed.indexOf(id);
    const near = place < 0 ? [] : [id, listed[place - 1], listed[place + 1]];
    const distant = listed.filter((other) => !near.includes(other));
    expect(new Set(related).size).toBe(3);
    expect(distant).toEqual(expect.arrayContaining(related));
    const linked = distant.filter((other) => new RegExp(`href="/blog/${other}[#"]`).test(html));
    expect(new Set(related.slice(0, linked.length)).isSubsetOf(new Set(linked))).toBe(true);
  }
});

describe("untranslated content", () => {
  const inBangla = () => {
    const campus = load();
    return {
      campus,
      bn: campus.translations.find((translation) => translation.settings.language === "bn"),
    };
  };

  test("shows an untranslated post in the default language and declares its language", () => {
    copy.remove(sample.file.replace("/en/", "/bn/"));
    const { campus, bn } = inBangla();
    const original = campus.posts.find(({ id }) => id === sample.id);
    expect(original?.language).toBeUndefined();
    expect(bn?.posts.find(({ id }) => id === sample.id)).toMatchObject({
      title: original?.title,
      language: "en",
    });
    expect(bn?.posts.filter(({ language }) => language)).toHaveLength(1);
  });

  test("shows an untranslated FAQ answer in the default language, in the same position", () => {
    const [, second] = given.faq;
    copy.change(
      "content/bn/faq.yaml",
      new RegExp(`^- id: "${second?.id}"[\\s\\S]*?(?=^- )`, "m"),
      "",
    );
    const { campus, bn } = inBangla();
    expect(bn?.faq.map(({ id }) => id)).toEqual(campus.faq.map(({ id }) => id));
    expect(bn?.faq[1]).toMatchObject({ question: second?.question, language: "en" });
    expect(bn?.faq.filter(({ language }) => language)).toHaveLength(1);
  });

  test("shows an untranslated legal section or document in the default language", () => {
    copy.remove("content/bn/legal/terms-conditions.md");
    const policy = "content/bn/legal/privacy-policy.md";
    const [begin, one, two, third, ...rest] = copy.read(policy).split(/^(?=## )/m);
    expect(third).toBeTruthy();
    copy.write(policy, [begin, one, two, "## -\n\n", ...rest].join(""));
    const { campus, bn } = inBangla();
    const sections = bn?.legal.privacy.sections ?? [];
    const { title, inShort } = campus.legal.privacy.sections[2] ?? {};
    expect(sections[2]).toMatchObject({ title, inShort, language: "en" });
    expect(sections.filter(({ language }) => language)).toHaveLength(1);
    expect(bn?.legal.terms).toMatchObject({ title: campus.legal.terms.title, language: "en" });
  });

  test("shows the product's Bangla text if the campus has none", () => {
    expect(inBangla().bn?.interface.skipLink).toMatch(/\p{Script=Bengali}/u);
    copy.remove("content/bn/interface.yaml");
    const { categories, pictures } = given.interface.blog;
    expect(inBangla().bn?.interface.blog).toMatchObject({ categories, pictures });
  });
});

test("reports the mistakes of all files together", () => {
  copy.remove("content/en/faq.yaml");
  copy.change(sample.file, /^title: .*/m, 'title: ""');
  expect(load).toThrow(CampusError);
  expect(load).toThrow("campus/content/en/faq.yaml: (whole file): is missing; ");
  expect(load).toThrow(`campus/${sample.file}:5: title: `);
});

test("loads a campus from an earlier version, ignoring obsolete text and adding missing text", () => {
  const words = JSON.parse(
    JSON.stringify(readEnglish("mail")).replace(/\{(reference|dueDate)\}/g, "{{$1}}"),
  );
  const formerly = {
    ...words,
    confirmed: { title: "Ours" },
    "in-progress": { ...words["in-progress"], button: "{{nothing}}" },
  };
  copy.write("content/en/mail.yaml", JSON.stringify(formerly));
  const { mail, settings } = load();
  expect(mail).toEqual({ ...given.mail, confirmed: { ...given.mail.confirmed, title: "Ours" } });
  expect(mail.confirm.subject).toContain("{reference}");
  expect(settings).toEqual(given.settings);
});

test("lists the website's own data last, with descriptions from the product or an older campus", () => {
  const held = given.dataKinds.filter(({ store }) => store === "deletion-page");
  expect(held[0]).toMatchObject({ key: "deletion-request", when: expect.stringContaining("30") });
  expect(held.at(-1)).toMatchObject({ key: "proof", when: "24 months" });
  const place = "{ key: website, holder: this-site, words: { en: ours, bn: ours } }";
  copy.change("deletion.yaml", "backupDays", `  - ${place}\nbackupDays`);
  const fate = "accounts: [User], onDeletion: deleted, holds: [address]";
  const words = "words: { en: { kind: Ours, examples: all }, bn: { kind: Ours, examples: all } }";
  copy.change("deletion.yaml", "kinds:", `$&\n  - { key: own, store: website, ${fate}, ${words} }`);
  const [first, ...others] = load().dataKinds;
  expect(first).toMatchObject({ key: "own", kind: "Ours", place: "ours" });
  const unlisted = held.slice(1).map((row) => ({ ...row, store: "website", place: "ours" }));
  expect(others).toEqual([...given.dataKinds.slice(0, -held.length), ...unlisted]);
});

test("ignores and reports text that was written for an earlier version", () => {
  copy.change("content/en/interface.yaml", "footer:\n", "footer:\n  home: Ours\n");
  copy.write(
    "content/en/mail.yaml",
    "shared: { labels: { due: Ours } }\nin-progress: { button: A }",
  );
  copy.write(
    "content/en/operator.yaml",
    'frame: { pages: { away: { title: Ours } } }\ndesk: { search: { button: "Find it" } }\n',
  );
  const { operator, interface: frame, mail } = load();
  const search = { ...given.operator.desk.search, button: "Find it" };
  expect(operator).toEqual({ ...given.operator, desk: { ...given.operator.desk, search } });
  expect([frame, mail]).toEqual([given.interface, given.mail]);
  const mistakes = readCampus(copy.folder).mistakes.map(formatMistake).join("\n");
  expect(mistakes.match(/(?<=\.yaml:\d+: )[\w.-]+(?=: .{10})/g)).toEqual([
    "footer.home",
    "shared.labels.due",
    "in-progress.button",
    "frame.pages.away",
  ]);
});

test("falls back to the default language if the product isn't translated, but formats dates in the page's language", () => {
  copy.change("campus.yaml", /^ {2}bn:$/m, "  nb:");
  for (const file of ["calendar.yaml", "deletion.yaml"]) copy.change(file, /\bbn:/g, "nb:");
  for (const name of ["faq.yaml", "interface.yaml"]) {
    copy.write(`content/nb/${name}`, copy.read(`content/bn/${name}`));
  }
  copy.remove("content/bn");
  const [nb] = load().translations;
  expect(nb?.mail.locale).toBe("nb");
  const unmarked = (value: unknown) => mapStrings(value, removeMarks);
  expect(unmarked(nb?.deletion.title)).toBe(given.deletion.title);
  expect(unmarked(nb?.dataKinds.at(-1))).toEqual(given.dataKinds.at(-1));
  expect(unmarked(nb?.landing.services.items)).toEqual(given.landing.services.items);
  // The first string comes from the campus's own interface.yaml. The second is borrowed from
  // another language.
  expect(isBorrowed(`${nb?.interface.blog.categories.Safety}`)).toBe(false);
  expect(isBorrowed(`${nb?.deletion.title}`)).toBe(true);
  // Markdown is already HTML.
  expect(nb?.deletion.before.items[0]).toMatch(/^<span lang="en">.*<\/span>$/);
});

test("merges a campus's landing page into the product's, matching list items by id", () => {
  for (const language of ["en", "bn"]) copy.remove(`content/${language}/landing.yaml`);
  const { landing, translations } = load();
  expect(translations[0]?.landing.hero.badge).toMatch(/\p{Script=Bengali}/u);
  const [match, track, pay, fare] = landing.features.tiles;
  const items =
    "[{ id: fare, details: [] }, { id: pay }, { id: track, title: Ours }, { id: match }]";
  copy.write("content/en/landing.yaml", `features: { tiles: ${items} }`);
  copy.change("campus.yaml", /^heroVehicle: .*/m, "heroVehicle: motorbike");
  expect(load().landing).toEqual({
    ...landing,
    features: {
      ...landing.features,
      tiles: [{ ...fare, details: [], total: undefined }, pay, { ...track, title: "Ours" }, match],
    },
  });
});

test("accepts the product's German landing page unchanged", () => {
  using german = copyCampus(join(original, "../campus-examples/kaltensee"));
  german.remove("content/de/landing.yaml");
  expect(loadCampus(german.folder).landing.contact.deleteAccount).toBe("Mein Konto löschen");
});

test.each(["bn", "de", "ar"])(
  "the product's %s text has the same keys as the English text",
  (language) => {
    for (const name of wordFiles) {
      const [english, words] = [readEnglish(name), readProductWords(language, name)];
      expect(findInvalidOverrides(name, english, words), name).toEqual([]);
      expect(findInvalidOverrides(name, words, english), name).toEqual([]);
    }
  },
);

// Bangla nouns have the same form after any number.
test.each(["en", "de", "ar"])("the product's %s text has every plural form", (language) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  for (const name of wordFiles) {
    for (const [place, text] of listTexts(readProductWords(language, name))) {
      for (const forms of readPluralForms(text)) {
        expect(forms, `${name}: ${place}`).toEqual(expect.arrayContaining(pluralCategories));
      }
    }
  }
});

test.each([
  ["en", original],
  ["de", join(original, "../campus-examples/kaltensee")],
  ["ar", join(original, "../campus-examples/cairo")],
])("overrides only text that differs from the product's: campus in %s", (language, folder) => {
  for (const name of wordFiles) {
    const path = join(folder, `content/${language}/${name}.yaml`);
    if (!existsSync(path)) continue;
    const spoken = new Map(listTexts(readProductWords(language, name)));
    // Skips text that a campus can override only as a group: the items of a list, a total and its
    // rows, and the form's reasons.
    const alike = listTexts(parseYaml(readTextFile(path)))
      .filter(([place, text]) => spoken.get(place) === text)
      .filter(([place]) => !/\.(?:\d+|id|total)(?:\.|$)|^form\.reasons\./.test(place));
    expect(alike, name).toEqual([]);
  }
});

test.each([
  ["July 2025", "en", "2025-07"],
  ["März 2026", "de", "2026-03"],
  ["août 2026", "fr", "2026-08"],
  ["August 2026", "fr", "2026-08"],
  ["Brumaire 2026", "fr", undefined],
])("parses the month %s in the language %s as %s", (policyDate, language, month) => {
  expect(readPolicyMonth({ policyDate, language })?.toString()).toBe(month);
});

test("translates an English `policyDate` into the campus's language", () => {
  const given = { ...settings, language: "bn", policyDate: "November 2026" };
  expect(createFill(given).fill("{policyDate}")).toBe("নভেম্বর ২০২৬");
});

test("accepts a campus whose social links and stores are missing or coming soon", () => {
  const { backupDays: _, ...rest } = settings;
  for (const change of [{ social: [], stores: [] }, { social: [{ name: "Forum", url: "" }] }]) {
    expect(settingsSchema.safeParse({ ...rest, ...change }).success).toBe(true);
  }
});

test.each(
  [given, ...Object.values(given.translations)].map(
    (edition) => [edition.mail.locale, edition.mail] as const,
  ),
)("in %s, uses different words for today, tomorrow and two days from now", (locale, { shared }) => {
  const words = createCalendarWords({ locale, timeZone: "UTC", holidays: {} });
  const texts = [0, 1, 2].map((days) => words.daysLeft(days, shared));
  expect(new Set(texts).size).toBe(3);
});
