import { WebAddress } from "../../components/line-breaks.tsx";
import { MixedText } from "../../components/mixed-text.tsx";
import { Picture } from "../../components/picture.tsx";
import { useWords } from "../../words.ts";
import { NewTabLink } from "./new-tab-link.tsx";
import styles from "./registration.late.module.css";
import { Opening } from "./section.tsx";

/** Renders the requirements for Users and Riders side by side. */
export function Registration() {
  const { landing, settings } = useWords();
  const { hero, registration } = landing;
  const { links } = settings;
  const seats = [
    { id: "user", field: "sky", link: links.download, label: hero.downloadLabel },
    { id: "rider", field: "bright-marigold", link: links.joinAsRider, label: hero.joinLabel },
  ] as const;
  return (
    <section className={`stack ${styles.registration}`} id="Registration" data-field="paper">
      <Opening title={registration.title} lead={registration.lead} loud />
      {seats.map((seat) => {
        const { name, title, text, needs, alt } = registration[seat.id];
        return (
          <article key={seat.id} className={styles[seat.id]} data-field={seat.field}>
            <Picture name={`join-${seat.id}`} alt={alt} className={`frame ${styles.picture}`} />
            <div className={styles.words}>
              <h3>
                <span>{name}:</span> {title}
              </h3>
              <p>
                <MixedText text={text} />
              </p>
            </div>
            <ul className={styles.needs}>
              {needs.map((need) => (
                <li key={need}>
                  <MixedText text={need} />
                </li>
              ))}
            </ul>
            <NewTabLink href={seat.link} look={seat.id === "user" ? "primary" : "plain"}>
              {seat.label}
            </NewTabLink>
          </article>
        );
      })}
      <div className={styles.note} data-field="night">
        <p>
          <MixedText text={registration.joinNote} />
        </p>
        {settings.stores
          .filter(({ url }) => url)
          // Only two stores fit; the footer lists all of them.
          .slice(0, 2)
          .map(({ name, url }, index) => (
            <figure key={name}>
              <Picture name={`store-${index}`} alt={registration.codeAlt} />
              <figcaption>
                {registration.scan}{" "}
                <b>
                  <WebAddress url={url} />
                </b>
              </figcaption>
            </figure>
          ))}
      </div>
    </section>
  );
}
