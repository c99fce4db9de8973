import { campus } from "virtual:campus";
import { Picture } from "../../components/picture.tsx";
import { RouteBike } from "../../components/route-bike.tsx";
import { Text } from "../../components/text.tsx";
import { type PageWords, useWords } from "../../words.ts";
import { shareTwelfths } from "./fare-bar.ts";
import styles from "./features.late.module.css";
import { Opening, Section, Shelf } from "./section.tsx";

type Tile = PageWords["landing"]["features"]["tiles"][number];

const fields = {
  match: "surface",
  track: "bright-marigold",
  pay: "rani",
  fare: "paper",
} as const;

const examples = { match: OffersOnMap, track: Route, pay: Receipt, fare: FareBar };

/** Renders the features as four tiles of different sizes, each with an example. */
export function Features() {
  const { features } = useWords().landing;
  return (
    <Section id="features" field="peacock">
      <Opening title={features.title} lead={features.lead} isHeadline />
      <Shelf name={features.title} className={styles.tiles}>
        {features.tiles.map((tile) => {
          const Example = examples[tile.id];
          return (
            <article
              key={tile.id}
              className={`frame ${styles.tile} ${styles[tile.id]}`}
              data-field={fields[tile.id]}
            >
              <div className={styles.words}>
                <h3>
                  <Text>{tile.title}</Text>
                </h3>
                <p>
                  <Text>{tile.text}</Text>
                </p>
                {tile.id === "fare" ? null : <Note {...tile} />}
              </div>
              <Example {...tile} />
            </article>
          );
        })}
      </Shelf>
    </Section>
  );
}

function Note({ note }: Tile) {
  return (
    <p className={styles.note}>
      <Text>{note}</Text>
    </p>
  );
}

/** Renders three ride offers in the corners of a map; the last one is accepted. */
function OffersOnMap({ alt, details }: Tile) {
  return (
    <div className={styles.map}>
      <Picture name="tile-match" alt={alt} />
      <Rows details={details} />
    </div>
  );
}

const road = "M-20 64C80 4 170 2 232 42S348 96 450 24";

/** Renders a bike on its route and the minutes until it arrives. */
function Route({ details }: Tile) {
  return (
    <div className={styles.way}>
      <svg viewBox="0 0 430 110" fill="none" aria-hidden="true">
        <path d={road} stroke="var(--art-line)" strokeWidth="25" />
        <path d={road} stroke="var(--art-rani)" strokeWidth="20" />
        <path d={road} stroke="var(--art-cream)" strokeWidth="3" strokeDasharray="12 12" />
        <circle
          cx="264"
          cy="58"
          r="33"
          fill="var(--art-cream)"
          stroke="var(--art-line)"
          strokeWidth="3"
        />
        <RouteBike x="239" y="36" width="50" height="42" />
      </svg>
      <Rows details={details} />
    </div>
  );
}

/** Renders a torn receipt and the ways to pay. Available ways are filled, planned ways dashed. */
function Receipt({ details, ways }: Tile) {
  const sum = details.at(-1);
  return (
    <div className={styles.receipt}>
      <Rows details={details.slice(0, -1)} />
      {sum ? <Total {...sum} /> : null}
      {ways ? (
        <ul className={`row ${styles.ways}`}>
          {ways.map(({ text, later }) => (
            <li key={text} className={later ? styles.later : undefined}>
              <Text>{text}</Text>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Renders a fare's parts as a bar, each as wide as its share, and their sum. */
function FareBar(tile: Tile) {
  const { details, total } = tile;
  const { fare } = campus.settings.ride ?? {};
  const shares = shareTwelfths(fare ? [fare.base, fare.distance, fare.time] : [], details.length);
  return (
    <div className={styles.sum}>
      <dl className={styles.parts}>
        {details.map(({ label, value }, index) => (
          <div key={label} data-share={shares[index]}>
            <dt>
              <Text>{label}</Text>
            </dt>
            <dd>
              <Text>{value}</Text>
            </dd>
          </div>
        ))}
      </dl>
      {total ? <Total {...total} /> : null}
      <Note {...tile} />
    </div>
  );
}

function Rows({ details }: Pick<Tile, "details">) {
  return (
    <dl>
      {details.map(({ label, value }) => (
        <div key={label}>
          <dt>
            <Text>{label}</Text>
          </dt>
          <dd>
            <Text>{value}</Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Total({ label, value }: NonNullable<Tile["total"]>) {
  return (
    <dl className={styles.total}>
      <dt>
        <Text>{label}</Text>
      </dt>
      <dd>
        <Text>{value}</Text>
      </dd>
    </dl>
  );
}
