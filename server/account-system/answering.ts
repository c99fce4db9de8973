import { dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { isHeldByRestore } from "../database/restore-hold.ts";
import type { Write } from "../database/statement.ts";
import type { DataList, Misfit } from "../deletion-requests/life/checklist.ts";
import type { Refusal } from "../deletion-requests/life/life.ts";
import { addEvent } from "../deletion-requests/store/events.ts";
import { findRequestById } from "../deletion-requests/store/finding.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/store/request.ts";
import { enqueueTeamMail } from "../deletion-requests/telling/enqueue.ts";
import type { Act, Office } from "../deletion-requests/working/acts.ts";
import { applyAct } from "../deletion-requests/working/apply-act.ts";
import type { DeliveryProblem } from "../mail/delivery-problem.ts";
import { settleAnswered, wasOwed } from "../outbox/outbox.ts";
import {
  type Heard,
  isGone,
  isKnown,
  isRecheck,
  judge,
  nextState,
  tellDetail,
  toActs,
} from "./answers.ts";
import { findUnfit } from "./completing.ts";
import { type AccountEvent, type Answer, accountChannel } from "./events.ts";
import { enterAnswer, enterCall, findHandOver, isDoubted, wasHeard } from "./hand-overs.ts";
import { announce } from "./handing-over.ts";
import { tellOperators } from "./reconciliation.ts";

/**
 * What the account system says becomes true here: each answer is judged and entered in one transaction. Cancelling wins
 * until `started` was accepted; whoever deletes without asking first deletes on their own account.
 */

export type AnswerResult =
  | { kind: "accepted"; state: StoredRequest["state"]; test: boolean }
  /** Accepted before, under the same call id. */
  | { kind: "repeated" }
  | { kind: "unknown" }
  /** A copy was put back here, and nobody has looked at it yet: who was handed over since is not known. */
  | { kind: "held" }
  /** The state does not allow it; `state` says which it is. */
  | {
      kind: "refused";
      state: StoredRequest["state"];
      because: Refusal | "not-started" | "put-back";
    }
  /** What is said does not fit the campus's list or what was promised: one sentence each, and where. */
  | { kind: "misfit"; misfits: Misfit[] };

/** A hold whose end is no such date; another one would do. */
const badDates: Partial<Record<Refusal, string>> = {
  "in-the-past": "It must be today or later.",
  "too-late-a-date": "It is later than the law lets anybody wait.",
};

/** After how long whoever failed is asked again. */
const againAfterHours = 1;

const by = { actor: "system", isAccountSystem: true } as const;

type Services = Office & {
  database: Database;
  dataList: DataList;
  clock: () => Temporal.Instant;
  onOutbox?: () => void;
};

export type Answering = ReturnType<typeof createAnswering>;

export function createAnswering(services: Services) {
  return {
    /** @param callId of the signed call: each is accepted once */
    async answer(callId: string, answer: Answer): Promise<AnswerResult> {
      const result = await services.database.write(async (transaction): Promise<AnswerResult> => {
        const now = services.clock();
        if (await isHeldByRestore(transaction)) return { kind: "held" };
        // A call that comes twice at once is one call.
        await transaction.lock(`call ${callId}`);
        if (await wasHeard(transaction, { callId })) return { kind: "repeated" };
        const handOver = await findHandOver(transaction, { publicId: answer.data.id });
        const request =
          handOver && (await findRequestById(transaction, { id: handOver.requestId }));
        if (!handOver || !request) return { kind: "unknown" };
        const doubted = await isDoubted(transaction, handOver);
        const heard = { answer, handOver, request, doubted, now };
        const refused = await refuse(services, transaction, heard);
        if (refused) return refused;
        await enterCall(transaction, callId, now);
        const after = await findRequestById(transaction, { id: request.id });
        return { kind: "accepted", state: after?.state ?? request.state, test: handOver.test };
      });
      services.onOutbox?.();
      return result;
    },
  };
}

/** Undefined where the answer is accepted and entered. */
async function refuse(
  services: Services,
  transaction: Write,
  heard: Heard,
): Promise<AnswerResult | undefined> {
  const { answer, request, now } = heard;
  const isCompleted = answer.type === "account.deletion.completed";
  const because = judge(heard);
  if (because) {
    if (isCompleted && because === "held") await tellDeletedHeld(services, transaction, heard);
    return { kind: "refused", state: request.state, because };
  }
  // What is said once more of what was signed long ago is signed no more.
  const misfits =
    isCompleted && isWorking(request)
      ? findUnfit(
          services.dataList,
          answer.data,
          dateAt(services.calendar, now),
          request.confirmedOn,
        )
      : [];
  if (misfits.length > 0) return { kind: "misfit", misfits };
  return answer.type === "account.deletion.received"
    ? settleItem(transaction, request.id, answer.data.item, now)
    : enter(services, transaction, heard);
}

/** @param item that was fetched; without it, everything that was fetched of the request */
async function settleItem(
  transaction: Write,
  requestId: number,
  item: string | undefined,
  now: Temporal.Instant,
): Promise<AnswerResult | undefined> {
  const given = item && { channel: accountChannel, messageKey: item };
  if (given && !(await wasOwed(transaction, given))) {
    const detail = "No such item was given out.";
    return { kind: "misfit", misfits: [{ pointer: "/data/item", detail }] };
  }
  await settleAnswered(transaction, accountChannel, given || { ownerId: requestId }, now);
  return undefined;
}

async function enter(
  services: Services,
  transaction: Write,
  heard: Heard,
): Promise<AnswerResult | undefined> {
  const { answer, handOver, request, now } = heard;
  const acts = toActs(heard, services.dataList, dateAt(services.calendar, services.clock()));
  const refused = await applyActs(services, transaction, heard, acts);
  if (refused) return refused;
  await settleAnswered(transaction, accountChannel, { ownerId: request.id }, now);
  if (isKnown(heard)) return undefined;
  if (acts.length === 0) await enterSaid(transaction, heard);
  const isFailure = answer.type === "account.deletion.failed";
  const again = isFailure && answer.data.again;
  if (isRecheck(heard) && !isGone(answer)) {
    // Without a word of ours it is asked again in the night.
    if (!again) await tellTeam(services, transaction, heard, "account.deletion.recheck", "failed");
    return undefined;
  }
  const accountId = answer.type === "account.deletion.completed" && answer.data.accountId;
  await enterAnswer(transaction, {
    id: handOver.id,
    state: nextState(heard),
    at: now,
    againAt: again ? now.add({ hours: againAfterHours }) : undefined,
    accountId: accountId || handOver.accountId,
  });
  if (isFailure && !again && !handOver.test) {
    await tellTeam(services, transaction, heard, "account.deletion.requested", "failed");
  }
  if (answer.type === "account.deletion.standing") {
    await goOn(services, transaction, heard, answer.data.state);
  }
  return undefined;
}

async function applyActs(
  services: Services,
  transaction: Write,
  { answer, request, now }: Heard,
  acts: readonly Act[],
): Promise<AnswerResult | undefined> {
  let current = request;
  for (const act of acts) {
    const result = await applyAct(services, transaction, current, act, by, now);
    if (result.ok) {
      current = result.request;
      continue;
    }
    // What would refuse the second has refused the first.
    const { refusal } = result;
    const detail = answer.type === "account.deletion.blocked" && badDates[refusal];
    return detail
      ? { kind: "misfit", misfits: [{ pointer: "/data/until", detail }] }
      : { kind: "refused", state: request.state, because: refusal };
  }
  return undefined;
}

/** Into the trail: what was said and changed nothing about the request. */
async function enterSaid(transaction: Write, heard: Heard): Promise<void> {
  const { answer, handOver, request, now } = heard;
  const isStanding = answer.type === "account.deletion.standing";
  const said = isStanding ? answer.data.state : (answer.type.split(".").at(-1) ?? "");
  const isAsked = isRecheck(heard) || isStanding;
  await addEvent(transaction, request, {
    at: now,
    actor: "system",
    type: handOver.test ? "trial" : isAsked ? "recheck" : said,
    code: handOver.test || isAsked ? said : "",
    note: tellDetail(heard),
  });
}

/** After a copy was put back here, it has said what it knows: what it does not know is asked for. */
async function goOn(
  services: Services,
  transaction: Write,
  heard: Heard,
  known: Extract<Answer, { type: "account.deletion.standing" }>["data"]["state"],
): Promise<void> {
  const { handOver, request, now } = heard;
  if (!isWorking(request) || known === "begun") return;
  if (known === "cancelled") {
    const problem = "cancelled before the restore";
    await tellTeam(services, transaction, heard, "account.deletion.standing", problem);
    return;
  }
  const asked = await findHandOver(transaction, { publicId: handOver.publicId });
  if (asked) await announce(transaction, services.keys, asked, request, now);
}

function tellTeam(
  { keys, calendar }: Services,
  transaction: Write,
  { handOver, request, now }: Heard,
  kind: AccountEvent["kind"],
  problem: DeliveryProblem,
): Promise<void> {
  const troubled = [{ reference: request.reference, kind, problem }];
  const once = `${problem}:${handOver.publicId}:${dateAt(calendar, now)}`;
  return tellOperators(transaction, keys, troubled, 1, once, now);
}

/** What an operator keeps waiting was deleted all the same: nothing is completed by that, and the team is told at once. */
async function tellDeletedHeld(
  { keys }: Services,
  transaction: Write,
  { handOver, request, now }: Heard,
): Promise<void> {
  if (handOver.state === "deleted-held" || handOver.test) return;
  await enterAnswer(transaction, {
    ...handOver,
    state: "deleted-held",
    at: now,
    againAt: undefined,
  });
  await addEvent(transaction, request, { actor: "system", type: "deleted-held", at: now });
  const message = { kind: "operator-deleted-held", reference: request.reference } as const;
  await enqueueTeamMail(transaction, keys, message, now);
}
