import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { untouched, writeCampus } from "../scripts/new-campus.ts";
import { copyCampus } from "../tests/harness/campus-copy.ts";
import { findMistakes } from "./check-campus.ts";

/**
 * Typical mistakes of people on their first evening. The tests make each mistake in the campus that
 * `npm run campus -- new` creates, and expect the listed reports from the check, and no others. The
 * test names list the mistakes.
 */

const post = "content/en/posts/1-three-looks-before-you-sit.md";
const nineMegabytes = Buffer.alloc(9 * 1024 * 1024);

/**
 * A line replaces the first line with the same field. A pair replaces `from` with `to`. For a new
 * file, the edit is the file's content.
 */
type Edit = string | Buffer | readonly [from: string | RegExp, to: string];

/**
 * All reports that the check must give. A report that starts without a file is about the lines that
 * the edit changed, or about the new file. Long reports are cut off here.
 */
type Explanation = readonly [sentence: string, ...more: string[]];

const mistakes: Record<string, readonly [what: string, file: string, Edit, ...Explanation][]> = {
  "YAML syntax": [
    [
      "curly quotes from a word processor",
      "campus.yaml",
      "product: “Our Ride”",
      '(whole file): has the quotes of a word processor, which would be shown; write straight ones: "..."',
    ],
    [
      "German quotes",
      "campus.yaml",
      "product: „Our Ride“",
      '(whole file): has the quotes of a word processor, which would be shown; write straight ones: "..."',
    ],
    [
      "French quotes",
      "campus.yaml",
      "tagline: « Going your way »",
      '(whole file): has the quotes of a word processor, which would be shown; write straight ones: "..."',
    ],
    [
      "a missing closing quote",
      "campus.yaml",
      'product: "Our Ride',
      "(whole file): has a quote that is never closed; add it",
    ],
    [
      "a colon in an unquoted text",
      "campus.yaml",
      "tagline: Our Ride: going your way",
      "(whole file): has a colon in a text without quotes; put the whole text in quotes",
    ],
    [
      "no space after the colon",
      "campus.yaml",
      "wallet:a card",
      "(whole file): needs a colon and a space after its name, such as name: text",
    ],
    [
      "a forgotten colon",
      "campus.yaml",
      [/^( *)wallet: .*$/m, "$1wallet a card"],
      "(whole file): needs a colon and a space after its name, such as name: text",
    ],
    [
      "a tab in front of a key",
      "campus.yaml",
      ["  sign: ", "\tsign: "],
      "(whole file): begins with a tab; indent with spaces",
    ],
    [
      "an indented key",
      "campus.yaml",
      ["wallet: ", "  wallet: "],
      "campus.yaml: wallet: is missing; it must be a text",
      "currency.wallet: is not known here; check its spelling, or remove it (known: sign, code)",
    ],
    [
      "an unquoted text with #",
      "campus.yaml",
      "tagline: Ride #1 on campus",
      "(whole file): everything after the # is cut off; put the sentence in quotes",
    ],
    [
      "an unquoted text that starts with @",
      "campus.yaml",
      "wallet: @wallet",
      "(whole file): begins with a character that has a special meaning in YAML; put the text in quotes",
    ],
    [
      "an unquoted text that starts with *",
      "campus.yaml",
      "tagline: *Going* your way",
      "(whole file): continues after its text has ended; put the whole text in quotes, and indent its further lines",
    ],
    [
      "a single unquoted word between asterisks",
      "campus.yaml",
      "tagline: *Together*",
      "(whole file): begins with a character that has a special meaning in YAML; put the text in quotes",
    ],
    [
      "a post's title between asterisks",
      post,
      "title: *Together*",
      "(front matter): begins with a character that has a special meaning in YAML; put the text in quotes",
    ],
    [
      "an unquoted text that starts with &",
      "campus.yaml",
      "developer: &Co Team",
      "(whole file): begins with & or !, so YAML takes its first word away; put the text in quotes",
    ],
    [
      "an unquoted text that starts with !",
      "content/en/landing.yaml",
      "alt: !Look bank cards",
      "(whole file): begins with & or !, so YAML takes its first word away; put the text in quotes",
    ],
    [
      "a line of hyphens within the settings",
      "campus.yaml",
      [/^city: /m, "---\n$&"],
      "(whole file): is after a line of three hyphens, which ends the file; remove that line",
    ],
    [
      "a duplicate key",
      "campus.yaml",
      [/^city: .*\n/m, "$&$&"],
      "(whole file): repeats another line; keep one of them",
    ],
    [
      "JSON with a missing bracket",
      "campus.yaml",
      ["mailDomains: []", "mailDomains: [uni.example"],
      "(whole file): has a list or group that is never closed; add ]",
    ],
    [
      "an empty file",
      "campus.yaml",
      [/[\s\S]*/, ""],
      "campus.yaml: (whole file): is empty; it must contain a group of fields",
    ],
    [
      "a pasted merge conflict",
      "campus.yaml",
      [/^city: .*\n/m, "<<<<<<< HEAD\n$&=======\n$&>>>>>>> main\n"],
      "(whole file): has the marks of a merge conflict (<<<<<<<); keep one of both versions, without the marks",
    ],
    [
      "a text that isn't indented",
      "content/en/faq.yaml",
      ["    {product} brings people", "{product} brings people"],
      "(whole file): continues after its text has ended; put the whole text in quotes, and indent its further lines",
    ],
    [
      "a list entry without a space",
      "content/en/faq.yaml",
      ['- id: "who-may-join"', '-id: "who-may-join"'],
      "(whole file): continues after its text has ended; put the whole text in quotes, and indent its further lines",
    ],
    [
      "two quoted texts on one line",
      "content/en/landing.yaml",
      'alt: "A card" and "a phone"',
      "(whole file): continues after its text has ended; put the whole text in quotes, and indent its further lines",
    ],
  ],
  "Names and settings": [
    [
      "a deleted name",
      "campus.yaml",
      [/^product: .*\n/m, ""],
      "campus.yaml: product: is missing; it must be a text",
    ],
    ["an empty name", "campus.yaml", "country:", "country: is empty; it must be a text"],
    [
      "a key in capitals",
      "campus.yaml",
      ["wallet:", "Wallet:"],
      "Wallet: is not known here; did you mean wallet?",
    ],
    [
      "a mistyped key",
      "campus.yaml",
      ["heroVehicle:", "heroVehicel:"],
      "heroVehicel: is not known here; did you mean heroVehicle?",
    ],
    [
      "a comma in a number",
      "campus.yaml",
      ["fare: { base: 1.2,", "fare: { base: 1,2,"],
      "ride.fare.2: is the rest of a number with a comma; write a point, such as 2.6",
    ],
    [
      "an ordinary wait that is longer than the longest",
      "campus.yaml",
      ["usual: 5,", "usual: 50,"],
      "ride.waitMinutes: usual must not be longer than longest",
    ],
    [
      "an invented key for the logo",
      "campus.yaml",
      [/^cash:/m, "logo: logo.svg\n$&"],
      "logo: is not known here; save it as pictures/logo.svg",
    ],
    [
      "blog: false",
      "campus.yaml",
      [/^cash:/m, "blog: false\n$&"],
      "blog: is not known here; to have no blog, leave blog out of sections",
    ],
    [
      "careers: no",
      "campus.yaml",
      [/^cash:/m, "careers: no\n$&"],
      "careers: is not known here; to have none, leave careers out of sections",
    ],
    [
      "a direction",
      "campus.yaml",
      [/^cash:/m, "direction: rtl\n$&"],
      "direction: is not known here; it follows the language by itself",
    ],
    [
      "a locale",
      "campus.yaml",
      [/^cash:/m, "locale: en-KE\n$&"],
      "locale: is not known here; it belongs in content/LANGUAGE/mail.yaml",
    ],
    [
      "a color in campus.yaml",
      "campus.yaml",
      [/^cash:/m, 'primary: "#006d77"\n$&'],
      "primary: is not known here; colours are in theme.css",
    ],
    [
      "the weekend in campus.yaml",
      "campus.yaml",
      [/^cash:/m, "weekend: [6, 7]\n$&"],
      "weekend: is not known here; it belongs in calendar.yaml",
    ],
    [
      "services in campus.yaml",
      "campus.yaml",
      [/^cash:/m, "services: [bike]\n$&"],
      "services: is not known here; they belong in content/LANGUAGE/landing.yaml, under services.items",
    ],
    [
      "bold in a name",
      "campus.yaml",
      'product: "**Our** Ride"',
      "product: must be plain words in one line, without { } < > [ ] | * ` or a backslash",
    ],
    [
      "HTML in a name",
      "campus.yaml",
      'product: "<b>Our Ride</b>"',
      "product: must be plain words in one line, without { } < > [ ] | * ` or a backslash",
    ],
    [
      "a 40-letter name",
      "campus.yaml",
      'product: "Our Campus Ride Share For All Of Us Here"',
      "product: must be 30 characters or fewer, as on the stores' listing",
    ],
    [
      "a tagline of 140 characters",
      "campus.yaml",
      'tagline: "Going your way, whenever you go. Going your way, whenever you go. Going your way, whenever you go. Going your way, whenever you go. Come along."',
      "tagline: must be 80 characters or fewer, or link previews cut it off",
    ],
    [
      "an unknown vehicle",
      "campus.yaml",
      "heroVehicle: scooter",
      "heroVehicle: must be one of rickshaw, motorbike",
    ],
    [
      "a vehicle with a capital letter",
      "campus.yaml",
      'heroVehicle: "Motorbike"',
      "heroVehicle: must be one of rickshaw, motorbike; did you mean motorbike?",
    ],
    [
      "an invented style",
      "campus.yaml",
      "motifs: mountains",
      "motifs: must be one of delta, lake, plain",
    ],
    ["yes instead of a boolean", "campus.yaml", "cash: yes", "cash: must be true or false"],
    ["a quoted boolean", "campus.yaml", 'cash: "false"', "cash: must be true or false"],
    [
      "a city as the time zone",
      "campus.yaml",
      'timeZone: "Dublin"',
      "timeZone: must be an IANA time zone such as Europe/Paris",
    ],
    [
      "a currency name as the currency code",
      "campus.yaml",
      'code: "Euro"',
      "currency.code: must be three capital letters such as EUR",
    ],
    [
      "an invented currency",
      "campus.yaml",
      'code: "XYZ"',
      "currency.code: must be the code of an existing currency, such as EUR",
    ],
    [
      "a long currency sign",
      "campus.yaml",
      'sign: "pounds"',
      "currency.sign: must be a sign such as € or at most four letters",
    ],
    [
      "an unquoted telephone number",
      "campus.yaml",
      "emergency: 999",
      'emergency: must be a telephone number in quotes, such as "112"',
    ],
    [
      "a telephone number with hyphens",
      "campus.yaml",
      'emergency: "999-112"',
      "emergency: must be a telephone number: digits only, such as 112",
    ],
    [
      "a long telephone number without spaces",
      "campus.yaml",
      'localEmergency: "0202222181"',
      'localEmergency: must have a space after six digits or fewer, such as "020 222 2181"',
    ],
    [
      "two email addresses",
      "campus.yaml",
      'email: "a@our-ride.example, b@our-ride.example"',
      "email: must be one email address in letters from a to z, such as help@our-ride.example",
    ],
    [
      "an email address with an Arabic domain",
      "campus.yaml",
      'email: "help@مثال.مصر"',
      "email: must be one email address in letters from a to z, such as help@our-ride.example",
    ],
    [
      "a security contact without mailto:",
      "campus.yaml",
      'contact: "help@our-ride.example"',
      "security.contact: must begin with mailto: or https://",
    ],
    [
      "a date with dots",
      "campus.yaml",
      'expires: "31.12.2026"',
      "security.expires: must be a date such as 2027-03-10",
    ],
    [
      "the month as a number",
      "campus.yaml",
      'policyDate: "11/2026"',
      'policyDate: must be a month and a year, such as "July 2025"',
    ],
    [
      "a misspelled month",
      "campus.yaml",
      'policyDate: "Novembr 2026"',
      'policyDate: must be a month as it is called in the campus\'s language or in English, and a year, such as "July 2025"',
    ],
    [
      "a website without https",
      "campus.yaml",
      "download: http://get.our-ride.example/app",
      "links.download: must be a full https:// address",
    ],
    [
      "a website without a scheme",
      "campus.yaml",
      "joinAsRider: www.our-ride.example",
      "links.joinAsRider: must be a full https:// address",
    ],
    [
      "a social page without a URL",
      "campus.yaml",
      ["social: []", "social:\n  - name: Instagram"],
      'social.0.url: must be a full https:// address, or "" where there is none yet',
    ],
    [
      "none instead of a list",
      "campus.yaml",
      ["social: []", "social: none"],
      "social: must be a list; [] where there is none",
    ],
    [
      "seven social pages",
      "campus.yaml",
      [
        "social: []",
        'social:\n  - { name: "Site 1", url: "" }\n  - { name: "Site 2", url: "" }\n  - { name: "Site 3", url: "" }\n  - { name: "Site 4", url: "" }\n  - { name: "Site 5", url: "" }\n  - { name: "Site 6", url: "" }\n  - { name: "Site 7", url: "" }',
      ],
      "social: must be six or fewer: the footer's column ends there",
    ],
    [
      "a duplicate store",
      "campus.yaml",
      ['name: "App Store"', 'name: "Google Play"'],
      'stores.1: "Google Play" is listed twice',
    ],
    [
      "a store with a mistyped field",
      "campus.yaml",
      ['operatingSystem: "iOS"', 'operatingsystem: "iOS"'],
      "stores.1.operatingsystem: is not known here; did you mean operatingSystem?",
    ],
    [
      "a domain with @",
      "campus.yaml",
      ["mailDomains: []", 'mailDomains: ["@uni.example"]'],
      "mailDomains.0: must be a domain such as uni.example",
    ],
    [
      "a domain outside a list",
      "campus.yaml",
      ["mailDomains: []", "mailDomains: uni.example"],
      "mailDomains: must be a list such as [one, two]",
    ],
    [
      "a target later than the promised deadline",
      "campus.yaml",
      "target: 12",
      "campus.yaml: deletionBusinessDays: target must not be later than limit",
    ],
    [
      "400 days",
      "campus.yaml",
      "limit: 400",
      "deletionBusinessDays.limit: is 400 business days, about 560 days; the law gives a month (GDPR, article 12(3)), so write 21 or fewer",
    ],
    [
      "a number of days with a unit",
      "campus.yaml",
      "limit: 10 days",
      "deletionBusinessDays.limit: must be a number without a unit or quotes, such as 7",
    ],
    ["zero days", "campus.yaml", "target: 0", "deletionBusinessDays.target: must be at least 1"],
    [
      "a category called All",
      "campus.yaml",
      ["  - Community", "  - All"],
      "categories.2: must not be All: so is the list of all posts",
    ],
    [
      "an unknown first category",
      "campus.yaml",
      "defaultCategory: Fun",
      "defaultCategory: must be one of the categories, or All",
    ],
    [
      "a renamed category",
      "campus.yaml",
      ["  - Community", "  - Together"],
      'content/en/interface.yaml: blog.categories: "Community" is not one of the categories in campus.yaml; rename it, or remove it',
      'content/en/interface.yaml: blog.pictures: "Community" is not one of the categories in campus.yaml; rename it, or remove it',
      "content/en/posts/3-good-company-on-two-wheels.md: category: must be one of Safety, Money Saving, Together; to use another, add it to categories in campus.yaml",
    ],
    [
      "a mistyped section",
      "campus.yaml",
      [/^cash:/m, "sections: [services, steps, carers]\n$&"],
      "sections.2: must be one of services, features, steps, safety, faq, registration, about, careers, contact, cookies, refund, blog; did you mean careers?",
    ],
    [
      "sections as a string",
      "campus.yaml",
      [/^cash:/m, "sections: services, steps\n$&"],
      "sections: must be a list such as [one, two]",
    ],
    [
      "a duplicate section",
      "campus.yaml",
      [/^cash:/m, "sections: [services, steps, services, blog, faq, contact, about]\n$&"],
      'sections.2: "services" is listed twice',
    ],
    [
      "a link to an omitted section",
      "campus.yaml",
      [/^cash:/m, "sections: [services, steps, blog, faq, contact]\n$&"],
      "content/en/faq.yaml: (text): the link /#about leads to no place on its page; it has contact, services, steps",
    ],
    [
      "a decimal comma",
      "campus.yaml",
      ["base: 1.2,", 'base: "1,2",'],
      "ride.fare.base: must be a number such as 2.80",
    ],
    [
      "hours as numbers",
      "campus.yaml",
      "hours: { from: 7, until: 22 }",
      'hours.from: must be a text; put it in quotes, such as "7"',
      'hours.until: must be a text; put it in quotes, such as "22"',
    ],
    [
      "a trip to an unlisted place",
      "campus.yaml",
      ['between: ["gate", "library"]', 'between: ["gate", "libary"]'],
      "trips.0.between: libary is not one of the places",
      "campus.yaml: trips: lacks the trip between gate and library",
    ],
    [
      "a 12-hour time",
      "campus.yaml",
      ['from: "07:00"', 'from: "7 AM"'],
      'ride.times.from: must be a time such as "07:00" or "22:30"',
    ],
    [
      "a duplicate place",
      "campus.yaml",
      ['id: "library"', 'id: "gate"'],
      "places.1.id: gate is listed twice",
      "campus.yaml: trips.0.between: library is not one of the places",
      "campus.yaml: trips.2.between: library is not one of the places",
    ],
    [
      "a language tag with a country",
      "campus.yaml",
      'language: "en-GB"',
      "language: must be a two-letter language code",
    ],
    [
      "a language name instead of its code",
      "campus.yaml",
      'language: "English"',
      "language: must be a two-letter language code",
    ],
    [
      "a language without a folder",
      "campus.yaml",
      'language: "sw"',
      "content/sw: (whole folder): is missing; it must contain the texts in the language sw",
      "content/en: (whole folder): has texts that no page shows; name it under translations in campus.yaml, or take them out",
    ],
    [
      "a second language without names",
      "campus.yaml",
      [/^cash:/m, "translations: [fr]\n$&"],
      "translations: must be a group for each language, such as fr: { campus: … }, with the campus's names in that language",
    ],
    [
      "a font name with a file extension",
      "campus.yaml",
      [/^cash:/m, "headingFont: Cairo.woff2\n$&"],
      "headingFont: must be the name of a file in fonts/, without .woff2",
    ],
    [
      "a missing font",
      "campus.yaml",
      [/^cash:/m, "headingFont: cairo\n$&"],
      "headingFont: there is no fonts/cairo.woff2; put the font there, or remove headingFont to use the reader's own",
    ],
    [
      "a kit version from the future",
      "campus.yaml",
      "kit: 2.5",
      "kit: is newer than this product: this product knows 1.14; update the product, or lower the number",
    ],
    ["a kit version in words", "campus.yaml", "kit: newest", "kit: must be a version such as 1.14"],
    [
      "an address on two lines",
      "campus.yaml",
      'address: "1 Campus Road\\nOur City"',
      "legal.address: must be plain words in one line, without { } < > [ ] | * ` or a backslash",
    ],
    [
      "a deleted legal fact",
      "campus.yaml",
      [/^ {2}registration: .*\n/m, ""],
      "campus.yaml: legal.registration: is missing; it must be a text",
    ],
    [
      "a missing imprint page",
      "campus.yaml",
      [/^cash:/m, "imprint: /imprint\n$&"],
      "imprint: the link /imprint leads to no page; posts are linked as /blog/ID",
    ],
    [
      "an imprint on another website",
      "campus.yaml",
      [/^cash:/m, "imprint: https://example.org/imprint\n$&"],
      "imprint: must be a page of yours, such as /imprint, or a section of a legal document, such as /terms-conditions#section-1",
    ],
    [
      "a notice without languages",
      "campus.yaml",
      [/^cash:/m, 'notices: [{ text: "No rides", until: "2026-12-05" }]\n$&'],
      "notices.0.text: must have its text after each language, such as en: ...",
    ],
    [
      "a notice with a broken link",
      "campus.yaml",
      [/^cash:/m, 'notices: [{ text: { en: No rides }, until: "2026-12-05", link: /fqa }]\n$&'],
      "notices.0.link: the link /fqa leads to no page; did you mean /faq?",
    ],
    [
      "a placeholder in a name",
      "campus.yaml",
      'wallet: "the {sign} card"',
      "wallet: must be plain words in one line, without { } < > [ ] | * ` or a backslash",
    ],
  ],
  Days: [
    [
      "weekdays by name",
      "calendar.yaml",
      "weekend: [saturday, sunday]",
      "weekend.0: must be a number from 1 (Monday) to 7 (Sunday)",
      "weekend.1: must be a number from 1 (Monday) to 7 (Sunday)",
    ],
    [
      "Sunday as 0",
      "calendar.yaml",
      "weekend: [0, 6]",
      "weekend.0: must be a number from 1 (Monday) to 7 (Sunday)",
    ],
    [
      "the day before the month",
      "calendar.yaml",
      ["day: 01-01", "day: 31-12"],
      "everyYear.0.day: must be a month and a day such as 12-16",
    ],
    [
      "a day that doesn't exist",
      "calendar.yaml",
      ["holidays: []", 'holidays: [{ date: "2027-02-30", holiday: new-year }]'],
      "holidays.0.date: must be a date such as 2027-03-10",
    ],
    [
      "a holiday without a name",
      "calendar.yaml",
      ["holidays: []", 'holidays: [{ date: "2027-03-10", holiday: eid }]'],
      "holidays.0.holiday: eid has no name; write it under names",
    ],
    [
      "a name instead of a key",
      "calendar.yaml",
      ["holiday: new-year", "holiday: New Year"],
      "everyYear.0.holiday: must be a key in small letters, such as new-year",
    ],
    [
      "a name without a language",
      "calendar.yaml",
      ["    en: New Year", "    New Year"],
      "calendar.yaml: names.new-year: must have its text after each language, such as en: ...",
    ],
    [
      "a name in another language",
      "calendar.yaml",
      ["    en: New Year", "    fr: Nouvel An"],
      "calendar.yaml: names.new-year: has no words in the language en; write them there as en:",
    ],
    [
      "a duplicate day",
      "calendar.yaml",
      [
        "holidays: []",
        'holidays:\n  - { date: "2027-03-10", holiday: new-year }\n  - { date: "2027-03-10", holiday: new-year }',
      ],
      "holidays.1: 2027-03-10 is listed twice",
    ],
  ],
  "What is deleted": [
    [
      "an invented outcome",
      "deletion.yaml",
      ["onDeletion: deleted", "onDeletion: delete"],
      "kinds.0.onDeletion: must be one of deleted, kept; did you mean deleted?",
    ],
    [
      "a driver's account",
      "deletion.yaml",
      ["      - Rider", "      - Driver"],
      "kinds.0.accounts.1: must be one of User, Rider; did you mean Rider?",
    ],
    [
      "an unlisted data store",
      "deletion.yaml",
      ["store: accounts", "store: database"],
      "kinds.0.store: database is not one of the stores (accounts, rides, papers, wallet, support-mail, server-logs, mail-provider, host-backups)",
    ],
    [
      "retained data without a reason",
      "deletion.yaml",
      [/^ +why: .*\n/m, ""],
      "deletion.yaml: kinds.8.words.en: data that is kept needs `when` (how long) and `why`",
    ],
    [
      "a data store of an unknown holder",
      "deletion.yaml",
      ["holder: us", "holder: them"],
      "stores.0.holder: must be us for a place of your own, recipient for someone else's, or this-site",
    ],
    [
      "a recipient that no one notifies",
      "deletion.yaml",
      [/^ {4}told: by-operator\n/m, ""],
      "deletion.yaml: stores.3.told: is missing; it must be one of by-operator, by-itself",
    ],
    [
      "an admin page without https",
      "deletion.yaml",
      ['"https://admin.example', '"admin.example'],
      "stores.0.adminPage: must be an address such as https://admin.example/users?q={address}",
    ],
    [
      "three sentences of instructions",
      "deletion.yaml",
      [
        "(enter where and how a person's rides are deleted)",
        '"Open the database. Find the person. Delete all."',
      ],
      "stores.1.how.en: must be two sentences at most",
    ],
    [
      "a duplicate place",
      "deletion.yaml",
      ["key: papers", "key: rides"],
      "stores.2: rides is listed twice",
      "deletion.yaml: kinds.7.store: papers is not one of the stores (accounts, rides, rides, wallet, support-mail, server-logs, mail-provider, host-backups)",
    ],
    [
      "no proof of ownership",
      "deletion.yaml",
      [/^ownershipProofs:[\s\S]*/m, "ownershipProofs: []\n"],
      "ownershipProofs: must have at least 1 entry",
    ],
  ],
  Colors: [
    [
      "the marks of a merge conflict",
      "theme.css",
      ["  --ink: ", "<<<<<<< HEAD\n  --ink: "],
      "(whole file): has the marks of a merge conflict (<<<<<<<); keep one of both versions",
    ],
    [
      "a color name",
      "theme.css",
      ["--ink: #002023;", "--ink: navy;"],
      "light --ink: must be a colour of # and six digits, such as #1d1433",
    ],
    [
      "a color as rgb()",
      "theme.css",
      ["--ink: #002023;", "--ink: rgb(0, 32, 35);"],
      "light --ink: must be a colour of # and six digits, such as #1d1433",
    ],
    [
      "a color without #",
      "theme.css",
      ["--surface: #ffffff;", "--surface: ffffff;"],
      "light --surface: must be a colour of # and six digits, such as #1d1433",
    ],
    [
      "a transparent color",
      "theme.css",
      ["--surface: #ffffff;", "--surface: #ffffff80;"],
      "light --surface: must be a colour of # and six digits, such as #1d1433",
    ],
    [
      "a missing semicolon",
      "theme.css",
      ["--ink: #002023;", "--ink: #002023"],
      "light --ink: must end with a semicolon",
    ],
    [
      "a missing brace",
      "theme.css",
      ["}", ""],
      "theme.css: (whole file): has an unclosed {; close each { with a }",
    ],
    [
      "a deleted color",
      "theme.css",
      [/^ {2}--focus: .*\n/m, ""],
      "theme.css: light --focus: is missing; copy its line from campus/theme.css",
    ],
    [
      "a mistyped color",
      "theme.css",
      ["--focus:", "--focsu:"],
      "theme.css: light --focus: is missing; copy its line from campus/theme.css",
    ],
    [
      "white on a light color",
      "theme.css",
      [/--primary: #\w+;/, "--primary: #9ad5dc;"],
      "theme.css: light --on-primary: has a contrast of 1.6 to 1 with --primary, but needs 4.5 to 1 or more; make one of them darker",
    ],
    [
      "fonts from another host",
      "theme.css",
      [/^/, '@import url("https://fonts.example/css");\n'],
      "@import: loads a file from another site, which our pages promise never to do; put fonts into fonts/ and pictures into pictures/",
    ],
    [
      "a picture from another host",
      "theme.css",
      [/$/, "\nheader { background: url(https://other.example/a.png); }\n"],
      "url(https://other.example/a.png: loads a file from another site, which our pages promise never to do; put fonts into fonts/ and pictures into pictures/",
    ],
  ],
  "Text of the landing page": [
    [
      "a mistyped group",
      "content/en/landing.yaml",
      ["hero:", "heros:"],
      "heros: is not known here; did you mean hero?",
    ],
    [
      "a mistyped key",
      "content/en/landing.yaml",
      ["hero:\n", "hero:\n  headine: Ours\n"],
      "hero.headine: is not known here; did you mean headline?",
    ],
    [
      "a headline of 150 characters",
      "content/en/landing.yaml",
      [
        "hero:\n",
        'hero:\n  headline: "Share a ride to campus today. Share a ride to campus today. Share a ride to campus today. Share a ride to campus today. Share a ride to campus today."\n',
      ],
      "hero.headline: must be 60 characters or fewer",
    ],
    [
      "an empty headline",
      "content/en/landing.yaml",
      ["hero:\n", 'hero:\n  headline: ""\n'],
      "hero.headline: must not be empty",
    ],
    [
      "HTML in a headline",
      "content/en/landing.yaml",
      ["hero:\n", 'hero:\n  headline: "<b>Share</b> a ride"\n'],
      "hero.headline: shows <b> literally; remove it, because this text is plain",
    ],
    [
      "Markdown in a headline",
      "content/en/landing.yaml",
      ["hero:\n", 'hero:\n  headline: "**Share** a ride"\n'],
      "hero.headline: shows **Share** literally; remove the markup, because this text is plain",
    ],
    [
      "a link in a plain text",
      "content/en/landing.yaml",
      ["hero:\n", 'hero:\n  lead: "Share a ride. [Read on](/faq)"\n'],
      "hero.lead: shows [Read on](/faq) literally; remove the markup, because this text is plain",
    ],
    [
      "a line break as HTML",
      "content/en/landing.yaml",
      ["hero:\n", 'hero:\n  lead: "Share a ride.<br>Save money."\n'],
      "hero.lead: shows <br> literally; remove it, because this text is plain",
    ],
    [
      "an invented placeholder",
      "content/en/landing.yaml",
      ["hero:\n", 'hero:\n  lead: "Rides with {produkt}."\n'],
      "hero.lead: {produkt} is not a known placeholder here",
    ],
    [
      "an unmatched brace",
      "content/en/landing.yaml",
      ["hero:\n", 'hero:\n  lead: "Rides with {product."\n'],
      'hero.lead: "with {product." has a brace without its partner; placeholders look like {product}',
    ],
    [
      "a number instead of a string",
      "content/en/landing.yaml",
      ["hero:\n", "hero:\n  headline: 2026\n"],
      "hero.headline: must be a text",
    ],
    [
      "seven facts",
      "content/en/landing.yaml",
      ["hero:\n", "hero:\n  facts: [a, b, c, d, e, f, g]\n"],
      "hero.facts: must be six or fewer: they share the first view",
    ],
    [
      "careers: false",
      "content/en/landing.yaml",
      [/$/, "careers: false\n"],
      "careers: must be a group of fields",
    ],
    [
      "no roles",
      "content/en/landing.yaml",
      [/$/, "careers: { roles: [] }\n"],
      "careers.roles: must have at least 1 entry",
    ],
    [
      "a service without a title",
      "content/en/landing.yaml",
      [
        /$/,
        'services: { items: [{ id: luggage, description: "We carry it.", status: coming }] }\n',
      ],
      "services.items.0.title: is missing; it must be a text",
    ],
    [
      "a service with spaces in its id",
      "content/en/landing.yaml",
      [
        /$/,
        'services: { items: [{ id: "Women only", title: Women, description: "Among women.", status: coming }] }\n',
      ],
      "services.items.0.id: must be lower-case words joined by hyphens, such as how-to-pay",
    ],
    [
      "an invented status",
      "content/en/landing.yaml",
      [/$/, "services: { items: [{ id: bike, status: soon }] }\n"],
      "services.items.0.status: must be one of available, coming",
    ],
    [
      "a picture name with a file extension",
      "content/en/landing.yaml",
      [/$/, "services: { items: [{ id: bike, picture: scooter.svg }] }\n"],
      "services.items.0.picture: must be the name alone: write scooter, and put the file into pictures/",
    ],
    [
      "no services",
      "content/en/landing.yaml",
      [/$/, "services: { items: [] }\n"],
      "services.items: must name at least one service; to have none, leave services out of sections",
    ],
    [
      "three tiles",
      "content/en/landing.yaml",
      [/^ {4}- id: track\n/m, ""],
      "content/en/landing.yaml: features.tiles: must be four: each has an example and a drawing of its own",
    ],
    [
      "an invented tile",
      "content/en/landing.yaml",
      ["- id: track", "- id: music"],
      "features.tiles.1.id: must be one of match, track, pay, fare",
    ],
    [
      "a fifth step",
      "content/en/landing.yaml",
      ["    - id: sign-up", "    - { title: Wait, text: Wait., alt: A clock }\n    - id: sign-up"],
      "content/en/landing.yaml: steps.items: must be four: the drawn road has four stops, each with a drawing of its own",
    ],
    [
      "a link to a missing page",
      "content/en/landing.yaml",
      'note: "Read the [rules](/rules)."',
      "(text): the link /rules leads to no page; posts are linked as /blog/ID",
    ],
    [
      "a link without a leading slash",
      "content/en/landing.yaml",
      'note: "Read the [terms](terms-conditions)."',
      "(text): the link terms-conditions must begin with https:// where it leads away, and with / where it leads to a page of ours",
    ],
    [
      "an unknown picture",
      "content/en/interface.yaml",
      ["picture: helmet", "picture: anchor"],
      'blog.pictures.Safety.picture: there is no picture named "anchor"; choose one of ',
    ],
    [
      "a picture for an unknown category",
      "content/en/interface.yaml",
      [/^ {4}Safety:\n/m, "    Safty:\n"],
      'content/en/interface.yaml: blog.pictures: "Safty" is not one of the categories in campus.yaml; rename it, or remove it',
    ],
    [
      "a renamed category",
      "content/en/interface.yaml",
      ["    Community: Community", "    Together: Together"],
      'content/en/interface.yaml: blog.categories: "Together" is not one of the categories in campus.yaml; rename it, or remove it',
    ],
  ],
  Questions: [
    [
      "only two questions",
      "content/en/faq.yaml",
      [/^- id: "how-to-pay"[\s\S]*/m, ""],
      "content/en/faq.yaml: (whole file): needs at least three questions; the first five are shown on the landing page, too",
    ],
    [
      "a duplicate question",
      "content/en/faq.yaml",
      ['id: "who-may-join"', 'id: "what-is-it"'],
      '1.id: "what-is-it" is listed twice',
    ],
    [
      "a question as an id",
      "content/en/faq.yaml",
      ['id: "who-may-join"', 'id: "Who may join?"'],
      "1.id: must be lower-case words joined by hyphens, such as how-to-pay",
    ],
    [
      "a question without an answer",
      "content/en/faq.yaml",
      [/^ {2}answer: \|-\n {4}You may join[\s\S]*?(?=\n- id)/m, ""],
      "content/en/faq.yaml: 1.answer: is missing; it must be a text",
    ],
    [
      "a link to a deleted post",
      "content/en/faq.yaml",
      ["(/blog/1)", "(/blog/12)"],
      "(text): the link /blog/12 leads to no page; posts are linked as /blog/ID",
    ],
    [
      "a link to a missing fragment",
      "content/en/faq.yaml",
      ["(/#about)", "(/#team)"],
      "(text): the link /#team leads to no place on its page; it has Registration, about, careers, contact, cookies, features, refund, safety, services, steps",
    ],
    [
      "an email address as a link",
      "content/en/faq.yaml",
      ["(mailto:{email})", "({email})"],
      "content/en/faq.yaml: (text): the link help@our-ride.example needs mailto: in front, because it is an email address",
    ],
    [
      "a picture in an answer",
      "content/en/faq.yaml",
      ["The home page says", "![The gate](pictures/gate.jpg)\n\n    The home page says"],
      "content/en/faq.yaml: 0.answer: shows a picture; only posts and your own pages can",
    ],
    [
      "a mistyped field",
      "content/en/faq.yaml",
      ['  short: "A campus', '  shrt: "A campus'],
      "0.shrt: is not known here; did you mean short?",
    ],
  ],
  Posts: [
    [
      "a date with dots",
      post,
      'date: "12.01.2026"',
      'date: must be a date such as "2025-06-20", or "Jun 20, 2025" to be shown just so',
    ],
    [
      "an American date",
      post,
      "date: 1/12/2026",
      'date: must be a date such as "2025-06-20", or "Jun 20, 2025" to be shown just so',
    ],
    [
      "a day that doesn't exist",
      post,
      'date: "2026-02-30"',
      "date: is not a day in the calendar; correct the day or the month",
    ],
    [
      "a future date",
      post,
      'date: "2096-01-12"',
      "date: must not be later than today; until then, leave the post out",
    ],
    [
      "a draft",
      post,
      [/^listed: true/m, "draft: true"],
      "draft: is not known here; listed: false hides a post from lists",
    ],
    ["listed: yes", post, [/^listed: true/m, "listed: yes"], "listed: must be true or false"],
    [
      "a string instead of a number",
      post,
      'id: "one"',
      "id: must be a number without a unit or quotes, such as 7",
    ],
    [
      "a number that differs from the file's",
      post,
      "id: 7",
      'id: the file\'s name must begin with "7-"',
    ],
    ["another post's number", post, "id: 2", 'id: the file\'s name must begin with "2-"'],
    [
      "a colon in the title",
      post,
      "title: Three looks: before you sit",
      "(front matter): has a colon in a text without quotes; put the whole text in quotes",
    ],
    [
      "a long title",
      post,
      'title: "Three looks before you sit, and Three looks before you sit, and Three looks before you sit, and more"',
      "title: must be 65 characters or fewer",
    ],
    [
      "no excerpt",
      post,
      [/^excerpt: .*\n/m, ""],
      "content/en/posts/1-three-looks-before-you-sit.md: excerpt: is missing; it must be a text",
    ],
    [
      "an unknown category",
      post,
      "category: Fun",
      "category: must be one of Safety, Money Saving, Community; to use another, add it to categories in campus.yaml",
    ],
    [
      "a lowercase category",
      post,
      "category: safety",
      "category: must be one of Safety, Money Saving, Community; did you mean Safety?",
    ],
    ["a list of authors", post, "author: [Sam, Noa]", "author: must be a text"],
    [
      "tags",
      post,
      [/^listed/m, "tags: [rides]\n$&"],
      "tags: is not known here; check its spelling, or remove it (known: id, title, date, category, author, listed, excerpt, standfirst, picture, imageAlt)",
    ],
    [
      "a picture name with a file extension",
      post,
      "picture: gate.jpg",
      "picture: must be the name alone: write gate, and put the file into pictures/",
    ],
    [
      "a picture name with a folder",
      post,
      "picture: pictures/gate.jpg",
      "picture: must be the name alone: write gate, and put the file into pictures/",
    ],
    [
      "a missing picture",
      post,
      "picture: gate",
      'picture: there is no picture named "gate"; choose one of ',
    ],
    [
      "a picture without a description",
      post,
      [/^imageAlt: .*\n/m, ""],
      "content/en/posts/1-three-looks-before-you-sit.md: picture: must be given together with imageAlt, or both left out for the category's picture",
    ],
    [
      "no front matter",
      post,
      [/^---\n[\s\S]*?\n---\n/, ""],
      "content/en/posts/1-three-looks-before-you-sit.md: (front matter): must be at the top of the file, between two lines of three hyphens (---)",
    ],
    [
      "front matter without a closing line",
      post,
      ["\n---\n\n", "\n\n"],
      "content/en/posts/1-three-looks-before-you-sit.md: (front matter): must be at the top of the file, between two lines of three hyphens (---)",
    ],
    [
      "an empty post",
      post,
      [/(\n---\n)[\s\S]*/, "$1"],
      "content/en/posts/1-three-looks-before-you-sit.md: (text): is empty; write at least a sentence below the hyphens",
    ],
    [
      "a title with one #",
      post,
      ["## The first look", "# The first look"],
      "(text): # is the page's own title; begin a title within the text with ##",
    ],
    [
      "a photo with a space in its name",
      post,
      ["\n## ", "\n![The gate](pictures/our gate.jpg)\n\n## "],
      "(text): the picture pictures/our gate.jpg is not shown; give the file a name without spaces",
    ],
    [
      "the marks of a merge conflict",
      post,
      ["\n## ", "\n<<<<<<< HEAD\nOurs\n=======\nTheirs\n>>>>>>> main\n\n## "],
      "(text): has the marks of a merge conflict (<<<<<<<); keep one of both versions",
    ],
    [
      "a title without a space",
      post,
      ["## The first look", "##The first look"],
      "(text): a title needs a space after ##",
    ],
    [
      "a video",
      post,
      ["\n## The first", '\n<iframe src="https://video.example/1"></iframe>\n\n## The first'],
      '(text): <iframe src="https://video.example/1"> is not shown; write it in Markdown, or remove it',
    ],
    [
      "HTML in a sentence",
      post,
      ["Compare every character", "Compare <u>every</u> character"],
      "(text): <u> is not shown; write it in Markdown, or remove it",
    ],
    [
      "a picture from another site",
      post,
      ["\n## The first", "\n![Us](https://pictures.example/us.jpg)\n\n## The first"],
      "(text): the picture https://pictures.example/us.jpg is not shown, because pages load nothing from elsewhere; put it into the campus folder and write ![...](pictures/NAME.jpg)",
    ],
    [
      "a picture without a folder",
      post,
      ["\n## The first", "\n![Us](us.jpg)\n\n## The first"],
      "(text): the picture us.jpg is not shown, because pages load nothing from elsewhere; put it into the campus folder and write ![...](pictures/NAME.jpg)",
    ],
    [
      "a picture missing from pictures/",
      post,
      ["\n## The first", "\n![Us](pictures/us.jpg)\n\n## The first"],
      "(text): shows pictures/us.jpg, which does not exist; put it into the campus's pictures/",
    ],
    [
      "a picture without alt text",
      post,
      ["\n## The first", "\n![](pictures/us.jpg)\n\n## The first"],
      "(text): the picture pictures/us.jpg has no description; say between the brackets of ![...] what it shows",
      "(text): shows pictures/us.jpg, which does not exist; put it into the campus's pictures/",
    ],
    [
      "a link without https",
      post,
      ["(/terms-conditions#section-7)", "(www.our-ride.example)"],
      "(text): the link www.our-ride.example must begin with https:// where it leads away, and with / where it leads to a page of ours",
    ],
    [
      "a link to a missing section",
      post,
      ["(/terms-conditions#section-7)", "(/terms-conditions#section-30)"],
      "(text): the link /terms-conditions#section-30 leads to no place on its page; it has section-1, section-2, section-3, section-4, section-5, section-6, section-7, section-8, section-9, section-10",
    ],
    [
      "an invented placeholder",
      post,
      ["{callLocalEmergency}", "{police}"],
      "(text): {police} is not a known placeholder here",
    ],
  ],
  "Legal documents": [
    [
      "a section without a summary",
      "content/en/legal/terms-conditions.md",
      [/^> By opening.*\n/m, ""],
      'content/en/legal/terms-conditions.md: "The agreement": must begin with one line "> in short"',
    ],
    [
      "a title as ###",
      "content/en/legal/terms-conditions.md",
      [/^## /gm, "### "],
      'content/en/legal/terms-conditions.md: (text): has no section; each begins with "## " and its title',
    ],
    [
      "a title as #",
      "content/en/legal/terms-conditions.md",
      ["## The agreement", "# The agreement"],
      "(text): # is the page's own title; begin a title within the text with ##",
    ],
    [
      "no table of data",
      "content/en/legal/privacy-policy.md",
      ["{{table:data-kinds}}", ""],
      "content/en/legal/privacy-policy.md: (text): must contain the line {{table:data-kinds}} once, where the table of data belongs",
    ],
    [
      "a deleted description",
      "content/en/legal/privacy-policy.md",
      [/^description: .*\n/m, ""],
      "content/en/legal/privacy-policy.md: description: is missing; it must be a text",
    ],
    [
      "a link to a missing section",
      "content/en/legal/privacy-policy.md",
      ["(/#contact)", "(#section-20)"],
      "(text): the link #section-20 leads to no place on its page; it has section-1, section-2, section-3, section-4, section-5, section-6, section-7, section-8, section-9, section-10",
    ],
  ],
  "Files and folders": [
    [
      "a photo next to the posts",
      "content/en/posts/4-our-photo.jpg",
      "JPEG",
      "(whole file): does not belong here; this folder can contain posts, whose names end in .md; pictures go into pictures/",
    ],
    [
      "a post from a word processor",
      "content/en/posts/4-new.docx",
      "DOCX",
      "(whole file): does not belong here; this folder can contain posts, whose names end in .md",
    ],
    [
      "a post as .txt",
      "content/en/posts/4-new.txt",
      "Text",
      "(whole file): does not belong here; this folder can contain posts, whose names end in .md",
    ],
    [
      "a post without a number",
      "content/en/posts/New post.md",
      '---\nid: 4\ntitle: "New"\ndate: "2026-01-12"\nauthor: "Sam"\nexcerpt: "New."\n---\n\nNew.\n',
      'id: the file\'s name must begin with "4-"',
    ],
    [
      "another file extension",
      "content/en/faq.yml",
      "- id: x\n",
      "(whole file): does not belong here; this folder can contain faq.yaml, landing.yaml, interface.yaml, deletion.yaml, mail.yaml, operator.yaml, legal, pages, posts; did you mean faq.yaml?",
    ],
    [
      "an unknown file",
      "content/en/notice.yaml",
      "text: x\n",
      "(whole file): does not belong here; this folder can contain faq.yaml, landing.yaml, interface.yaml, deletion.yaml, mail.yaml, operator.yaml, legal, pages, posts",
    ],
    [
      "an unknown folder",
      "content/en/blog/4-new.md",
      "Text",
      "content/en/blog: (whole file): does not belong here; this folder can contain faq.yaml, landing.yaml, interface.yaml, deletion.yaml, mail.yaml, operator.yaml, legal, pages, posts",
    ],
    [
      "a folder in capitals",
      "content/EN/landing.yaml",
      "hero: {}\n",
      "content/EN: (whole folder): has texts that no page shows; write its name as en, in small letters",
    ],
    [
      "an undeclared language",
      "content/fr/landing.yaml",
      "hero: {}\n",
      "content/fr: (whole folder): has texts that no page shows; name it under translations in campus.yaml, or take them out",
    ],
    [
      "a third legal document",
      "content/en/legal/imprint.md",
      "Text",
      "(whole file): does not belong here; this folder can contain privacy-policy.md, terms-conditions.md",
    ],
    [
      "a page with spaces in its name",
      "content/en/pages/Women's rides.md",
      '---\ntitle: "Ours"\ndescription: "What we do."\n---\n\nText.\n',
      "(whole file): its name becomes an address; use a-z, 0-9 and hyphens, such as womens-rides.md",
    ],
    [
      "a page with the name of a built-in page",
      "content/en/pages/blog.md",
      '---\ntitle: "Ours"\ndescription: "What we do."\n---\n\nText.\n',
      "(whole file): /blog is a page of the product; give the file another name",
    ],
    [
      "a page without a description",
      "content/en/pages/ours.md",
      '---\ntitle: "Ours"\n---\n\nText.\n',
      "description: is missing; it must be a text",
    ],
    [
      "a page in the header",
      "content/en/pages/ours.md",
      '---\ntitle: "Ours"\ndescription: "What we do."\nplace: header\n---\n\nText.\n',
      "place: must be one of menu, footer, none",
    ],
    [
      "a photo in a phone's format",
      "pictures/gate.heic",
      "HEIC",
      "(whole file): isn't a picture format that browsers support; save it as SVG, PNG, JPEG, WebP or AVIF",
    ],
    [
      "a logo as PDF",
      "pictures/logo.pdf",
      "PDF",
      "(whole file): isn't a picture format that browsers support; save it as SVG, PNG, JPEG, WebP or AVIF",
    ],
    [
      "a photo with spaces in its name",
      "pictures/Our Gate.JPG",
      "JPEG",
      "(whole file): has a name that doesn't work in every URL; use a-z, 0-9 and hyphens",
    ],
    [
      "a broken photo",
      "pictures/gate.png",
      "PNG",
      "(whole file): can't be read; open it in a picture editor and save it again",
    ],
    [
      "a 9 MB photo",
      "pictures/gate.jpg",
      nineMegabytes,
      "(whole file): is 9.0 MB; save it smaller, 2000 pixels wide and below 8 MB",
    ],
    [
      "an SVG that links a photo, as drawing programs do",
      "pictures/logo.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><image width="9" height="9" xlink:href="gate.png"/></svg>',
      "(whole file): loads gate.png, which browsers don't show; embed pictures in the SVG, and turn text into paths",
    ],
    [
      "an SVG with a font from another site",
      "pictures/logo.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>@import url("https://fonts.example/a");text{fill:url(#a)}</style><text>Ride</text></svg>',
      "(whole file): loads https://fonts.example/a, which browsers don't show;",
    ],
    [
      "an SVG without a size",
      "pictures/logo.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" width="100%"><path d="M0 0h9v9z"/></svg>',
      '(whole file): has no size; give its svg element one, such as viewBox="0 0 240 80"',
    ],
    [
      "an SVG in another encoding",
      "pictures/logo.svg",
      Buffer.from('\uFEFF<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', "utf16le"),
      "(whole file): is not written in UTF-8; save it in that encoding",
    ],
    [
      "a picture without a description",
      "pictures/safety.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>',
      "content/en/landing.yaml: safety.alt: must describe your picture pictures/safety.svg for people who can't see it",
    ],
    [
      "a folder of pictures",
      "pictures/gate.jpg/gate.jpg",
      "JPEG",
      "pictures/gate.jpg: (whole file): is a folder; put its pictures into pictures/ itself",
    ],
    [
      "a folder in place of a post",
      "content/en/posts/9-new.md/text.md",
      "Text",
      "content/en/posts/9-new.md: (whole file): is a folder; it must be a text file",
    ],
    [
      "a file in place of the pages",
      "content/en/pages",
      "Text",
      "(whole folder): is a file; it must be a folder",
    ],
    [
      "a file in place of the pictures",
      "pictures",
      "Text",
      "(whole folder): is a file; it must be a folder",
    ],
    [
      "an own first picture without a description",
      "pictures/hero.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>',
      "content/en/landing.yaml: hero.pictureAlt: must describe your picture pictures/hero.svg for people who can't see it",
    ],
    [
      "a mistyped picture folder",
      "picture/logo.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>',
      "picture: (whole folder): is never read; did you mean pictures?",
    ],
    [
      "a logo next to campus.yaml",
      "logo.svg",
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>',
      "(whole file): is never read; pictures go into pictures/",
    ],
    [
      "a second campus file",
      "campus.yml",
      "product: x\n",
      "(whole file): is never read; did you mean campus.yaml?",
    ],
    [
      "posts next to campus.yaml",
      "posts/4-new.md",
      "Text\n",
      "posts: (whole folder): is never read; it belongs in content/LANGUAGE/",
    ],
    [
      "text without a language",
      "content/faq.yaml",
      "Text\n",
      "(whole file): has texts that no page shows; put it into the folder of its language, such as content/en",
    ],
    [
      "an additional stylesheet",
      "style.css",
      "h1 {}\n",
      "(whole file): is never read; theme.css is the stylesheet of a campus",
    ],
  ],
};

const folder = mkdtempSync(join(tmpdir(), "new-campus-"));
await writeCampus(folder, untouched);
const copy = copyCampus(folder);
afterEach(() => copy.restore());
afterAll(() => {
  copy[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

/**
 * Edits or creates a file. Returns the numbers of the changed lines, or undefined for a new file.
 */
function make(file: string, edit: Edit): readonly number[] | undefined {
  if (!existsSync(join(folder, file))) {
    copy.write(file, edit as string | Buffer);
    return undefined;
  }
  const before = copy.read(file).split("\n");
  if (typeof edit !== "string") copy.change(file, ...(edit as Exclude<Edit, string | Buffer>));
  else {
    const [field = ""] = edit.split(":");
    copy.change(file, new RegExp(`(?<=^[\\s{-]*)${field}:.*$`, "m"), edit);
  }
  const after = copy.read(file).split("\n");
  const first = after.findIndex((line, index) => line !== before[index]);
  const rest = after.toReversed().findIndex((line, index) => line !== before.at(-1 - index));
  const last = Math.max(first, after.length - rest - 1);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index + 1);
}

describe.each(Object.entries(mistakes))("%s", (_, rows) => {
  test.each(rows)("explains %s (%s)", async (_, file, edit, ...explanation) => {
    const lines = make(file, edit);
    const { errors } = await findMistakes(copy.folder);
    const reported = errors.map(({ file: place, field, line, sentence }) => {
      const isThere = place === file && (!lines || (line && lines.includes(line)));
      return `${isThere ? "" : `${place}: `}${field}: ${sentence}`;
    });
    expect(reported).toEqual(
      explanation.map((start) => expect.toSatisfy((line: string) => line.startsWith(start))),
    );
    expect(reported.join("\n")).not.toMatch(/Invalid input|undefined|Error:/);
  });
});

test("reports the mistakes in other files despite a syntax error in campus.yaml", async () => {
  copy.change("campus.yaml", /^product: .*$/m, 'product: "Our Ride');
  copy.change("campus.yaml", /^heroVehicle: .*$/m, "heroVehicle: scooter");
  copy.change(post, /^category: .*$/m, "category: Fun");
  copy.change("content/en/landing.yaml", /^hero:/m, "heros:");
  copy.change("theme.css", "--ink: #002023;", "--ink: navy;");
  const lineOf = (file: string, line: string) => copy.read(file).split("\n").indexOf(line) + 1;
  const { errors } = await findMistakes(copy.folder);
  expect(errors.map(({ file, field, line }) => `${file}:${line}: ${field}`)).toEqual([
    "campus.yaml:5: (whole file)",
    `campus.yaml:${lineOf("campus.yaml", "heroVehicle: scooter")}: heroVehicle`,
    "content/en/landing.yaml:5: heros",
    `${post}:5: category`,
    "theme.css:10: light --ink",
  ]);
});

test("accepts emoji, other scripts and quotes in text", async () => {
  copy.change("campus.yaml", /^tagline: .*$/m, 'tagline: "Going “your” way 🛵"');
  copy.change(post, /^title: .*$/m, 'title: "Пассажиры 🚲 यात्री"');
  copy.write("README.md", "# Our campus\n");
  expect((await findMistakes(copy.folder)).errors).toEqual([]);
});
