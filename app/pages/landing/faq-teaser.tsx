import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { FaqList } from "../../ui/faq-list.tsx";
import styles from "./faq-teaser.module.css";

/** The first five questions, and the way to all of them. */
export function FaqTeaser() {
  const { faqTeaser } = campus.landing;
  return (
    <section className={styles.faq} data-field="paper">
      <div className={`page-width ${styles.inside}`}>
        <div className={styles.opening}>
          <h2>{faqTeaser.title}</h2>
          <p>{faqTeaser.lead}</p>
        </div>
        <FaqList items={campus.faq.slice(0, 5)} headingLevel={3} />
        <div className={styles.all}>
          <ButtonLink href={paths.faq} look="marigold">
            {faqTeaser.viewAll}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
