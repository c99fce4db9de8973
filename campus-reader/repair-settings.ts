import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { isGroup } from "./product-words.ts";
import { settingsSchema } from "./schema.ts";
import { isFolder } from "./text-files.ts";

/** Substitutes for invalid settings. No page ever shows them. */
const standIns: z.input<typeof settingsSchema> & Record<string, unknown> = {
  product: "Ride",
  developer: "Team",
  tagline: "Ride",
  campus: "University",
  city: "City",
  country: "Country",
  jurisdiction: "Country",
  wallet: "card",
  hours: { from: "7", until: "22", cheaperFrom: "10", cheaperUntil: "16" },
  legal: {
    person: "Person",
    registration: "registered",
    address: "Address",
    enlistment: "none",
    dataLocation: "Country",
    arbitrationSeat: "City",
  },
  language: "en",
  translations: {},
  timeZone: "Etc/UTC",
  currency: { sign: "€", code: "EUR" },
  ride: {
    reachKm: 1,
    waitMinutes: { usual: 1, longest: 1 },
    fare: { base: 1, distance: 1, time: 1 },
  },
  cash: true,
  email: "help@ride.example",
  mailDomains: [],
  security: { contact: "mailto:help@ride.example", expires: "2030-01-01", policy: "" },
  emergency: "112",
  localEmergency: "112",
  policyDate: "July 2025",
  deletionBusinessDays: { target: 1, limit: 1 },
  categories: ["Category"],
  defaultCategory: "Category",
  heroVehicle: "motorbike",
  motifs: "plain",
  links: { download: "https://ride.example", joinAsRider: "https://ride.example" },
  sampleNames: ["person"],
  social: [],
  stores: [
    { name: "One", operatingSystem: "Android", url: "https://ride.example" },
    { name: "Other", operatingSystem: "iOS", url: "" },
  ],
};

type Group = Record<string, unknown>;

type Repaired = {
  settings: z.output<typeof settingsSchema>;
  /** Settings that were replaced with substitutes. Rules that depend on them can't be checked. */
  doubtful: string[];
};

/**
 * Replaces invalid and missing settings so that the campus's other files can be checked in the same
 * run. The mistakes have already been reported.
 * @param value the readable content of `campus.yaml`
 * @param folder the campus's folder, from which the languages are read
 */
export function repairSettings(value: unknown, folder: string): Repaired {
  const languages = listLanguages(folder);
  const settings: Group = isGroup(value) ? structuredClone(value) : withoutFile(languages);
  const doubtful = new Set(isGroup(value) ? [] : Object.keys(standIns));
  // A rule about several fields is checked only after all of these fields are valid, so repairs can
  // take several rounds.
  for (let round = 0; round < 4; round += 1) {
    const { data, error } = settingsSchema.safeParse(settings);
    if (data) return { settings: data, doubtful: [...doubtful] };
    for (const issue of error.issues) {
      doubtful.add(String(issue.path[0] ?? ""));
      repair(settings, issue, languages);
    }
  }
  const substitutes = withoutFile(languages);
  return { settings: settingsSchema.parse(substitutes), doubtful: Object.keys(standIns) };
}

/**
 * Lists the languages that have a content folder, starting with the most likely default language.
 */
function listLanguages(folder: string): string[] {
  const content = join(folder, "content");
  const names = isFolder(content) ? readdirSync(content) : [];
  const countTexts = (name: string) =>
    existsSync(join(content, name, "originals.json"))
      ? -1
      : readdirSync(join(content, name), { recursive: true }).length;
  return names
    .filter((name) => /^[a-z]{2}$/.test(name) && isFolder(join(content, name)))
    .toSorted((a, b) => countTexts(b) - countTexts(a));
}

/** Substitutes for all settings of a campus that has these languages. */
function withoutFile([language = standIns.language, ...otherLanguages]: readonly string[]): Group {
  const { tagline, campus, city, country, jurisdiction, wallet, hours, legal } = standIns;
  const names = { tagline, campus, city, country, jurisdiction, wallet, hours, legal };
  const translations = Object.fromEntries(otherLanguages.map((code) => [code, names]));
  return { ...standIns, language, translations };
}

function repair(settings: Group, issue: z.core.$ZodIssue, languages: readonly string[]): void {
  if (issue.code === "unrecognized_keys") {
    removeKeys(settings, issue);
    return;
  }
  const [first = "", language = "", field = ""] = issue.path.map(String);
  const { translations } = settings;
  const translation = isGroup(translations) ? translations[language] : undefined;
  if (first === "language") {
    const otherLanguages = isGroup(translations) ? Object.keys(translations) : [];
    settings.language =
      languages.find((code) => !otherLanguages.includes(code)) ?? standIns.language;
  } else if (first === "categories") {
    const { categories } = settings;
    const named = [categories]
      .flat()
      .filter((category) => typeof category === "string" && category.trim());
    settings.categories =
      named.length > 0
        ? [...new Set(named)].filter((category) => category !== "All")
        : standIns.categories;
  } else if (first === "defaultCategory") {
    settings.defaultCategory = [settings.categories].flat()[0];
  } else if (first === "places" || first === "trips") {
    // A trip connects two places, so an invalid trip makes the places invalid, too.
    delete settings.places;
    delete settings.trips;
  } else if (first === "translations" && field && isGroup(translation)) {
    translation[field] = settings[field] ?? standIns[field];
  } else if (first in standIns) {
    settings[first] = standIns[first];
  } else {
    delete settings[first];
  }
}

function removeKeys(settings: Group, { path, keys }: z.core.$ZodIssueUnrecognizedKeys): void {
  let at: unknown = settings;
  for (const step of path) at = Object(at)[step];
  if (isGroup(at)) for (const key of keys) delete at[key];
}
