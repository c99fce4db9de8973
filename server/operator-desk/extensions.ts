import { addBusinessDays, dateAt } from "../calendar/business-days.ts";
import { decide } from "../deletion-requests/life/life.ts";
import {
  businessDaysAfterHold,
  isWorking,
  type StoredRequest,
} from "../deletion-requests/life/request.ts";
import type { Office } from "../deletion-requests/working/acts.ts";

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
  const found: Extension[] = [];
  for (let businessDays = 1; ; businessDays++) {
    const act = { type: "extend", businessDays, explanation: "" } as const;
    const decision = decide(office, request, act, { actor: "operator" }, now);
    if (!decision.ok) return found;
    found.push({ businessDays, dueOn: decision.after.dueOn });
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
