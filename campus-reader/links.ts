import { paths } from "../server/platform/http/paths.ts";
import type { LanguagePaths } from "../server/platform/i18n/language-paths.ts";
import type { WithPosts } from "./campus.ts";
import type { SectionName } from "./choices.ts";
import type { Report } from "./mistakes.ts";
import { findNearest } from "./spelling.ts";

function landingAnchors({ settings }: WithPosts): string[] {
  return settings.sections
    .filter((name) => !["faq", "blog"].includes(name))
    .map((name) => (name === "registration" ? "Registration" : name))
    .toSorted();
}

const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);

const anyLink = /href=\\"([^"\\]*)\\"/g;

/** Link targets that can't be checked, because mistakes make their files unreadable. */
export type Unread = {
  /** Numbers of posts that can't be read. */
  posts: readonly number[];
  /** Pages whose anchors are unknown. */
  pages: readonly string[];
};

/** Reports links in a campus's text that lead to missing pages, posts, questions or sections. */
export function reportDeadLinks(
  campus: WithPosts,
  {
    addresses,
    content,
    report,
    unread = { posts: [], pages: [] },
  }: { addresses: LanguagePaths; content: string; report: Report; unread?: Unread },
): void {
  const { posts, pages, faq, legal, settings } = campus;
  const has = (name: SectionName) => settings.sections.includes(name);
  const sections = (count: number) =>
    Array.from({ length: count }, (_, index) => `section-${index + 1}`);
  const anchors = new Map<string, readonly string[]>([
    [paths.landing, landingAnchors(campus)],
    ...(has("blog") ? [[paths.blog, []] as const] : []),
    ...(has("faq") ? [[paths.faq, faq.map(({ id }) => id)] as const] : []),
    [paths.privacyPolicy, sections(legal.privacy.sections.length)],
    [paths.terms, sections(legal.terms.sections.length)],
    [paths.deletion, ["deletion-form", "closed-mailbox"]],
    ...[...posts.map(({ id }) => id), ...unread.posts].map((id): [string, string[]] => [
      paths.post(id),
      [],
    ]),
    ...pages.map(({ name, html }): [string, string[]] => [`/${name}`, idsIn(html)]),
  ]);
  const texts: [string, unknown][] = [
    [`${content}/landing.yaml`, campus.landing],
    [`${content}/interface.yaml`, campus.interface],
    [
      "campus.yaml",
      [...campus.notices.map(({ link }) => link), settings.imprint].map(
        (link) => link && `href="${link}"`,
      ),
    ],
    [`${content}/faq.yaml`, faq],
    [`${content}/deletion.yaml`, campus.deletion],
    [`${content}/legal/privacy-policy.md`, legal.privacy],
    [`${content}/legal/terms-conditions.md`, legal.terms],
    ...[...posts, ...pages].map(({ file, html }): [string, unknown] => [file, html]),
  ];
  for (const [file, value] of texts) {
    // A link within a document may consist only of a section's anchor.
    const page = file.endsWith("/privacy-policy.md") ? paths.privacyPolicy : paths.terms;
    const isDocument = value === legal.privacy || value === legal.terms;
    const links = JSON.stringify(value).matchAll(anyLink);
    const written = [...links].map(([, href = ""]) => {
      const address = href.replaceAll("&#x26;", "&");
      return addresses.read(addresses.current(address)).path;
    });
    for (const href of new Set(written)) {
      const reason = findReason(href, isDocument ? page : undefined);
      const index = settings.notices.findIndex(({ link }) => link === href);
      const setting = index < 0 ? "imprint" : `notices.${index}.link`;
      const field = file === "campus.yaml" ? setting : "(text)";
      if (reason) report(file, field, `the link ${href} ${reason}`, { near: href });
    }
  }

  /**
   * Explains why a link is broken. Returns `undefined` if the link works.
   * @param within path of the page that contains the link, for links to a section of the same page
   */
  function findReason(href: string, within: string | undefined): string | undefined {
    if (/^[^\s@/:]+@[^\s@/:]+$/.test(href))
      return "needs mailto: in front, because it is an email address";
    if (!/^(?:\/(?!\/)|#|https:|mailto:|tel:)/.test(href)) {
      return "must begin with https:// where it leads away, and with / where it leads to a page of ours";
    }
    if (!href.startsWith("/") && !(within && href.startsWith("#"))) return undefined;
    const { pathname, hash } = new URL(href, `https://campus.example${within ?? "/"}`);
    const known = anchors.get(pathname);
    if (!known) {
      const pages = [...anchors.keys()].filter((path) => !/^\/blog\/\d+$/.test(path));
      const suggestion = pathname.startsWith("/blog/") ? undefined : findNearest(pathname, pages);
      return `leads to no page; ${suggestion ? `did you mean ${suggestion}?` : "posts are linked as /blog/ID"}`;
    }
    const anchor = decodeURIComponent(hash.slice(1));
    if (!anchor || known.includes(anchor) || unread.pages.includes(pathname)) return undefined;
    const isEmptyDocument =
      known.length === 0 && /^\/(?:privacy-policy|terms-conditions)$/.test(pathname);
    // A document without sections has already been reported.
    if (isEmptyDocument) return undefined;
    const choice = known.length > 0 ? `it has ${known.join(", ")}` : "it has none";
    return `leads to no place on its page; ${choice}`;
  }
}
