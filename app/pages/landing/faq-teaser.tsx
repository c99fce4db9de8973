import { campus } from "virtual:campus";
import type { Campus } from "../../../campus/load.ts";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { FaqList } from "../../ui/faq-list.tsx";
import styles from "./faq-teaser.module.css";
import { Opening, Section } from "./section.tsx";

/** The first five questions, and the way to all of them. */
export function FaqTeaser() {
  const { faqTeaser } = campus.landing;
  return (
    <Section field="paper" className={styles.faq} plain>
      <Opening title={faqTeaser.title} lead={faqTeaser.lead} />
      <FaqList items={campus.faq.slice(0, 5).map(shorten)} headingLevel={3} />
      <div>
        <ButtonLink href={paths.faq} look="marigold">
          {faqTeaser.viewAll}
        </ButtonLink>
      </div>
    </Section>
  );
}

/** The question with its short answer, and the way to the whole one. */
function shorten({ short, ...item }: Campus["faq"][number]) {
  if (!short) return item;
  const whole = `<a href="${paths.faq}#${item.id}">${campus.landing.faqTeaser.whole}</a>`;
  return { ...item, answer: `<p>${short} ${whole}</p>` };
}
