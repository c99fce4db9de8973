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

/**
 * The days on which a hold may end, as the life of a request allows them, and the promised date that only those before it
 * leave as it is. Undefined where no day does.
 * @returns `likely` a week of work from now, or the last day that moves nothing
 */
export function findHoldDays(
  office: Office,
  request: StoredRequest,
  now: Temporal.Instant,
): Record<"first" | "likely" | "last" | "dueOn", Temporal.PlainDate> | undefined {
  if (!isWorking(request)) return undefined;
  const first = dateAt(office.calendar, now);
  const life = toLife(office, request);
  const by = { actor: "operator" } as const;
  const may = (until: Temporal.PlainDate) => {
    const act = { type: "hold", reason: "other", until, explanation: "" } as const;
    return decide(life, eventOf(office, request, act, by, now), "operator").ok;
  };
  if (!may(first)) return undefined;
  let last = dateAt(office.calendar, request.receivedAt).add({ days: extendedWithinDays });
  while (!may(last)) last = last.subtract({ days: 1 });
  const { dueOn } = request;
  const week = addBusinessDays(office.calendar, first, 5).date;
  const before = dueOn.subtract({ days: 1 });
  const [likely = first] = [week, before, last].sort(Temporal.PlainDate.compare);
  return {
    first,
    likely: Temporal.PlainDate.compare(likely, first) < 0 ? first : likely,
    last,
    dueOn,
  };
}
