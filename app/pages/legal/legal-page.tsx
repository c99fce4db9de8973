import type { LegalDocument } from "../../../campus-reader/legal.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { nameLanguage } from "../../../server/platform/i18n/texts.ts";
import { ButtonLink } from "../../components/button.tsx";
import { DataKindsTable } from "../../components/data-kinds-table.tsx";
import fold from "../../components/fold.module.css";
import fringe from "../../components/fringe.module.css";
import { UpSign } from "../../components/icons.tsx";
import { NotTranslated } from "../../components/not-translated.tsx";
import { Picture } from "../../components/picture.tsx";
import prose from "../../components/prose.module.css";
import tableOfContents from "../../components/table-of-contents.js?script";
import contents from "../../components/table-of-contents.module.css";
import { Text } from "../../components/text.tsx";
import type { PageHandle } from "../../document/page-handle.ts";
import { pageMeta } from "../../document/page-meta.ts";
import { type PageWords, pathAt, usePath, useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/legal-page";
import styles from "./legal-page.module.css";

/** Returns the path of the page that a URL path belongs to: the privacy policy or the terms. */
const findPage = (path: string) =>
  path.startsWith(paths.terms) ? paths.terms : paths.privacyPolicy;

const documentAt = (path: string, { legal }: PageWords) =>
  findPage(path) === paths.terms
    ? { document: legal.terms, colours: fringe.marigold }
    : { document: legal.privacy, colours: fringe.leaf };

export const handle: PageHandle = {
  inlineScripts: [tableOfContents],
  keptAs: ({ pathname }) => findPage(pathname),
};

export function meta({ matches, location }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const words = wordsAt(location);
  const path = findPage(pathAt(location));
  const { title, description } = documentAt(path, words).document;
  return pageMeta(words, {
    title,
    description,
    path,
    publicUrl,
    trail: [{ name: title, path }],
  });
}

export default function LegalPage() {
  const words = useWords();
  const { inLanguage, interface: labels, mail, say } = words;
  const { document, colours } = documentAt(usePath(), words);
  const { title, intro, sections, authoritative, language } = document;
  const { legal } = labels;
  return (
    <div className={colours}>
      <header className={`masthead ${styles.masthead} ${fringe.fringe}`}>
        <div className={`page-width stack ${styles.opening}`}>
          <Picture name="icon" alt="" className={styles.wheel} />
          <h1 className="headline">
            <Text>{title}</Text>
          </h1>
          <p>
            <Text>{legal.lastUpdated}</Text>
          </p>
          {language ? <NotTranslated language={language} /> : null}
          {authoritative ? (
            <p>
              <strong>
                <Text>
                  {say(legal.authoritative, { language: nameLanguage(mail.locale, authoritative) })}
                </Text>
              </strong>
            </p>
          ) : null}
        </div>
      </header>
      <div className={`page-width ${styles.layout}`}>
        <div className={styles.side}>
          <TableOfContents sections={sections} />
          <p className={styles.top}>
            <ButtonLink href="#content" variant="marigold">
              <UpSign />
              <span>
                <Text>{legal.backToTop}</Text>
              </span>
            </ButtonLink>
          </p>
        </div>
        <div className={styles.text} {...inLanguage(language)}>
          <div
            className={`${prose.prose} ${styles.intro}`}
            dangerouslySetInnerHTML={{ __html: intro }}
          />
          {sections.map((section, index) => (
            <Section key={section.title} section={section} number={index + 1} />
          ))}
        </div>
      </div>
    </div>
  );
}

type Sections = LegalDocument["sections"];

/**
 * Renders the table of contents as stops on a route: collapsed on phones, expanded next to the text
 * on wide screens. `table-of-contents.js` expands it and highlights the current section; without
 * JavaScript, visitors expand it themselves.
 */
function TableOfContents({ sections }: { sections: Sections }) {
  const { legal } = useWords().interface;
  return (
    <nav className={`${contents.contents} ${styles.contents}`} aria-label={legal.contents}>
      <details className={`frame ${fold.fold}`} data-contents="">
        <summary>
          <Text>{legal.contents}</Text>
        </summary>
        <ol className={contents.stops}>
          {sections.map(({ title }, index) => (
            <li key={title}>
              <a href={`#section-${index + 1}`}>
                <span>
                  <Text>{title}</Text>
                </span>
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

function Section({ section, number }: { section: Sections[number]; number: number }) {
  const { title, inShort, parts, language } = section;
  const { interface: labels, digits, inLanguage } = useWords();
  const { legal } = labels;
  return (
    <section id={`section-${number}`} className={styles.section} {...inLanguage(language)}>
      <h2>
        <span className={styles.number}>{digits(number)}</span>{" "}
        <span>
          <Text>{title}</Text>
        </span>
      </h2>
      <p className={styles.inShort}>
        <strong>
          <Text>{legal.inShort}</Text>
        </strong>{" "}
        <span dangerouslySetInnerHTML={{ __html: inShort }} />
      </p>
      {parts.map((part, place) => (
        <div key={part} className={styles.part}>
          {place > 0 ? (
            <div className={styles.kinds}>
              <DataKindsTable />
            </div>
          ) : null}
          <div className={prose.prose} dangerouslySetInnerHTML={{ __html: part }} />
        </div>
      ))}
      <p className={styles.back}>
        <a className="target" href="#content">
          <span>
            <span aria-hidden="true">↑ </span>
            <Text>{legal.backToTop}</Text>
          </span>
        </a>
      </p>
    </section>
  );
}
