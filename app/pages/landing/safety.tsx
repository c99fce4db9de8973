import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import styles from "./safety.late.module.css";
import { Opening, Section } from "./section.tsx";

/**
 * Renders the safety section: rules for drivers and passengers, their figures on license plates,
 * and the emergency numbers.
 */
export function Safety() {
  const { landing, settings } = useWords();
  const { safety } = landing;
  return (
    <Section id="safety" field="night" className={styles.safety}>
      <Opening title={safety.title} lead={safety.lead} isHeadline />
      <Picture name="safety" alt={safety.alt} className={`frame ${styles.picture}`} />
      {safety.points.map((point) => {
        const urgent = point.id === "emergency";
        return (
          <article
            key={point.id}
            className={urgent ? styles.emergency : styles.rule}
            data-field={urgent ? "bright-rani" : undefined}
          >
            <div>
              <h3>
                <Text>{point.title}</Text>
              </h3>
              <p>
                <Text>{point.text}</Text>
              </p>
            </div>
            <ul className={`row ${styles.facts} ${point.facts.length > 2 ? styles.several : ""}`}>
              {point.facts.map((fact) => (
                <li key={fact.label}>
                  {fact.call ? (
                    <a
                      className={styles.number}
                      href={`tel:${settings.localEmergency.replaceAll(" ", "")}`}
                    >
                      <Text>{fact.value}</Text>
                    </a>
                  ) : (
                    <strong className={urgent ? styles.other : styles.plate}>
                      <Text>{fact.value}</Text>
                    </strong>
                  )}{" "}
                  <span>
                    <Text>{fact.label}</Text>
                  </span>
                </li>
              ))}
            </ul>
          </article>
        );
      })}
    </Section>
  );
}
