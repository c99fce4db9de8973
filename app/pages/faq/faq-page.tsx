import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import { ButtonLink } from "../../ui/button.tsx";
import faqList from "../../ui/faq-list.js?script";
import { FaqList } from "../../ui/faq-list.tsx";
import fringe from "../../ui/fringe.module.css";
import { Picture } from "../../ui/picture.tsx";
import type { Route } from "./+types/faq-page";
import styles from "./faq-page.module.css";

export const handle: PageHandle = { inlineScripts: [faqList], keptAs: () => paths.faq };

export function meta({ matches }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const { metaTitle, metaDescription } = campus.interface.faq;
  return pageMeta({
    title: metaTitle,
    description: metaDescription,
    path: paths.faq,
    publicUrl,
    jsonLd: [
      {
        "@type": "FAQPage",
        mainEntity: campus.faq.map((item) => ({
          "@type": "Question",
          name: item.question,
          acceptedAnswer: { "@type": "Answer", text: item.answer },
        })),
      },
      breadcrumbs(publicUrl, [{ name: metaTitle, path: paths.faq }]),
    ],
  });
}

export default function FaqPage() {
  const { faq } = campus.interface;
  return (
    <>
      <div className={styles.page}>
        <header className={`${styles.opening} ${fringe.marigold} ${fringe.fringe}`}>
          <div className={styles.words}>
            <h1>{faq.title}</h1>
            <p>{faq.lead}</p>
            <div className={styles.picture}>
              <Picture name="join-user" alt="" />
            </div>
          </div>
        </header>
        <div className={styles.questions}>
          <FaqList items={campus.faq} headingLevel={2} />
        </div>
      </div>
      <section className={styles.still}>
        <div className={`page-width ${styles.stillWords}`}>
          <h2>{faq.stillTitle}</h2>
          <p>{faq.stillText}</p>
          <ButtonLink href={paths.contact} look="marigold">
            {faq.contactSupport}
          </ButtonLink>
        </div>
      </section>
    </>
  );
}
