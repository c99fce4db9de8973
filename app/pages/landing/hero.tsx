import { pictures } from "virtual:pictures";
import type { TripEnds } from "../../../campus-reader/fares.ts";
import { splitHeadline } from "../../../campus-reader/headline.ts";
import { borrowPart } from "../../../server/platform/i18n/borrowed-words.ts";
import badge from "../../components/badge.module.css";
import hoodFringe from "../../components/hood-fringe.module.css";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import { hasSection } from "../../sections.ts";
import { useWords } from "../../words.ts";
import late from "./fare-board.late.module.css";
import board from "./fare-board.module.css";
import { boardId, FareBoard, markTrip, presentTrips, type Rides, waitFor } from "./fare-board.tsx";
import styles from "./hero.module.css";
import { NewTabLink } from "./new-tab-link.tsx";

/**
 * Renders the page above the fold: text in the sky, the fare board, a vehicle on the road, and the
 * app's screen. A campus without places has a larger vehicle instead of the fare board.
 */
export function Hero({ chosen, rides }: { chosen: TripEnds | undefined; rides: Rides }) {
  const { landing, settings, to } = useWords();
  const { hero, fares } = landing;
  const { links } = settings;
  return (
    <section
      className={`masthead ${styles.hero} ${chosen ? `${styles.answering} ${board.choosing} ${late.choosing}` : ""}`}
      aria-labelledby="hero-title"
    >
      <div className={`stack ${styles.words}`}>
        <p className={badge.badge}>
          <Text>{hero.badge}</Text>
        </p>
        <Headline text={hero.headline} />
        <p className={styles.lead}>
          <Text>{hero.lead}</Text>
        </p>
      </div>
      <div className={styles.counter}>
        <div className={styles.street}>
          <Picture name="hero" alt={hero.pictureAlt} eager className={styles.scene} />
        </div>
        {chosen && <FareBoard chosen={chosen} rides={rides} />}
      </div>
      <div className={styles.next}>
        <div className="row">
          <NewTabLink href={links.download} variant="primary">
            {hero.downloadLabel}
          </NewTabLink>
          <NewTabLink href={links.joinAsRider}>{hero.joinLabel}</NewTabLink>
        </div>
        <p className={`row display ${styles.ways}`}>
          {hasSection("safety") && (
            <a className="target" href={to("/#safety")}>
              <Text>{fares.safety}</Text>
            </a>
          )}
          {hasSection("services") && (
            <a className="target" href={to("/#services")}>
              <Text>{fares.area}</Text>
            </a>
          )}
          {chosen && (
            <button type="submit" form={boardId} className="target">
              <Text>{fares.share}</Text>
            </button>
          )}
        </p>
      </div>
      <ul className={styles.facts}>
        {hero.facts.map((fact) => (
          <li key={fact}>
            <Text>{fact}</Text>
          </li>
        ))}
      </ul>
      <Phone chosen={chosen} rides={rides} />
      <div className={`${hoodFringe.fringe} ${styles.fringe}`} aria-hidden="true" />
    </section>
  );
}

/** Renders the headline on two lines, in a size that fits the longer line. */
function Headline({ text }: { text: string }) {
  const { lines, letters } = splitHeadline(text);
  const size = letters <= 14 ? undefined : letters <= 18 ? styles.middle : styles.long;
  return (
    <h1 id="hero-title" className={size}>
      {lines.map((line, index) => (
        <span key={line}>
          <Text>{borrowPart(text, line)}</Text>
          {index < lines.length - 1 ? " " : ""}
        </span>
      ))}
    </h1>
  );
}

/**
 * Renders the app's screen as an image with a text alternative. Its map shows the route between the
 * chosen places.
 */
function Phone({ chosen, rides }: { chosen: TripEnds | undefined; rides: Rides }) {
  const words = useWords();
  const { landing, settings, say } = words;
  const { phoneAlt, phone } = landing.hero;
  return (
    <figure className={styles.phone} role="img" aria-label={phoneAlt}>
      <Picture name="phone" alt="" eager />
      <div className={late.screen} aria-hidden="true" hidden>
        {chosen && !pictures.phone?.own && (
          <div className={late.map}>
            <i />
            {settings.places?.map(({ id, name }) => (
              <span
                key={id}
                className={id === chosen.from || id === chosen.to ? late.now : undefined}
              >
                <b>
                  <Text>{name}</Text>
                </b>
              </span>
            ))}
          </div>
        )}
        <b className={late.rider}>
          <Text>{phone.riderName}</Text>
        </b>
        <div className={late.price}>
          {chosen ? (
            presentTrips(words).map((trip) => (
              <b key={trip.from + trip.to} className={markTrip(trip, chosen, words)}>
                <Text>{trip.price}</Text>
              </b>
            ))
          ) : (
            <Text>{phone.fare}</Text>
          )}
        </div>
        <b className={late.eta} data-rides={rides?.is}>
          <Text>
            {chosen ? say(landing.fares.arrives, { minutes: waitFor(rides, words) }) : phone.eta}
          </Text>
        </b>
      </div>
    </figure>
  );
}
