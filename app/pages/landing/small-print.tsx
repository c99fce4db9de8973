import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import section from "./section.late.module.css";
import styles from "./small-print.late.module.css";

/**
 * Renders the cookie and refund policies as a slip of paper and a receipt. If the campus has both,
 * they are side by side where they fit.
 */
export function SmallPrint({ has }: { has: (name: "cookies" | "refund") => boolean }) {
  const { cookies, refund } = useWords().landing;
  return (
    <div className={section.section} data-field="sky">
      <div className={`page-width stack ${styles.inside}`}>
        {has("cookies") && (
          <section className={styles.cookies} id="cookies">
            <h2>
              <Text>{cookies.title}</Text>
            </h2>
            <p>
              <Text>{cookies.text}</Text>
            </p>
          </section>
        )}
        {has("refund") && (
          <section className={`${styles.refund} ${styles.torn}`} id="refund">
            <h2>
              <Text>{refund.title}</Text>
            </h2>
            <p>
              <Text>{refund.text}</Text>
            </p>
            <details>
              <summary>
                <Text>{refund.more}</Text>
              </summary>
              <ol>
                {refund.points.map((point) => (
                  <li key={point}>
                    <Text>{point}</Text>
                  </li>
                ))}
              </ol>
              <p dangerouslySetInnerHTML={{ __html: refund.note }} />
            </details>
          </section>
        )}
      </div>
    </div>
  );
}
