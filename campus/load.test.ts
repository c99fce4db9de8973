import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readCampusData } from "./data-files.ts";
import { CampusError, loadCampus, type Post, readPolicyMonth } from "./load.ts";
import { calendarSchema, dataListSchema, settingsSchema } from "./schema.ts";

const original = import.meta.dirname;
const { settings, dataList } = readCampusData(original);
const given = loadCampus(original);

/** A post with a picture of its own, its file and its category. */
const sample = given.posts.find(
  ({ picture, category }) => picture !== given.interface.blog.pictures[category]?.picture,
) as Post;
const sampleFile = sample.file.replace(/^.*\/posts\//, "posts/");
const { category: sampleCategory } = sample;
/** Another post, whose number is taken. */
const other = given.posts.find((post) => post !== sample) as Post;
const lineOfLead =
  readFileSync(join(original, "content/en/deletion.yaml"), "utf8")
    .split("\n")
    .findIndex((line) => line.startsWith("lead: ")) + 1;
const textStart = (text: string) => `title: "${text}"`;

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

  test("a key of interface, landing page, deletion page or mail ends the build", () => {
    change("mail.yaml", (text) => text.replace(/^ {2}greeting: .*\n/m, ""));
    expect(inBangla).toThrow(/content\/bn\/mail\.yaml: shared\.greeting/);
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

describe("a mistake is told with file, field and reason:", () => {
  test.each([
    [
      "an empty question",
      "faq.yaml",
      (text: string) => text.replace(/question: ".*"/, 'question: ""'),
      "campus/content/en/faq.yaml: 0.question: must not be empty",
    ],
    [
      "an anchor with spaces",
      "faq.yaml",
      (text: string) => text.replace(/id: ".*"/, 'id: "What is it"'),
      "campus/content/en/faq.yaml: 0.id: must be lower-case words joined by hyphens",
    ],
    [
      "a missing word",
      "interface.yaml",
      (text: string) => text.replace(/^skipLink:.*$/m, ""),
      "campus/content/en/interface.yaml: skipLink: ",
    ],
    [
      "a word too many",
      "interface.yaml",
      (text: string) => `${text}\nsurprise: "hello"\n`,
      "campus/content/en/interface.yaml: surprise: is not known here",
    ],
    [
      "a placeholder that nobody fills",
      "landing.yaml",
      (text: string) => text.replace("{product}", "{prodcut}"),
      "campus/content/en/landing.yaml: meta.title: {prodcut} is no known placeholder here",
    ],
    [
      "a placeholder that another text knows",
      "interface.yaml",
      (text: string) => text.replace(/readMore: ".*"/, 'readMore: "Read {minutes}"'),
      "campus/content/en/interface.yaml: blog.readMore: {minutes} is no known placeholder here",
    ],
    [
      "a text that does not say what it is for",
      "interface.yaml",
      (text: string) => text.replace(/(\n {2}minutes: "\{minutes)\}/, "$1"),
      "campus/content/en/interface.yaml: blog.minutes: is no message in the syntax of ICU",
    ],
    [
      "a placeholder in a post that nobody fills",
      sampleFile,
      (text: string) => `${text}\n\nWrite to {emial}.\n`,
      `campus/content/en/${sampleFile}: (text): {emial} is no known placeholder here`,
    ],
    [
      "a fact that a mail does not know",
      "mail.yaml",
      (text: string) =>
        text.replace(textStart(given.mail.confirmed.title), textStart("Confirmed {{validUntil}}")),
      "campus/content/en/mail.yaml: confirmed.title: {{validUntil}} is no known placeholder here (known are {{reference}}, {{dueDate}})",
    ],
    [
      "a fact with one brace in a mail",
      "mail.yaml",
      (text: string) => text.replace("({{reference}})", "({reference})"),
      "campus/content/en/mail.yaml: confirm.subject: {reference} is no known placeholder here",
    ],
    [
      "a language that no date is written in",
      "mail.yaml",
      (text: string) => text.replace('locale: "en-GB"', 'locale: "english"'),
      "campus/content/en/mail.yaml: locale: must be a language that dates can be written in",
    ],
    [
      "a service of unknown status",
      "landing.yaml",
      (text: string) => text.replace('status: "available"', 'status: "soon"'),
      "campus/content/en/landing.yaml: services.items.0.status: ",
    ],
    [
      "a date of no calendar",
      sampleFile,
      (text: string) => text.replace(/date: ".*"/, 'date: "12 June 2025"'),
      `campus/content/en/${sampleFile}: date: must be a date such as "2025-06-20"`,
    ],
    [
      "a day that no calendar has",
      sampleFile,
      (text: string) => text.replace(/date: ".*"/, 'date: "Feb 30, 2025"'),
      `campus/content/en/${sampleFile}: date: is no day of the calendar`,
    ],
    [
      "a post from the future",
      sampleFile,
      (text: string) => text.replace(/date: ".*"/, 'date: "Jun 12, 2136"'),
      `campus/content/en/${sampleFile}: date: must not be later than today`,
    ],
    [
      "a category that the campus does not have",
      sampleFile,
      (text: string) => text.replace(/category: .*/, "category: Cricket"),
      `campus/content/en/${sampleFile}: category: must be one of ${settings.categories[0]},`,
    ],
    [
      "an id that is not the file's",
      sampleFile,
      (text: string) => text.replace(`id: ${sample.id}`, `id: 9${sample.id}`),
      `campus/content/en/${sampleFile}: id: the file's name must begin with "9${sample.id}-"`,
    ],
    [
      "a picture without words for those who do not see it",
      sampleFile,
      (text: string) => text.replace(/imageAlt: .*\n/, ""),
      `campus/content/en/${sampleFile}: picture: must be given together with imageAlt`,
    ],
    [
      "a category without a picture",
      "interface.yaml",
      (text: string) =>
        text.replace(new RegExp(`^ {4}${RegExp.escape(sampleCategory)}: \\{.*\\n`, "m"), ""),
      `campus/content/en/interface.yaml: blog.pictures: has none for "${sampleCategory}"`,
    ],
    [
      "an id used twice",
      sampleFile,
      (text: string) => text.replace(`id: ${sample.id}`, `id: ${other.id}`),
      `: id: ${other.id} is `,
    ],
    [
      "a post that is too short",
      sampleFile,
      (text: string) => `${text.split("\n---\n")[0]}\n---\nShort.\n`,
      `campus/content/en/${sampleFile}: (text): has 1 words, must have 400 to 1400`,
    ],
    [
      "a post without front matter",
      sampleFile,
      () => "Just text.",
      `campus/content/en/${sampleFile}: (front matter): must stand between`,
    ],
    [
      "a section without its sentence",
      "legal/terms-conditions.md",
      (text: string) => text.replace(/\n> .*\n/, "\n"),
      `campus/content/en/legal/terms-conditions.md: "${given.legal.terms.sections[0]?.title}": must begin`,
    ],
    [
      "a document without sections",
      "legal/terms-conditions.md",
      (text: string) => text.slice(0, text.indexOf("\n## ")),
      "campus/content/en/legal/terms-conditions.md: (text): has no section; each begins with",
    ],
    [
      "a link within a document to a section that it does not have",
      "legal/terms-conditions.md",
      (text: string) => `${text}\n[More](#section-99)\n`,
      "campus/content/en/legal/terms-conditions.md: (text): the link #section-99 leads to no place on its page; it has section-1,",
    ],
    [
      "a file that is no YAML",
      "deletion.yaml",
      (text: string) => `${text}\n  - "`,
      "campus/content/en/deletion.yaml: (whole file): ",
    ],
    [
      "a sentence that loses its end, because a # in it begins a comment",
      "deletion.yaml",
      (text: string) => text.replace(/^lead: .*$/m, "lead: Ask for your # and keep it."),
      `campus/content/en/deletion.yaml: (whole file): what stands behind the # at line ${lineOfLead} is cut off; look there for a missing quote`,
    ],
  ])("%s", (_, file, change, expected) => {
    expect(mistakesAfter(file, change)).toContain(expected);
  });

  test("a file that is not there", () => {
    rmSync(join(folder, "content/en/faq.yaml"));
    expect(() => loadCampus(folder)).toThrow(
      "campus/content/en/faq.yaml: (whole file): is missing; ",
    );
  });

  test("all mistakes at once", () => {
    writeFileSync(join(folder, "content/en/faq.yaml"), "[]");
    const mistakes = mistakesAfter("interface.yaml", (text) => text.replace(/^skipLink:.*$/m, ""));
    expect(mistakes).toContain("faq.yaml");
    expect(mistakes).toContain("interface.yaml");
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

  test.each([
    [
      { email: "support" },
      "email: must be a mail address without accents, such as help@our-ride.example",
    ],
    [
      { links: { ...settings.links, download: "#" } },
      "links.download: must be a full https:// address",
    ],
    [{ language: "English" }, "language: must be a two-letter language code"],
    [{ defaultCategory: "Cricket" }, "defaultCategory: must be one of the categories"],
    [{ policyDate: "07/2025" }, 'policyDate: must be a month and a year, such as "July 2025"'],
    [
      { deletionBusinessDays: { target: 12, limit: 10 } },
      "deletionBusinessDays: target must not be later than limit",
    ],
  ])("%j is refused", (change, problem) => {
    expect(problemsOf(change)).toContain(problem);
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
          {
            key: "proof",
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
