import { motifs } from "virtual:campus/motifs";
import type { TimelineStep } from "../../../server/deletion-requests/presenters/request.ts";
import { RouteBike } from "../../components/route-bike.tsx";
import { Text } from "../../components/text.tsx";
import type { PageWords } from "../../words.ts";
import styles from "./journey.module.css";

/** A stop on the route that shows a request's progress: past, current or upcoming. */
type RouteStop = { title: string; text?: string; phase: TimelineStep["phase"] };

/**
 * Outline of a stop, centered on (0, 0): scallops for the "delta" motifs, a ring for all others.
 */
const scallops =
  "M27 0a5.1 5.1 0 0 1 -1.6 9.2a5.2 5.2 0 0 1 -4.7 8.2a5.2 5.2 0 0 1 -7.2 6a5.2 5.2 0 0 1 -8.8 3.2a5.2 5.2 0 0 1 -9.4 0a5.2 5.2 0 0 1 -8.8 -3.2a5.2 5.2 0 0 1 -7.2 -6a5.2 5.2 0 0 1 -4.7 -8.2a5.1 5.1 0 0 1 -1.6 -9.2a5.1 5.1 0 0 1 1.6 -9.2a5.2 5.2 0 0 1 4.7 -8.2a5.2 5.2 0 0 1 7.2 -6a5.2 5.2 0 0 1 8.8 -3.2a5.2 5.2 0 0 1 9.4 0a5.2 5.2 0 0 1 8.8 3.2a5.2 5.2 0 0 1 7.2 6a5.2 5.2 0 0 1 4.7 8.2a5.1 5.1 0 0 1 1.6 9.2z";
const ring = "M-29 0a29 29 0 0 1 58 0a29 29 0 0 1 -58 0z";
const sun = motifs === "delta" ? scallops : ring;

type Ahead = Partial<PageWords["mail"]["route"]["ahead"]>;

/**
 * Converts a request's timeline to stops on the route, with the page's text.
 * @param texts replacement text for some of the upcoming stops
 */
export function layOutTimeline(
  { dates, mail, say }: PageWords,
  road: readonly TimelineStep[],
  texts?: Ahead,
) {
  const { ahead, cancelUntil, ...says } = mail.route;
  const reached = { ...mail.facts, ...mail.route.reached };
  return road.map(({ name, phase, at, ahead: next }): RouteStop => {
    if (phase !== "ahead") {
      return { title: reached[name], phase, ...(at && { text: dates.momentBriefly(at) }) };
    }
    const stop = name as keyof Ahead;
    const prediction =
      next &&
      (next.says === "cancelUntil"
        ? cancelUntil
        : say(says[next.says], {
            date: next.says === "until" ? dates.momentBriefly(next.at) : dates.day(next.on),
          }));
    const text = texts?.[stop] ?? prediction;
    return { title: ahead[stop], phase, ...(text && { text }) };
  });
}

/**
 * Returns the stops of an unconfirmed request, with confirmation by the requester as the current
 * stop.
 */
export function startAtConfirming(
  { mail }: PageWords,
  [, confirming, ...ahead]: readonly RouteStop[],
): RouteStop[] {
  if (!confirming) return [];
  const title = `${confirming.title} (${mail.route.here})`;
  return [{ ...confirming, title, phase: "here" }, ...ahead];
}

/** Renders a request's progress as stops on a winding road, with the bike at the current stop. */
export function Journey({
  label,
  stops,
  open = false,
  down = false,
}: {
  label: string;
  stops: readonly RouteStop[];
  /** Whether the road continues after the last stop. */
  open?: boolean;
  /** Whether to stack the stops even on wide screens so that long text fits. */
  down?: boolean;
}) {
  return (
    <div className={down ? undefined : styles.journey}>
      <ol aria-label={label} className={styles.stops} data-stops={stops.length}>
        {stops.map((stop, index) => (
          <li
            key={stop.title}
            data-phase={stop.phase}
            aria-current={stop.phase === "here" ? "step" : undefined}
          >
            {open || index < stops.length - 1 ? (
              <>
                <Road className={styles.down} d="M50 0C90 33 10 67 50 100" />
                <Road className={styles.across} d="M0 50C33 90 67 10 100 50" />
              </>
            ) : null}
            <Mark phase={stop.phase} />
            <div className={styles.words}>
              <strong>
                <Text>{stop.title}</Text>
              </strong>
              {stop.text ? (
                <p>
                  <Text>{stop.text}</Text>
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

/**
 * Renders the road to the next stop. The drawing stretches with the distance; the road's width
 * doesn't.
 */
function Road({ className, d }: { className: string | undefined; d: string }) {
  return (
    <svg className={className} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path className={styles.kerb} d={d} />
      <path className={styles.road} d={d} />
      <path className={styles.dashes} d={d} />
    </svg>
  );
}

function Mark({ phase }: { phase: RouteStop["phase"] }) {
  return (
    <svg className={styles.mark} viewBox="-32 -32 64 64" aria-hidden="true">
      {phase === "here" ? (
        <>
          <path className={styles.sun} d={sun} />
          <RouteBike x={-26} y={-26} width={52} height={43.3} />
        </>
      ) : (
        <>
          <circle r="14" className={styles.disc} />
          {phase === "passed" ? <path className={styles.tick} d="m-6 0 4 5 8-10" /> : null}
        </>
      )}
    </svg>
  );
}
