import { join, resolve } from "node:path";
import { hoodColours, hoodMotifs } from "../../campus-reader/choices.ts";
import { loadCampus } from "../../campus-reader/load.ts";
import { inLanguage } from "../../server/language/in-language.ts";
import { createSay } from "../../server/language/texts.ts";
import { readPromises } from "../../server/open.ts";

export const root = join(import.meta.dirname, "../..");

const { env } = process;

/** Folder of the campus that the tests visit, and of its build: the same settings as the server's. */
export const campusDir = resolve(root, env.CAMPUS_DIR || "campus");
export const buildDir = resolve(root, env.BUILD_DIR || "build");

/** Whether that is the project's own campus. */
export const isFirstCampus = campusDir === join(root, "campus");

/** The campus that the tests visit, read from the same folder as the build reads it. */
export const campus = loadCampus(campusDir);
export const { calendar, dataList } = readRules();

/** In each of its languages, its first one first. */
export const editions = [campus, ...campus.translations];

export function editionIn(language: string) {
  const edition = editions.find(({ settings }) => settings.language === language);
  if (!edition) throw new Error(`The campus has no texts in the language ${language}.`);
  return edition;
}

/** The address of a page in a language: the first one goes without saying. */
export const addressIn = (language: string, path: string) =>
  language === campus.settings.language ? path : inLanguage(path, language);

/** A text of the campus with its values filled in, as its pages say it. */
export const say = createSay(campus.settings.language);

function readRules() {
  const read = readPromises(campusDir);
  if (!read.ok) throw new Error(read.problem);
  return read.promises;
}

export const postPaths = campus.posts.map((post) => `/blog/${post.id}`);

export const categoryPaths = ["All", ...campus.settings.categories].map(
  (category) => `/blog?${new URLSearchParams({ category })}`,
);

/** Pages that are read and nothing else. */
export const contentPaths = [
  "/",
  "/blog",
  ...categoryPaths,
  ...postPaths,
  "/faq",
  "/privacy-policy",
  "/terms-conditions",
];

/** The landing page with each of its painted hoods, where this campus has them to be painted. */
export const hoodPaths = campus.landing.paint
  ? hoodColours.flatMap((colour) => hoodMotifs.map((motif) => `/?hood=${colour}-${motif}`))
  : [];

/** Every page with status 200. */
export const pagePaths = [...contentPaths, "/delete-my-account"];

/** Addresses that lead nowhere: no page, no post, and posts whose numbers are written wrongly. */
export const missingPostPaths = ["/blog/99999", "/blog/abc", "/blog/012"];
export const missingPaths = ["/nowhere", ...missingPostPaths];
