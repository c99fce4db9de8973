import { z } from "zod";
import {
  completeList,
  type DataList,
  findMisfits,
  kindsToAnswer,
  type Misfit,
  recipientsToTell,
} from "../deletion-requests/life/checklist.ts";
import {
  type Completion,
  completionSchema,
  countedLineSchema,
  listKey,
} from "../deletion-requests/life/completion.ts";
import type { Act, Refusal } from "../deletion-requests/life/life.ts";
import {
  holdReasons,
  isWorking,
  type StoredRequest,
  waitOf,
} from "../deletion-requests/life/request.ts";
import { isPlainText } from "../language/texts.ts";
import type { DeletionJob, JobState } from "./deletion-jobs.ts";
import { isInHand, isKeptWaiting } from "./events.ts";
import { misfit, type Wrong } from "./problems.ts";

/**
 * What the account system may answer, what each answer means, and when it may be said.
 * docs/account-system.openapi.yaml describes it for whoever builds the other side.
 */

/** As it was sent out. */
const id = z.string().regex(/^[\w-]{1,64}$/);

/** Of one kind of data in one place; `count` is how many rows it was. */
const countedLine = countedLineSchema.refine(
  ({ outcome, count }) => count === undefined || (outcome === "none") === (count === 0),
  { path: ["count"], error: "must be 0 of what was not there, 1 or more of all else" },
);

/** An answer with what it is about. */
export type Heard = {
  answer: Answer;
  job: DeletionJob;
  request: StoredRequest;
  /** Whether a copy was put back since, so that what it knows comes first. */
  doubted: boolean;
  /** Whether its person still has time to cancel after a restore. */
  inGrace: boolean;
  now: Temporal.Instant;
};

type Meaning<Data> = {
  /** What it makes of the job. */
  state?(said: Data): JobState;
  /** What it makes of the request then. */
  acts?(said: Data, list: DataList, today: Temporal.PlainDate): Act[];
  /** What was said beside the type: what it found, or why not. Names nobody. */
  detail?(said: Data): string;
};

/** @param schema of what it may say; what it says beyond that is not looked at */
function means<Schema extends z.ZodType>(schema: Schema, meaning: Meaning<z.infer<Schema>> = {}) {
  return { schema, ...meaning };
}

const completedSchema = z.object({
  ...completionSchema.shape,
  id,
  lines: z.array(countedLine).min(1).max(200),
  /** Who was told that the account is gone. */
  told: z.array(listKey).max(50).default([]),
});

const answers = {
  /** `item` that was fetched; without it, all fetched items of that job. */
  "account.deletion.received": means(z.object({ id, item: id.optional() })),
  "account.deletion.started": means(z.object({ id }), { state: () => "started" }),
  "account.deletion.completed": means(completedSchema, {
    state: () => "done",
    acts: (said, list, today) => [
      { type: "complete", completion: completeFrom(list, said, today) },
    ],
    detail: ({ lines }) =>
      lines
        .map(({ store, kind, outcome, count }) => {
          const rows = count === undefined ? "" : ` ${count}`;
          return `${store}/${kind} ${outcome}${rows}`;
        })
        .join("; "),
  }),
  "account.deletion.not-found": means(z.object({ id }), {
    state: () => "closed",
    acts: () => [{ type: "refuse", reason: "no-account", explanation: "" }],
  }),
  /**
   * What it knows of a request, after a copy was put back here. What it deleted, it says again; what was cancelled before
   * waits until an operator has looked.
   */
  "account.deletion.standing": means(
    z.object({ id, state: z.enum(["unknown", "open", "begun", "cancelled"]) }),
    {
      state: ({ state }) =>
        state === "begun" ? "started" : state === "cancelled" ? "blocked" : "asked",
    },
  ),
  /** Why it does not delete now, and the last day of that. */
  "account.deletion.blocked": means(
    z.object({
      id,
      reason: z.enum(holdReasons),
      until: z.iso.date(),
    }),
    {
      state: () => "blocked",
      acts: ({ reason, until }) => [
        { type: "hold", reason, until: Temporal.PlainDate.from(until), explanation: "" },
      ],
      detail: ({ reason, until }) => `${reason}, until ${until}`,
    },
  ),
  /** `reason` is for operators and names nobody; `again`: it wants to be asked again in an hour. */
  "account.deletion.failed": means(
    z.object({
      id,
      reason: z.string().trim().min(1).max(300).refine(isPlainText, "Control characters"),
      again: z.boolean(),
    }),
    { state: () => "failed", detail: ({ reason }) => reason },
  ),
};

type AnswerType = keyof typeof answers;
export type Answer = {
  [Type in AnswerType]: { type: Type; data: z.infer<(typeof answers)[Type]["schema"]> };
}[AnswerType];

/** What a body says, or what is wrong with it. */
export function parseAnswer(body: unknown): Answer | Wrong {
  if (typeof body !== "object" || body === null) {
    return misfit([{ pointer: "", detail: "This is no object." }]);
  }
  const { type, data } = body as { type?: unknown; data?: unknown };
  if (typeof type !== "string" || !Object.hasOwn(answers, type)) {
    return { code: "unknown-type", more: { known: Object.keys(answers) } };
  }
  const parsed = answers[type as AnswerType].schema.safeParse(data);
  if (parsed.success) return { type, data: parsed.data } as Answer;
  const errors = parsed.error.issues.slice(0, 20).map(({ path, message }) => ({
    pointer: `/${["data", ...path].join("/")}`,
    detail: message,
  }));
  return { ...misfit(errors), facts: { type } };
}

const meaningOf = ({ type }: Answer) => answers[type] as Meaning<Answer["data"]>;

/** After accounts were restored, the account system is asked about what it had deleted. */
export const isRecheck = ({ request }: Heard): boolean => request.state === "completed";

/** Said again, because our answer was lost, or not asked for: it is true already. */
export function isKnown(heard: Heard): boolean {
  const { answer, job, doubted } = heard;
  return answer.type === "account.deletion.started"
    ? isRecheck(heard) || job.state === "started"
    : answer.type === "account.deletion.standing" && !doubted;
}

/** What the answer does to the request; nothing in a dry run, and where nothing about it changes. */
export function toActs(heard: Heard, list: DataList, today: Temporal.PlainDate): Act[] {
  const { answer, job, request } = heard;
  if (job.test || isRecheck(heard) || isKnown(heard)) return [];
  const meaning = meaningOf(answer);
  // The account system has begun with that: its own hold is over, and the request is in its hands.
  const begins = ["started", "done"].includes(meaning.state?.(answer.data) ?? "");
  // Whoever begins is no longer kept from it by itself; what an operator keeps waiting, `decide` refuses.
  return [
    ...(begins && waitOf(request) ? [{ type: "release" } as const] : []),
    // Begun before, and failed, blocked or handed back since: it goes on.
    ...(begins && request.state === "confirmed" ? [{ type: "take" } as const] : []),
    ...(meaning.acts?.(answer.data, list, today) ?? []),
  ];
}

/** What the job becomes. */
export function nextState(heard: Heard): JobState {
  const { answer, job } = heard;
  return isRecheck(heard) ? "done" : (meaningOf(answer).state?.(answer.data) ?? job.state);
}

/** What was said in a dry run beside its type, and why something failed. */
export function tellDetail({ answer, job }: Heard): string {
  const isTold = job.test || answer.type === "account.deletion.failed";
  return (isTold && meaningOf(answer).detail?.(answer.data)) || "";
}

/** Whether an account that may have come back is not there any more. */
export function isGone(answer: Answer): boolean {
  if (answer.type === "account.deletion.not-found") return true;
  if (answer.type !== "account.deletion.completed") return false;
  return answer.data.lines.some(({ outcome }) => outcome !== "kept");
}

/** Why an answer is refused with 409: docs/account-system.md says what to do about each. */
export type NotNow = Refusal | "not-started" | "begun" | "blocked" | "failed" | "put-back";

/** Checks an answer against the dialogue so far, before the request's own state machine does. */
export function judge(heard: Heard): NotNow | undefined {
  const { answer, job, request, doubted, inGrace } = heard;
  const type = answer.type.slice("account.deletion.".length);
  if (type === "received") return undefined;
  if (isRecheck(heard) && job.recheckedAt) {
    const isAbout = /^(started|completed|not-found|failed)$/.test(type);
    return isAbout ? undefined : "already-ended";
  }
  if (!isWorking(request) || job.state === "closed") return "already-ended";
  // Said to be done, and perhaps taken back by an operator, who goes on by hand.
  if (job.state === "done") return request.done ? "already-done" : "already-taken";
  // An operator has taken it up by hand.
  if (isInHand(request, job)) return "already-taken";
  if (type === "completed" && isKeptWaiting(request)) return "held";
  if (type === "standing") return undefined;
  if (doubted) return type === "completed" ? undefined : "put-back";
  // Whoever began may have deleted already: "no such account" would end the request without a receipt or a recheck.
  if (type === "not-found" && job.begunAt) return "begun";
  if (inGrace) return type === "started" ? "put-back" : undefined;
  if (type === "completed" && job.state !== "started") {
    return job.state === "blocked" || job.state === "failed" ? job.state : "not-started";
  }
  return undefined;
}

// What completes a deletion

/**
 * What the account system must say for a deletion to be complete. The receipt says what it says, and of everything else
 * what the campus's list says.
 */
type Completed = z.infer<typeof completedSchema>;

/**
 * What is missing or does not fit.
 * @param since the day before which nothing can have been deleted; it may be said days later
 */
export function findUnfit(
  list: DataList,
  said: Completed,
  today: Temporal.PlainDate,
  since: Temporal.PlainDate,
): Misfit[] {
  const missing = kindsToAnswer(list).filter(({ store, kind }) => !findLine(said, store, kind));
  const toTell = recipientsToTell(list);
  const told = [
    ...toTell
      .filter((store) => !said.told.includes(store))
      .map((store) => `${store} is missing: tell it that the account is gone, then say so.`),
    ...said.told
      .filter((store) => !toTell.includes(store))
      .map((store) => `${store} is nobody whom you have to tell.`),
  ];
  return [
    ...findMisfits(list, said, today, since),
    ...missing.map(({ store, kind }) => ({
      pointer: "/data/lines",
      detail: `${store}/${kind} is not told of: was it deleted, none, or kept?`,
    })),
    ...told.map((detail) => ({ pointer: "/data/told", detail })),
  ];
}

/** The whole completion, in the order of the list. */
function completeFrom(list: DataList, said: Completed, today: Temporal.PlainDate): Completion {
  const { backupsGoneBy, accountId } = said;
  return {
    ...completeList(list, today, ({ store, key }) => {
      const line = findLine(said, store, key);
      if (!line) return undefined;
      const { count: _, ...signed } = line;
      return signed;
    }),
    backupsGoneBy,
    ...(accountId !== undefined && { accountId }),
  };
}

function findLine(said: Completed, store: string, kind: string) {
  return said.lines.find((line) => line.store === store && line.kind === kind);
}
