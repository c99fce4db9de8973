import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createCalendarWords } from "../server/language/in-words.ts";
import { CampusError, readCampusData } from "./data-files.ts";
import { readPolicyMonth } from "./facts.ts";
import { loadCampus } from "./load.ts";
import type { Post } from "./posts.ts";
import {
  findMisfits,
  findUnread,
  readEnglish,
  readProductWords,
  wordFiles,
} from "./product-words.ts";
import { calendarSchema, dataListSchema, settingsSchema } from "./schema.ts";

const original = join(import.meta.dirname, "../campus");
const { settings, dataList } = readCampusData(original);
const given = loadCampus(original);

/** A post with a picture of its own, its file and its category. */
const sample = given.posts.find(
  ({ picture, category }) => picture !== given.interface.blog.pictures[category]?.picture,
) as Post;
const sampleFile = sample.file.replace(/^.*\/posts\//, "posts/");
const { category: sampleCategory } = sample;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "campus-"));
  for (const name of ["campus.yaml", "calendar.yaml", "deletion.yaml", "content"]) {
    cpSync(join(original, name), join(folder, name), { recursive: true });
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes a file of the copy and gives what is said about it. */
function mistakesAfter(file: string, change: (text: string) => string): string {
  const path = join(folder, "content/en", file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  try {
    loadCampus(folder);
  } catch (error) {
    expect(error).toBeInstanceOf(CampusError);
    return (error as CampusError).message;
  }
  return "";
}

test("every file of our own campus is right", () => {
  const campus = loadCampus(original);
  expect(campus.posts.length).toBeGreaterThan(2);
  expect(JSON.stringify(campus)).not.toMatch(/\{(product|email|campus|wallet)\}/);
});

test("posts come newest first", () => {
  const dates = loadCampus(original).posts.map((post) => post.isoDate);
  expect(dates).toEqual(dates.toSorted().toReversed());
});

test("a number with spaces is dialled without them", () => {
  const path = join(folder, "campus.yaml");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(/localEmergency: ".*"/, 'localEmergency: "020 222 2181"'));
  const { faq, posts } = loadCampus(folder);
  expect(JSON.stringify([faq, posts])).toContain('<a href=\\"tel:0202222181\\">020 222 2181</a>');
});

test("a post that names no picture shows its category's", () => {
  const said = mistakesAfter(sampleFile, (text) => text.replace(/^(picture|imageAlt): .*\n/gm, ""));
  expect(said).toBe("");
  const campus = loadCampus(folder);
  const { picture, alt } = campus.interface.blog.pictures[sampleCategory] ?? {};
  expect(picture).toBeTruthy();
  expect(campus.posts.find((post) => post.id === sample.id)).toMatchObject({
    picture,
    imageAlt: alt,
  });
});

describe("where a translation lacks something", () => {
  const change = (file: string, by: (text: string) => string) => {
    const path = join(folder, "content/bn", file);
    const before = readFileSync(path, "utf8");
    const after = by(before);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
  };
  const inBangla = () => {
    const campus = loadCampus(folder);
    return { campus, bn: campus.translations.find((one) => one.settings.language === "bn") };
  };

  test("a post is shown as it is in the first language, and says so", () => {
    rmSync(join(folder, "content/bn", sampleFile));
    const { campus, bn } = inBangla();
    const original = campus.posts.find(({ id }) => id === sample.id);
    expect(original?.language).toBeUndefined();
    expect(bn?.posts.find(({ id }) => id === sample.id)).toMatchObject({
      title: original?.title,
      language: "en",
    });
    expect(bn?.posts.filter(({ language }) => language)).toHaveLength(1);
  });

  test("an answer likewise, in its place", () => {
    const [, second] = loadCampus(folder).faq;
    change("faq.yaml", (text) => {
      const start = text.indexOf(`id: "${second?.id}"`);
      const from = text.lastIndexOf("\n- ", start);
      return text.slice(0, from) + text.slice(text.indexOf("\n- ", start));
    });
    const { campus, bn } = inBangla();
    expect(bn?.faq.map(({ id }) => id)).toEqual(campus.faq.map(({ id }) => id));
    expect(bn?.faq[1]).toMatchObject({ question: second?.question, language: "en" });
    expect(bn?.faq.filter(({ language }) => language)).toHaveLength(1);
  });

  test("a section of a legal document likewise, and a whole document", () => {
    rmSync(join(folder, "content/bn/legal/terms-conditions.md"));
    let headings = 0;
    change("legal/privacy-policy.md", (text) =>
      text.replace(/^## [\s\S]*?(?=^## )/gm, (section) =>
        ++headings === 3 ? "## -\n\n" : section,
      ),
    );
    const { campus, bn } = inBangla();
    const sections = bn?.legal.privacy.sections ?? [];
    const { title, inShort } = campus.legal.privacy.sections[2] ?? {};
    expect(sections[2]).toMatchObject({ title, inShort, language: "en" });
    expect(sections.filter(({ language }) => language)).toHaveLength(1);
    expect(bn?.legal.terms).toMatchObject({ title: campus.legal.terms.title, language: "en" });
  });

  test("a section too few ends the build", () => {
    change("legal/privacy-policy.md", (text) => text.slice(0, text.lastIndexOf("\n## ")));
    const { length } = given.legal.privacy.sections;
    expect(inBangla).toThrow(
      `content/bn/legal/privacy-policy.md: (text): has ${length - 1} sections, must have ${length}`,
    );
  });

  test("a word of the product's likewise in the product's own Bangla", () => {
    const { bn } = inBangla();
    expect(bn?.interface.skipLink).toMatch(/\p{Script=Bengali}/u);
    rmSync(join(folder, "content/bn/interface.yaml"));
    expect(inBangla).toThrow('content/bn/interface.yaml: blog.categories: has none for "');
  });
});

test("a promise that was stored with a holiday's name is told in every language", () => {
  const { holidays, translations } = loadCampus(original);
  for (const { holidays: own } of translations) {
    for (const [key, name] of Object.entries(holidays)) expect(own[name]).toBe(own[key]);
  }
  const stored = Object.values(holidays)[0] ?? "";
  expect(translations[0]?.holidays[stored]).toMatch(/\p{Script=Bengali}/u);
});

test("all mistakes are told at once, each with its file", () => {
  rmSync(join(folder, "content/en/faq.yaml"));
  const mistakes = mistakesAfter("interface.yaml", (text) => `skipLink: ""\n${text}`);
  expect(mistakes).toContain("campus/content/en/faq.yaml: (whole file): is missing; ");
  expect(mistakes).toContain("campus/content/en/interface.yaml: skipLink: ");
});

test("a campus made before builds after: what it still says of former times is read by nobody, and what it lacks the product says", () => {
  const words = JSON.parse(
    JSON.stringify(readEnglish("mail")).replace(/\{(reference|dueDate)\}/g, "{{$1}}"),
  );
  writeFileSync(
    join(folder, "content/en/mail.yaml"),
    JSON.stringify({ ...words, confirmed: { title: "Ours" }, formerly: "{{nothing}}" }),
  );
  writeFileSync(join(folder, "content/en/operator.yaml"), "desk: { formerly: [Gone] }");
  const { mail, operator, settings } = loadCampus(folder);
  expect(mail).toEqual({ ...given.mail, confirmed: { ...given.mail.confirmed, title: "Ours" } });
  expect(mail.confirm.subject).toContain("{reference}");
  expect(operator).toEqual(given.operator);
  expect(findUnread(readEnglish("operator"), { desk: { formerly: ["Gone"] } })).toEqual([
    "desk.formerly",
  ]);
  expect(settings).toEqual(given.settings);
});

test("a language that the product does not speak says what the campus's first language says, with dates of its own", () => {
  const settings = readFileSync(join(folder, "campus.yaml"), "utf8");
  writeFileSync(join(folder, "campus.yaml"), settings.replace(/^ {2}bn:$/m, "  nb:"));
  for (const file of ["calendar.yaml", "deletion.yaml"]) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.replace(/\bbn:/g, "nb:"));
  }
  renameSync(join(folder, "content/bn"), join(folder, "content/nb"));
  rmSync(join(folder, "content/nb/legal"), { recursive: true });
  const [nb] = loadCampus(folder).translations;
  expect(nb?.mail.locale).toBe("nb");
  expect(nb?.deletion.title).toBe(given.deletion.title);
});

describe("the product's words", () => {
  test.each(["bn", "de"])("in %s fit those in English, and lack none", (language) => {
    for (const name of wordFiles) {
      const [english, own] = [readEnglish(name), readProductWords(language, name)];
      expect(findMisfits(name, english, own), name).toEqual([]);
      expect(findUnread(english, own), name).toEqual([]);
      expect(findUnread(own, english), name).toEqual([]);
    }
  });
});

describe("the settings", () => {
  const problemsOf = (change: object) =>
    settingsSchema
      .safeParse({ ...settings, ...change })
      .error?.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);

  test("of our own campus are right", () => {
    expect(problemsOf({})).toBeUndefined();
  });

  test("the date of the legal documents is a month in the campus's language", () => {
    for (const [policyDate, language, month] of [
      ["July 2025", "en", "2025-07"],
      ["März 2026", "de", "2026-03"],
      ["août 2026", "fr", "2026-08"],
      ["August 2026", "fr", "2026-08"],
    ] as const) {
      expect(problemsOf({ policyDate }), policyDate).toBeUndefined();
      expect(readPolicyMonth({ policyDate, language })?.toString()).toBe(month);
    }
    expect(readPolicyMonth({ policyDate: "Brumaire 2026", language: "fr" })).toBeUndefined();
  });

  test("social links and stores may be absent, or named before they are there", () => {
    expect(problemsOf({ social: [{ name: "Facebook", url: "" }] })).toBeUndefined();
    expect(problemsOf({ social: [], stores: [] })).toBeUndefined();
  });

  test("data that is kept needs a period and a reason", () => {
    const kept = (words: object) =>
      dataListSchema.safeParse({
        ...dataList,
        kinds: [
          ...dataList.kinds,
          {
            key: "another",
            store: "deletion-page",
            accounts: ["User"],
            onDeletion: "kept",
            words: { en: { kind: "Proof", examples: "dates", ...words } },
          },
        ],
      }).success;
    expect(kept({})).toBe(false);
    expect(kept({ when: "24 months", why: "law" })).toBe(true);
  });

  test("what this website itself holds has a row that goes and one that stays, as receipts say of it", () => {
    const ours = dataList.stores.find(({ holder }) => holder === "this-site")?.key;
    const kinds = dataList.kinds.filter((row) => row.store !== ours || row.onDeletion === "kept");
    expect(dataListSchema.safeParse({ ...dataList, kinds }).error?.issues).toMatchObject([
      { path: ["kinds"], message: "what this website holds needs a row that is deleted" },
    ]);
  });

  test("data lies somewhere that the list knows, and no key stands twice", () => {
    const [first, ...others] = dataList.kinds;
    const elsewhere = { ...dataList, kinds: [{ ...first, store: "nowhere" }, ...others] };
    expect(dataListSchema.safeParse(elsewhere).error?.issues[0]).toMatchObject({
      path: ["kinds", 0, "store"],
      message: "nowhere is none of the stores",
    });
    const twice = { ...dataList, kinds: [first, ...dataList.kinds] };
    expect(dataListSchema.safeParse(twice).error?.issues[0]).toMatchObject({
      path: ["kinds", 1],
      message: `${dataList.kinds[0]?.key} stands twice`,
    });
  });

  test("a holiday needs a day of the calendar", () => {
    const names = { nothing: { en: "Nothing" }, eid: { en: "Eid" } };
    const calendar = { weekend: [5, 6], names };
    const holidays = [{ date: "2026-02-30", holiday: "nothing" }];
    expect(calendarSchema.safeParse({ ...calendar, holidays }).success).toBe(false);
    const everyYear = [{ day: "02-30", holiday: "nothing" }];
    expect(calendarSchema.safeParse({ ...calendar, holidays: [], everyYear }).success).toBe(false);
    const twice = [
      { date: "2027-03-10", holiday: "eid" },
      { date: "2027-03-10", holiday: "nothing" },
    ];
    expect(
      calendarSchema.safeParse({ ...calendar, holidays: twice }).error?.issues[0],
    ).toMatchObject({ path: ["holidays", 1], message: "2027-03-10 stands twice" });
    const nameless = [{ date: "2027-03-10", holiday: "picnic" }];
    expect(
      calendarSchema.safeParse({ ...calendar, holidays: nameless }).error?.issues[0]?.message,
    ).toBe("picnic has no name");
  });
});

test.each(
  [given, ...Object.values(given.translations)].map((one) => [one.mail.locale, one.mail] as const),
)("in %s the last day is told apart from the days before it", (locale, { shared }) => {
  const words = createCalendarWords({ locale, timeZone: "UTC", holidays: {} });
  const told = [0, 1, 2].map((days) => words.daysLeft(days, shared));
  expect(new Set(told).size).toBe(3);
});
