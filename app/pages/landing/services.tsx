import { MixedText } from "../../components/mixed-text.tsx";
import { Picture } from "../../components/picture.tsx";
import ribbon from "../../components/ribbon.module.css";
import { useWords } from "../../words.ts";
import { Opening, Section } from "./section.tsx";
import styles from "./services.module.css";

/**
 * Running services, large and in colour, with riders' first questions; announced ones, small and
 * dusty.
 */
export function Services() {
  const { services } = useWords().landing;
  const live = services.items.filter(({ status }) => status === "available");
  const coming = services.items.filter(({ status }) => status !== "available");
  return (
    <Section id="services" field="paper">
      <Opening title={services.title} lead={services.lead} />
      <div className={`row ${styles.both}`}>
        {live.length > 0 ? (
          <div className={`row ${styles.live}`}>
            {live.map((item) => (
              <article key={item.id} className={`frame ${styles.available}`}>
                <Picture name={`service-${item.id}`} alt={item.alt} />
                <div className={`stack ${styles.words}`}>
                  <h3>{item.title}</h3>
                  <p>
                    <MixedText text={item.description} />
                  </p>
                  <a href="#steps" className={`target covers display ${styles.action}`}>
                    {services.action}
                  </a>
                </div>
              </article>
            ))}
          </div>
        ) : null}
        {coming.length > 0 ? (
          <div className={`row ${styles.ahead}`}>
            {coming.map((item) => (
              <article key={item.id} className={`frame ${styles.coming}`}>
                <Picture name={`service-${item.id}`} alt={item.alt} />
                <div className={styles.words}>
                  <p className={`${ribbon.ribbon} ${styles.ribbon}`}>
                    <span>{services.comingSoon}</span>
                  </p>
                  <h3>{item.title}</h3>
                  <p>
                    <MixedText text={item.description} />
                  </p>
                </div>
              </article>
            ))}
          </div>
        ) : null}
      </div>
      <dl className={`columns ${styles.facts}`}>
        {services.facts.map((fact) => (
          <div key={fact.label}>
            <dt className="display">{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
