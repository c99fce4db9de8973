import { campus } from "virtual:campus";
import fringe from "../../ui/fringe.module.css";
import { Picture } from "../../ui/picture.tsx";
import styles from "./safety.module.css";

/** Trust and safety: the rules for both seats, their figures on number plates, and whom to call. */
export function Safety() {
  const { safety } = campus.landing;
  return (
    <section className={`${styles.safety} ${fringe.fringe}`} id="safety" data-field="night">
      <div className={`page-width ${styles.inside}`}>
        <div className={styles.opening}>
          <h2 className="headline">{safety.title}</h2>
          <p>{safety.lead}</p>
        </div>
        <Picture name="safety" alt={safety.alt} className={styles.picture} />
        {safety.points.map((point) => {
          const urgent = point.id === "emergency";
          return (
            <article
              key={point.id}
              className={urgent ? styles.emergency : styles.rule}
              data-field={urgent ? "bright-rani" : undefined}
            >
              <div>
                <h3>{point.title}</h3>
                <p>{point.text}</p>
              </div>
              <ul className={styles.facts}>
                {point.facts.map((fact) => (
                  <li key={fact.label}>
                    {urgent ? (
                      <a className={styles.number} href={`tel:${fact.value}`}>
                        {fact.value}
                      </a>
                    ) : (
                      <strong className={styles.plate}>{fact.value}</strong>
                    )}{" "}
                    <span>{fact.label}</span>
                  </li>
                ))}
              </ul>
            </article>
          );
        })}
      </div>
    </section>
  );
}
