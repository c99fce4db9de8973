import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { formatMistake } from "../campus-reader/mistakes.ts";
import { root } from "../tests/harness/campus.ts";
import { type CampusCopy, copyCampus } from "../tests/harness/campus-copy.ts";
import { runToEnd } from "../tests/harness/server-process.ts";
import { findMistakes } from "./check-campus.ts";
import { brightPairs, markPairs, textPairs } from "./contrast.ts";
import { forgetCampus, loadedCampus } from "./loaded-campus.ts";
import { readTheme } from "./theme.ts";

/**
 * Each campus has one plausible mistake. Most of these mistakes fail the build. The check must
 * report each mistake in one sentence.
 */

const translated = readdirSync(join(root, "campus/content/bn/posts"))
  .map((name) => `content/bn/posts/${name}`)
  .toSorted()[0] as string;
const post = "content/de/posts/1-nebel-auf-der-uferstrasse.md";

/**
 * A `line` replaces the first line with the same field, and `message` is the report about that
 * field. Otherwise, `to` replaces `from`, and `message` begins with the field, or with the file if
 * the report is about another file.
 */
type Mistake =
  | readonly [line: string, message: string]
  | readonly [from: string | RegExp, to: string, message: string];

const mistakes: Record<string, readonly Mistake[]> = {
  "campus.yaml": [
    ['tagline: ""', "must not be empty"],
    [
      'heroVehicle: "motorbike"\n',
      '$&notices: [{ text: { en: "No ferry" }, until: "2026-12-05" }]\n',
      "notices.0.text: has no words in the language de; write them there as de:",
    ],
    [
      'heroVehicle: "motorbike"\n',
      '$&notices: [{ text: { de: "Ruht" }, until: "2026-12-05", link: /faehre }]\n',
      "notices.0.link: the link /faehre leads to no page",
    ],
    [
      'heroVehicle: "motorbike"\n',
      "$&sections: [services, faq]\n",
      "content/de/faq.yaml: (text): the link /blog/",
    ],
    [
      /"https:\/\/android\.[^"]*"/,
      "null",
      'stores.0.url: must be a full https:// address, or "" where there is none yet',
    ],
    [
      "policyDate: Novembr 2026",
      "must be a month as it is called in the campus's language or in English",
    ],
    ['categories: ["sparen", "All"]', "categories.1: must not be All: so is the list of all posts"],
    ['categories: ["sparen", "sparen"]', 'categories.1: "sparen" is listed twice'],
    ["deletionBusinessDays: { target: 12, limit: 10 }", "target must not be later than limit"],
    [
      "deletionBusinessDays: { target: 5, limit: 400 }",
      "limit: is 400 business days, about 560 days; the law gives a month (GDPR, article 12(3))",
    ],
  ],
  "calendar.yaml": [
    ["weekend: [1, 2, 3, 4, 5, 6, 7]", "must leave at least one day on which the team works"],
    [/^ {2}karfreitag: .*\n/m, "", "holidays.0.holiday: karfreitag has no name"],
  ],
  "deletion.yaml": [
    [
      /^ {8}when: "8 Jahre.*\n/m,
      "",
      "kinds.6.words.de: data that is kept needs `when` (how long) and `why`",
    ],
    [/store: "[\w-]+"/, 'store: "nowhere"', "kinds.0.store: nowhere is not one of the stores"],
    [
      'key: "konten"',
      'key: "deletion-page"',
      "stores.0.key: is the key of this website in the product; write holder: this-site if",
    ],
    ['["Rider"]', '["Driver"]', "kinds.5.accounts.0: must be one of User, Rider"],
  ],
  "theme.css": [
    ["--ink-soft: #b9c6d2;", "light --ink-soft: has a contrast of 1."],
    ["--art-sky: #2a1d4a;", "light --ink: has a contrast of 1."],
  ],
  "content/de/interface.yaml": [
    ["  faq: ", "  faq: Häufiges\n  faq: ", "(whole file): repeats another line; keep one of them"],
    ['  faq: "Fragen"', '\tfaq: "Fragen"', "(whole file): "],
    ["footer:", 'footer:\n  copyright: "© 2026"', "footer.copyright: must contain {year}"],
    [
      "picture: number-plate",
      "picture: anchor",
      'blog.pictures.sicher.picture: there is no picture named "anchor"; choose one of ',
    ],
    ["blog:\n", "$&  minutes: '{minutes'\n", "blog.minutes: is not a valid ICU message"],
  ],
  "content/de/landing.yaml": [
    [
      /^ {2}lead: .*$/m,
      "  lead: 'Ab {cheaperFrom} ist es billiger.'",
      "hero.lead: {cheaperFrom} needs hours.cheaperFrom in campus.yaml; add it there, or write this text without it",
    ],
    [
      /^( +)status: "available"$/m,
      "$&\n$1picture: faehre",
      'services.items.1.picture: there is no picture named "faehre"; put a file of this name into',
    ],
    [
      /^ {4}- id: "bike"\n[\s\S]*?(?=^ {2}facts)/m,
      "    []\n",
      "services.items: must name at least one service; to have none, leave services out of",
    ],
  ],
  "content/de/deletion.yaml": [
    ["    other: ", "    others: ", "form.reasons: must have one called other"],
  ],
  "content/de/mail.yaml": [
    [
      "",
      `confirm: { subject: "Anfrag' '{reference}'" }`,
      "confirm.subject: shows {reference} literally, because of the ' before it; write ’ instead",
    ],
    ["", "confirm: { title: '{until}' }", "confirm.title: {until} is not a known placeholder here"],
    ["", 'locale: "deutsch!"', "locale: must be a language that dates can be written in"],
  ],
  [post]: [
    [/^date: .*\n/m, "", 'date: must be a date such as "2025-06-20"'],
    ["category: sicherheit", "must be one of sicher, sparen, miteinander, unterwegs"],
    [
      "/terms-conditions#section-7",
      "www.uferfahrt.example/preise",
      "(text): the link www.uferfahrt.example/preise must begin with https:// where it leads away, and with / where it leads to a page of ours",
    ],
  ],
  "content/de/legal/terms-conditions.md": [
    [/^> Mitmachen.*\n/m, "", '"Wer mitmachen darf": must begin with one line "> in short"'],
  ],
  "content/de/legal/privacy-policy.md": [
    [
      "\n> ",
      "\n> Siehe [dort](#section-17). ",
      "(text): the link #section-17 leads to no place on its page; it has section-1,",
    ],
  ],
};

/**
 * Mistakes in a campus with two languages: in the second language's files, and in files that both
 * languages share.
 */
const mistakesInTranslation: typeof mistakes = {
  "content/bn/interface.yaml": [["footer:", "skipLink: []\nfooter:", "skipLink: must be a text"]],
  "content/bn/mail.yaml": [
    [
      "",
      "locale: en-GB",
      "locale: must be bn, with or without a country, because dates are written in it",
    ],
    [
      "",
      'operator-digest:\n  calendarEnd: "{since}"\n',
      "operator-digest.calendarEnd: {since} is not a known placeholder here (known: {date})",
    ],
  ],
  "content/bn/landing.yaml": [
    ["hero:", "heros:\n  lead: Ours\nhero:", "heros: is not known here; did you mean hero?"],
    [
      "hero:\n",
      "hero:\n  headine: Ours\n",
      "hero.headine: is not known here; did you mean headline?",
    ],
    [
      "hero:\n",
      `hero:\n  headline: ${"Over".repeat(16)}\n`,
      "hero.headline: must be 60 characters or fewer",
    ],
    [/^careers:\n(?: .*\n)+/m, "careers: false\n", "careers: must be a group of fields"],
    [
      /^careers:\n(?: .*\n)+/m,
      "careers: { roles: [] }\n",
      "careers.roles: must have at least 1 entry",
    ],
    [
      /^services:\n(?: .*\n)+/m,
      `services: { items: [{ id: bike, alt: ${"Seat".repeat(31)} }] }\n`,
      "services.items.0.alt: must be 120 characters or fewer",
    ],
  ],
  [translated]: [
    [/^date: .*$/m, 'date: "1999-01-26"', "date: must be the original's, "],
    [
      "\n\n## ",
      "\n\n[এখানে](/blog/99) দেখুন।\n\n## ",
      "(text): the link /blog/99 leads to no page; posts are linked as /blog/ID",
    ],
  ],
  "content/bn/faq.yaml": [
    [
      /^- id: .*$/m,
      "- id: a-question-of-its-own",
      "a-question-of-its-own: translates no question; its id must be that of one in content/en/faq.yaml",
    ],
  ],
  "campus.yaml": [
    [/^ {4}city: .*\n/m, "", "translations.bn.city: is missing; it must be a text"],
    [
      /^ {4}hours: .*$/m,
      '    hours: { from: "9 AM", until: "10 PM" }',
      "ride.times.from: translations.bn.hours.from says 9 AM; make both the same time",
    ],
  ],
  "content/bn/legal/privacy-policy.md": [
    [/\n## (?![\s\S]*\n## )[\s\S]*/, "\n", "(text): has 9 sections, must have 10 as the original"],
  ],
  "content/bn/legal/terms-conditions.md": [
    ["authoritative: bn", "must be en, the language whose text counts"],
  ],
};

const kaltensee = copyCampus(join(root, "campus-examples/kaltensee"));
const inTwo = copyCampus(join(root, "campus"));
afterEach(() => {
  for (const copy of [kaltensee, inTwo]) {
    copy.restore();
    forgetCampus(copy.folder);
  }
});
afterAll(() => {
  for (const copy of [kaltensee, inTwo]) copy[Symbol.dispose]();
});

const ownPage = '---\ntitle: "Ours"\ndescription: "What we do."\nplace: menu\n---\n\nText.\n';

/** Mistakes in pages added by the campus. */
const pages: [file: string, text: string, message: string, CampusCopy][] = [
  [
    "content/de/pages/en.md",
    ownPage,
    "(whole file): /en is reserved for a language; give the file a name of three letters or more",
    kaltensee,
  ],
  ["content/de/pages/Über uns.md", ownPage, "use a-z, 0-9 and hyphens", kaltensee],
  [
    "content/de/pages/ours.md",
    ownPage.replace("Ours", "Ours".repeat(10)),
    "label: is needed in the menu, because the title has more than 24 characters",
    kaltensee,
  ],
  [
    "content/de/pages/ours.md",
    `${ownPage}\n![Das Tor](pictures/tor.jpg)\n`,
    "shows pictures/tor.jpg, which does not exist; put it into ",
    kaltensee,
  ],
  [
    "content/de/pages/ours.md",
    `${ownPage}\n[Preise](/preise)\n`,
    "(text): the link /preise leads to no page",
    kaltensee,
  ],
  [
    "content/bn/pages/ours.md",
    ownPage,
    "translates no page; its name must be that of one in content/en/pages",
    inTwo,
  ],
];

/** Files that don't belong in their folder. The code never reads them. */
const strays: [file: string, message: string, CampusCopy][] = [
  [
    "content/de/posts/faehre.jpg",
    "this folder can contain posts, whose names end in .md; pictures go into pictures/",
    kaltensee,
  ],
  [
    "content/de/faq.yml",
    "this folder can contain faq.yaml, landing.yaml, interface.yaml,",
    kaltensee,
  ],
  [
    "content/de/legal/impressum.md",
    "this folder can contain privacy-policy.md, terms-conditions.md",
    kaltensee,
  ],
  ["content/fr/faq.yaml", "has texts that no page shows; name it under translations in", kaltensee],
  ["content/bn/posts/0-of-its-own.md", "must be that of one in content/en/posts", inTwo],
];

function make(copy: CampusCopy, file: string, mistake: Mistake): void {
  if (mistake.length === 3) {
    copy.change(file, mistake[0], mistake[1]);
    return;
  }
  const [line] = mistake;
  const [field] = /^.+?:/.exec(line) ?? [];
  copy.change(file, new RegExp(`(?<=^[\\s{-]*)${field}.*$`, "m"), line);
}

/** Returns the mistakes, or the notes if there are no mistakes. Omits line numbers. */
async function describeMistakes({ folder }: CampusCopy): Promise<string> {
  const { errors, notes } = await findMistakes(folder);
  const found = errors.length > 0 ? errors : notes;
  return found.map((mistake) => formatMistake({ ...mistake, line: undefined })).join("\n");
}

test("accepts the unmodified fixtures", async () => {
  expect(await describeMistakes(kaltensee)).toBe("");
  expect(await describeMistakes(inTwo)).toBe("");
});

test("checks the contrast of every theme color except shadow, leaf and colors for drawings", () => {
  const checked = new Set(
    [...textPairs, ...brightPairs, ...markPairs].flat().concat("shadow", "leaf"),
  );
  const { light } = readTheme(join(inTwo.folder, "theme.css"));
  const names = Object.keys(light).filter((name) => !name.startsWith("art-"));
  expect(names.filter((name) => !checked.has(name))).toEqual([]);
});

describe.each([
  ["a campus", kaltensee, mistakes],
  ["a campus with two languages", inTwo, mistakesInTranslation],
] as const)("the check of %s", (_, copy, ofFiles) => {
  const all = Object.entries(ofFiles).flatMap(([file, own]) =>
    own.map((mistake) => [mistake.slice(0, -1).join(" -> "), file, mistake] as const),
  );

  test.each(all)('reports "%s" in %s', async (_, file, mistake) => {
    make(copy, file, mistake);
    const place = mistake.length === 3 ? `${file}: ` : "";
    const message = `${mistake[mistake.length - 1]}`;
    const isElsewhere = /^(?:content\/|campus\.yaml)/.test(message);
    await expectMistake(copy, isElsewhere ? message : place + message);
  });
});

test("lists the mistakes in all files with their lines", async () => {
  const made: Record<string, [from: string | RegExp, to: string, field: string, line: string]> = {
    "campus.yaml": [/^heroVehicle: .*$/m, "heroVehicle: scooter", "heroVehicle", "scooter"],
    "calendar.yaml": ["2027-03-29", "2027-02-30", "holidays.8.date", "2027-02-30"],
    "deletion.yaml": ['["Rider"]', '["Driver"]', "kinds.5.accounts.0", '["Driver"]'],
    "theme.css": [/(@media[\s\S]*)--ink: #\w+;/, "$1--ink: navy;", "dark --ink", "navy"],
    "content/de/faq.yaml": ['id: "absagen"', 'id: "was-ist-das"', "4.id", "was-ist-das"],
    "content/de/landing.yaml": ["hero:", "heros: {}\nhero:", "heros", "heros: {}"],
    "content/de/legal/terms-conditions.md": [
      /^> Mitmachen.*\n/m,
      "",
      '"Wer mitmachen darf"',
      "## Wer mitmachen darf",
    ],
    "content/de/legal/privacy-policy.md": ["\n## ", "\n<br>\n\n## ", "(text)", "<br>"],
    [post]: ["title:", "bild: fog\ntitle:", "bild", "bild: fog"],
  };
  for (const [file, [from, to]] of Object.entries(made)) kaltensee.change(file, from, to);
  kaltensee.write("pictures/gate.gif", "GIF");
  const { errors } = await findMistakes(kaltensee.folder);
  const reported = errors.map(({ file, field, line = 0 }) => [
    file,
    field,
    existsSync(join(kaltensee.folder, file)) && kaltensee.read(file).split("\n")[line - 1]?.trim(),
  ]);
  for (const [file, [, , field, line]] of Object.entries(made)) {
    expect(reported).toContainEqual([file, field, expect.stringContaining(line)]);
  }
  expect(errors.map(({ file }) => file)).toContain("pictures/gate.gif");
  // Each mistake must be reported only once.
  expect(errors).toHaveLength(Object.keys(made).length + 1);
});

test.each(pages.map(([file, text, message, copy]) => [file, message, text, copy] as const))(
  "rejects the page %s: %s",
  async (file, message, text, copy) => {
    copy.write(file, text);
    const report = await describeMistakes(copy);
    expect(report).toContain(`campus/${file}: `);
    expect(report).toContain(message);
  },
);

test.each(strays)("rejects the stray file %s", async (file, message, copy) => {
  copy.write(file, "Text");
  await expectMistake(copy, message);
});

/** Expects this report among the mistakes, and expects every report to be a sentence. */
async function expectMistake(copy: CampusCopy, message: string): Promise<void> {
  const report = await describeMistakes(copy);
  expect(report).toContain(message);
  expect((await findMistakes(copy.folder)).errors).not.toEqual([]);
  for (const line of report.split("\n")) {
    expect(line).toMatch(/^campus\/[\w./-]+: .+?: .{8,}$/);
    expect(line).not.toMatch(/Invalid input|undefined|\bat .*:\d+:\d+|Error:/);
  }
}

test.each(["campus.yaml", "content/de/faq.yaml"])(
  "rejects %s in an encoding other than UTF-8",
  async (file) => {
    kaltensee.write(file, Buffer.from(kaltensee.read(file), "latin1"));
    expect(await describeMistakes(kaltensee)).toBe(
      `campus/${file}: (whole file): is not written in UTF-8; save it in that encoding`,
    );
  },
);

test("rejects a copied post with the original's number", async () => {
  kaltensee.write(post.replace("nebel", "neuer-nebel"), kaltensee.read(post));
  expect(await describeMistakes(kaltensee)).toMatch(
    /^campus\/content\/de\/posts\/1-neuer-nebel\S+: id: 1 is 1-nebel-auf-der-uferstrasse\.md's, too; give it a number of its own$/,
  );
});

test("accepts byte order marks, Windows line endings and hidden files", async () => {
  for (const file of Object.keys(mistakes)) {
    if (!existsSync(join(kaltensee.folder, file))) continue;
    kaltensee.write(file, `\uFEFF${kaltensee.read(file).replaceAll("\n", "\r\n")}`);
  }
  kaltensee.write("content/de/.DS_Store", "");
  expect(await describeMistakes(kaltensee)).toBe("");
});

test.each(["isoDate", "date"] as const)(
  "accepts a translated post that repeats the original's %s",
  async (field) => {
    const original = loadedCampus(inTwo.folder).posts.find(({ file }) =>
      file.endsWith(basename(translated)),
    );
    inTwo.change(translated, /^date: .*\n/m, "");
    inTwo.change(translated, "---\n", `---\ndate: "${original?.[field]}"\n`);
    forgetCampus(inTwo.folder);
    expect(await describeMistakes(inTwo)).toBe("");
  },
);

test("accepts a long campus name with an apostrophe", async () => {
  const long = "St. John's University of Science and Technology by the Cold Lake";
  kaltensee.change("campus.yaml", /^campus: .*$/m, `campus: "${long}"`);
  expect(await describeMistakes(kaltensee)).toBe("");
});

test.each([
  [
    [],
    /footer\.home: .*landing\.yaml: services\.items: not translated, shown in en: rickshaw, food, assist\n.*You can remove what deletion\.yaml says /s,
  ],
  [["--briefly"], /1 note, which doesn't fail the build: see npm run campus -- check/],
])(
  "succeeds with flags %j and reports text that this version no longer uses",
  async (words, message) => {
    inTwo.change("content/bn/interface.yaml", "footer:\n", "footer:\n  home: Gone\n");
    inTwo.remove("content/bn/landing.yaml");
    const website = "{ key: website, holder: this-site, words: { en: we, bn: we } }";
    inTwo.change("deletion.yaml", "stores:", `stores:\n  - ${website}`);
    const ending = await runToEnd("vite/check-campus.ts", { CAMPUS_DIR: inTwo.folder }, words);
    expect(ending).toMatchObject({ code: 0, stdout: expect.stringMatching(message) });
  },
);

test("fails on notes with --strict", async () => {
  using noted = copyCampus(join(root, "campus"));
  noted.change("content/bn/interface.yaml", "footer:\n", "footer:\n  home: Gone\n");
  const ending = await runToEnd("vite/check-campus.ts", { CAMPUS_DIR: noted.folder }, ["--strict"]);
  expect(ending.code).toBe(1);
  expect(ending.stdout + ending.stderr).toMatch(/interface\.yaml:\d+: footer\.home: /);
});

test("reports a mistake once, without a stack trace, and exits with 1", async () => {
  make(kaltensee, "campus.yaml", ['emergency: "llZ"', ""]);
  const ending = await runToEnd("vite/check-campus.ts", { CAMPUS_DIR: kaltensee.folder });
  expect(ending).toMatchObject({ code: 1, stdout: "" });
  const [heading, sentence = "", ...rest] = ending.stderr.split("\n");
  expect(heading).toBe(`${kaltensee.folder} has mistakes:`);
  const [file = "", ...words] = sentence.split(": ");
  expect(resolve(root, file)).toMatch(/campus\.yaml:\d+$/);
  expect(words.join(": ")).toBe("emergency: must be a telephone number: digits only, such as 112");
  expect(rest).toEqual([""]);
});
