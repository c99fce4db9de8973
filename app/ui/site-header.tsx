import { pictures } from "virtual:pictures";
import { paths } from "../../server/http/paths.ts";
import { useWords } from "../words.ts";
import { HoodFringe } from "./hood-fringe.tsx";
import styles from "./site-header.module.css";

/**
 * Wordmark and main links. On small screens the links are a popover: the browser opens and closes it, on Escape and
 * on a tap outside too, and returns the focus, without script.
 */
export function SiteHeader({ pathname }: { pathname: string }) {
  const { interface: labels, settings, to } = useWords();
  const { nav } = labels;
  const links = [
    { name: nav.home, href: paths.landing },
    { name: nav.blog, href: paths.blog },
    { name: nav.faq, href: paths.faq },
  ];
  const isCurrent = (href: string) =>
    pathname === href || (href !== paths.landing && pathname.startsWith(`${href}/`));
  return (
    <header className={styles.header} data-site-header="">
      <HoodFringe className={styles.fringe} />
      <div className={`page-width ${styles.bar}`}>
        <a className={styles.wordmark} href={to(paths.landing)}>
          <img src={pictures.icon?.url} alt="" width="64" height="64" />
          {settings.product}
        </a>
        <button type="button" className={styles.toggle} popoverTarget="site-menu">
          <span>{nav.menu}</span>
          <span>{nav.close}</span>
        </button>
        <nav id="site-menu" className={styles.menu} popover="auto" aria-label={nav.label}>
          <ul>
            {links.map((link) => (
              <li key={link.href}>
                <a href={to(link.href)} aria-current={isCurrent(link.href) ? "page" : undefined}>
                  {link.name}
                </a>
              </li>
            ))}
            <li>
              <a href={to(paths.registration)} className={styles.registration}>
                {nav.registration}
              </a>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  );
}
