import type { DeletionJob } from "../../../../server/account-system/deletion-jobs.ts";
import { isStuck } from "../../../../server/deletion-requests/commands/acts.ts";
import { isNoticeUnsent } from "../../../../server/deletion-requests/mails/messages.ts";
import { describeEvent } from "../../../../server/deletion-requests/presenters/history.ts";
import { toReceipt } from "../../../../server/deletion-requests/presenters/receipt.ts";
import {
  presentEvent,
  presentFacts,
} from "../../../../server/deletion-requests/presenters/request.ts";
import type { RequestDetail } from "../../../../server/deletion-requests/queries/request-queries.ts";
import type { EventRecord } from "../../../../server/deletion-requests/repository/audit-log.ts";
import type { DataList } from "../../../../server/deletion-requests/state-machine/checklist.ts";
import { isEnded, isWorking } from "../../../../server/deletion-requests/state-machine/request.ts";
import {
  describeDeliveryCure,
  describeDeliveryProblem,
} from "../../../../server/delivery/delivery-problem.ts";
import { nameLanguage } from "../../../../server/platform/i18n/texts.ts";
import { languages, type PageWords } from "../../../words.ts";

/** Formats everything that is known about a request as lines of text. */

/** A detail: either actor, act and time, or label and value. */
export type DetailLine = {
  who: string;
  what?: string | undefined;
  when?: string;
  /** Reasons for the act, or retention periods. */
  details?: string[];
  /** Text that the requester or an operator wrote. */
  quote?: string;
  by?: EventRecord["actor"];
  needsPerson?: boolean;
};

/** Formats an event in the history as a sentence. */
export function toEventLine(
  words: PageWords,
  event: Parameters<typeof presentEvent>[0],
  proofs: DataList["ownershipProofs"] = [],
) {
  const { story, request: labels } = words.operator.desk;
  const line = presentEvent(event);
  const { at, who, reason, note, by } = line;
  const { what, details } = describeEvent(words, line);
  const reasons: Partial<Record<string, Record<string, string>>> = {
    hold: labels.reasons,
    refuse: labels.reasons,
    enter: Object.fromEntries(proofs.map((proof) => [proof.key, nameIn(words, proof)])),
  };
  return {
    who: who === "operator" ? line.name : story[who],
    what,
    when: words.dates.momentBriefly(at),
    details: [reasons[event.type]?.[reason] ?? [], details].flat(),
    quote: note,
    by,
  } satisfies DetailLine;
}

/** Lists the answers in the form, except defaults: the reason "other" and the desk's language. */
export function presentFormAnswers(
  words: PageWords,
  { request, submissions }: RequestDetail,
): DetailLine[] {
  const labels = words.operator.desk.request;
  const reasons: Record<string, string> = words.deletion.form.reasons;
  const forms = submissions.map(({ reference }) => reference);
  const { contact, reason, references } = presentFacts(request, "team", { references: forms });
  const language = languageOf(request.language);
  const facts = [
    { who: labels.contact, what: contact?.text },
    { who: labels.reason, what: reason?.code === "other" ? "" : reasons[reason?.code ?? ""] },
    { who: labels.references, what: references?.text },
    {
      who: labels.language,
      what: language.tag === words.settings.language ? "" : language.name,
    },
  ];
  return facts.filter(({ what }) => what);
}

/** Lists what happened to each kind of data, or returns an empty list if nothing is known yet. */
export function presentOutcome(words: PageWords, { request }: RequestDetail): DetailLine[] {
  const { dates, mail, dataKinds } = words;
  const completion = isEnded(request) ? request.completion : undefined;
  if (!completion) return [];
  const { groups } = toReceipt(completion, dataKinds, mail.receipt, dates);
  return groups.map(({ title: who, items: details }) => ({ who, details }));
}

export function presentEmails(
  { dates, mail, operator }: PageWords,
  { mails }: RequestDetail,
): DetailLine[] {
  return mails.map(({ kind, state, createdAt, lastProblem }) => ({
    who: mail.mailKinds[kind] ?? kind,
    what: operator.desk.request.mailStates[state],
    when: dates.momentBriefly(createdAt),
    details: lastProblem ? [describeDeliveryProblem(mail.deliveryProblems, lastProblem)] : [],
    needsPerson: state === "needs-person",
  }));
}

/**
 * Lists labeled conditions that operators must know before acting but that the request's state
 * doesn't show.
 */
export function presentConditions(
  words: PageWords,
  situation: Situation,
  lines: readonly DetailLine[],
): { of: string; text: string }[] {
  const { story, job, isUnknown, now } = situation;
  const { request, events, mails } = story;
  const { operator, dates, say } = words;
  const { request: labels, groups, whyNot, enter, card } = operator.desk;
  const lineOf = (type: string) => lines[events.findLastIndex((event) => event.type === type)];
  const troubled = mails.filter(isStuck);
  const { final, heldUntil, hold, expires: ends } = presentFacts(request, "team");
  const isJustEnded = isEnded(request) && isUnknown;
  const leaves = final?.at ?? (isJustEnded ? mails.at(-1)?.nextAt : undefined);
  const isAhead = leaves && Temporal.Instant.compare(leaves, now) > 0;
  const last = events.findLastIndex(({ type }) => type !== "note");
  const reopened = isWorking(request) && events[last]?.type === "reopen" ? lines[last] : undefined;
  const expires = ends && !request.enteredBy && dates.momentBriefly(ends.at);
  // If the confirmation email bounced, the requester has no link to confirm with.
  const hasLink = !troubled.some(({ kind }) => kind === "confirm");
  const found = [
    [
      labels.held,
      heldUntil &&
        hold &&
        say(card.waits, { date: dates.dayNear(heldUntil.on), reason: labels.reasons[hold.code] }),
    ],
    [labels.undelivered.title, presentUndelivered(words, troubled)],
    [
      groups.done,
      leaves && (isAhead ? say(card.leaves, { time: dates.time(leaves) }) : labels.leavesNow),
    ],
    [operator.desk.story.system, job && presentAccountJob(words, job, lineOf("failed")?.quote)],
    [`${reopened?.who} ${reopened?.what}`, reopened?.quote],
    [enter.proof, ends && request.enteredBy && lineOf("enter")?.details?.[0]],
    [enter.note, ends && request.enteredBy && (lineOf("enter")?.quote || undefined)],
    [labels.notice, presentMailboxNotice(words, situation)],
    [labels.expires, expires && (hasLink ? `${expires}. ${whyNot["not-confirmed"]}` : expires)],
  ] as const;
  return found.flatMap(([of, text]) => (typeof text === "string" ? [{ of, text }] : []));
}

/**
 * Describes what happened to the email to the mailbox that was reported as closed. Returns
 * undefined once the request is approved or refused.
 */
function presentMailboxNotice(
  { dates, mail, operator, say }: PageWords,
  { story, now }: Situation,
) {
  const { request, mails } = story;
  if (request.state !== "received" || !request.approvableAt) return undefined;
  const { noticeWaits, noticeBounced, noticeRuns, noticeOver } = operator.desk.request;
  if (isNoticeUnsent(mails)) return noticeWaits;
  const { approvableAt } = request;
  const bounced = mails.findLast(
    ({ kind, state }) => kind === "notice-entered" && state === "bounced",
  );
  const isOver = Temporal.Instant.compare(approvableAt, now) <= 0;
  const problem = describeDeliveryProblem(mail.deliveryProblems, bounced?.lastProblem ?? "");
  return [
    bounced && say(noticeBounced, { problem }),
    isOver ? noticeOver : say(noticeRuns, { time: dates.momentBriefly(approvableAt) }),
  ]
    .filter(Boolean)
    .join(" ");
}

type Situation = {
  story: RequestDetail;
  job: DeletionJob | undefined;
  /**
   * Whether the requester hasn't learned of the last step yet. Such a step can be undone silently.
   */
  isUnknown: boolean;
  now: Temporal.Instant;
};

/**
 * Describes undelivered emails and what an operator can do about them. Returns undefined if there
 * are no such emails.
 */
function presentUndelivered(
  { mail, say }: PageWords,
  troubled: readonly RequestDetail["mails"][number][],
): string | undefined {
  if (troubled.length === 0) return undefined;
  const problems = troubled.map(
    ({ kind, lastProblem }) =>
      `${mail.mailKinds[kind] ?? kind}, ${describeDeliveryProblem(mail.deliveryProblems, lastProblem)}`,
  );
  const cures = troubled.map(({ lastProblem }) =>
    describeDeliveryCure(mail.deliveryCures, lastProblem),
  );
  return say(mail.shared.withCure, {
    problem: [...new Set(problems)].join("; "),
    cure: [...new Set(cures)].join(" "),
  }).trimEnd();
}

/** Describes the account system's deletion job and, if it failed, why. */
function presentAccountJob(
  { dates, operator, say }: PageWords,
  { state, askedAt, accountId: account }: DeletionJob,
  why = "",
): string {
  const { systemStates, systemAsked, systemAccount } = operator.desk.request;
  return [
    systemStates[state],
    state === "blocked" || state === "failed" ? why : "",
    say(systemAsked, { time: dates.momentBriefly(askedAt) }),
    account === undefined ? "" : say(systemAccount, { account }),
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * Returns the tag and the native name of a request's language. An empty tag means the campus's
 * default language.
 */
export function languageOf(tag: string): { tag: string; name: string } {
  const spoken = languages.find(({ settings }) => settings.language === tag) ?? languages[0];
  const found = spoken?.settings.language ?? tag;
  return { tag: found, name: nameLanguage(found, found) };
}

/**
 * Returns the name of a data list entry in the page's language, or in another if there is no
 * translation.
 */
export function nameIn(
  { settings }: PageWords,
  { key, words }: { key: string; words: Readonly<Record<string, string>> },
): string {
  return words[settings.language] ?? Object.values(words)[0] ?? key;
}
