import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadCampus } from "../campus-reader/load.ts";
import { testDataList } from "../server/deletion-requests/test-campus.fixture.ts";
import { root } from "../tests/harness/campus.ts";
import { folder, folderForEachTest } from "../tests/harness/folder.ts";
import { runToEnd } from "../tests/harness/server-process.ts";
import { untouched, writeCampus } from "./new-campus.ts";
import { findEnglish, findPlaces, findUnready } from "./ready.ts";

folderForEachTest();

const campus = loadCampus(join(root, "campus-examples/kaltensee"));
const calendar = {
  timeZone: "Europe/Berlin",
  weekend: [6, 7],
  holidays: [{ date: "2027-12-31", name: "Silvester" }],
};
const today = Temporal.PlainDate.from("2026-11-21");
const findingsOf = (change: Partial<typeof campus>, on = today) =>
  findUnready({ ...campus, ...change }, on, calendar).map(({ what }) => what);

test("reports texts of a campus in another language that are still English", async () => {
  await writeCampus(folder, { ...untouched, language: "pt", without: "careers" });
  rmSync(join(folder, "content/pt/posts"), { recursive: true });
  const findings = () => findEnglish(folder, "pt").map(({ what }) => what.split(" ")[0]);
  const legal = ["content/pt/legal/privacy-policy.md", "content/pt/legal/terms-conditions.md"];
  expect(findings()).toEqual(["content/pt/faq.yaml", ...legal]);
  writeFileSync(join(folder, "content/pt/faq.yaml"), "- id: o-que-e\n");
  expect(findings()).toEqual(legal);
});

test("reports a campus without fares whose landing page shows our example fare", () => {
  const settings = { ...campus.settings, ride: undefined };
  const { hero } = campus.landing;
  const own = { ...campus.landing, hero: { ...hero, phone: { ...hero.phone, fare: "1,10 €" } } };
  expect(findingsOf({}).join()).not.toContain("example fare");
  expect(findingsOf({ settings, landing: own }).join()).not.toContain("example fare");
  expect(findingsOf({ settings }).join()).toMatch(/shows 3\s€ as an example fare/);
});

test("reports each placeholder value of a campus and how to fix it", () => {
  const findings = findUnready(campus, today, calendar);
  expect(findings.map(({ what }) => what)).toContain(
    "hilfe@uferfahrt.example is an invented address (email).",
  );
  expect(findings.map(({ what }) => what).join()).toContain("legal.registration is not filled in");
  for (const { todo } of findings) expect(todo.length).toBeGreaterThan(20);
});

test("reports a calendar with a single holiday, and new-campus defaults that no one changed", () => {
  const untouched = { ...calendar, holidays: [], everyYear: [{ day: "01-01", name: "new-year" }] };
  expect(findUnready(campus, today, untouched).at(-1)?.what).toContain("one holiday only");
  expect(findingsOf({}).join()).not.toContain("is still");
  const { settings } = campus;
  const { legal } = settings;
  const unanswered = {
    ...settings,
    product: "Our Ride",
    legal: { ...legal, person: "Our Ride Association" },
  };
  expect(findingsOf({ settings: unanswered }).filter((what) => what.includes("is still"))).toEqual([
    'product is still "Our Ride", which new-campus writes if you give no answer.',
    'legal.person is still "Our Ride Association", which new-campus writes if you give no answer.',
  ]);
});

test("reports the fields of placeholder URLs and email addresses, and which fields may stay empty", () => {
  const { settings } = campus;
  const [store] = settings.stores;
  const changed = {
    ...settings,
    email: "hilfe@uferfahrt.de",
    social: [{ name: "Forum", url: "https://forum.example:8443/ufer?a=1" }],
    stores: store ? [{ ...store, url: "https://example.org/app" }] : [],
  };
  const findings = findUnready({ ...campus, settings: changed }, today, calendar)
    .filter(({ what }) => what.includes("invented"))
    .map(({ what, todo }) => [what.replace(/^.* \(/, "("), todo.includes('or ""')]);
  expect(findings).toEqual([
    ["(links.download).", false],
    ["(links.joinAsRider).", false],
    [`(stores, ${store?.name}).`, true],
    ["(social, Forum).", true],
    ["(security.contact).", false],
  ]);
});

test("reports a deletion page without the names and the deadline that the app stores require", () => {
  expect(findingsOf({}).join()).not.toContain("The deletion page");
  const deletion = JSON.parse(
    JSON.stringify(campus.deletion).replaceAll("Studierendenteam", "Team").replaceAll("10", "zehn"),
  );
  expect(findingsOf({ deletion })).toContain(
    `The deletion page (de) does not name "${campus.settings.developer}".`,
  );
  expect(findingsOf({ deletion })).toContain(
    "The deletion page (de) does not say how long it takes.",
  );
});

test("reports a store without instructions for deleting an account", () => {
  const list = testDataList;
  const [accounts, ...otherStores] = list.stores;
  const findGaps = (store: object) =>
    findPlaces({ ...list, stores: [{ ...accounts, ...store }, ...otherStores] as never }, [
      "de",
      "en",
    ])
      .map(({ what }) => what)
      .filter((what) => what.includes("stores.accounts"));
  const lacking = [
    "deletion.yaml, stores.accounts: it doesn't say how an account is deleted there.",
  ];
  expect(findGaps({ adminPage: undefined })).toEqual(lacking);
  expect(findGaps({ adminPage: undefined, how: { de: "Löschen." } })).toEqual(lacking);
  expect(findGaps({ adminPage: undefined, how: { de: "Löschen.", en: "Delete it." } })).toEqual([]);
  expect(findGaps({ adminPage: "https://admin.rides.org/users" })).toEqual([]);
  expect(findGaps({ adminPage: "https://admin.example/users" })).toHaveLength(1);
  expect(findGaps({ how: { de: "(enter where)", en: "(enter where)" } })).toHaveLength(1);
});

test("checks the deletion page against the app stores' rules in every language", () => {
  const first = loadCampus(join(root, "campus"));
  const policy = (loaded: typeof first) =>
    findUnready(loaded, today, calendar).filter(({ what }) => what.startsWith("The deletion page"));
  expect(policy(first)).toEqual([]);
  const mute = JSON.parse(JSON.stringify(first.translations).replaceAll("১০", "দশ"));
  expect(policy({ ...first, translations: mute }).map(({ what }) => what)).toEqual([
    "The deletion page (bn) does not say how long it takes.",
  ]);
});

test("reports a security.txt that has expired or expires within two months", () => {
  expect(findingsOf({}).join()).not.toContain("security.txt");
  const on = (day: string) => findingsOf({}, Temporal.PlainDate.from(day));
  expect(on("2027-08-15")).toContain("security.txt ends on 2027-09-30.");
  expect(on("2027-10-15")).toContain("security.txt ended on 2027-09-30.");
});

test("reports legal documents dated in the future, in the campus's language or in English", () => {
  const dated = (policyDate: string) =>
    findingsOf({ settings: { ...campus.settings, policyDate } }).filter((what) =>
      what.includes("dated"),
    );
  expect(dated("November 2026")).toEqual([]);
  for (const month of ["Dezember 2026", "December 2026", "März 2027"]) {
    expect(dated(month)).toEqual([
      `The legal documents are dated ${month}, which is in the future.`,
    ]);
  }
});

test("reports missing settings even if another setting is invalid", async () => {
  const run = async (settings: Record<string, string>) => {
    const { code, stdout } = await runToEnd("scripts/ready.ts", settings);
    expect(code).toBe(1);
    return { stdout, missing: stdout.match(/(?<=^- )\w+(?= is not set)/gm) };
  };
  const { stdout, missing } = await run({
    PUBLIC_URL: "https://rides.example",
    SECRET_KEYS: "none",
    MAIL_FROM: "team@rides.example",
  });
  expect(stdout).toContain("- SECRET_KEYS must be");
  expect(missing).toEqual(["SMTP_URL", "OPERATOR_MAIL"]);
  expect(stdout).toContain("https://rides.example/delete-my-account");
  expect(stdout).toContain("_dmarc.rides.example");
  const all = ["PUBLIC_URL", "SECRET_KEYS", "SMTP_URL", "MAIL_FROM", "OPERATOR_MAIL"];
  expect((await run({})).missing).toEqual(all);
});
