import { createHash } from "node:crypto";
import { type RequestServices, recordAct } from "../../deletion-requests/commands/apply-act.ts";
import { enqueueTeamMail } from "../../deletion-requests/mails/mails.ts";
import { addEvent } from "../../deletion-requests/repository/audit-log.ts";
import { findRequestById } from "../../deletion-requests/repository/requests.ts";
import type { DataList } from "../../deletion-requests/state-machine/checklist.ts";
import {
  isEnded,
  isWorking,
  type StoredRequest,
} from "../../deletion-requests/state-machine/request.ts";
import type { Act, Refusal } from "../../deletion-requests/state-machine/state-machine.ts";
import type { DeliveryProblem } from "../../delivery/delivery-problem.ts";
import { findOwed, settleMessage, wasAdded } from "../../delivery/outbox.ts";
import { dateAt } from "../../platform/calendar/business-days.ts";
import { findUnconfirmedRestore } from "../../platform/database/restore-hold.ts";
import type { Write } from "../../platform/database/statement.ts";
import {
  type AccountAnswer,
  actsOf,
  confirmsDeletion,
  findContradictions,
  formatDetail,
  isKnown,
  isRecheck,
  judge,
  type NotNow,
  nextState,
  type ReceivedAnswer,
} from "../contract/answers.ts";
import { type ContractProblem, mismatch, retryAfter } from "../contract/problems.ts";
import {
  changeJob,
  findJob,
  isDoubted,
  isOwnName,
  recordCall,
  recordLastCall,
  recordUnknownJob,
  wasReceived,
} from "../deletion-jobs.ts";
import {
  type AccountEvent,
  accountChannel,
  findGraceOf,
  settleAnswered,
} from "../outbound/events.ts";
import { announce } from "../outbound/queue-events.ts";
import { notifyOperators } from "../reconciliation.ts";

/**
 * Applies the account system's answers, each in one transaction. The requester can cancel until
 * `started` is accepted. An account system that deletes before it reports the start may therefore
 * delete the account of a cancelled request.
 */

export type Accepted = { state: StoredRequest["state"]; test: boolean };

type AnswerTaken = { ok: true; accepted: Accepted } | { ok: false; problem: ContractProblem };

const refuse = (problem: ContractProblem): AnswerTaken => ({ ok: false, problem });

/**
 * Explanations of what is wrong with the last day of a hold, keyed by the reason for the refusal.
 */
const badDates: Partial<Record<Refusal, string>> = {
  "in-the-past": "It must be today or later.",
  "too-late-a-date": "It is later than the law allows.",
  "too-late-to-tell":
    "It moves the due date beyond 45 days after the request, which we had to announce within a month.",
};

/** Hours until a failed job is handed over again, if the account system asked for a retry. */
const againAfterHours = 1;
/**
 * Retry-After in seconds while a restore is unconfirmed. An operator needs some minutes to check
 * the restore.
 */
const heldSeconds = 600;

const by = { actor: "system", isAccountSystem: true } as const;

export type AnswerServices = RequestServices & { dataList: DataList };

/**
 * Applies an answer.
 * @param callId id of the signed call; each id is accepted only once
 */
export async function takeAnswer(
  services: AnswerServices,
  callId: string,
  answer: AccountAnswer,
): Promise<AnswerTaken> {
  const result = await services.database.write(async (transaction): Promise<AnswerTaken> => {
    const now = services.clock();
    // After a restore, the database lacks jobs that were handed over since the backup, so no answer
    // is accepted until an operator confirms the restore.
    if (await findUnconfirmedRestore(transaction))
      return refuse({ code: "held", more: retryAfter(heldSeconds) });
    // Serializes concurrent calls with the same id so that only the first is applied.
    await transaction.lock(`call ${callId}`);
    const contentId = nameContent(callId, answer);
    if (await wasReceived(transaction, { callId })) {
      const isRepeat = await wasReceived(transaction, { callId: contentId });
      return refuse({ code: isRepeat ? "repeated" : "reused" });
    }
    const job = await findJob(transaction, { publicId: answer.data.id });
    const request = job && (await findRequestById(transaction, { id: job.requestId }));
    if (!job || !request) {
      await keepUnknownJob(transaction, answer, now);
      return refuse({ code: "unknown-request" });
    }
    const doubted = await isDoubted(transaction, job);
    const inGrace = (await findGraceOf(transaction, request, job, now)) !== undefined;
    const received = { answer, job, request, doubted, inGrace, now };
    const wrong = await judgeAndApply(services, transaction, received);
    if (wrong) return refuse(wrong);
    await recordCall(transaction, { callId, at: now });
    await recordCall(transaction, { callId: contentId, at: now });
    await recordLastCall(transaction, { answeredAt: now });
    const after = await findRequestById(transaction, { id: request.id });
    return { ok: true, accepted: { state: after?.state ?? request.state, test: job.test } };
  });
  services.onOutbox?.();
  return result;
}

/**
 * Names a call by its id and content, to tell a repeated call from a reused id. No call id contains
 * a space.
 */
function nameContent(callId: string, answer: AccountAnswer): string {
  const digest = createHash("sha256").update(JSON.stringify(answer)).digest("base64url");
  return `${callId} ${digest}`;
}

/** The restored backup lacks this job. Stores the job so that operators can find its requester. */
async function keepUnknownJob(
  transaction: Write,
  { type, data }: AccountAnswer,
  at: Temporal.Instant,
): Promise<void> {
  if (!isOwnName(data.id)) return;
  const state = type.slice("account.deletion.".length);
  await recordUnknownJob(transaction, { publicId: data.id, said: state, at });
}

/** Refuses an answer that the request's state doesn't allow. The response includes the state. */
function refuseByState({ state }: StoredRequest, because: NotNow): ContractProblem {
  return { code: "not-now", more: { state, because }, facts: { state, because } };
}

/** Checks and applies an answer. Returns undefined if the answer was accepted. */
async function judgeAndApply(
  services: AnswerServices,
  transaction: Write,
  received: ReceivedAnswer,
): Promise<ContractProblem | undefined> {
  const { answer, request, now } = received;
  const isCompleted = answer.type === "account.deletion.completed";
  const because = judge(received);
  if (because) {
    if (isCompleted && because === "held")
      await notifyDeletedDespiteHold(services, transaction, received);
    if (isCompleted && because === "already-ended")
      await notifyDeletedAfterEnd(services, transaction, received);
    return refuseByState(request, because);
  }
  // Skips this check for a repeated completion, because its receipt is already signed.
  if (isCompleted && isWorking(request)) {
    const today = dateAt(services.calendar, now);
    const misfits = findContradictions(services.dataList, answer.data, today, request.confirmedOn);
    if (misfits.length > 0) return mismatch(misfits);
  }
  if (answer.type !== "account.deletion.received")
    return recordAnswer(services, transaction, received);
  const { item: messageKey } = answer.data;
  if (messageKey === undefined) {
    await settleAnswered(transaction, request.id, now);
    return undefined;
  }
  const id = await findOwed(transaction, { recipient: accountChannel, messageKey });
  if (id === undefined) {
    return mismatch([{ pointer: "/data/item", detail: "There is no item with this id." }]);
  }
  await settleMessage(transaction, { id, state: "delivered", now });
  return undefined;
}

async function recordAnswer(
  services: AnswerServices,
  transaction: Write,
  received: ReceivedAnswer,
): Promise<ContractProblem | undefined> {
  const { answer, job, request, now } = received;
  const acts = actsOf(received, services.dataList, dateAt(services.calendar, now));
  const wrong = await applyActs(services, transaction, received, acts);
  if (wrong) return wrong;
  await settleAnswered(transaction, request.id, now);
  const answered = await changeJob(transaction, job, { answeredAt: now, waitingSince: undefined });
  if (isKnown(received)) return undefined;
  if (acts.length === 0) await recordWithoutChange(transaction, received);
  const isFailure = answer.type === "account.deletion.failed";
  const again = isFailure && answer.data.again;
  if (isRecheck(received) && !confirmsDeletion(answer)) {
    // A failure with `again` is retried the next night, so operators need no alert.
    if (!again)
      await notifyTeam({ services, transaction }, received, "account.deletion.recheck", "failed");
    return undefined;
  }
  const accountId = answer.type === "account.deletion.completed" && answer.data.accountId;
  const state = nextState(received);
  const changed = await changeJob(transaction, answered, {
    state,
    begunAt: job.begunAt ?? (state === "started" ? now : undefined),
    againAt: again ? now.add({ hours: againAfterHours }) : undefined,
    accountId: accountId || job.accountId,
    recheckedAt: undefined,
  });
  if (isFailure && !again && !job.test) {
    await notifyTeam({ services, transaction }, received, "account.deletion.requested", "failed");
  }
  if (answer.type === "account.deletion.standing") {
    await continueAfterRestore(
      services,
      transaction,
      { ...received, job: changed },
      answer.data.state,
    );
  }
  return undefined;
}

async function applyActs(
  services: AnswerServices,
  transaction: Write,
  { answer, request, now }: ReceivedAnswer,
  acts: readonly Act[],
): Promise<ContractProblem | undefined> {
  let current = request;
  for (const act of acts) {
    const result = await recordAct({ services, transaction, now }, current, act, by);
    if (!result.ok) {
      // Only the first act can be refused, because a reason to refuse a later act also applies to
      // the first act. No act has been recorded then, so no rollback is needed.
      const detail = answer.type === "account.deletion.blocked" && badDates[result.refusal];
      return detail
        ? mismatch([{ pointer: "/data/until", detail }])
        : refuseByState(request, result.refusal);
    }
    current = result.after;
  }
  return undefined;
}

/** Adds an answer to the request's history although it doesn't change the request. */
async function recordWithoutChange(transaction: Write, received: ReceivedAnswer): Promise<void> {
  const { answer, job, request, now } = received;
  const isStanding = answer.type === "account.deletion.standing";
  const state = isStanding ? answer.data.state : (answer.type.split(".").at(-1) ?? "");
  const isReply = isRecheck(received) || isStanding;
  await addEvent(transaction, request, {
    at: now,
    actor: "system",
    type: job.test ? "trial" : isReply ? "recheck" : state,
    code: job.test || isReply ? state : "",
    // Leaves out the note if the request has been erased, because no job would erase the note.
    note: isEnded(request) && request.erasedAt ? "" : formatDetail(received),
  });
}

/**
 * Continues after a restore once the account system has reported a job's state. Hands the job over
 * again unless the deletion has begun or was cancelled.
 */
async function continueAfterRestore(
  services: AnswerServices,
  transaction: Write,
  received: ReceivedAnswer,
  known: Extract<AccountAnswer, { type: "account.deletion.standing" }>["data"]["state"],
): Promise<void> {
  const { job, request, now } = received;
  if (!isWorking(request) || known === "begun") return;
  if (known === "cancelled") {
    const problem = "cancelled before the restore";
    await notifyTeam({ services, transaction }, received, "account.deletion.standing", problem);
  } else {
    await announce({ transaction, keys: services.keys, now }, job, request);
  }
}

function notifyTeam(
  { services: { keys, calendar }, transaction }: { services: AnswerServices; transaction: Write },
  { job, request, now }: ReceivedAnswer,
  kind: AccountEvent["kind"],
  problem: DeliveryProblem,
): Promise<void> {
  const troubled = [{ reference: request.reference, kind, problem }];
  const once = `${problem}:${job.publicId}:${dateAt(calendar, now)}`;
  return notifyOperators({ transaction, keys, now }, troubled, 1, once);
}

/**
 * Alerts the team that the account system deleted an account despite a hold. The request isn't
 * completed.
 */
async function notifyDeletedDespiteHold(
  { keys }: AnswerServices,
  transaction: Write,
  { job, request, now }: ReceivedAnswer,
): Promise<void> {
  if (job.state === "deleted-held" || job.test) return;
  await changeJob(transaction, job, {
    state: "deleted-held",
    answeredAt: now,
    againAt: undefined,
    recheckedAt: undefined,
    waitingSince: undefined,
  });
  await addEvent(transaction, request, { actor: "system", type: "deleted-held", at: now });
  const message = { kind: "operator-deleted-held", reference: request.reference } as const;
  await enqueueTeamMail({ transaction, keys, now }, message);
}

/**
 * Alerts the team, once per job, that the account system deleted the account of a cancelled or
 * refused request. An operator may end a request after the account system has started.
 */
async function notifyDeletedAfterEnd(
  { keys }: AnswerServices,
  transaction: Write,
  { answer, job, request, now }: ReceivedAnswer,
): Promise<void> {
  const once = `deleted-ended:${job.publicId}`;
  if (answer.type !== "account.deletion.completed") return;
  const isDeleted = answer.data.lines.some(({ outcome }) => outcome === "deleted");
  if (!isDeleted || request.state === "completed" || job.test) return;
  if (await wasAdded(transaction, { once })) return;
  await addEvent(transaction, request, { actor: "system", type: "deleted-ended", at: now });
  const message = { kind: "operator-deleted-held", reference: request.reference } as const;
  await enqueueTeamMail({ transaction, keys, now }, { ...message, ended: true }, { once });
}
