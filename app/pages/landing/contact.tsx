import { campus } from "virtual:campus";
import fringe from "../../ui/fringe.module.css";
import styles from "./contact.module.css";

/** One address, as large as the page allows. */
export function Contact() {
  const { contact } = campus.landing;
  const { email } = campus.settings;
  return (
    <section className={`${styles.contact} ${fringe.fringe}`} id="contact" data-field="bright-rani">
      <div className={`page-width ${styles.inside}`}>
        <h2>{contact.title}</h2>
        <p className={styles.address}>
          <a href={`mailto:${email}`} aria-label={contact.emailLabel}>
            {email}
          </a>
        </p>
        <p dangerouslySetInnerHTML={{ __html: contact.text }} />
        <p className={styles.note}>{contact.replyNote}</p>
      </div>
    </section>
  );
}
