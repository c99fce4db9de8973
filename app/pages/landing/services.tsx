import type { Service } from "../../../campus-reader/content-schema.ts";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import { hasSection } from "../../sections.ts";
import { useWords } from "../../words.ts";
import { spreadOverRows } from "./card-rows.ts";
import { Opening, Section, Shelf } from "./section.tsx";
import styles from "./services.late.module.css";

/**
 * The largest number of services that are shown in two parts: available services on one side,
 * announced services on the other.
 */
const mostBeside = 4;

/**
 * Renders available services in large, colored cards, announced services in small, muted ones, and
 * below them the answers to riders' most common questions. A single service gets a wide card; many
 * services are laid out in rows.
 */
export function Services() {
  const { inLanguage, landing } = useWords();
  const { services } = landing;
  const { items } = services;
  const live = items.filter(({ status }) => status === "available");
  const coming = items.filter(({ status }) => status !== "available");
  const isMany = items.length > mostBeside;
  const frame = isMany ? styles.many : items.length === 1 ? `row ${styles.one}` : "row";
  const side = isMany ? "" : "row ";
  const rows = { live: spreadOverRows(live.length), coming: spreadOverRows(coming.length) };
  const inRow = (length: number | undefined) => (isMany ? ` ${styles[`of${length}`]}` : "");
  return (
    <Section id="services" field="paper">
      <Opening title={services.title} lead={services.lead} />
      <div className={`${frame} ${styles.both}`}>
        {live.length > 0 ? (
          <div className={side + styles.live}>
            {live.map((item, place) => (
              <article
                key={item.id}
                className={`frame ${styles.available}${inRow(rows.live[place])}`}
                {...inLanguage(item.language)}
              >
                <ServicePicture service={item} />
                <div className={`stack ${styles.words}`}>
                  <h3>
                    <Text>{item.title}</Text>
                  </h3>
                  <p>
                    <Text>{item.description}</Text>
                  </p>
                  {hasSection("steps") ? (
                    <a href="#steps" className={`target covers display ${styles.action}`}>
                      <Text>{services.action}</Text>
                    </a>
                  ) : null}
                </div>
              </article>
            ))}
          </div>
        ) : null}
        {coming.length > 0 ? (
          <Shelf name={services.comingSoon} className={side + styles.ahead}>
            {coming.map((item, place) => (
              <article
                key={item.id}
                className={`frame ${styles.coming}${inRow(rows.coming[place])}`}
                {...inLanguage(item.language)}
              >
                <ServicePicture service={item} />
                <div className={styles.words}>
                  <h3>
                    <Text>{item.title}</Text>
                  </h3>
                  <p>
                    <Text>{item.description}</Text>
                  </p>
                  <p className={styles.ribbon}>
                    <Text>{services.comingSoon}</Text>
                  </p>
                </div>
              </article>
            ))}
          </Shelf>
        ) : null}
      </div>
      <dl className={`columns ${styles.facts}`}>
        {services.facts.map((fact) => (
          <div key={fact.label}>
            <dt className="display">
              <Text>{fact.label}</Text>
            </dt>
            <dd>
              <Text>{fact.value}</Text>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Renders a service's picture. Without a description, the picture is decorative. */
function ServicePicture({ service: { id, alt = "" } }: { service: Service }) {
  return <Picture name={`service-${id}`} alt={alt} />;
}
