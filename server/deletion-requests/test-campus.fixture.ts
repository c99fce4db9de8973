import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { Campus } from "../../campus-reader/campus.ts";
import { campusFacts } from "../../campus-reader/facts.ts";
import type { DataKind } from "../../campus-reader/schema.ts";
import type { Promises } from "../open.ts";
import type { Calendar } from "../platform/calendar/business-days.ts";
import { type FormValues, toFormValues } from "../platform/forms/form-values.ts";
import type { BuiltFiles } from "../services.ts";
import { createMailWriters } from "./mails/mail-writer.ts";
import type { MailWords } from "./mails/messages.ts";
import { type DataList, placesToTick } from "./state-machine/checklist.ts";

/** A small campus for tests of the server. */

export const testCalendar: Calendar = {
  timeZone: "Etc/GMT-6",
  weekend: [5, 6],
  holidays: [
    { date: "2026-12-16", name: "Victory Day" },
    { date: "2026-12-25", name: "Christmas Day" },
    { date: "2027-03-10", name: "Eid-ul-Fitr" },
    { date: "2027-12-16", name: "Victory Day" },
  ],
};

export const testDataList: DataList = {
  stores: [
    { key: "accounts", holder: "us", words: { en: "account system" } },
    { key: "rides", holder: "us", words: { en: "ride system" } },
    { key: "papers", holder: "us", words: { en: "paper store" } },
    { key: "wallet", holder: "recipient", told: "by-operator", words: { en: "wallet" } },
    { key: "deletion-page", holder: "this-site", words: { en: "deletion page" } },
  ],
  backupDays: 30,
  kinds: [
    { key: "identity", store: "accounts", accounts: ["User", "Rider"], onDeletion: "deleted" },
    { key: "ride-details", store: "rides", accounts: ["User", "Rider"], onDeletion: "deleted" },
    { key: "driver-papers", store: "papers", accounts: ["Rider"], onDeletion: "deleted" },
    { key: "payments", store: "wallet", accounts: ["User", "Rider"], onDeletion: "kept" },
    { key: "proof", store: "deletion-page", accounts: ["User", "Rider"], onDeletion: "kept" },
  ],
  ownershipProofs: [
    { key: "last-ride", words: { en: "they know their last ride" } },
    { key: "in-person", words: { en: "they came by" } },
  ],
};

export const testPromises: Promises = {
  calendar: testCalendar,
  businessDays: 10,
  dataList: testDataList,
  languages: ["en", "bn"],
};

/** Checklist answers for a User account without documents and with an unpaid fare. */
export const sampleChecklist: FormValues = toFormValues({
  account: "user",
  "at-accounts": "done",
  "at-rides": "kept",
  "why-rides": "open-matter",
  "until-rides": "2027-03-01",
  "at-wallet": "done",
});

/** Returns checklist answers that report all of the account's data as deleted. */
export const fillChecklist = (list: DataList, address = ""): FormValues =>
  toFormValues({
    address,
    account: "both",
    ...Object.fromEntries(placesToTick(list).map((place) => [`at-${place}`, "done"])),
  });

const colours = Object.fromEntries(
  "paper surface ink ink-soft link primary on-primary outline marigold on-marigold rani on-rani field-line"
    .split(" ")
    .map((name) => [name, "#1d1433"]),
);

/**
 * Reads one of the product's string files and fills in its placeholders. `{product}` becomes "the
 * product".
 */
async function readTestWords(name: string) {
  const words = await readFile(join(import.meta.dirname, `../../words/en/${name}.yaml`), "utf8");
  return parse(words.replace(new RegExp(`\\{(${campusFacts.join("|")})\\}`, "g"), "the $1"));
}

export const testMailWords: MailWords = await readTestWords("mail");
const { held }: Campus["deletion"] = await readTestWords("deletion");

const both = { accounts: ["User", "Rider"] };
const ofThisSite = { ...both, store: "deletion-page", place: held.places["deletion-page"] };
export const testDataKinds = [
  {
    ...both,
    key: "ride-details",
    store: "rides",
    onDeletion: "deleted",
    place: "our ride database",
    kind: "Ride details",
    examples: "routes, times",
  },
  {
    ...ofThisSite,
    ...held.kinds["deletion-request"],
    key: "deletion-request",
    onDeletion: "deleted",
  },
  { ...ofThisSite, ...held.kinds.proof, key: "proof", onDeletion: "kept" },
] as DataKind[];

const settings = {
  product: "Rides",
  developer: "Team",
  campus: "University",
  email: "help@rides.example",
  language: "en",
  timeZone: testCalendar.timeZone,
} as Campus["settings"];

/** A build for the test campus, without pages and files. */
export const testBundle: BuiltFiles = {
  campus: { mail: testMailWords, dataKinds: testDataKinds, holidays: {}, settings },
  translations: [],
  theme: { light: colours, dark: colours },
  clientDir: "",
  readAsset: () => "",
};

export const testPublicUrl = "https://rides.example";

export const testMailWriter = createMailWriters(testBundle, testPublicUrl);
