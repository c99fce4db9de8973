import { breakAddresses, WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords } from "../../words.ts";
import { closedMailboxId } from "./deletion-form.tsx";
import styles from "./help.module.css";

/**
 * Where a person helps: when the mailbox is closed, and with anything else.
 * @param mayLackMailbox of a reader whom no mail has reached so far
 */
export function Help({ mayLackMailbox }: { mayLackMailbox: boolean }) {
  const { deletion, settings } = useWords();
  const { closedMailbox, help } = deletion;
  return (
    <div className={`row ${styles.help}`}>
      {mayLackMailbox ? (
        <section id={closedMailboxId} className="stack" data-field="sky">
          <h2>{closedMailbox.title}</h2>
          <p dangerouslySetInnerHTML={{ __html: breakAddresses(closedMailbox.text) }} />
        </section>
      ) : null}
      <section className="stack" data-field="marigold">
        <h2>{help.title}</h2>
        <p>{help.text}</p>
        <p>
          <a className="target" href={`mailto:${settings.email}`}>
            {/* One part of the target, with its places to break in it. */}
            <span>
              <WithAddresses text={help.link} />
            </span>
          </a>
        </p>
      </section>
    </div>
  );
}
