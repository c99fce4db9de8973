import type { EventRecord } from "../../../../server/deletion-requests/store/events.ts";
import type { Words } from "../../../words.ts";

/** A line of a request's story. */
export type StoryLine = {
  who: string;
  what: string;
  when: string;
  /** Why, or from when to when. */
  details: string[];
  /** What somebody wrote. */
  quote: string;
  by: EventRecord["actor"];
};

/** As which act a story tells what the account system said in a dry run. */
const trialActs: Partial<Record<string, string>> = {
  started: "take",
  "not-found": "refuse",
  blocked: "hold",
  standing: "received",
};

/**
 * An event of the trail, as a sentence.
 * @param withSystem whether an account system takes part; without one, what no person did, the clock did
 */
export function tellEvent(
  words: Words,
  event: Omit<EventRecord, "fromState" | "toState"> & { toState?: string },
  withSystem: boolean,
): StoryLine {
  const { dates, operator } = words;
  const { story, request: labels } = operator.desk;
  const { bySystem, ...byAnybody } = story;
  const acts: Record<string, string | undefined> =
    event.actor === "system" ? { ...byAnybody, ...bySystem } : byAnybody;
  const isByTime = ["expire", "erase", "late"].includes(event.type) || event.code === "by-date";
  // Whoever called it done, the clock completes it.
  const isFinal = event.type === "complete" && event.toState === "completed";
  const isClock = isByTime || isFinal || !withSystem;
  const who =
    event.actor === "person"
      ? story.person
      : event.actor === "operator"
        ? event.name
        : isClock
          ? story.clock
          : story.system;
  const name = isFinal ? "completed" : event.type;
  const said = event.type === "trial" ? (trialActs[event.code] ?? event.code) : undefined;
  const reasons: Record<string, string | undefined> =
    event.type === "hold" ? labels.holds : event.type === "refuse" ? labels.refusals : {};
  const reason = event.code === "" ? undefined : reasons[event.code];
  return {
    who,
    what: said
      ? story.trial.replace("{act}", acts[said] ?? said)
      : (acts[name] ?? story.other.replace("{act}", event.type)),
    when: dates.momentBriefly(event.at),
    details: [
      ...(reason ? [reason] : []),
      ...(event.type === "complete" && event.code !== ""
        ? [story.ticked.replace("{places}", placesIn(words, event.code))]
        : []),
      ...(event.dueTo
        ? [
            event.type === "hold"
              ? story.until.replace("{to}", dates.day(event.dueTo))
              : event.dueFrom
                ? story.dates
                    .replace("{from}", dates.day(event.dueFrom))
                    .replace("{to}", dates.day(event.dueTo))
                : story.promised.replace("{to}", dates.day(event.dueTo)),
          ]
        : []),
    ],
    quote: event.note,
    by: event.actor,
  };
}

/** What the places are called, of which the trail has the keys. */
function placesIn({ dataKinds }: Words, code: string): string {
  const placeOf = (key: string) => dataKinds.find(({ store }) => store === key)?.place ?? key;
  return code.split(" ").map(placeOf).join(", ");
}
