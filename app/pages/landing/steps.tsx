import { pictures } from "virtual:pictures";
import fringe from "../../components/fringe.module.css";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import section from "./section.late.module.css";
import { Opening } from "./section.tsx";
import styles from "./steps.late.module.css";

/** The road's center line. Keep in sync with the bike's offset-path in steps.late.module.css. */
const street =
  "M-1600 150H-300C-150 150-40 44 140 44S300 130 446 130S610 44 754 44S910 130 1060 130S1300 10 1500 10H2800";

/**
 * Forty bends of 90 px each, enough for a section 3,500 px tall. Keep in sync with the bike's
 * offset-path.
 */
const lane = `M26-9q20 45 0 90${"t0 90".repeat(39)}`;

/**
 * Renders four stops on a route, which a small bike travels as the page scrolls. The route is next
 * to the stops on phones and above them on wider screens.
 */
export function Steps() {
  const { digits, landing } = useWords();
  const { steps } = landing;
  return (
    <section
      className={`${section.section} ${fringe.fringe} ${styles.steps}`}
      id="steps"
      data-field="marigold"
    >
      <div className={`page-width ${section.inside} ${styles.inside}`}>
        <Opening title={steps.title} lead={steps.lead} />
        <div className={styles.lane}>
          <svg fill="none" aria-hidden="true">
            <Road id="lane" d={lane} />
            <g className={styles.laneBike}>
              {/* The road is drawn from above, so the bike is too. */}
              <image
                href={pictures["route-bike-above"]?.url}
                x="-24"
                y="-16"
                width="48"
                height="32"
              />
            </g>
          </svg>
        </div>
        <div className={styles.route}>
          <svg className={styles.street} viewBox="0 0 1200 180" fill="none" aria-hidden="true">
            <Road id="street" d={street} />
            <g className={styles.bike}>
              {/* Centers the bike on the road. */}
              <image href={pictures["route-bike"]?.url} x="-48" y="-76" width="96" height="80" />
            </g>
          </svg>
          <ol className={`stack ${styles.stops}`}>
            {steps.items.map((step, index) => (
              <li key={step.title}>
                <b>{digits(index + 1)}</b>
                <div className={`frame ${styles.board}`}>
                  <Picture name={`step-${index + 1}`} alt={step.alt} />
                  <div>
                    <h3>
                      <Text>{step.title}</Text>
                    </h3>
                    <p>
                      <Text>{step.text}</Text>
                    </p>
                  </div>
                </div>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

/** Draws the road as the same line three times: curb, surface and dashes. */
function Road({ id, d }: { id: string; d: string }) {
  return (
    <>
      <defs>
        <path id={id} d={d} />
      </defs>
      <use href={`#${id}`} className={styles.kerb} />
      <use href={`#${id}`} className={styles.road} />
      <use href={`#${id}`} className={styles.dashes} />
    </>
  );
}
