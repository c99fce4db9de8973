import type { Campus } from "../../../campus-reader/campus.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { createWriteText } from "../../../server/platform/i18n/html-text.ts";
import { ButtonLink } from "../../components/button.tsx";
import { FaqList } from "../../components/faq-list.tsx";
import { type PageWords, useWords } from "../../words.ts";
import styles from "./faq-teaser.late.module.css";
import { Opening, Section } from "./section.tsx";

export function FaqTeaser() {
  const words = useWords();
  const { faqTeaser } = words.landing;
  const items = words.faq.slice(0, 5);
  return (
    <Section field="paper" className={`${styles.faq} ${items.length < 4 ? styles.few : ""}`} plain>
      <div className={styles.board} data-field="sky">
        <Opening title={faqTeaser.title} lead={faqTeaser.lead} />
        <ButtonLink href={words.to(paths.faq)} variant="marigold">
          {faqTeaser.viewAll}
        </ButtonLink>
      </div>
      <FaqList items={items.map((item) => shorten(words, item))} headingLevel={3} />
    </Section>
  );
}

/** Replaces the answer with its short version, if there is one, and a link to the full answer. */
function shorten(words: PageWords, { short, ...item }: Campus["faq"][number]) {
  if (!short) return item;
  const label = createWriteText(words.textMarks)(words.landing.faqTeaser.whole);
  const whole = `<a href="${words.to(`${paths.faq}#${item.id}`)}">${label}</a>`;
  return { ...item, answer: `<p>${short} ${whole}</p>` };
}
