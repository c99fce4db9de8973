import type { EventRecord } from "../../../../server/deletion-requests/store/events.ts";
import { tellEvent as tellHistory } from "../../../../server/deletion-requests/telling/tell-request.ts";
import type { Text } from "../../../../server/language/message.ts";
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

/** An event of the history, as a sentence. */
export function tellEvent(
  words: Words,
  event: Parameters<typeof tellHistory>[0],
  withSystem: boolean,
): StoryLine {
  const { dates, operator, say } = words;
  const { story, request: labels } = operator.desk;
  const { bySystem, ...byAnybody } = story;
  const acts: Record<string, Text | undefined> =
    event.actor === "system" ? { ...byAnybody, ...bySystem } : byAnybody;
  const nameOf = (act: string) => say(acts[act] ?? story.other, { act });
  const line = tellHistory(event, withSystem);
  const { at, who, what, trial, reason, places, until, from, to, note, by } = line;
  const reasons: Record<string, string> | undefined = {
    hold: labels.holds,
    refuse: labels.refusals,
  }[event.type];
  const fill = (text: Text) =>
    say(text, {
      from: from ? dates.day(from) : "",
      to: dates.day((until ?? to) as Temporal.PlainDate),
    });
  return {
    who: who === "operator" ? line.name : story[who],
    what: trial ? say(story.trial, { act: acts[trial] ? nameOf(trial) : trial }) : nameOf(what),
    when: dates.momentBriefly(at),
    details: [
      reasons?.[reason] ?? [],
      places.length > 0 ? say(story.ticked, { places: placesIn(words, places) }) : [],
      until ? fill(story.until) : [],
      to ? fill(from ? story.dates : story.promised) : [],
    ].flat(),
    ...{ quote: note, by },
  };
}

/** What the places are called, of which the history has the keys. */
function placesIn({ dataKinds }: Words, keys: readonly string[]): string {
  const placeOf = (key: string) => dataKinds.find(({ store }) => store === key)?.place ?? key;
  return keys.map(placeOf).join(", ");
}
