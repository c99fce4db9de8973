import { paths } from "../../../server/platform/http/paths.ts";
import { removeNoBreaks } from "../../../server/platform/i18n/no-breaks.ts";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import styles from "./contact.late.module.css";
import { Section } from "./section.tsx";

/**
 * Returns a mailto link with a subject and a body. The body starts with blank lines for the
 * sender's message.
 */
function writeTo(email: string, subject: string, body: string): string {
  const bodyParameter =
    body === "" ? "" : `&body=${encodeURIComponent(`\r\n\r\n---\r\n${removeNoBreaks(body)}\r\n`)}`;
  return `mailto:${email}?subject=${encodeURIComponent(removeNoBreaks(subject))}${bodyParameter}`;
}

/**
 * Renders the contact section: one email address, as large as fits, and links to prefilled emails
 * for the most common reasons.
 */
export function Contact() {
  const { landing, settings, to } = useWords();
  const { contact } = landing;
  const { email } = settings;
  const [name, host] = email.split("@");
  return (
    <Section id="contact" field="bright-rani" className={styles.contact}>
      <h2 className={styles.title}>
        <Text>{contact.title}</Text>
      </h2>
      <p className={styles.address}>
        <a className="target" href={`mailto:${email}`} dir="ltr" aria-label={contact.emailLabel}>
          {name}@<wbr />
          {host}
        </a>
      </p>
      <div>
        <p dangerouslySetInnerHTML={{ __html: contact.text }} />
        <p>
          <Text>{contact.replyNote}</Text>
        </p>
        <details>
          <summary>
            <Text>{contact.accessibility.title}</Text>
          </summary>
          <p>
            <Text>{contact.accessibility.text}</Text>
          </p>
        </details>
      </div>
      <ul className={`display ${styles.letters}`}>
        {contact.letters.map(({ label, subject, body = "" }) => (
          <li key={label}>
            <a className="target" href={writeTo(email, subject, body)}>
              <Text>{label}</Text>
            </a>
          </li>
        ))}
        <li>
          <a className="target" href={to(paths.deletion)}>
            <Text>{contact.deleteAccount}</Text>
          </a>
        </li>
      </ul>
    </Section>
  );
}
