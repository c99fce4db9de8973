import { campus } from "virtual:campus";
import type { SectionName } from "../campus-reader/choices.ts";
import { paths } from "../server/platform/http/paths.ts";

export function hasSection(name: SectionName): boolean {
  return campus.settings.sections.includes(name);
}

/**
 * Sections that a campus may omit, keyed by the URL path, fragment or route pattern that leads
 * there.
 */
const sectionAt = new Map<string, SectionName>([
  [paths.about, "about"],
  [paths.careers, "careers"],
  [paths.contact, "contact"],
  [paths.cookies, "cookies"],
  [paths.refund, "refund"],
  [paths.safety, "safety"],
  [paths.registration, "registration"],
  [paths.blog, "blog"],
  [`${paths.blog}/:id`, "blog"],
  [paths.feed, "blog"],
  [paths.faq, "faq"],
]);

/**
 * Returns whether the campus offers the page or section with this URL path, fragment or route
 * pattern. Pages outside any section are always offered.
 */
export function isOffered(path: string): boolean {
  const section = sectionAt.get(path);
  return section === undefined || hasSection(section);
}
