import { skippedToText } from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Act, By, Rules } from "../life/life.ts";
import { type ConfirmedRequest, isEnded, isWorking, type StoredRequest } from "../life/request.ts";
import { type PersonNews, promisedTo } from "../telling/messages.ts";

/** What the person of a request is told of each act that changes its life. */

export type Office = Rules & {
  keys: Keys;
  /** Told of every act, in its transaction. */
  onChange?: OnChange | undefined;
};

/** What an act made of a request. */
export type Change = { before: StoredRequest; after: ConfirmedRequest; by: By };
export type OnChange = (transaction: Write, change: Change, now: Temporal.Instant) => Promise<void>;

/** What an act made of a request, for its person. */
type Made = Change & { today: Temporal.PlainDate; proof: Proof | undefined };

/** Undefined where nobody is told: of what concerns operators alone, or can still be undone. */
type Tell<Type extends Act["type"]> = (
  act: Extract<Act, { type: Type }>,
  made: Made,
) => PersonNews | undefined;

const confirmed = (_: unknown, { after }: Made): PersonNews => ({
  kind: "confirmed",
  dueOn: after.dueOn.toString(),
  skipped: skippedToText(after.skipped),
});

const promisedBy = ({ after, today }: Made) => promisedTo(after.dueOn, today);

/** What was promised before, where that has moved. */
function movedFrom({ before, after }: Made) {
  return isWorking(before) && !before.dueOn.equals(after.dueOn)
    ? { previouslyDueOn: before.dueOn.toString(), skipped: skippedToText(after.skipped) }
    : undefined;
}

const tells: { [Type in Act["type"]]?: Tell<Type> } = {
  confirm: confirmed,
  approve: confirmed,
  cancel: ({ explanation = "" }, { by }) =>
    by.actor === "person" ? { kind: "cancelled" } : { kind: "cancelled-for-you", explanation },
  take: (_, made) =>
    made.before.state === "confirmed" ? { kind: "in-progress", ...promisedBy(made) } : undefined,
  complete: ({ completion }, { after, proof }) => {
    if (!isEnded(after)) return undefined;
    const { receivedAt, confirmedAt, endedAt } = after;
    return {
      ...{ kind: "completed", receivedAt: toText(receivedAt), confirmedAt: toText(confirmedAt) },
      ...{ completedAt: toText(endedAt), completion, ...(proof && { proof }) },
    };
  },
  refuse: ({ reason, explanation }) => ({ kind: "refused", reason, explanation }),
  extend: ({ explanation }, made) => {
    const { dueOn, skipped } = made.after;
    const moved = { previouslyDueOn: dueOn.toString(), skipped: skippedToText(skipped) };
    return {
      ...{ kind: "extended", dueOn: dueOn.toString(), explanation },
      ...(movedFrom(made) ?? moved),
    };
  },
  hold: ({ until, reason, explanation }, made) => {
    const moved = movedFrom(made);
    return {
      ...{ kind: "held", dueOn: made.after.dueOn.toString(), ...(moved && { moved }) },
      ...{ until: until.toString(), reason, explanation },
    };
  },
  release: (_, made) => ({ kind: "released", ...promisedBy(made) }),
  reopen: ({ explanation }, made) => ({ kind: "reopened", ...promisedBy(made), explanation }),
};

/** What a person is told of an act; undefined where they are told nothing. */
export function newsOf(act: Act, made: Made): PersonNews | undefined {
  const tell = tells[act.type] as Tell<Act["type"]> | undefined;
  return tell?.(act, made);
}
