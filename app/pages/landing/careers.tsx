import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import styles from "./careers.late.module.css";
import { Section } from "./section.tsx";

/** Renders the section about volunteering, styled as a sheet on a notice board. */
export function Careers() {
  const { careers } = useWords().landing;
  return (
    <Section id="careers" field="leaf" className={styles.careers}>
      <h2>
        <Text>{careers.title}</Text>
      </h2>
      <p dangerouslySetInnerHTML={{ __html: careers.text }} />
      <ul className={`frame ${styles.sheet}`}>
        {careers.roles.map((role) => (
          <li key={role.title}>
            <h3>
              <Text>{role.title}</Text>
            </h3>
            <p>
              <Text>{role.text}</Text>
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
