import { paths } from "../../server/platform/http/paths.ts";
import { isOffered } from "../sections.ts";
import { useWords } from "../words.ts";
import button from "./button.module.css";
import { isLongName } from "./long-name.ts";
import { Picture } from "./picture.tsx";
import styles from "./site-footer.module.css";
import { Text } from "./text.tsx";

export function SiteFooter({ year }: { year: number }) {
  const { interface: labels, pages, say, settings } = useWords();
  const { footer, nav } = labels;
  const { imprint, stores, product, tagline } = settings;
  const company = [
    [nav.home, paths.landing],
    [footer.about, paths.about],
    [nav.blog, paths.blog],
    [footer.contact, paths.contact],
    [footer.careers, paths.careers],
    ...pages
      .filter(({ place }) => place === "footer")
      .map(({ name, label, title }) => [label ?? title, `/${name}`] as const),
  ] as const;
  const legal = [
    [footer.privacy, paths.privacyPolicy],
    [footer.terms, paths.terms],
    [footer.cookies, paths.cookies],
    [footer.refund, paths.refund],
    ...(imprint ? ([[footer.imprint, imprint]] as const) : []),
  ] as const;
  return (
    <footer className={styles.footer} data-site-footer="" data-field="night">
      <div className={styles.bunting} aria-hidden="true" />
      <div className={`page-width ${styles.columns}`}>
        <div className={styles.apps}>
          <p className={styles.tagline}>
            <Text>{tagline}</Text>
          </p>
          {stores.length > 0 && (
            <h2>
              <Text>{footer.storesTitle}</Text>
            </h2>
          )}
          <Stores />
        </div>
        <LinkColumn title={footer.companyTitle} links={company} />
        <LinkColumn title={footer.legalTitle} links={legal} />
        <Social />
      </div>
      <div className={`page-width ${styles.closing}`}>
        <p className={isLongName(product) ? `${styles.product} ${styles.long}` : styles.product}>
          <span translate="no">
            <Text>{product}</Text>
          </span>
          <Picture name="route-bike-night" alt="" className={styles.bike} />
        </p>
        <p>
          <Text>{say(footer.copyright, { year })}</Text>
        </p>
      </div>
    </footer>
  );
}

function Stores() {
  const { interface: labels, settings } = useWords();
  return (
    <ul className={`row ${styles.stores}`}>
      {settings.stores.map(({ name, url }) => (
        <li key={name}>
          {url ? (
            <a
              className={`${button.button} ${button.marigold} ${styles.store}`}
              href={url}
              rel="noopener"
            >
              <small>
                <Text>{labels.footer.storeAvailable}</Text>
              </small>{" "}
              <Text>{name}</Text>
            </a>
          ) : (
            <span className={`${button.button} ${styles.storeComing}`}>
              <small>
                <Text>{labels.footer.storeComing}</Text>
              </small>{" "}
              <Text>{name}</Text>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Social() {
  const { interface: labels, settings } = useWords();
  return (
    <div className={styles.social}>
      {settings.social.length > 0 && (
        <h2>
          <Text>{labels.footer.socialTitle}</Text>
        </h2>
      )}
      <ul>
        {settings.social.map(({ name, url }) => (
          <li key={name}>
            {url ? (
              <a className={`target ${styles.link}`} href={url} rel="noopener">
                <Text>{name}</Text>
              </a>
            ) : (
              <span className={`target ${styles.placeholder}`}>
                <Text>{name}</Text>{" "}
                <small>
                  <Text>{labels.footer.notYet}</Text>
                </small>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function LinkColumn({
  title,
  links,
}: {
  title: string;
  links: readonly (readonly [name: string, path: string])[];
}) {
  const { to } = useWords();
  return (
    <nav aria-label={title}>
      <h2>
        <Text>{title}</Text>
      </h2>
      <ul>
        {links
          .filter(([, path]) => isOffered(path))
          .map(([name, path]) => (
            <li key={path}>
              <a className={`target ${styles.link}`} href={to(path)}>
                <Text>{name}</Text>
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
