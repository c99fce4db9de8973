import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import styles from "./about.late.module.css";

/**
 * Renders the section about the makers: text next to a picture of the campus at the page's edge.
 */
export function About() {
  const { about } = useWords().landing;
  return (
    <section className={styles.about} id="about" data-field="paper">
      <div className={`${styles.campus} ${styles.torn}`}>
        <Picture name="about" alt={about.pictureAlt} />
      </div>
      <div className={`stack ${styles.words}`}>
        <h2>
          <Text>{about.title}</Text>
        </h2>
        {about.paragraphs.map((paragraph) => (
          <p key={paragraph}>
            <Text>{paragraph}</Text>
          </p>
        ))}
      </div>
    </section>
  );
}
