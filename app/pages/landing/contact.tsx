import { paths } from "../../../server/platform/http/paths.ts";
import { removeNoBreaks } from "../../../server/platform/i18n/no-breaks.ts";
import { useWords } from "../../words.ts";
import styles from "./contact.late.module.css";
import { Section } from "./section.tsx";

/**
 * Returns a mailto link with a subject and a body, with blank lines at the top of the body for the
 * sender's message.
 */
function writeTo(email: string, subject: string, body: string): string {
  const begun =
    body === "" ? "" : `&body=${encodeURIComponent(`\r\n\r\n---\r\n${removeNoBreaks(body)}\r\n`)}`;
  return `mailto:${email}?subject=${encodeURIComponent(removeNoBreaks(subject))}${begun}`;
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
        {contact.letters.map(({ label, subject, body = "" }) => (
          <li key={label}>
            <a className="target" href={writeTo(email, subject, body)}>
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
