import { MixedText } from "../../components/mixed-text.tsx";
import { Picture } from "../../components/picture.tsx";
import { useWords } from "../../words.ts";
import styles from "./features.late.module.css";
import { Opening, Section } from "./section.tsx";

const fields = {
  match: "surface",
  track: "bright-marigold",
  pay: "rani",
  fare: "paper",
} as const;

/** Renders the features as four tiles of different sizes, each with an example. */
export function Features() {
  const { features } = useWords().landing;
  return (
    <Section id="features" field="peacock" className={styles.features}>
      <Opening title={features.title} lead={features.lead} loud />
      {features.tiles.map((tile) => (
        <article
          key={tile.id}
          className={`frame ${styles.tile} ${styles[tile.id]}`}
          data-field={fields[tile.id]}
        >
          <div className={`row ${styles.words}`}>
            <Picture name={`tile-${tile.id}`} alt={tile.alt} />
            <h3>{tile.title}</h3>
            <p>
              <MixedText text={tile.text} />
            </p>
          </div>
          <div className={styles.example}>
            <p>
              <MixedText text={tile.note} />
            </p>
            <dl className="columns">
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
    </Section>
  );
}
