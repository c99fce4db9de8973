import { paths } from "../../../server/platform/http/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import faqList from "../../components/faq-list.js?script";
import { FaqList } from "../../components/faq-list.tsx";
import fringe from "../../components/fringe.module.css";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import type { PageHandle } from "../../document/page-handle.ts";
import { pageMeta } from "../../document/page-meta.ts";
import { isOffered } from "../../sections.ts";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/faq-page";
import styles from "./faq-page.module.css";

export const handle: PageHandle = { inlineScripts: [faqList], keptAs: () => paths.faq };

export function meta({ matches, location }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const words = wordsAt(location);
  const { metaTitle, metaDescription } = words.interface.faq;
  return pageMeta(words, {
    title: metaTitle,
    description: metaDescription,
    path: paths.faq,
    publicUrl,
    jsonLd: [
      {
        "@type": "FAQPage",
        mainEntity: words.faq.map((item) => ({
          "@type": "Question",
          name: item.question,
          acceptedAnswer: { "@type": "Answer", text: item.answer },
        })),
      },
    ],
    trail: [{ name: metaTitle, path: paths.faq }],
  });
}

export default function FaqPage() {
  const words = useWords();
  const { faq } = words.interface;
  return (
    <>
      <div className={`stack ${styles.page}`}>
        <header
          className={`masthead ${styles.opening} ${fringe.marigold} ${fringe.fringe} ${fringe.side}`}
        >
          <div className={`stack ${styles.words}`}>
            <h1>
              <Text>{faq.title}</Text>
            </h1>
            <p>
              <Text>{faq.lead}</Text>
            </p>
            <Picture name="join-user" alt="" className={`frame ${styles.picture}`} />
          </div>
        </header>
        <div className={styles.questions}>
          <FaqList items={words.faq} headingLevel={2} />
        </div>
      </div>
      <section className={styles.still} data-field="peacock">
        <div className={`page-width row ${styles.stillWords}`}>
          <div>
            <h2>
              <Text>{faq.stillTitle}</Text>
            </h2>
            <p>
              <Text>{faq.stillText}</Text>
            </p>
          </div>
          <ButtonLink
            href={
              isOffered(paths.contact) ? words.to(paths.contact) : `mailto:${words.settings.email}`
            }
            variant="marigold"
          >
            {faq.contactSupport}
          </ButtonLink>
        </div>
      </section>
    </>
  );
}
