import { campus } from "virtual:campus";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { FaqList } from "../../ui/faq-list.tsx";
import type { Route } from "./+types/faq-page";
import styles from "./faq-page.module.css";

export function meta({ matches }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const { metaTitle, metaDescription } = campus.interface.faq;
  return pageMeta({
    title: metaTitle,
    description: metaDescription,
    path: "/faq",
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
      breadcrumbs(publicUrl, [{ name: metaTitle, path: "/faq" }]),
    ],
  });
}

export default function FaqPage() {
  const { faq } = campus.interface;
  return (
    <div className="page-width">
      <header className={styles.opening}>
        <h1>{faq.title}</h1>
        <p>{faq.lead}</p>
      </header>
      <FaqList items={campus.faq} headingLevel={2} />
      <section className={styles.still}>
        <h2>{faq.stillTitle}</h2>
        <p>{faq.stillText}</p>
        <ButtonLink href="/#contact" look="marigold">
          {faq.contactSupport}
        </ButtonLink>
      </section>
    </div>
  );
}
