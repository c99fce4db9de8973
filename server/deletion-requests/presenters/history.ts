import type { Campus } from "../../../campus-reader/campus.ts";
import type { CalendarWords, Text } from "../../platform/i18n/texts.ts";
import type { EventSubject } from "../repository/audit-log.ts";
import type { Grace } from "../repository/restore-letters.ts";
import { accountKindMark } from "../state-machine/checklist.ts";
import {
  graceUntil,
  holdOf,
  isEnded,
  isWorking,
  ownerOf,
  type StoredRequest,
} from "../state-machine/request.ts";
import type { Refusal } from "../state-machine/state-machine.ts";
import type { HistoryLine } from "./request.ts";

export type HistoryWords = Pick<Campus, "dataKinds" | "operator"> & {
  dates: Pick<CalendarWords, "day" | "list" | "momentBriefly" | "say">;
};

/** Describes an event's act, locations, dates and subject. Callers add the actor and the reason. */
export function describeEvent(
  words: HistoryWords,
  { by, what, isTrial, places, until, from, to, about }: Omit<HistoryLine, "at" | "name">,
) {
  const { dates, dataKinds, operator } = words;
  const { day, list, say } = dates;
  const { bySystem, ...story } = operator.desk.story;
  const acts: Record<string, Text | undefined> = {
    ...{ ...operator.people.history.acts, ...operator.handOver.acts },
    ...{ ...story, ...(by === "system" && bySystem) },
  };
  const act = say(acts[what] ?? story.other, { act: what });
  const placeOf = (key: string) =>
    key === accountKindMark
      ? story.accountKind
      : (dataKinds.find((row) => row.store === key)?.place ?? key);
  const moved = to && { from: from ? day(from) : "", to: day(to) };
  return {
    what: isTrial ? say(story.trial, { act }) : act,
    details: [
      places.length > 0 && say(story.ticked, { places: list(places.map(placeOf)) }),
      until && say(story.until, { to: day(until) }),
      moved && say(from ? story.dates : story.promised, moved),
      about && describeSubject(words, about),
    ].filter((text) => typeof text === "string"),
  };
}

function describeSubject(words: HistoryWords, about: EventSubject): string | undefined {
  const { line, who, role, from, until, at, verdict, count, text } = about;
  const { handOver, people } = words.operator;
  const { PlainDate, Instant } = Temporal;
  const { whole, notWhole } = people.history;
  const lines: Record<string, string> = { ...handOver.lines, leavers: handOver.stays };
  const roles: Record<string, string> = people.roles;
  const parts = [
    [line && lines[line], who, role && roles[role]].filter(Boolean).join(": "),
    from && until && formatAbsence(words, PlainDate.from(from), PlainDate.from(until)),
    at && words.dates.momentBriefly(Instant.from(at)),
    verdict && (verdict === "whole" ? whole : notWhole),
    ...[count, text],
  ];
  return parts.filter(Boolean).join(", ") || undefined;
}

type DeskWords = Pick<Campus, "operator"> & {
  dates: Pick<CalendarWords, "day" | "list" | "momentBriefly" | "say">;
};

/**
 * Explains why an act on a request is impossible. Where it helps, includes the request's owner or
 * the time at which the act becomes possible.
 * @param grace the request's grace period after a restore
 */
export function explainWhyNot(
  { dates, operator }: DeskWords,
  because: Refusal,
  request: StoredRequest,
  grace?: Grace,
) {
  const { whyNot, story } = operator.desk;
  const reasons: Record<Refusal, Text> = whyNot;
  const until = holdOf(request)?.until;
  if (because === "already-ended" && isCancelledByPerson(request)) {
    return whyNot["cancelled-by-person"];
  }
  if (because === "after-restore") {
    return grace?.until
      ? dates.say(whyNot[because], { date: dates.momentBriefly(grace.until) })
      : whyNot["after-restore-unsent"];
  }
  const at =
    request.state === "received"
      ? request.approvableAt
      : isWorking(request)
        ? graceUntil(request)
        : undefined;
  const isHour = because === "notice-runs" || because === "untouched";
  return dates.say(reasons[because], {
    reference: request.reference,
    name: ownerOf(request) ?? story.system,
    date: isHour && at ? dates.momentBriefly(at) : until ? dates.day(until) : "",
  });
}

/**
 * Checks whether the requester cancelled. An operator who is working on the request must see the
 * cancellation first, and stop.
 */
export const isCancelledByPerson = (request: StoredRequest): boolean =>
  isEnded(request) && request.state === "cancelled" && request.endedBy === "person";

export function formatAbsence(
  { dates: { day, say }, operator }: HistoryWords,
  from: Temporal.PlainDate,
  until: Temporal.PlainDate,
): string {
  const { span } = operator.watch.away;
  return from.equals(until) ? day(from) : say(span, { from: day(from), until: day(until) });
}
