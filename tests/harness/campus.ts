import { join, resolve } from "node:path";
import type { SectionName } from "../../campus-reader/choices.ts";
import { listTrips } from "../../campus-reader/fares.ts";
import { loadCampus } from "../../campus-reader/load.ts";
import { readPromises } from "../../server/open.ts";
import { createLanguagePaths } from "../../server/platform/i18n/language-paths.ts";
import { createSay } from "../../server/platform/i18n/texts.ts";

export const root = join(import.meta.dirname, "../..");

const { env } = process;

/**
 * Folders of the campus under test and of its build. The server reads the same environment
 * variables.
 */
export const campusDir = resolve(root, env.CAMPUS_DIR || "campus");
export const buildDir = resolve(root, env.BUILD_DIR || "build");

export const isFirstCampus = campusDir === join(root, "campus");

export const campus = loadCampus(campusDir);
export const { calendar, dataList } = readRules();

/** The campus in each of its languages, default language first. */
export const editions = [campus, ...campus.translations];

export function editionIn(language: string) {
  const edition = editions.find(({ settings }) => settings.language === language);
  if (!edition) throw new Error(`The campus has no texts in the language ${language}.`);
  return edition;
}

export const languagePaths = createLanguagePaths(editions.map(({ settings }) => settings.language));

export const addressIn = (language: string, path: string) => languagePaths.to(path, language);

/** Fills in placeholders in a text of the campus. */
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

export const hasSection = (name: SectionName) => campus.settings.sections.includes(name);

/** Paths of static pages that accept no POST. The landing page's fare board is a GET form. */
export const contentPaths = [
  "/",
  ...(hasSection("blog") ? ["/blog", ...categoryPaths, ...postPaths] : []),
  ...(hasSection("faq") ? ["/faq"] : []),
  "/privacy-policy",
  "/terms-conditions",
  ...campus.pages.map(({ name }) => `/${name}`),
];

/** Paths of the landing page with each fare board trip selected, in both directions. */
export const tripPaths = listTrips(campus.settings).flatMap(({ from, to }) => [
  `/?from=${from}&to=${to}`,
  `/?from=${to}&to=${from}`,
]);

/** Paths of all pages with status 200. */
export const pagePaths = [...contentPaths, "/delete-my-account"];

/** Paths with status 404: unknown posts and malformed post numbers. */
export const missingPostPaths = hasSection("blog") ? ["/blog/99999", "/blog/abc", "/blog/012"] : [];
export const missingPaths = ["/nowhere", ...missingPostPaths];

const longest = campus.posts.toSorted((a, b) => b.html.length - a.html.length)[0];
const withTable = campus.posts.find(({ html }) => html.includes("<table"));

/** Paths of the posts that represent all posts. */
export const visitedPosts = [longest, withTable].map((post) => `/blog/${post?.id}`);

/** Paths of posts and categories that differ from a page of `distinctPaths` only in text. */
export const alikePaths = [...postPaths, ...categoryPaths.slice(1)].filter(
  (path) => !visitedPosts.includes(path),
);

/** Paths of pages that differ in more than text, including pages with an error. */
export const distinctPaths = [
  ...pagePaths.filter((path) => !alikePaths.includes(path)),
  "/blog?category=Cricket",
  ...missingPaths.slice(0, 2),
  "/delete-my-account?link=unknown",
];
