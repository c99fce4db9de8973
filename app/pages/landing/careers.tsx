import { MixedText } from "../../components/mixed-text.tsx";
import { useWords } from "../../words.ts";
import styles from "./careers.late.module.css";
import { Section } from "./section.tsx";

/** Renders the section about volunteering, styled as a sheet on a notice board. */
export function Careers() {
  const { careers } = useWords().landing;
  return (
    <Section id="careers" field="leaf" className={styles.careers}>
      <h2>{careers.title}</h2>
      <p dangerouslySetInnerHTML={{ __html: careers.text }} />
      <ul className={`frame ${styles.sheet}`}>
        {careers.roles.map((role) => (
          <li key={role.title}>
            <h3>{role.title}</h3>
            <p>
              <MixedText text={role.text} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
