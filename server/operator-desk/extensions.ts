import { addBusinessDays, dateAt } from "../calendar/business-days.ts";
import {
  businessDaysAfterHold,
  decide,
  extendedWithinDays,
} from "../deletion-requests/life/life.ts";
import { isWorking, type StoredRequest, toLife } from "../deletion-requests/store/request.ts";
import { eventOf, type Office } from "../deletion-requests/working/acts.ts";

/** A date that may be promised now. */
export type Extension = {
  /** What `extend` takes: so many more. */
  businessDays: number;
  dueOn: Temporal.PlainDate;
};

/** What an extension may promise now to each of some requests, soonest first; the dates are those of the first. */
export function listExtensions(
  office: Office,
  requests: readonly StoredRequest[],
  now: Temporal.Instant,
): Extension[] {
  const [first = [], ...others] = requests.map((request) => listLawful(office, request, now));
  return first.filter((one) =>
    others.every((own) => own.some(({ businessDays }) => businessDays === one.businessDays)),
  );
}

/** The life of a request says which dates are lawful. */
function listLawful(office: Office, request: StoredRequest, now: Temporal.Instant): Extension[] {
  if (!isWorking(request)) return [];
  const { calendar } = office;
  const life = toLife(office, request);
  const by = { actor: "operator" } as const;
  const last = dateAt(calendar, request.receivedAt).add({ days: extendedWithinDays });
  const found: Extension[] = [];
  for (let businessDays = 1; ; businessDays++) {
    const act = { type: "extend", businessDays, explanation: "" } as const;
    const event = eventOf(office, request, act, by, now);
    if (event.type !== "extend" || Temporal.PlainDate.compare(event.dueOn, last) > 0) return found;
    if (decide(life, event, "operator").ok) found.push({ businessDays, dueOn: event.dueOn });
  }
}

/**
 * Until when waits what is promised so many business days later: work is gone on with in time for that date, and not before
 * today.
 */
export function findHoldEnd(
  { calendar }: Office,
  request: StoredRequest,
  businessDays: number,
  now: Temporal.Instant,
): Temporal.PlainDate {
  const today = dateAt(calendar, now);
  if (!isWorking(request)) return today;
  const { compare } = Temporal.PlainDate;
  const from = compare(today, request.dueOn) > 0 ? today : request.dueOn;
  const dueOn = addBusinessDays(calendar, from, businessDays).date;
  const isTooLate = (day: Temporal.PlainDate) =>
    compare(addBusinessDays(calendar, day, businessDaysAfterHold).date, dueOn) > 0;
  let end = dueOn.subtract({ days: 1 });
  while (compare(end, today) > 0 && isTooLate(end)) end = end.subtract({ days: 1 });
  return end;
}
