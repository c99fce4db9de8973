import type { Campus } from "../../../campus-reader/campus.ts";
import type { CalendarWords, Text } from "../../language/texts.ts";
import type { Refusal } from "../life/life.ts";
import { ownerOf, type StoredRequest, waitOf } from "../life/request.ts";
import type { HistoryLine } from "./tell-request.ts";

/** What a history is written with: the words of one language of the campus. */
export type HistoryWords = Pick<Campus, "dataKinds" | "operator"> & {
  dates: Pick<CalendarWords, "day" | "momentBriefly" | "say">;
};

/** What happened, and where, until when or from when to when. Who did it and why is for each reader to say. */
export function sayHistory(
  { dates: { day, say }, dataKinds, operator }: HistoryWords,
  { by, what, isTrial, places, until, from, to }: Omit<HistoryLine, "at" | "name">,
) {
  const { bySystem, ...story } = operator.desk.story;
  const acts: Record<string, Text | undefined> = { ...story, ...(by === "system" && bySystem) };
  const act = say(acts[what] ?? story.other, { act: what });
  const placeOf = (key: string) => dataKinds.find((row) => row.store === key)?.place ?? key;
  const dates = to && { from: from ? day(from) : "", to: day(to) };
  return {
    what: isTrial ? say(story.trial, { act }) : act,
    details: [
      places.length > 0 && say(story.ticked, { places: places.map(placeOf).join(", ") }),
      until && say(story.until, { to: day(until) }),
      dates && say(from ? story.dates : story.promised, dates),
    ].filter((text) => typeof text === "string"),
  };
}

type DeskWords = Pick<Campus, "operator"> & { dates: Pick<CalendarWords, "day" | "say"> };

/** Why something cannot be done with a request: whose it is, and until when it waits. */
export function sayWhyNot(
  { dates, operator }: DeskWords,
  because: Refusal,
  request: StoredRequest,
) {
  const { whyNot, story } = operator.desk;
  const reasons: Partial<Record<Refusal, Text>> = whyNot;
  const until = waitOf(request)?.until;
  return dates.say(reasons[because] ?? whyNot.other, {
    reference: request.reference,
    name: ownerOf(request) ?? story.system,
    date: until ? dates.day(until) : "",
  });
}
