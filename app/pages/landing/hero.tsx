import type { ReactNode } from "react";
import { hoodColours, hoodMotifs } from "../../../campus-reader/choices.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import badge from "../../components/badge.module.css";
import hoodFringe from "../../components/hood-fringe.module.css";
import { MixedText } from "../../components/mixed-text.tsx";
import { Picture } from "../../components/picture.tsx";
import { useWords } from "../../words.ts";
import styles from "./hero.module.css";
import type { Hood } from "./hood.ts";
import { NewTabLink } from "./new-tab-link.tsx";

/** The hood to show, and the URL that reproduces it if a visitor painted it. */
type Painted = { hood: Hood; link: string | undefined };

/**
 * Renders the part above the fold: a street from edge to edge, with text in the sky, the vehicle on
 * the road, and the phone in front.
 */
export function Hero({ hood, link }: Painted) {
  const { landing, settings } = useWords();
  const { hero } = landing;
  const { links } = settings;
  return (
    <section className={`masthead ${styles.hero}`} aria-labelledby="hero-title">
      <div className={`stack ${styles.words}`}>
        <p className={badge.badge}>{hero.badge}</p>
        <h1 id="hero-title">{hero.headline}</h1>
        <p className={styles.lead}>
          <MixedText text={hero.lead} />
        </p>
        <div className="row">
          <NewTabLink href={links.download} look="primary">
            {hero.downloadLabel}
          </NewTabLink>
          <NewTabLink href={links.joinAsRider}>{hero.joinLabel}</NewTabLink>
        </div>
      </div>
      <div className={styles.street}>
        <Picture name="hero" alt={hero.pictureAlt} eager className={styles.scene} />
        <Picture name="hero" alt="" scheme="night" className={`${styles.scene} ${styles.night}`} />
        <PaintShop hood={hood} link={link} />
      </div>
      <ul className={styles.facts}>
        {hero.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <Phone />
      <div className={`${hoodFringe.fringe} ${styles.fringe}`} aria-hidden="true" />
    </section>
  );
}

/**
 * Renders radio buttons for the hood's color and motif. Each label contains the paint that covers
 * the rickshaw while its button is checked. Without JavaScript, submitting the form turns the
 * choice into a URL. The lamp switches between day and night.
 */
function PaintShop({ hood, link }: Painted) {
  const { landing, to } = useWords();
  const { paint } = landing;
  if (!paint) return null;
  return (
    <form className={`row display ${styles.paint}`} action={to(paths.landing)}>
      <fieldset>
        <legend>{paint.legend}</legend>
        {hoodColours.map((colour) => (
          <Pot
            key={colour}
            name="hood"
            value={colour}
            label={paint.colours[colour]}
            chosen={hood.colour}
          />
        ))}
        {hoodMotifs.map((motif) => (
          <Pot
            key={motif}
            name="motif"
            value={motif}
            label={paint.motifs[motif]}
            chosen={hood.motif}
          >
            <Picture name={`motif-${motif}`} alt="" className={styles.face} />
          </Pot>
        ))}
      </fieldset>
      <button type="submit">{paint.show}</button>
      <label className={styles.lamp}>
        <input type="checkbox" />
        {paint.lamp}
      </label>
      {link ? (
        <p>
          {paint.address} <a href={link}>{link.replace(/^https?:\/\//, "")}</a>
        </p>
      ) : null}
    </form>
  );
}

/** Renders a color or motif to choose, drawn as it will look on the hood. */
function Pot({
  label,
  chosen,
  children,
  ...choice
}: {
  name: string;
  value: string;
  label: string;
  chosen: string;
  children?: ReactNode;
}) {
  return (
    <label>
      <input type="radio" {...choice} aria-label={label} defaultChecked={choice.value === chosen} />
      {children}
      <Picture name={`hood-${choice.value}`} alt="" className={styles.scene} />
    </label>
  );
}

/** Renders the app's screen as a drawing, with real text on top. */
function Phone() {
  const { phoneAlt, phone } = useWords().landing.hero;
  return (
    <figure className={styles.phone}>
      <Picture name="phone" alt={phoneAlt} eager />
      <span className={styles.dropOff}>{phone.dropOff}</span>
      <span className={styles.pickUp}>{phone.pickUp}</span>
      <span className={styles.rider}>{phone.riderName}</span>
      <span className={styles.fare}>{phone.fare}</span>
      <span className={styles.eta}>{phone.eta}</span>
    </figure>
  );
}
