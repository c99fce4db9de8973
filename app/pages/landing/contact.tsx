import { paths } from "../../../server/http/paths.ts";
import { useWords } from "../../words.ts";
import styles from "./contact.late.module.css";
import { Section } from "./section.tsx";

/** One address, as large as the page allows, and the letters that are written most often, begun. */
export function Contact() {
  const { landing, settings, to } = useWords();
  const { contact } = landing;
  const { email } = settings;
  const [name, host] = email.split("@");
  return (
    <Section id="contact" field="bright-rani" className={styles.contact}>
      <h2 className={styles.title}>{contact.title}</h2>
      <p className={styles.address}>
        <a className="target" href={`mailto:${email}`} aria-label={contact.emailLabel}>
          {name}@<wbr />
          {host}
        </a>
      </p>
      <div>
        <p dangerouslySetInnerHTML={{ __html: contact.text }} />
        <p>{contact.replyNote}</p>
        <details>
          <summary>{contact.accessibility.title}</summary>
          <p>{contact.accessibility.text}</p>
        </details>
      </div>
      <ul className={`display ${styles.letters}`}>
        {contact.letters.map(({ label, subject }) => (
          <li key={label}>
            <a className="target" href={`mailto:${email}?subject=${encodeURIComponent(subject)}`}>
              {label}
            </a>
          </li>
        ))}
        <li>
          <a className="target" href={to(paths.deletion)}>
            {contact.deleteAccount}
          </a>
        </li>
      </ul>
    </Section>
  );
}
