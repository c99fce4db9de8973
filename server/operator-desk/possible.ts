import { dateAt } from "../calendar/business-days.ts";
import type { Story } from "../deletion-requests/desk.ts";
import { isUnsent } from "../deletion-requests/desk.ts";
import { decide, isOpen, isSameName } from "../deletion-requests/life.ts";
import { isEnded, isWorking, type StoredRequest } from "../deletion-requests/store/request.ts";
import { type Act, eventOf, type Office, toLife } from "../deletion-requests/transitions.ts";
import type { DeskAct, WhyNot } from "./acts.ts";
import { listExtensions } from "./extensions.ts";

export type Possible = { can: true } | { can: false; because: WhyNot };

const yes: Possible = { can: true };
const no = (because: WhyNot): Possible => ({ can: false, because });

/** What can be done with a request now, and what not and why. The life of a request decides, as it does when it is done. */
export function findPossible(
  office: Office,
  { request, mails }: Pick<Story, "request" | "mails">,
  name: string,
  now: Temporal.Instant,
): Record<DeskAct, Possible> {
  const today = dateAt(office.calendar, now);
  const ask = (act: Act): Possible => {
    const by = { actor: "operator", name } as const;
    const event = eventOf(office, request, act, by, now);
    const decision = decide(toLife(office, request), event, "operator");
    return decision.ok ? yes : no(decision.refusal);
  };
  const explanation = "";
  return {
    take: takenBy(request, name, ask({ type: "take" })),
    complete: ask({ type: "complete", completion: { lines: [], backupsGoneBy: null } }),
    undo: findUndo(request, mails, ask({ type: "undo" })),
    hold: ask({ type: "hold", reason: "other", until: today, explanation }),
    release: ask({ type: "release" }),
    extend: findExtend(office, request, now, ask({ type: "extend", businessDays: 1, explanation })),
    refuse: ask({ type: "refuse", reason: "other", explanation }),
    cancel: ask({ type: "cancel", explanation }),
    "hand-back": ask({ type: "hand-back" }),
    approve: ask({ type: "approve" }),
    reopen: ask({ type: "reopen", explanation }),
    resend: isOpen(request.state) ? yes : no("already-ended"),
    retry: mails.some(({ state }) => state === "needs-person") ? yes : no("no-trouble"),
    remove: request.state === "received" ? yes : no("confirmed"),
    note: isEnded(request) && request.erasedAt ? no("erased") : yes,
  };
}

/** Who has taken it oneself knows it. */
function takenBy(request: StoredRequest, name: string, found: Possible): Possible {
  const isOwn =
    isWorking(request) && request.owner !== undefined && isSameName(request.owner, name);
  return !found.can && found.because === "already-taken" && isOwn ? no("taken-by-you") : found;
}

function findUndo(request: StoredRequest, mails: Story["mails"], working: Possible): Possible {
  if (!isEnded(request)) return working;
  if (request.state === "completed") return no("already-ended");
  if (request.email === undefined) return no("erased");
  if (request.state === "cancelled" && request.endedBy === "person") return no("persons-own-wish");
  const last = mails.at(-1);
  return last && isUnsent(last) ? yes : no("told-already");
}

/** One more day may be unlawful, and so may be a request whose next business day is too late already. */
function findExtend(
  office: Office,
  request: StoredRequest,
  now: Temporal.Instant,
  oneDay: Possible,
): Possible {
  return listExtensions(office, request, now).length > 0
    ? yes
    : oneDay.can
      ? no("not-later")
      : oneDay;
}
