import { WebAddress } from "../../components/line-breaks.tsx";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
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
      <Opening title={registration.title} lead={registration.lead} isHeadline />
      {seats.map((seat) => {
        const { name, title, text, needs, alt } = registration[seat.id];
        return (
          <article key={seat.id} className={styles[seat.id]} data-field={seat.field}>
            <Picture name={`join-${seat.id}`} alt={alt} className={`frame ${styles.picture}`} />
            <div className={styles.words}>
              <h3>
                <span>
                  <Text>{name}</Text>:
                </span>{" "}
                <Text>{title}</Text>
              </h3>
              <p>
                <Text>{text}</Text>
              </p>
            </div>
            <ul className={styles.needs}>
              {needs.map((need) => (
                <li key={need}>
                  <Text>{need}</Text>
                </li>
              ))}
            </ul>
            <NewTabLink href={seat.link} variant={seat.id === "user" ? "primary" : "plain"}>
              {seat.label}
            </NewTabLink>
          </article>
        );
      })}
      <div className={styles.note} data-field="night">
        <p>
          <Text>{registration.joinNote}</Text>
        </p>
        {settings.stores
          .filter(({ url }) => url)
          // Only two stores fit; the footer lists all of them.
          .slice(0, 2)
          .map(({ name, url }, index) => (
            <figure key={name}>
              <Picture name={`store-${index}`} alt={registration.codeAlt} />
              <figcaption>
                <Text>{registration.scan}</Text>{" "}
                <b dir="ltr">
                  <WebAddress url={url} />
                </b>
              </figcaption>
            </figure>
          ))}
      </div>
    </section>
  );
}
