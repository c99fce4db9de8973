import { campus } from "virtual:campus";
import fringe from "../../ui/fringe.module.css";
import { Picture } from "../../ui/picture.tsx";
import styles from "./features.module.css";
import { RouteBike } from "./route-bike.tsx";

const fields = {
  match: "surface",
  track: "bright-marigold",
  pay: "rani",
  fare: "paper",
} as const;

/** Four tiles of uneven size, each showing its point with an example. */
export function Features() {
  const { features } = campus.landing;
  return (
    <section className={`${styles.features} ${fringe.fringe}`} id="features" data-field="peacock">
      <div className={`page-width ${styles.inside}`}>
        <h2 className="headline">{features.title}</h2>
        <p className={styles.lead}>{features.lead}</p>
        {features.tiles.map((tile) => (
          <article
            key={tile.id}
            className={`${styles.tile} ${styles[tile.id]}`}
            data-field={fields[tile.id]}
          >
            <Picture name={`tile-${tile.id}`} alt={tile.alt} />
            <div className={styles.words}>
              <h3>{tile.title}</h3>
              <p>{tile.text}</p>
            </div>
            {tile.id === "track" ? <Trip /> : null}
            <div className={styles.example}>
              <p className={styles.note}>{tile.note}</p>
              <dl>
                {tile.details.map((row) => (
                  <div key={row.label}>
                    <dt>{row.label}</dt>
                    <dd>{row.value}</dd>
                  </div>
                ))}
                {tile.total ? (
                  <div className={styles.total}>
                    <dt>{tile.total.label}</dt>
                    <dd>{tile.total.value}</dd>
                  </div>
                ) : null}
              </dl>
            </div>
          </article>
        ))}
      </div>
    </section>
  );
}

/** The way the bike still has to go. The same line stands in features.module.css as its offset-path. */
function Trip() {
  const route = "M50 40C50 140 270 100 270 200S70 250 70 330";
  return (
    <div className={styles.trip} aria-hidden="true">
      <svg viewBox="0 0 320 380" fill="none" aria-hidden="true">
        <path d={route} className="route-kerb" />
        <path d={route} className="route-road" />
        <path d={route} className="route-dashes" />
        <path
          d="M70 340C60 312 34 296 34 270a36 36 0 0 1 72 0C106 296 80 312 70 340z"
          fill="var(--art-leaf)"
          stroke="var(--art-line)"
          strokeWidth="3"
        />
        <circle
          cx="70"
          cy="270"
          r="13"
          fill="var(--art-cream)"
          stroke="var(--art-line)"
          strokeWidth="3"
        />
        <g className={styles.tripBike}>
          <RouteBike />
        </g>
      </svg>
    </div>
  );
}
