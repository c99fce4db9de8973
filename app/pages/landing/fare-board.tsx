import { formatAmount } from "../../../campus-reader/facts.ts";
import { connectsSame, listTrips, type TripEnds } from "../../../campus-reader/fares.ts";
import type { RideState } from "../../../server/platform/calendar/ride-hours.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { Text } from "../../components/text.tsx";
import { type PageWords, useWords } from "../../words.ts";
import late from "./fare-board.late.module.css";
import styles from "./fare-board.module.css";

/** The id of the board's form, for the share button outside it. */
export const boardId = "fares";

/** State of rides at the time of rendering. `undefined` if the campus publishes no ride hours. */
export type Rides =
  | (Omit<RideState, "until"> & {
      untilMs: number;
      /** The next time when the page's answers may change, in epoch milliseconds. */
      changeMs: number;
    })
  | undefined;

/**
 * Returns the classes of an element that is visible only while its trip's two places are chosen.
 */
export function markTrip(trip: TripEnds, chosen: TripEnds, { settings }: PageWords): string {
  const ends = (settings.places ?? [])
    .flatMap(({ id }, index) => (id === trip.from || id === trip.to ? index : []))
    .map((index) => styles[`p${index + 1}`]);
  return [styles.trip, ...ends, ...(connectsSame(trip, chosen) ? [styles.now] : [])].join(" ");
}

/** Lists the trips with formatted fares. */
export function presentTrips({ landing, settings, say }: PageWords) {
  const amount = (value: number) => formatAmount(settings.language, value);
  return listTrips(settings).map(({ fare, ...trip }) => ({
    ...trip,
    price: say(landing.fares.fare, { rideFare: amount(fare.total) }),
    parts: say(landing.fares.parts, {
      base: amount(fare.base),
      distance: amount(fare.distance),
      way: amount(fare.time),
    }),
  }));
}

/** Returns how many minutes a Rider takes to arrive. The wait is longer while rides are busy. */
export function waitFor(rides: Rides, { settings }: PageWords): number {
  const { usual = 0, longest = 0 } = settings.ride?.waitMinutes ?? {};
  return rides?.is === "busy" ? longest : usual;
}

/**
 * Renders a board that shows the price and the wait for a ride. The page contains every answer, and
 * CSS alone shows the one for the chosen places. In browsers that can't do so, a button sends the
 * choice to the server.
 */
export function FareBoard({ chosen, rides }: { chosen: TripEnds; rides: Rides }) {
  const words = useWords();
  const { landing, say, to } = words;
  const { fares } = landing;
  const trips = presentTrips(words);
  const isLong = trips.some(({ price }) => price.length > 4);
  const minutes = waitFor(rides, words);
  const wait =
    rides?.is === "closed"
      ? say(fares.closedWait, { time: presentTimes(rides, words).start })
      : say(fares.wait, { minutes });
  return (
    <form
      id={boardId}
      className={styles.board}
      action={to(paths.landing)}
      aria-label={fares.label}
      data-until={rides?.changeMs}
    >
      <div className={styles.plate}>
        <div className={styles.ask}>
          <PlaceChoice name="from" label={fares.from} chosen={chosen.from} />
          <svg viewBox="0 0 22 14" aria-hidden="true">
            <path d="M2 7h17M14 2l5 5-5 5" />
          </svg>
          <PlaceChoice name="to" label={fares.to} chosen={chosen.to} />
          <button type="submit" className={styles.show}>
            <Text>{fares.show}</Text>
          </button>
        </div>
        <div
          className={isLong ? `${styles.answers} ${styles.long}` : styles.answers}
          aria-live="polite"
          data-rides={rides?.is}
        >
          {trips.map((trip) => (
            <p key={trip.from + trip.to} className={markTrip(trip, chosen, words)}>
              <b>
                <Text>{trip.price}</Text>
              </b>
              <span>
                <strong>
                  <Text>{wait}</Text>
                </strong>{" "}
                <Text>{say(fares.ride, { minutes: trip.minutes })}</Text>{" "}
                <small>
                  <Text>{fares.example}</Text>
                </small>
              </span>
              <span className={styles.parts}>
                <Text>{trip.parts}</Text>
              </span>
            </p>
          ))}
          <p className={`${styles.same} ${late.same}`}>
            <strong>
              <Text>{fares.same}</Text>
            </strong>{" "}
            <Text>{fares.sameHint}</Text>
          </p>
        </div>
        <p className={styles.strip} data-rides={rides?.is}>
          <Text>{presentRides(rides, words)}</Text>
        </p>
      </div>
    </form>
  );
}

function PlaceChoice({ name, label, chosen }: { name: string; label: string; chosen: string }) {
  const { places = [] } = useWords().settings;
  return (
    <label className="display">
      <Text>{label}</Text>
      <select name={name} defaultValue={chosen}>
        {places.map((place) => (
          <option key={place.id} value={place.id}>
            {place.name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Formats when rides start and end, preferably in the campus's wording. */
function presentTimes(rides: NonNullable<Rides>, { settings, dates }: PageWords) {
  const until = dates.time(Temporal.Instant.fromEpochMilliseconds(rides.untilMs));
  const { from = "", until: end = until } = settings.hours ?? {};
  // A start without a unit, such as the "6" in "6 bis 23 Uhr", is replaced by a clock time.
  return { until, start: /^\p{Nd}*$/u.test(from) ? until : from, end };
}

function presentRides(rides: Rides, words: PageWords): string {
  const { landing, settings, say, holidays } = words;
  const { fares } = landing;
  if (!rides) return settings.hours ? say(fares.hours, settings.hours) : "";
  const { until, start, end } = presentTimes(rides, words);
  if (rides.is === "open") return say(fares.open, { time: end });
  if (rides.is === "busy") return say(fares.busy, { time: until });
  const holiday = holidays[rides.holiday ?? ""];
  return holiday ? say(fares.holiday, { holiday }) : say(fares.closed, { time: start });
}
