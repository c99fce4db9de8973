import { dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { isHeldByRestore } from "../database/restore-hold.ts";
import type { Write } from "../database/statement.ts";
import type { DataList, Misfit } from "../deletion-requests/life/checklist.ts";
import type { Refusal } from "../deletion-requests/life/life.ts";
import { addEvent } from "../deletion-requests/store/events.ts";
import { findRequestById } from "../deletion-requests/store/finding.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/store/request.ts";
import type { OperatorMessage } from "../deletion-requests/telling/messages.ts";
import type { Act, Office } from "../deletion-requests/working/acts.ts";
import { applyAct } from "../deletion-requests/working/apply-act.ts";
import type { DeliveryProblem } from "../mail/delivery-problem.ts";
import { addMessage, settleAnswered, wasOwed } from "../outbox/outbox.ts";
import { completeFrom, findUnfit } from "./completing.ts";
import { type AccountEvent, type Answer, accountChannel, type standings } from "./events.ts";
import {
  enterAnswer,
  enterCall,
  findHandOver,
  type HandOver,
  type HandOverState,
  isDoubted,
  wasHeard,
} from "./hand-overs.ts";
import { announce, isKeptWaiting } from "./handing-over.ts";
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

export type Answering = ReturnType<typeof createAnswering>;

/** After how long whoever failed is asked again. */
const againAfterHours = 1;

/** What an accepted answer makes of the hand-over. */
const nextStates: Partial<Record<Answer["type"], HandOverState>> = {
  "account.deletion.started": "started",
  "account.deletion.completed": "done",
  "account.deletion.not-found": "closed",
  "account.deletion.blocked": "blocked",
  "account.deletion.failed": "failed",
};

/** The same where it says what it knows: what was cancelled before waits until an operator has looked. */
const knownStates = {
  unknown: "asked",
  open: "asked",
  begun: "started",
  cancelled: "blocked",
} as const satisfies Record<(typeof standings)[number], HandOverState>;

/** Whether an account that may have come back is not there any more. */
function isGone(answer: Answer): boolean {
  if (answer.type === "account.deletion.not-found") return true;
  if (answer.type !== "account.deletion.completed") return false;
  return answer.data.lines.some(({ outcome }) => outcome !== "kept");
}

/** What was said in a dry run beside its type: what it found, or why not. Names nobody. */
function tellTrial(answer: Answer): string {
  switch (answer.type) {
    case "account.deletion.completed":
      return answer.data.lines
        .map(({ store, kind, outcome, count }) => {
          const rows = count === undefined ? "" : ` ${count}`;
          return `${store}/${kind} ${outcome}${rows}`;
        })
        .join("; ");
    case "account.deletion.blocked":
      return `${answer.data.reason}, until ${answer.data.until}`;
    case "account.deletion.failed":
      return answer.data.reason;
    default:
      return "";
  }
}

export function createAnswering(
  services: Office & {
    database: Database;
    dataList: DataList;
    clock: () => Temporal.Instant;
    onOutbox?: () => void;
  },
) {
  const { database, clock, calendar, keys } = services;

  /** None where nothing about the request changes. */
  function toActs(answer: Answer, handOver: HandOver, request: StoredRequest): Act[] {
    const held = isWorking(request) && request.hold !== undefined;
    // Whoever begins is no longer kept from it by itself; what an operator keeps waiting, `decide` refuses.
    const release: Act[] = held ? [{ type: "release" }] : [];
    // Begun before, and failed or blocked since: it goes on.
    const take: Act[] = handOver.isBegun ? [] : [{ type: "take" }];
    switch (answer.type) {
      case "account.deletion.received":
      case "account.deletion.failed":
        return [];
      case "account.deletion.standing":
        return answer.data.state === "begun" ? [...release, ...take] : [];
      case "account.deletion.blocked": {
        const { reason, until } = answer.data;
        return [{ type: "hold", reason, until: Temporal.PlainDate.from(until), explanation: "" }];
      }
      case "account.deletion.started":
        return [...release, ...take];
      case "account.deletion.completed": {
        const completion = completeFrom(services.dataList, answer.data, dateAt(calendar, clock()));
        return [...release, ...take, { type: "complete", completion }];
      }
      case "account.deletion.not-found":
        return [{ type: "refuse", reason: "no-account", explanation: "" }];
    }
  }

  /**
   * Why the dialogue itself does not allow the answer, whatever the request's own life would.
   * @param doubted whether a copy was put back since, so that what it knows comes first
   */
  function judge(answer: Answer, handOver: HandOver, request: StoredRequest, doubted: boolean) {
    const type = answer.type.slice("account.deletion.".length);
    if (type === "received") return undefined;
    // After accounts were restored, the account system is asked about what it had deleted.
    if (request.state === "completed" && handOver.recheckedAt) {
      const isAbout = /^(started|completed|not-found|failed)$/.test(type);
      return isAbout ? undefined : "already-ended";
    }
    if (!isWorking(request)) return "already-ended";
    // Said to be done, and perhaps taken back by an operator, who goes on by hand.
    if (handOver.state === "done") return request.done ? "already-done" : "already-taken";
    if (handOver.state === "closed") return "already-ended";
    // An operator has taken it up by hand.
    if (request.state === "in-progress" && !handOver.isBegun) return "already-taken";
    if (type === "completed" && isKeptWaiting(request)) return "held";
    if (type === "standing") return undefined;
    if (doubted) return type === "completed" ? undefined : "put-back";
    if (type === "completed" && handOver.state !== "started") return "not-started";
    return undefined;
  }

  const by = { actor: "system", isAccountSystem: true } as const;

  async function enter(
    transaction: Write,
    answer: Answer,
    handOver: HandOver,
    request: StoredRequest,
    doubted: boolean,
    now: Temporal.Instant,
  ): Promise<AnswerResult | undefined> {
    const isRecheck = request.state === "completed";
    // Said again, because our answer was lost: it is true already.
    const isStart = answer.type === "account.deletion.started";
    const isStanding = answer.type === "account.deletion.standing";
    const isKnown = isStart ? isRecheck || handOver.state === "started" : isStanding && !doubted;
    const isTalk = handOver.test || isRecheck;
    const acts = isTalk || isKnown ? [] : toActs(answer, handOver, request);
    let current = request;
    for (const one of acts) {
      const result = await applyAct(services, transaction, current, one, by, now);
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
    await settleAnswered(transaction, accountChannel, { ownerId: request.id }, now);
    const isFailure = answer.type === "account.deletion.failed";
    if (isKnown) return undefined;
    const said = isStanding ? answer.data.state : (answer.type.split(".").at(-1) ?? "");
    if (acts.length === 0) {
      const isAsked = isRecheck || isStanding;
      await addEvent(transaction, request, {
        at: now,
        actor: "system",
        type: handOver.test ? "trial" : isAsked ? "recheck" : said,
        code: handOver.test || isAsked ? said : "",
        note: handOver.test ? tellTrial(answer) : isFailure ? answer.data.reason : "",
      });
    }
    const again = isFailure && answer.data.again;
    const tell = (kind: AccountEvent["kind"], problem: DeliveryProblem) => {
      const troubled = [{ reference: request.reference, kind, problem }];
      const once = `${problem}:${handOver.publicId}:${dateAt(calendar, now)}`;
      return tellOperators(transaction, keys, troubled, 1, once, now);
    };
    if (isRecheck && !isGone(answer)) {
      // It is asked again in the night.
      return again ? undefined : void (await tell("account.deletion.recheck", "failed"));
    }
    await enterAnswer(transaction, {
      id: handOver.id,
      state: isRecheck
        ? "done"
        : isStanding
          ? knownStates[answer.data.state]
          : (nextStates[answer.type] ?? handOver.state),
      at: now,
      againAt: again ? now.add({ hours: againAfterHours }) : undefined,
      accountId:
        answer.type === "account.deletion.completed"
          ? (answer.data.accountId ?? handOver.accountId)
          : handOver.accountId,
    });
    if (isFailure && !again && !handOver.test) await tell("account.deletion.requested", "failed");
    if (!isStanding || !isWorking(request)) return undefined;
    if (answer.data.state === "cancelled") {
      await tell("account.deletion.standing", "cancelled before the restore");
    } else if (answer.data.state !== "begun") {
      const asked = await findHandOver(transaction, { publicId: handOver.publicId });
      if (asked) await announce(transaction, keys, asked, request, now);
    }
    return undefined;
  }

  /** What an operator keeps waiting was deleted all the same: nothing is completed by that, and the team is told at once. */
  async function tellDeletedHeld(
    transaction: Write,
    handOver: HandOver,
    request: StoredRequest,
    now: Temporal.Instant,
  ): Promise<void> {
    if (handOver.state === "deleted-held" || handOver.test) return;
    const { reference } = request;
    await enterAnswer(transaction, {
      ...handOver,
      state: "deleted-held",
      at: now,
      againAt: undefined,
    });
    await addEvent(transaction, request, { actor: "system", type: "deleted-held", at: now });
    await addMessage<OperatorMessage>(transaction, keys, now, {
      channel: "operators",
      ownerId: null,
      message: { kind: "operator-deleted-held", reference },
    });
  }

  return {
    /** @param callId of the signed call: each is accepted once */
    async answer(callId: string, answer: Answer): Promise<AnswerResult> {
      const result = await database.write(async (transaction): Promise<AnswerResult> => {
        const now = clock();
        if (await isHeldByRestore(transaction)) return { kind: "held" };
        // A call that comes twice at once is one call.
        await transaction.lock(`call ${callId}`);
        if (await wasHeard(transaction, { callId })) return { kind: "repeated" };
        const handOver = await findHandOver(transaction, { publicId: answer.data.id });
        const request =
          handOver && (await findRequestById(transaction, { id: handOver.requestId }));
        if (!handOver || !request) return { kind: "unknown" };
        const doubted = await isDoubted(transaction, handOver);
        const isCompleted = answer.type === "account.deletion.completed";
        const because = judge(answer, handOver, request, doubted);
        if (because) {
          const isDeletedHeld = isCompleted && because === "held";
          if (isDeletedHeld) await tellDeletedHeld(transaction, handOver, request, now);
          return { kind: "refused", state: request.state, because };
        }
        // What is said once more of what was signed long ago is signed no more.
        const misfits =
          isCompleted && isWorking(request)
            ? findUnfit(services.dataList, answer.data, dateAt(calendar, now), request.confirmedOn)
            : [];
        if (misfits.length > 0) return { kind: "misfit", misfits };

        if (answer.type === "account.deletion.received") {
          const { item } = answer.data;
          const given = item && { channel: accountChannel, messageKey: item };
          if (given && !(await wasOwed(transaction, given))) {
            const detail = "No such item was given out.";
            return { kind: "misfit", misfits: [{ pointer: "/data/item", detail }] };
          }
          const which = given || { ownerId: request.id };
          await settleAnswered(transaction, accountChannel, which, now);
        } else {
          const refused = await enter(transaction, answer, handOver, request, doubted, now);
          if (refused) return refused;
        }
        await enterCall(transaction, callId, now);
        const after = await findRequestById(transaction, { id: request.id });
        return { kind: "accepted", state: after?.state ?? request.state, test: handOver.test };
      });
      services.onOutbox?.();
      return result;
    },
  };
}
