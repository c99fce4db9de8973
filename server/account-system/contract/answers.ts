import type { z } from "zod";
import {
  completeList,
  type DataList,
  findMismatches,
  kindsToAnswer,
  type Mismatch,
  recipientsToNotify,
} from "../../deletion-requests/state-machine/checklist.ts";
import type { Completion } from "../../deletion-requests/state-machine/completion.ts";
import {
  holdOf,
  isWorking,
  type StoredRequest,
} from "../../deletion-requests/state-machine/request.ts";
import type { Act, Refusal } from "../../deletion-requests/state-machine/state-machine.ts";
import type { DeletionJob, JobState } from "../deletion-jobs.ts";
import { isInHand, isOnHold } from "../outbound/events.ts";
import { type ContractProblem, mismatch } from "./problems.ts";
import { answerSchemas } from "./schemas.ts";

/**
 * Defines what each answer from the account system means and when we accept it. schemas.ts defines
 * the shape of the answers.
 */

/** An answer with the state that determines whether we accept it. */
export type ReceivedAnswer = {
  answer: AccountAnswer;
  job: DeletionJob;
  request: StoredRequest;
  /**
   * Whether our state may be outdated because a backup was restored. If so, the account system's
   * state takes precedence over ours.
   */
  doubted: boolean;
  /**
   * Whether the grace period after a restore is running. Until it ends, the requester can cancel.
   */
  inGrace: boolean;
  now: Temporal.Instant;
};

type Meaning<Data> = {
  state?(data: Data): JobState;
  /** Returns the acts to apply to the request, in order. */
  acts?(data: Data, list: DataList, today: Temporal.PlainDate): Act[];
  /**
   * Returns the results of a dry run, or why the job failed. The text contains no personal data.
   */
  detail?(data: Data): string;
};

type AnswerType = keyof typeof answerSchemas;
type DataOf<Type extends AnswerType> = z.infer<(typeof answerSchemas)[Type]>;
export type AccountAnswer = {
  [Type in AnswerType]: { type: Type; data: DataOf<Type> };
}[AnswerType];

const meanings: { [Type in AnswerType]: Meaning<DataOf<Type>> } = {
  "account.deletion.received": {},
  "account.deletion.started": { state: () => "started" },
  "account.deletion.completed": {
    state: () => "done",
    acts: (data, list, today) => [
      { type: "complete", completion: completeFrom(list, data, today) },
    ],
    detail: ({ lines }) =>
      lines
        .map(({ store, kind, outcome, count }) => {
          const rows = count === undefined ? "" : ` ${count}`;
          return `${store}/${kind} ${outcome}${rows}`;
        })
        .join("; "),
  },
  "account.deletion.not-found": {
    state: () => "closed",
    acts: () => [{ type: "refuse", reason: "no-account", explanation: "" }],
  },
  "account.deletion.standing": {
    state: ({ state }) =>
      state === "begun" ? "started" : state === "cancelled" ? "blocked" : "asked",
  },
  "account.deletion.blocked": {
    state: () => "blocked",
    acts: ({ reason, until }) => [
      { type: "hold", reason, until: Temporal.PlainDate.from(until), explanation: "" },
    ],
    detail: ({ reason, until }) => `${reason}, until ${until}`,
  },
  "account.deletion.failed": { state: () => "failed", detail: ({ reason }) => reason },
};

export function parseAnswer(
  body: unknown,
): { ok: true; answer: AccountAnswer } | { ok: false; problem: ContractProblem } {
  const refuse = (problem: ContractProblem) => ({ ok: false, problem }) as const;
  if (typeof body !== "object" || body === null) {
    return refuse(mismatch([{ pointer: "", detail: "The body must be an object." }]));
  }
  const { type, data } = body as { type?: unknown; data?: unknown };
  if (typeof type !== "string" || !Object.hasOwn(answerSchemas, type)) {
    const errors = [{ pointer: "/type", detail: "It must be one of `known`." }];
    return refuse({ code: "unknown-type", more: { errors, known: Object.keys(answerSchemas) } });
  }
  const parsed = answerSchemas[type as AnswerType].safeParse(data);
  if (parsed.success) return { ok: true, answer: { type, data: parsed.data } as AccountAnswer };
  const errors = parsed.error.issues.slice(0, 20).map(({ path, message }) => ({
    pointer: `/${["data", ...path].join("/")}`,
    detail: message,
  }));
  return refuse({ ...mismatch(errors), facts: { type } });
}

const meaningOf = ({ type }: AccountAnswer) => meanings[type] as Meaning<AccountAnswer["data"]>;

/**
 * Checks whether the answer is about a recheck. After accounts were restored from a backup, we ask
 * the account system about deletions that it completed earlier.
 */
export const isRecheck = ({ request }: ReceivedAnswer): boolean => request.state === "completed";

/**
 * Checks whether an answer changes nothing, because it repeats an answer whose response was lost or
 * reports a known state.
 */
export function isKnown(received: ReceivedAnswer): boolean {
  const { answer, job, doubted } = received;
  return answer.type === "account.deletion.started"
    ? isRecheck(received) || job.state === "started"
    : answer.type === "account.deletion.standing" && !doubted;
}

/**
 * Returns the acts that an answer applies to the request. Returns no acts in a dry run, for a
 * recheck, or if the answer changes nothing.
 */
export function actsOf(received: ReceivedAnswer, list: DataList, today: Temporal.PlainDate): Act[] {
  const { answer, job, request } = received;
  if (job.test || isRecheck(received) || isKnown(received)) return [];
  const meaning = meaningOf(answer);
  // Whether the account system has started and therefore owns the request.
  const begins = ["started", "done"].includes(meaning.state?.(answer.data) ?? "");
  // A start ends the account system's own hold. During an operator's hold, `transition` refuses the
  // start.
  return [
    ...(begins && holdOf(request) ? [{ type: "release" } as const] : []),
    // A start also resumes a job that had failed, been blocked or been handed back. The account
    // system then takes the request again.
    ...(begins && request.state === "confirmed" ? [{ type: "take" } as const] : []),
    ...(meaning.acts?.(answer.data, list, today) ?? []),
  ];
}

export function nextState(received: ReceivedAnswer): JobState {
  const { answer, job } = received;
  return isRecheck(received) ? "done" : (meaningOf(answer).state?.(answer.data) ?? job.state);
}

/** Formats the details of a dry run or a failure. Returns an empty string for any other answer. */
export function formatDetail({ answer, job }: ReceivedAnswer): string {
  const isShown = job.test || answer.type === "account.deletion.failed";
  return (isShown && meaningOf(answer).detail?.(answer.data)) || "";
}

/** Checks whether the answer to a recheck confirms that the account is gone. */
export function confirmsDeletion(answer: AccountAnswer): boolean {
  if (answer.type === "account.deletion.not-found") return true;
  if (answer.type !== "account.deletion.completed") return false;
  return answer.data.lines.some(({ outcome }) => outcome !== "kept");
}

/** Reasons for a 409 response. docs/connect-your-accounts.md says how to handle each reason. */
export type NotNow = Refusal | "not-started" | "begun" | "blocked" | "failed" | "put-back";

/**
 * Checks whether the states of the job and the request allow an answer. Runs before the request's
 * state machine. Returns the reason to refuse the answer, if any.
 */
export function judge(received: ReceivedAnswer): NotNow | undefined {
  const { answer, job, request } = received;
  const type = answer.type.slice("account.deletion.".length);
  if (type === "received") return undefined;
  if (isRecheck(received) && job.recheckedAt) {
    const isAbout = /^(started|completed|not-found|failed)$/.test(type);
    return isAbout ? undefined : "already-ended";
  }
  if (!isWorking(request) || job.state === "closed") return "already-ended";
  // An operator has undone the completion, to finish the deletion by hand.
  if (job.state === "done") return request.done ? "already-done" : "already-taken";
  if (isInHand(request, job)) return "already-taken";
  if (type === "completed" && isOnHold(request)) return "held";
  return type === "standing" ? undefined : judgeWork(received, type);
}

/** Checks an answer about the account system's work on an open request. */
function judgeWork({ job, doubted, inGrace }: ReceivedAnswer, type: string): NotNow | undefined {
  if (doubted) return type === "completed" ? undefined : "put-back";
  // Once the account system has started, it may already have deleted the account. If we accepted
  // "not-found" now, the request would end without a receipt or a recheck.
  if (type === "not-found" && job.begunAt) return "begun";
  if (inGrace) return type === "started" ? "put-back" : undefined;
  if (type === "completed" && job.state !== "started") {
    return job.state === "blocked" || job.state === "failed" ? job.state : "not-started";
  }
  return undefined;
}

// Completeness of a deletion

/**
 * Result of a deletion, as reported by the account system. The receipt repeats this data and fills
 * in the rest from the campus's data list.
 */
type Completed = DataOf<"account.deletion.completed">;

/**
 * Lists missing and invalid data in a completion.
 * @param since earliest possible day of the deletion
 */
export function findContradictions(
  list: DataList,
  data: Completed,
  today: Temporal.PlainDate,
  since: Temporal.PlainDate,
): Mismatch[] {
  const missing = kindsToAnswer(list).filter(({ store, kind }) => !findLine(data, store, kind));
  const toNotify = recipientsToNotify(list);
  const wrongRecipients = [
    ...toNotify
      .filter((store) => !data.told.includes(store))
      .map((store) => `${store} is missing: tell it that the account is gone, then say so.`),
    ...data.told
      .filter((store) => !toNotify.includes(store))
      .map((store) => `${store} is not a recipient that you have to notify.`),
  ];
  return [
    ...findMismatches(list, data, today, since),
    ...missing.map(({ store, kind }) => ({
      pointer: "/data/lines",
      detail: `${store}/${kind} is not told of: was it deleted, none, or kept?`,
    })),
    ...wrongRecipients.map((detail) => ({ pointer: "/data/told", detail })),
  ];
}

function completeFrom(list: DataList, data: Completed, today: Temporal.PlainDate): Completion {
  const { backupsGoneBy, accountId } = data;
  return {
    ...completeList(list, today, ({ store, key }) => {
      const line = findLine(data, store, key);
      if (!line) return undefined;
      const { count: _, ...signed } = line;
      return signed;
    }),
    backupsGoneBy,
    ...(accountId !== undefined && { accountId }),
  };
}

function findLine(data: Completed, store: string, kind: string) {
  return data.lines.find((line) => line.store === store && line.kind === kind);
}
