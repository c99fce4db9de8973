import { campus } from "virtual:campus";
import { Badge } from "../../ui/badge.tsx";
import { HoodFringe } from "../../ui/hood-fringe.tsx";
import { Picture } from "../../ui/picture.tsx";
import styles from "./hero.module.css";
import { NewTabLink } from "./new-tab-link.tsx";

/** One street from edge to edge: the words stand in its sky, the rickshaw drives on it, the phone stands in front. */
export function Hero() {
  const { hero } = campus.landing;
  const { links } = campus.settings;
  return (
    <section className={styles.hero} aria-labelledby="hero-title">
      <div className={styles.words}>
        <Badge>{hero.badge}</Badge>
        <h1 id="hero-title">{hero.headline}</h1>
        <p className={styles.lead}>{hero.lead}</p>
        <div className={styles.buttons}>
          <NewTabLink href={links.download} look="primary">
            {hero.downloadLabel}
          </NewTabLink>
          <NewTabLink href={links.joinAsRider}>{hero.joinLabel}</NewTabLink>
        </div>
      </div>
      <div className={styles.street}>
        <Picture name="hero" alt={hero.pictureAlt} eager className={styles.scene} />
        <Picture name="route-bike" alt="" eager className={styles.bike} />
      </div>
      <ul className={styles.facts}>
        {hero.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <Phone />
      <HoodFringe className={styles.fringe} />
    </section>
  );
}

/** The app's screen as a drawing, with its words as real text laid over it. */
function Phone() {
  const { phoneAlt, phone } = campus.landing.hero;
  return (
    <figure className={styles.phone}>
      <figcaption className="visually-hidden">{phoneAlt}</figcaption>
      <Picture name="phone" alt="" eager />
      <span className={styles.dropOff}>{phone.dropOff}</span>
      <span className={styles.pickUp}>{phone.pickUp}</span>
      <span className={styles.rider}>{phone.riderName}</span>
      <span className={styles.fare}>{phone.fare}</span>
      <span className={styles.eta}>{phone.eta}</span>
    </figure>
  );
}
