import { campus } from "virtual:campus";
import { Picture } from "../../ui/picture.tsx";
import { ScallopEdge } from "../../ui/scallop-edge.tsx";
import styles from "./features.module.css";

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
    <section className={styles.features} id="features" data-field="peacock">
      <div className={`page-width ${styles.inside}`}>
        <h2>{features.title}</h2>
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
      <ScallopEdge />
    </section>
  );
}
