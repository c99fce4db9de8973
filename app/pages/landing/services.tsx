import { campus } from "virtual:campus";
import fringe from "../../ui/fringe.module.css";
import { Picture } from "../../ui/picture.tsx";
import { Ribbon } from "../../ui/ribbon.tsx";
import styles from "./services.module.css";

/** What runs today, large and in colour; what is being prepared, small and dusty. */
export function Services() {
  const { services } = campus.landing;
  return (
    <section className={`${styles.services} ${fringe.fringe}`} id="services" data-field="paper">
      <div className={`page-width ${styles.inside}`}>
        <div className={styles.opening}>
          <h2 className="headline">{services.title}</h2>
          <p>{services.lead}</p>
        </div>
        {services.items.map((item) => {
          const available = item.status === "available";
          return (
            <article key={item.id} className={available ? styles.available : styles.coming}>
              <Picture name={`service-${item.id}`} alt={item.alt} />
              <div className={styles.words}>
                {available ? null : (
                  <Ribbon className={styles.ribbon}>{services.comingSoon}</Ribbon>
                )}
                <h3>{item.title}</h3>
                <p>{item.description}</p>
                {available ? (
                  <a href="#steps" className={styles.action}>
                    {services.action}
                  </a>
                ) : null}
              </div>
            </article>
          );
        })}
      </div>
    </section>
  );
}
