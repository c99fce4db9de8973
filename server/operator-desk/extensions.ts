import { addBusinessDays, dateAt } from "../calendar/business-days.ts";
import { decide, extendedWithinDays } from "../deletion-requests/life.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/store/request.ts";
import { eventOf, type Office, toLife } from "../deletion-requests/transitions.ts";

/** A date that may be promised now. */
export type Extension = {
  /** What `extend` takes: so many more. */
  businessDays: number;
  dueOn: Temporal.PlainDate;
};

/** Every date that an extension may promise now, soonest first. The life of a request says which are lawful. */
export function listExtensions(
  office: Office,
  request: StoredRequest,
  now: Temporal.Instant,
): Extension[] {
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

/** The last day on which a hold may end: so long as the law lets a request wait. */
export function lastHoldDay(office: Office, request: StoredRequest): Temporal.PlainDate {
  return dateAt(office.calendar, request.receivedAt).add({ days: extendedWithinDays });
}

/** A day that is likely to do for a hold: a week of work from now. */
export function likelyHoldDay(office: Office, now: Temporal.Instant): Temporal.PlainDate {
  return addBusinessDays(office.calendar, dateAt(office.calendar, now), 5).date;
}
