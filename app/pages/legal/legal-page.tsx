import type { LegalDocument } from "../../../campus-reader/legal.ts";
import { nameLanguage } from "../../../server/language/message.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { DataKindsTable } from "../../ui/data-kinds-table.tsx";
import fringe from "../../ui/fringe.module.css";
import { UpSign } from "../../ui/icons.tsx";
import { breakAddresses } from "../../ui/line-breaks.tsx";
import { NotTranslated } from "../../ui/not-translated.tsx";
import { Picture } from "../../ui/picture.tsx";
import prose from "../../ui/prose.module.css";
import { TableOfContents } from "../../ui/table-of-contents.tsx";
import { useWords } from "../../words.ts";
import styles from "./legal-page.module.css";

/**
 * A policy to read, to look things up in and to print. Beside the text stand its contents as the stops of a route;
 * the one being read is marked.
 */
export function LegalPage({
  document: { title, intro, sections, authoritative, language },
  colours,
}: {
  document: LegalDocument;
  colours: string | undefined;
}) {
  const { interface: labels, mail, say } = useWords();
  const { legal } = labels;
  return (
    <div className={colours}>
      <header className={`${styles.masthead} ${fringe.fringe}`}>
        <div className={`page-width ${styles.opening}`}>
          <Picture name="icon" alt="" className={styles.wheel} />
          <h1 className="headline">{title}</h1>
          <p>{legal.lastUpdated}</p>
          {language ? <NotTranslated language={language} /> : null}
          {authoritative ? (
            <p>
              <strong>
                {say(legal.authoritative, { language: nameLanguage(mail.locale, authoritative) })}
              </strong>
            </p>
          ) : null}
        </div>
      </header>
      <div className={`page-width ${styles.layout}`}>
        <div className={styles.side}>
          <TableOfContents
            title={legal.contents}
            className={styles.contents}
            sections={sections.map(({ title }, index) => ({ id: `section-${index + 1}`, title }))}
          />
          <p className={styles.top}>
            <ButtonLink href="#content" look="marigold">
              <UpSign />
              <span>{legal.backToTop}</span>
            </ButtonLink>
          </p>
        </div>
        <div className={styles.text} lang={language}>
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

function Section({
  section: { title, inShort, parts, language },
  number,
}: {
  section: LegalDocument["sections"][number];
  number: number;
}) {
  const { interface: labels, digits } = useWords();
  const { legal } = labels;
  return (
    <section id={`section-${number}`} className={styles.section} lang={language}>
      <h2>
        <span className={styles.number}>{digits(number)}</span> <span>{title}</span>
      </h2>
      <p className={styles.inShort}>
        <strong>{legal.inShort}</strong>{" "}
        <span dangerouslySetInnerHTML={{ __html: breakAddresses(inShort) }} />
      </p>
      {parts.map((part, place) => (
        <div key={part} className={styles.part}>
          {place > 0 ? (
            <div className={styles.kinds}>
              <DataKindsTable />
            </div>
          ) : null}
          <div className={prose.prose} dangerouslySetInnerHTML={{ __html: breakAddresses(part) }} />
        </div>
      ))}
      <p className={styles.back}>
        <a className="target" href="#content">
          <span aria-hidden="true">↑&nbsp;</span>
          {legal.backToTop}
        </a>
      </p>
    </section>
  );
}
