import { Picture } from "../../ui/picture.tsx";
import { Ribbon } from "../../ui/ribbon.tsx";
import { useWords } from "../../words.ts";
import { Opening, Section } from "./section.tsx";
import { placeServices } from "./service-places.ts";
import styles from "./services.module.css";

/** What runs today, large and in colour, with what a rider asks first; what is being prepared, small and dusty. */
export function Services() {
  const { services } = useWords().landing;
  const live = services.items.filter(({ status }) => status === "available");
  const columns = live.length === 1 ? styles.services : `${styles.services} ${styles.even}`;
  return (
    <Section id="services" field="paper" className={columns}>
      <Opening title={services.title} lead={services.lead} />
      {placeServices(services.items).map(({ item, place }) => {
        const available = item.status === "available";
        const look = available ? styles.available : styles.coming;
        return (
          <article key={item.id} className={place ? `${look} ${styles[place]}` : look}>
            <Picture name={`service-${item.id}`} alt={item.alt} />
            <div className={styles.words}>
              {available ? null : <Ribbon className={styles.ribbon}>{services.comingSoon}</Ribbon>}
              <h3>{item.title}</h3>
              <p>{item.description}</p>
              {available ? (
                <a href="#steps" className={`target covers ${styles.action}`}>
                  {services.action}
                </a>
              ) : null}
            </div>
          </article>
        );
      })}
      <dl className={styles.facts}>
        {services.facts.map((fact) => (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
