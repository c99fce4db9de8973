import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { postPictures } from "../app/art/post-pictures.tsx";
import { CampusError } from "../campus-reader/data-files.ts";
import { root } from "../tests/harness/campus.ts";
import { runToEnd } from "../tests/harness/server-process.ts";
import { checkCampus } from "./check-campus.ts";
import { forgetCampus } from "./loaded-campus.ts";

/** Campuses with one mistake each that a person would make. Every one ends the build with one sentence. */

const whole = join(root, "campus-examples/kaltensee");
const drawings = postPictures.map(({ name }) => name);
const post = "content/de/posts/1-nebel-auf-der-uferstrasse.md";
const words = "content/de/";

/** The mistake, the file it is made in, what is written there instead of what, and the field and sentence it is told with. */
type Mistake = readonly [
  name: string,
  file: string,
  from: string | RegExp,
  to: string,
  told: string,
];

const mistakes: readonly Mistake[] = [
  // campus.yaml
  [
    "a field forgotten",
    "campus.yaml",
    /^product: .*\n/m,
    "",
    "campus.yaml: product: is missing; it must be a text",
  ],
  [
    "a field left empty",
    "campus.yaml",
    /^tagline: .*$/m,
    'tagline: ""',
    "campus.yaml: tagline: must not be empty",
  ],
  [
    "a field mistyped",
    "campus.yaml",
    "wallet:",
    "walet:",
    "campus.yaml: walet: is not known here; check its spelling, or remove it",
  ],
  [
    "a mail address without its end",
    "campus.yaml",
    "hilfe@uferfahrt.example",
    "hilfe",
    "campus.yaml: email: must be a mail address",
  ],
  [
    "letters in the emergency number",
    "campus.yaml",
    'emergency: "112"',
    'emergency: "llZ"',
    "campus.yaml: emergency: must be a telephone number: digits only, such as 112",
  ],
  [
    "the number without quotes",
    "campus.yaml",
    'localEmergency: "112"',
    "localEmergency: 112",
    'campus.yaml: localEmergency: must be a telephone number in quotes, such as "112"',
  ],
  [
    "a time zone that there is not",
    "campus.yaml",
    "Europe/Berlin",
    "Europe/Konstanz",
    "campus.yaml: timeZone: must be an IANA time zone such as Europe/Paris",
  ],
  [
    "a language written out",
    "campus.yaml",
    'language: "de"',
    'language: "Deutsch"',
    "campus.yaml: language: must be a two-letter language code",
  ],
  [
    "a language without texts",
    "campus.yaml",
    'language: "de"',
    'language: "fr"',
    "content/fr: (whole folder): is missing; it must hold the texts in the language fr",
  ],
  [
    "a currency by its name",
    "campus.yaml",
    'code: "EUR"',
    'code: "Euro"',
    "campus.yaml: currency.code: must be three capital letters such as EUR",
  ],
  [
    "a first category that is none",
    "campus.yaml",
    'defaultCategory: "sicher"',
    'defaultCategory: "Sicher"',
    "campus.yaml: defaultCategory: must be one of the categories",
  ],
  [
    "a zone that is short for several",
    "campus.yaml",
    "Europe/Berlin",
    "EAT",
    "campus.yaml: timeZone: must be an IANA time zone such as Europe/Paris",
  ],
  [
    "a zone that knows no summer time",
    "campus.yaml",
    /^timeZone: .*$/m,
    'timeZone: "+01:00"',
    "campus.yaml: timeZone: must be an IANA time zone such as Europe/Paris",
  ],
  [
    "a currency that there is not",
    "campus.yaml",
    'code: "EUR"',
    'code: "XYZ"',
    "campus.yaml: currency.code: must be the code of a currency that there is, such as EUR",
  ],
  [
    "a number of one digit and many spaces",
    "campus.yaml",
    'localEmergency: "112"',
    'localEmergency: "1        "',
    "campus.yaml: localEmergency: must be a telephone number: digits only, such as 112",
  ],
  [
    "a number that leaves its card",
    "campus.yaml",
    'localEmergency: "112"',
    'localEmergency: "12345678901234"',
    'campus.yaml: localEmergency: must have a space after six digits or fewer, such as "020 222 2181"',
  ],
  [
    "a store without its address",
    "campus.yaml",
    /"https:\/\/android\.[^"]*"/,
    "null",
    'url: must be a full https:// address, or "" where there is none yet',
  ],
  [
    "a list emptied",
    "campus.yaml",
    /^social:\n(?: .*\n)+/m,
    "social:\n",
    "campus.yaml: social: must be a list; [] where there is none",
  ],
  [
    "a list taken out",
    "campus.yaml",
    /^social:\n(?: .*\n)+/m,
    "",
    "campus.yaml: social: must be a list; [] where there is none",
  ],
  [
    "a month mistyped",
    "campus.yaml",
    /^policyDate: .*$/m,
    "policyDate: Novembr 2026",
    "campus.yaml: policyDate: must be a month as it is called in the campus's language or in English",
  ],
  [
    "a name with a placeholder in it",
    "campus.yaml",
    /^product: .*$/m,
    'product: "Ufer {product}"',
    "campus.yaml: product: must be plain words in one line, without { }",
  ],
  [
    "a name in bold",
    "campus.yaml",
    /^developer: .*$/m,
    'developer: "<b>Team</b>"',
    "campus.yaml: developer: must be plain words in one line, without { }",
  ],
  [
    "a category that is called as the list of all",
    "campus.yaml",
    '"miteinander"',
    '"All"',
    "campus.yaml: categories.2: must not be All: so is the list of all posts",
  ],
  [
    "a category named twice",
    "campus.yaml",
    '"sparen", "miteinander"',
    '"sparen", "sparen"',
    'campus.yaml: categories.2: "sparen" stands twice',
  ],
  [
    "a link without https",
    "campus.yaml",
    "https://app.uferfahrt.example/laden",
    "app.uferfahrt.example",
    "campus.yaml: links.download: must be a full https:// address",
  ],
  [
    "a store named twice",
    "campus.yaml",
    'name: "App Store"',
    'name: "Google Play"',
    'campus.yaml: stores.1: "Google Play" stands twice',
  ],
  [
    "a vehicle that nobody has drawn",
    "campus.yaml",
    '"motorbike"',
    '"tram"',
    "campus.yaml: heroVehicle: must be one of rickshaw, motorbike",
  ],
  [
    "motifs that nobody has drawn",
    "campus.yaml",
    'motifs: "lake"',
    'motifs: "alps"',
    "campus.yaml: motifs: must be one of delta, lake, plain",
  ],
  [
    "a target after the limit",
    "campus.yaml",
    "target: 5",
    "target: 12",
    "campus.yaml: deletionBusinessDays: target must not be later than limit",
  ],
  [
    "days that are no number",
    "campus.yaml",
    "limit: 10",
    "limit: zehn",
    "campus.yaml: deletionBusinessDays.limit: must be a number",
  ],
  [
    "a date in the wrong order",
    "campus.yaml",
    '"2027-09-30"',
    '"30.09.2027"',
    "campus.yaml: security.expires: must be a date such as 2027-03-10",
  ],
  [
    "a quote that is not closed",
    "campus.yaml",
    'city: "Kaltensee"',
    'city: "Kaltensee',
    "campus.yaml: (whole file): ",
  ],
  [
    "a rickshaw without its paint",
    "campus.yaml",
    '"motorbike"',
    '"rickshaw"',
    'landing.yaml: paint: must stand here when heroVehicle is "rickshaw", and only then',
  ],
  // calendar.yaml
  [
    "a day that there is not",
    "calendar.yaml",
    "2027-03-29",
    "2027-02-30",
    "calendar.yaml: holidays.8.date: must be a date such as 2027-03-10",
  ],
  [
    "a holiday entered twice",
    "calendar.yaml",
    "2027-03-29",
    "2027-03-26",
    "calendar.yaml: holidays.8: 2027-03-26 stands twice",
  ],
  [
    "a yearly day with its year",
    "calendar.yaml",
    '"05-01"',
    '"2026-05-01"',
    "calendar.yaml: everyYear.2.day: must be a month and a day such as 12-16",
  ],
  [
    "a weekday that there is not",
    "calendar.yaml",
    "weekend: [6, 7]",
    "weekend: [0, 6]",
    "calendar.yaml: weekend.0: must be a number from 1 (Monday) to 7 (Sunday)",
  ],
  [
    "a weekend of seven days",
    "calendar.yaml",
    "weekend: [6, 7]",
    "weekend: [1, 2, 3, 4, 5, 6, 7]",
    "calendar.yaml: weekend: must leave at least one day on which the team works",
  ],
  [
    "a holiday without a name",
    "calendar.yaml",
    /^ {2}karfreitag: .*\n/m,
    "",
    "calendar.yaml: holidays.0.holiday: karfreitag has no name",
  ],
  // deletion.yaml
  [
    "kept data without its time",
    "deletion.yaml",
    /^ {8}when: "8 Jahre.*\n/m,
    "",
    "deletion.yaml: kinds.6.words.de: data that is kept needs `when` (how long) and `why`",
  ],
  [
    "a fate that there is not",
    "deletion.yaml",
    'onDeletion: "kept"',
    'onDeletion: "archived"',
    "deletion.yaml: kinds.6.onDeletion: must be one of deleted, kept",
  ],
  [
    "an account that there is not",
    "deletion.yaml",
    '["Rider"]',
    '["Driver"]',
    "deletion.yaml: kinds.5.accounts.0: must be one of User, Rider",
  ],
  // theme.css
  [
    "a colour by its name",
    "theme.css",
    /--ink: #\w+/,
    "--ink: navy",
    "theme.css: light --ink: must be a colour such as #1d1433",
  ],
  [
    "a short colour",
    "theme.css",
    /--rani: #\w+/,
    "--rani: #c51",
    "theme.css: light --rani: must be a colour such as #1d1433",
  ],
  [
    "a pale text",
    "theme.css",
    /--ink-soft: #\w+/,
    "--ink-soft: #b9c6d2",
    "theme.css: light --ink-soft: stands out from --paper by 1.",
  ],
  [
    "a brace forgotten",
    "theme.css",
    "}",
    "",
    "theme.css: (whole file): must close every { with a }",
  ],
  [
    "a colour forgotten",
    "theme.css",
    /^ {2}--focus: .*\n/m,
    "",
    "theme.css: light --focus: is missing",
  ],
  // words
  [
    "a text left empty",
    `${words}interface.yaml`,
    "nav:",
    'skipLink: ""\nnav:',
    "interface.yaml: skipLink: must not be empty",
  ],
  [
    "a text twice",
    `${words}interface.yaml`,
    '  faq: "Fragen"',
    '  faq: "Fragen"\n  faq: "Häufiges"',
    "interface.yaml: (whole file): Map keys must be unique",
  ],
  [
    "a tab instead of spaces",
    `${words}interface.yaml`,
    '  faq: "Fragen"',
    '\tfaq: "Fragen"',
    "interface.yaml: (whole file): ",
  ],
  [
    "a name mistyped in braces",
    `${words}landing.yaml`,
    "{product}",
    "{produkt}",
    "landing.yaml: meta.title: {produkt} is no known placeholder here",
  ],
  [
    "the year forgotten",
    `${words}interface.yaml`,
    "footer:",
    'footer:\n  copyright: "© 2026"',
    "interface.yaml: footer.copyright: must hold {year}",
  ],
  [
    "a shop that is not coming",
    `${words}landing.yaml`,
    /^( {2}joinNote: .*)"$/m,
    '$1 {comingStore}"',
    "landing.yaml: registration.joinNote: {comingStore} is no known placeholder here",
  ],
  [
    "a service that nobody has drawn",
    `${words}landing.yaml`,
    'id: "assist"',
    'id: "boat"',
    "landing.yaml: services.items.1.id: must be one of bike, rickshaw, food, assist",
  ],
  [
    "a service named twice",
    `${words}landing.yaml`,
    'id: "assist"',
    'id: "bike"',
    'landing.yaml: services.items.1.id: "bike" stands twice',
  ],
  [
    "a description without end",
    `${words}landing.yaml`,
    "Günstige Mitfahrten",
    "Günstige Mitfahrten ".repeat(12),
    "landing.yaml: meta.description: must be 160 characters or fewer",
  ],
  [
    "a category without words",
    `${words}interface.yaml`,
    /^ {4}sparen: "Sparen"\n/m,
    "",
    'interface.yaml: blog.categories: has none for "sparen"',
  ],
  [
    "a category that is no longer there",
    `${words}interface.yaml`,
    /^( {4})sparen: "Sparen"\n/m,
    '$&$1geld: "Geld"\n',
    'interface.yaml: blog.categories: "geld" is none of the categories of campus.yaml; rename it, or take it out',
  ],
  [
    "a category's picture that nobody has drawn",
    `${words}interface.yaml`,
    "picture: number-plate",
    "picture: anchor",
    'interface.yaml: blog.pictures.sicher.picture: there is no drawing named "anchor"; choose one of ',
  ],
  [
    "a placeholder that another text knows",
    `${words}interface.yaml`,
    "blog:\n",
    'blog:\n  readMore: "Lies {minutes}"\n',
    "interface.yaml: blog.readMore: {minutes} is no known placeholder here",
  ],
  [
    "a message whose brace is not closed",
    `${words}interface.yaml`,
    "blog:\n",
    'blog:\n  minutes: "{minutes Minuten"\n',
    "interface.yaml: blog.minutes: is no message in the syntax of ICU",
  ],
  [
    "a category without a picture",
    `${words}interface.yaml`,
    /^ {4}sparen: \{ picture.*\n/m,
    "",
    'interface.yaml: blog.pictures: has none for "sparen"',
  ],
  [
    "a service that is neither there nor coming",
    `${words}landing.yaml`,
    'status: "available"',
    'status: "soon"',
    "landing.yaml: services.items.0.status: ",
  ],
  [
    "a sentence that loses its end, because a # in it begins a comment",
    `${words}deletion.yaml`,
    /^lead: .*$/m,
    "lead: Nenne deine # und bewahre sie auf.",
    "deletion.yaml: (whole file): what stands behind the # at line 5 is cut off; look there for a missing quote",
  ],
  [
    "a question asked twice",
    `${words}faq.yaml`,
    'id: "absagen"',
    'id: "was-ist-das"',
    'faq.yaml: 4.id: "was-ist-das" stands twice',
  ],
  [
    "an address with spaces",
    `${words}faq.yaml`,
    'id: "absagen"',
    'id: "Kann ich absagen?"',
    "faq.yaml: 4.id: must be lower-case words joined by hyphens",
  ],
  [
    "a reason that nobody may choose",
    `${words}deletion.yaml`,
    "    other: ",
    "    others: ",
    "deletion.yaml: form.reasons.other",
  ],
  // mails
  [
    "a fact that a mail does not know",
    `${words}mail.yaml`,
    "",
    'confirm: { title: "Bis {validUntl}" }',
    "mail.yaml: confirm.title: {validUntl} is no known placeholder here",
  ],
  [
    "a locale that there is not",
    `${words}mail.yaml`,
    "",
    'locale: "deutsch!"',
    "mail.yaml: locale: must be a language that dates can be written in",
  ],
  [
    "a plural that is not closed",
    `${words}mail.yaml`,
    "",
    'shared: { overdue: "{count, plural, one {# Tag zu spät} other {# Tage zu spät}" }',
    "mail.yaml: shared.overdue: ",
  ],
  // posts
  [
    "a date in the future",
    post,
    "2026-10-28",
    "2096-10-28",
    "nebel-auf-der-uferstrasse.md: date: must not be later than today",
  ],
  [
    "a day that no month has",
    post,
    "2026-10-28",
    "2026-02-30",
    "nebel-auf-der-uferstrasse.md: date: is no day of the calendar",
  ],
  [
    "a date of here",
    post,
    '"2026-10-28"',
    '"28.10.2026"',
    'nebel-auf-der-uferstrasse.md: date: must be a date such as "2025-06-20"',
  ],
  [
    "a category that there is not",
    post,
    "category: sicher",
    "category: sicherheit",
    "nebel-auf-der-uferstrasse.md: category: must be one of sicher, sparen, miteinander, unterwegs",
  ],
  [
    "an id used twice",
    post,
    "id: 1\n",
    "id: 2\n",
    'nebel-auf-der-uferstrasse.md: id: the file\'s name must begin with "2-"',
  ],
  [
    "a picture that nobody has drawn",
    post,
    "picture: warning-triangle",
    "picture: fog",
    'nebel-auf-der-uferstrasse.md: picture: there is no drawing named "fog"; choose one of ',
  ],
  [
    "a mistake in its category's only post",
    "content/de/posts/4-was-eine-fahrt-wirklich-kostet.md",
    /^date: .*$/m,
    'date: "2936-01-05"',
    "4-was-eine-fahrt-wirklich-kostet.md: date: must not be later than today",
  ],
  [
    "a picture without words",
    post,
    /^imageAlt: .*\n/m,
    "",
    "nebel-auf-der-uferstrasse.md: picture: must be given together with imageAlt",
  ],
  [
    "a colon in a title without quotes",
    post,
    /^title: ".*"$/m,
    "title: Nebel: fünf Minuten",
    "nebel-auf-der-uferstrasse.md: (front matter): ",
  ],
  [
    "a title that fills the card",
    post,
    "fünf Minuten, die sich lohnen",
    "fünf Minuten, die sich auch bei Gegenwind noch lohnen",
    "nebel-auf-der-uferstrasse.md: title: must be 65 characters or fewer",
  ],
  [
    "front matter that does not end",
    post,
    'Motorrad"\n---',
    'Motorrad"\n',
    "nebel-auf-der-uferstrasse.md: ",
  ],
  [
    "a text that is no post yet",
    post,
    /(\n---\n)[\s\S]*/,
    "$1Kurz.\n",
    "nebel-auf-der-uferstrasse.md: (text): has 1 words, must have 400 to 1400",
  ],
  [
    "no front matter",
    post,
    /^---\n[\s\S]*?\n---\n/,
    "",
    "nebel-auf-der-uferstrasse.md: (front matter): must stand between",
  ],
  [
    "a letter that the face lacks",
    post,
    "Nebel auf der",
    "Nebel 霧 auf der",
    'nebel-auf-der-uferstrasse.md: title: the display face has no "霧"',
  ],
  [
    "a link to a post that is gone",
    post,
    "/terms-conditions#section-7",
    "/blog/99",
    "nebel-auf-der-uferstrasse.md: (text): the link /blog/99 leads to no page; posts are linked as /blog/ID",
  ],
  [
    "a link to a section that is not there",
    post,
    "#section-7",
    "#section-17",
    "nebel-auf-der-uferstrasse.md: (text): the link /terms-conditions#section-17 leads to no place on its page",
  ],
  [
    "a link as it stands in a browser's line",
    post,
    "/terms-conditions#section-7",
    "www.uferfahrt.example/preise",
    "nebel-auf-der-uferstrasse.md: (text): the link www.uferfahrt.example/preise must begin with https:// where it leads away, and with / where it leads to a page of ours",
  ],
  [
    "a link to one's own machine",
    post,
    "/terms-conditions#section-7",
    "http://localhost:3000/faq",
    "nebel-auf-der-uferstrasse.md: (text): the link http://localhost:3000/faq must begin with https://",
  ],
  [
    "a picture in the text",
    post,
    "\n## ",
    "\n![Wir auf der Fähre](wir.jpg)\n\n## ",
    'nebel-auf-der-uferstrasse.md: (text): the picture "Wir auf der Fähre" is not shown; take it out',
  ],
  [
    "a film from elsewhere",
    post,
    "\n## ",
    '\n<iframe src="https://film.example/1"></iframe>\n\n## ',
    'nebel-auf-der-uferstrasse.md: (text): <iframe src="https://film.example/1"> is not shown; say it in Markdown, or take it out',
  ],
  [
    "a title without its space",
    `${words}legal/terms-conditions.md`,
    /^## /m,
    "##",
    "terms-conditions.md: (text): a title needs a space behind ##",
  ],
  [
    "a headline that is a paragraph",
    `${words}landing.yaml`,
    "Trocken rüber ans andere Ufer",
    "Trocken rüber ans andere Ufer, auch wenn es regnet und der Bus nicht fährt",
    "landing.yaml: hero.headline: must be 60 characters or fewer",
  ],
  [
    "braces in a text",
    post,
    "## Wann niemand fährt",
    "## Wann niemand {faehrt}",
    "nebel-auf-der-uferstrasse.md: (text): {faehrt} is no known placeholder here",
  ],
  [
    "a placeholder with a digit",
    post,
    "## Wann niemand fährt",
    "## Wann niemand {product1}",
    "nebel-auf-der-uferstrasse.md: (text): {product1} is no known placeholder here",
  ],
  [
    "a placeholder that is not closed",
    `${words}landing.yaml`,
    /^( {2}joinNote: .*)"$/m,
    '$1 {product mehr"',
    '{product mehr" has a brace without its partner; placeholders look like {product}',
  ],
  [
    "a title as large as the page's own",
    post,
    "## Wann",
    "# Wann",
    "nebel-auf-der-uferstrasse.md: (text): # is the page's own title; begin a title within the text with ##",
  ],
  // law
  [
    "a placeholder of the law that is not closed",
    `${words}legal/terms-conditions.md`,
    "{email}",
    "{email",
    "has a brace without its partner; placeholders look like {product}",
  ],
  [
    "the table of data forgotten",
    `${words}legal/privacy-policy.md`,
    "{{table:data-kinds}}",
    "",
    "privacy-policy.md: (text): must hold the line {{table:data-kinds}} once",
  ],
  [
    "a section without its short sentence",
    `${words}legal/terms-conditions.md`,
    /^> Mitmachen.*\n/m,
    "",
    'terms-conditions.md: "Wer mitmachen darf": must begin with one line "> in short"',
  ],
  [
    "a document whose sections have smaller headings",
    `${words}legal/terms-conditions.md`,
    /^## /gm,
    "### ",
    'terms-conditions.md: (text): has no section; each begins with "## " and its title',
  ],
  [
    "a link to a section that there is not",
    `${words}legal/privacy-policy.md`,
    "\n> ",
    "\n> Siehe [dort](#section-17). ",
    "privacy-policy.md: (text): the link #section-17 leads to no place on its page; it has section-1,",
  ],
  // What editors, keyboards and other campuses bring
  [
    "a tab before a post's field",
    post,
    /^category:/m,
    "\tcategory:",
    "nebel-auf-der-uferstrasse.md: (front matter): ",
  ],
  [
    "a colon in a title without quotes, at its beginning",
    post,
    /^title: .*$/m,
    "title: Nebel: was nun",
    "nebel-auf-der-uferstrasse.md: (front matter): Nested mappings are not allowed in compact mappings at line 3, column 8; look there for a missing quote",
  ],
  [
    "an apostrophe between single quotes",
    "campus.yaml",
    /^campus: .*$/m,
    "campus: 'St. John's College'",
    "look there for a missing quote",
  ],
  [
    "a month that there is not",
    post,
    /^date: .*$/m,
    'date: "2026-13-40"',
    "nebel-auf-der-uferstrasse.md: date: is no day of the calendar",
  ],
  [
    "a store's address that is not safe",
    "campus.yaml",
    "https://android.",
    "http://android.",
    "campus.yaml: stores.0.url: must be a full https:// address",
  ],
  [
    "an emoji in the name",
    "campus.yaml",
    /^product: .*$/m,
    'product: "Uferfahrt 👩‍🎓🚲"',
    'campus.yaml: product: the display face has no "👩‍🎓", "🚲", which would be missing',
  ],
  [
    "a name in letters that run the other way",
    "campus.yaml",
    /^product: .*$/m,
    'product: "نقل"',
    "campus.yaml: product: the display face has no ",
  ],
  [
    "a name that no store takes",
    "campus.yaml",
    /^product: .*$/m,
    `product: "${"Uferfahrt ".repeat(6).trim()}"`,
    "campus.yaml: product: must be 30 characters or fewer, as on the stores' listing",
  ],
];

/** Files that a person puts where nobody looks for them, and what is said of each. */
const strays: readonly (readonly [name: string, file: string, told: string])[] = [
  [
    "a photo beside the posts",
    `${words}posts/faehre.jpg`,
    "posts/faehre.jpg: (whole file): has no place here; this folder holds posts, whose names end in .md, and posts are shown with our drawings, which `picture:` names",
  ],
  [
    "a text under another name",
    `${words}faq.yml`,
    "de/faq.yml: (whole file): has no place here; this folder holds landing.yaml, faq.yaml, interface.yaml,",
  ],
  [
    "a third legal document",
    `${words}legal/impressum.md`,
    "legal/impressum.md: (whole file): has no place here; this folder holds privacy-policy.md, terms-conditions.md",
  ],
];

/** The same of a campus with two languages: in the second, and in what both share. */
const inTwo = join(root, "campus");
const second = "content/bn/";
const [translated = ""] = readdirSync(join(inTwo, second, "posts")).sort();
const mistakesInTranslation: readonly Mistake[] = [
  [
    "a text that is a list",
    `${second}interface.yaml`,
    "footer:",
    "skipLink: []\nfooter:",
    "content/bn/interface.yaml: skipLink: must be a text",
  ],
  [
    "the first language's dates",
    `${second}mail.yaml`,
    "",
    "locale: en-GB",
    "content/bn/mail.yaml: locale: must be bn, with or without a country, because dates are written in it",
  ],
  [
    "a link to nowhere",
    `${second}posts/${translated}`,
    "\n\n## ",
    "\n\n[এখানে](/blog/99) দেখুন।\n\n## ",
    `content/bn/posts/${translated}: (text): the link /blog/99 leads to no page; posts are linked as /blog/ID`,
  ],
  [
    "a question under another id",
    `${second}faq.yaml`,
    /^- id: .*$/m,
    "- id: a-question-of-its-own",
    "content/bn/faq.yaml: a-question-of-its-own: translates no question; its id must be that of one in content/en/faq.yaml",
  ],
  [
    "a name without its translation",
    "campus.yaml",
    /^ {4}city: .*\n/m,
    "",
    "campus.yaml: translations.bn.city: is missing; it must be a text",
  ],
  [
    "a law whose first language is another",
    `${second}legal/terms-conditions.md`,
    /^authoritative: .*$/m,
    "authoritative: bn",
    "content/bn/legal/terms-conditions.md: authoritative: must be en, the language whose text counts",
  ],
];

let folder: string;
let untouched: Map<string, string | undefined>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "broken-"));
  cpSync(whole, folder, { recursive: true });
  untouched = new Map();
});
beforeEach(() => {
  for (const [file, text] of untouched) {
    if (text === undefined) rmSync(join(folder, file));
    else writeFileSync(join(folder, file), text);
  }
  untouched.clear();
  forgetCampus(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

function breakCampus([, file, from, to]: Mistake): void {
  untouched.set(file, breakFile(join(folder, file), from, to));
}

/** Makes the mistake and gives what stood in the file; a file that is not there has the mistake alone. */
function breakFile(path: string, from: string | RegExp, to: string): string | undefined {
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  const broken = (text ?? "").replace(from, to);
  expect(broken, "the mistake is made").not.toBe(text);
  writeFileSync(path, broken);
  return text;
}

async function whatIsSaid(campus = folder): Promise<string> {
  const error = await checkCampus(campus, drawings).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return "";
  expect(error).toBeInstanceOf(CampusError);
  return (error as CampusError).message;
}

test("the campus before any mistake is right", async () => {
  expect(await whatIsSaid()).toBe("");
});

test("there are sixty of them, and no two alike", () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(60);
  expect(new Set(mistakes.map(([name]) => name)).size).toBe(mistakes.length);
});

describe("a campus is refused for", () => {
  test.each(mistakes.map((mistake) => [mistake[0], mistake] as const))("%s", async (_, mistake) => {
    breakCampus(mistake);
    const said = await whatIsSaid();
    expect(said).toContain(mistake[4]);
    for (const line of said.split("\n")) {
      expect(line).toMatch(/^campus\/[\w./-]+: .+?: .{8,}$/);
      expect(line).not.toMatch(/Invalid input|undefined|\bat .*:\d+:\d+|Error:/);
    }
  });
});

describe("a campus is refused for a file that nobody would read:", () => {
  test.each(strays)("%s", async (_, file, told) => {
    writeFileSync(join(folder, file), "Text");
    try {
      const said = await whatIsSaid();
      expect(said).toContain(told);
      expect(said.split("\n")).toHaveLength(1);
      expect(said).not.toMatch(/Invalid input|undefined|\bat .*:\d+:\d+|Error:/);
    } finally {
      rmSync(join(folder, file));
    }
  });

  test("a language that is not named", async () => {
    const other = join(folder, "content/fr");
    cpSync(join(folder, words), other, { recursive: true });
    try {
      expect(await whatIsSaid()).toBe(
        "campus/content/fr: (whole folder): has texts that no page shows; name it under translations in campus.yaml, or take them out",
      );
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  test("a text in another encoding", async () => {
    for (const file of ["campus.yaml", `${words}faq.yaml`]) {
      const text = readFileSync(join(folder, file), "utf8");
      untouched.set(file, text);
      writeFileSync(join(folder, file), text, "latin1");
      forgetCampus(folder);
      expect(await whatIsSaid()).toBe(
        `campus/${file}: (whole file): is not written in UTF-8; save it in that encoding`,
      );
      writeFileSync(join(folder, file), text);
    }
  });

  test("a post copied with its number", async () => {
    const copy = post.replace("nebel", "neuer-nebel");
    cpSync(join(folder, post), join(folder, copy));
    try {
      expect(await whatIsSaid()).toMatch(
        /^campus\/content\/de\/posts\/1-neuer-nebel\S+: id: 1 is 1-nebel-auf-der-uferstrasse\.md's, too; give it a number of its own$/,
      );
    } finally {
      rmSync(join(folder, copy));
    }
  });
});

describe("a campus with two languages is refused for", () => {
  let both: string;
  beforeEach(() => {
    both = mkdtempSync(join(tmpdir(), "broken-in-two-"));
    cpSync(inTwo, both, { recursive: true });
  });
  afterEach(() => rmSync(both, { recursive: true }));

  test.each(mistakesInTranslation)("%s", async (_, file, from, to, told) => {
    breakFile(join(both, file), from, to);
    expect(await whatIsSaid(both)).toBe(`campus/${told}`);
  });

  test("a post that translates none", async () => {
    const posts = join(both, second, "posts");
    renameSync(join(posts, translated), join(posts, `x${translated}`));
    expect(await whatIsSaid(both)).toBe(
      `campus/${second}posts/x${translated}: (whole file): translates no post; its name must be that of one in content/en/posts`,
    );
  });
});

test("what an editor leaves in a file is no mistake: its mark at the beginning, lines of Windows, hidden files", async () => {
  const files = ["campus.yaml", "calendar.yaml", "deletion.yaml", "theme.css", post].concat(
    ["interface.yaml", "faq.yaml", "legal/terms-conditions.md"].map((name) => words + name),
  );
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    untouched.set(file, text);
    writeFileSync(join(folder, file), `\uFEFF${text.replaceAll("\n", "\r\n")}`);
  }
  writeFileSync(join(folder, words, ".DS_Store"), "");
  expect(await whatIsSaid()).toBe("");
  rmSync(join(folder, words, ".DS_Store"));
});

test("long and quoted names are no mistake", async () => {
  const settings = readFileSync(join(folder, "campus.yaml"), "utf8");
  untouched.set("campus.yaml", settings);
  const long = "St. John's University of Science and Technology by the Cold Lake";
  writeFileSync(
    join(folder, "campus.yaml"),
    settings.replace(/^campus: .*$/m, `campus: "${long}"`),
  );
  expect(await whatIsSaid()).toBe("");
});

test("the build itself says the sentence once, shows no stack and ends", {
  timeout: 300_000,
}, async () => {
  const mistake = mistakes.find(([name]) => name === "letters in the emergency number") as Mistake;
  breakCampus(mistake);
  const ending = await runToEnd("vite/check-campus.ts", { CAMPUS_DIR: folder });
  expect(ending).toMatchObject({ code: 1, stdout: "" });
  const [heading, sentence = "", ...rest] = ending.stderr.split("\n");
  expect(heading).toBe(`${folder} has mistakes:`);
  const [file = "", ...words] = sentence.split(": ");
  expect(resolve(root, file)).toBe(join(folder, "campus.yaml"));
  expect(words.join(": ")).toBe("emergency: must be a telephone number: digits only, such as 112");
  expect(rest).toEqual([""]);
});
