import { campus } from "virtual:campus";
import fringe from "../../ui/fringe.module.css";
import { Picture } from "../../ui/picture.tsx";
import { RouteBike } from "./route-bike.tsx";
import styles from "./steps.module.css";

/** The middle of this line stands in steps.module.css as the bike's offset-path. */
const route =
  "M-1600 150H-300C-150 150-40 44 140 44S300 130 446 130S610 44 754 44S910 130 1060 130S1300 10 1500 10H2800";

/** Four stops on one route, which a small bike travels as the page scrolls. */
export function Steps() {
  const { steps } = campus.landing;
  return (
    <section className={`${styles.steps} ${fringe.fringe}`} id="steps" data-field="marigold">
      <div className="page-width">
        <div className={styles.opening}>
          <h2 className="headline">{steps.title}</h2>
          <p>{steps.lead}</p>
        </div>
        <div className={styles.route}>
          <svg className={styles.line} viewBox="0 0 1200 180" fill="none" aria-hidden="true">
            <path d={route} className="route-kerb" />
            <path d={route} className="route-road" />
            <path d={route} className="route-dashes" />
            <g className={styles.bike}>
              <RouteBike />
            </g>
          </svg>
          <div className={styles.lane} aria-hidden="true">
            <div className={styles.laneBike}>
              <Picture name="route-bike" alt="" />
            </div>
          </div>
          <ol className={styles.stops}>
            {steps.items.map((step) => (
              <li key={step.title}>
                <Picture name={`step-${steps.items.indexOf(step) + 1}`} alt={step.alt} />
                <h3>{step.title}</h3>
                <p>{step.text}</p>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}
