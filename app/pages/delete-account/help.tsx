import { breakAddresses, WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords } from "../../words.ts";
import { closedMailboxId } from "./deletion-form.tsx";
import styles from "./help.module.css";

/** Where a person helps: when the mailbox is closed, and with anything else. */
export function Help() {
  const { deletion, settings } = useWords();
  const { closedMailbox, help } = deletion;
  return (
    <div className={styles.help}>
      <section id={closedMailboxId}>
        <h2>{closedMailbox.title}</h2>
        <p dangerouslySetInnerHTML={{ __html: breakAddresses(closedMailbox.text) }} />
      </section>
      <section>
        <h2>{help.title}</h2>
        <p>{help.text}</p>
        <p>
          <a className={styles.mail} href={`mailto:${settings.email}`}>
            <WithAddresses text={help.link} />
          </a>
        </p>
      </section>
    </div>
  );
}
