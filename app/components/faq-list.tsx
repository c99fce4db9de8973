import type { Campus } from "../../campus-reader/campus.ts";
import { useWords } from "../words.ts";
import styles from "./faq-list.module.css";
import { Text } from "./text.tsx";

/**
 * Renders an exclusive accordion without JavaScript: at most one question is open at a time. If a
 * URL fragment names a question, the browser opens that question too, because the element with that
 * id is inside the question's answer.
 */
export function FaqList({ items, headingLevel }: { items: Campus["faq"]; headingLevel: 2 | 3 }) {
  const { inLanguage } = useWords();
  const Heading = `h${headingLevel}` as const;
  return (
    <div className={`stack ${styles.list}`}>
      {items.map((item) => (
        <details
          key={item.id}
          name="faq"
          className={`frame ${styles.item}`}
          {...inLanguage(item.language)}
        >
          <summary className={styles.question}>
            <Heading>
              <Text>{item.question}</Text>
            </Heading>
          </summary>
          <div
            id={item.id}
            className={styles.answer}
            dangerouslySetInnerHTML={{ __html: item.answer }}
          />
        </details>
      ))}
    </div>
  );
}
