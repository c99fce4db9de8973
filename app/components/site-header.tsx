import { pictures } from "virtual:pictures";
import { useLocation } from "react-router";
import { paths } from "../../server/platform/http/paths.ts";
import { nameLanguage } from "../../server/platform/i18n/texts.ts";
import { isOffered } from "../sections.ts";
import { languages, usePath, useWords } from "../words.ts";
import hoodFringe from "./hood-fringe.module.css";
import { isLongName } from "./long-name.ts";
import { findMenuRoom } from "./menu-room.ts";
import { Picture } from "./picture.tsx";
import styles from "./site-header.module.css";
import { Text } from "./text.tsx";

/**
 * Longest query string, in characters, that language links preserve. None of the site's own query
 * strings is longer.
 */
const longestQuery = 300;

/**
 * Renders links to this page in the campus's other languages, with the query string unless it is
 * longer than `longestQuery`.
 */
function LanguageLinks() {
  const { search } = useLocation();
  const { settings, inLanguage } = useWords();
  const path = usePath() + (search.length <= longestQuery ? search : "");
  return languages
    .filter((other) => other.settings.language !== settings.language)
    .map(({ settings: { language }, to }) => (
      <a
        key={language}
        className={`target ${styles.language}`}
        href={to(path)}
        {...inLanguage(language)}
      >
        {nameLanguage(language, language)}
      </a>
    ));
}

/** A menu link. Minor links use plain type and, on small tablets, two lines. */
type MenuLink = { name: string; href: string; isMinor?: true };

/**
 * Renders the wordmark and the main links. On small screens, the links are a popover. The browser
 * handles opening, Escape, taps outside and focus, even without JavaScript.
 */
export function SiteHeader() {
  const path = usePath();
  const { deletion, interface: labels, pages, settings, to } = useWords();
  const { nav } = labels;
  const added = pages
    .filter(({ place }) => place === "menu")
    .map(({ name, label, title }) => ({ name: label ?? title, href: `/${name}` }));
  const all: readonly MenuLink[] = [
    { name: nav.home, href: paths.landing },
    { name: nav.blog, href: paths.blog },
    { name: nav.faq, href: paths.faq },
    { name: nav.safety, href: paths.safety },
    ...added,
    { name: deletion.title, href: paths.deletion, isMinor: true },
  ];
  const links = all.filter(({ href }) => isOffered(href));
  const isCurrent = (href: string) =>
    path === href || (href !== paths.landing && path.startsWith(`${href}/`));
  const room = findMenuRoom(added.map(({ name }) => name));
  const wordmark = isLongName(settings.product)
    ? `target ${styles.wordmark} ${styles.long}`
    : `target ${styles.wordmark}`;
  return (
    <header
      className={room === "roomy" ? styles.header : `${styles.header} ${styles[room]}`}
      data-site-header=""
    >
      <div className={hoodFringe.fringe} aria-hidden="true" />
      <div className={`page-width row ${styles.bar}`}>
        <a className={wordmark} href={to(paths.landing)}>
          {pictures.logo ? (
            <Picture name="logo" alt={settings.product} eager className={styles.logo} />
          ) : (
            <>
              <img src={pictures.icon?.url} alt="" width="64" height="64" fetchPriority="low" />
              <span translate="no">
                <Text>{settings.product}</Text>
              </span>
            </>
          )}
        </a>
        <LanguageLinks />
        <button type="button" className={`target frame ${styles.toggle}`} popoverTarget="site-menu">
          <span>
            <Text>{nav.menu}</Text>
          </span>
          <span>
            <Text>{nav.close}</Text>
          </span>
        </button>
        <nav id="site-menu" className={styles.menu} popover="auto" aria-label={nav.label}>
          <ul>
            {links.map((link) => (
              <li key={link.href} className={link.isMinor ? styles.minor : undefined}>
                <a href={to(link.href)} aria-current={isCurrent(link.href) ? "page" : undefined}>
                  <Text>{link.name}</Text>
                </a>
              </li>
            ))}
            {isOffered(paths.registration) && (
              <li>
                <a href={to(paths.registration)} className={`frame ${styles.registration}`}>
                  <Text>{nav.registration}</Text>
                </a>
              </li>
            )}
          </ul>
        </nav>
      </div>
    </header>
  );
}
