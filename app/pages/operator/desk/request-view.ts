import type { HandOver } from "../../../../server/account-system/hand-overs.ts";
import type { Completion } from "../../../../server/deletion-requests/life/completion.ts";
import { isSameName } from "../../../../server/deletion-requests/life/life.ts";
import { isEnded, isWorking } from "../../../../server/deletion-requests/store/request.ts";
import { tellOutcomes, toReceipt } from "../../../../server/deletion-requests/telling/receipt.ts";
import { finalAt } from "../../../../server/deletion-requests/telling/tell-request.ts";
import type { Story } from "../../../../server/deletion-requests/working/reading.ts";
import { tellDeliveryProblem } from "../../../../server/mail/delivery-problem.ts";
import { isRecipientRefused } from "../../../../server/mail/mail-problem.ts";
import { type DeskAct, deskActs } from "../../../../server/operator-desk/act-names.ts";
import type { Look } from "../../../../server/operator-desk/acts.ts";
import { isAtWork } from "../../../../server/operator-desk/at-work.ts";
import type { OperatorDesk, Sight } from "../../../../server/operator-desk/operator-desk.ts";
import { languages, type Words } from "../../../words.ts";
import { type ActView, languageOf, nameIn, toActView } from "./act-view.ts";
import { whyNot } from "./do-act.ts";
import { type RowView, toRow } from "./row-view.ts";
import { type StoryLine, tellEvent } from "./story.ts";

/** Everything that the page of one request shows, ready to be read. */
export type RequestView = {
  row: RowView;
  /** What the page has told of; an act brings it back. */
  seen: number;
  facts: { label: string; value: string }[];
  /** What became of the data, by what it was; empty while nothing has. */
  data: { title: string; lines: { place: string; kind: string; how: string }[] }[];
  feedback: { reference: string; text: string }[];
  /** What its state does not say and whoever opens it must know first: of what, and how it stands with it. */
  situation: { of: string; text: string }[];
  /** How ownership was shown of one that was entered here, while somebody has to look at it. */
  proof: string | undefined;
  story: StoryLine[];
  notes: StoryLine[];
  mails: { kind: string; state: string; trouble: boolean; when: string; problem: string }[];
  /** How it stands with the account system; empty where that takes no part. */
  system: string[];
  /** What can be done now; what comes next in the ordinary way is shown in full. */
  acts: (ActView & { isNext: boolean })[];
  /** Why it cannot be completed, or why what has ended stays as it is. */
  why: string | undefined;
  /** Until when the last step can be taken back, while nobody is told. */
  undo: string | undefined;
};

export function toRequestView(
  words: Words,
  operatorDesk: OperatorDesk,
  story: Story,
  handOver: HandOver | undefined,
  sight: Sight,
): RequestView {
  const { request, mails, events } = story;
  const look = operatorDesk.look(story, sight.name);
  const possible = operatorDesk.findPossible(look);
  // What an operator called done is completed by the clock.
  const byHand = events.some(({ type, actor }) => type === "complete" && actor === "operator");
  const lines = events.map((event) => {
    const line = tellEvent(words, event, handOver !== undefined && !byHand);
    const proof = operatorDesk.dataList.ownershipProofs.find(({ key }) => key === event.code);
    return event.type === "enter" && proof ? { ...line, details: [nameIn(words, proof)] } : line;
  });
  const isNote = (_: unknown, index: number) => events[index]?.type === "note";
  const asked = isEnded(request) ? "undo" : "complete";
  const isWithSystem = handOver !== undefined && isAtWork(request, handOver);
  const marks = new Map([[request.id, new Set(isWithSystem ? (["system"] as const) : [])]]);
  const row = toRow(words, request, { ...sight, marks });
  const proof = lines.find((_, index) => events[index]?.type === "enter")?.details[0];
  return {
    row,
    seen: story.seen,
    facts: factsOf(words, story),
    data: isEnded(request) && request.completion ? dataOf(words, request.completion) : [],
    feedback: story.submissions.flatMap(({ reference, feedback }) =>
      feedback === "" ? [] : [{ reference, text: feedback }],
    ),
    situation: situationOf(words, story, lines, handOver, sight.name),
    proof: request.state === "received" ? proof : undefined,
    story: lines.filter((line, index) => !isNote(line, index)),
    notes: lines.filter(isNote),
    mails: mailsOf(words, mails),
    system: handOver ? standingOf(words, handOver) : [],
    acts: deskActs.flatMap((act) =>
      possible[act].can ? [actOf(words, operatorDesk, act, look, row, isWithSystem)] : [],
    ),
    why: possible[asked].can ? undefined : whyNot(words, possible[asked].because, request),
    undo:
      possible.undo.can && operatorDesk.isUnknown(look)
        ? undoOf(words, operatorDesk, story)
        : undefined,
  };
}

/** An act as the page of a request shows it. */
function actOf(
  words: Words,
  operatorDesk: OperatorDesk,
  act: DeskAct,
  look: Look,
  row: RowView,
  isAtSystem: boolean,
): RequestView["acts"][number] {
  const { about } = words.operator.desk;
  const { request, mails } = look;
  const { owner } = row;
  const isUnknown = operatorDesk.isUnknown(look);
  const isOver = act === "undo" && !isUnknown && isEnded(request);
  const isHeld = act === "undo" && row.waits !== undefined;
  const isNext: Partial<Record<DeskAct, boolean>> = {
    // What the account system deletes now, nobody is led to delete by hand.
    take: !isAtSystem && (owner === undefined || owner.isAway),
    complete: !isAtSystem,
    undo: isHeld || (isUnknown && (isEnded(request) || row.leaves !== undefined)),
    approve: true,
    resend: mails.some(({ state }) => state === "needs-person"),
  };
  const tellAbout = (): string => {
    if (act === "take" && owner) return words.say(about.takeOver, { name: owner.name });
    if (act === "take" && row.isBegun) return about.takeBegun;
    if (isOver) return about.undoTold;
    if (isHeld) return about.undoHold;
    const isTake = act === "undo" && row.leaves === undefined && isWorking(request);
    return isTake ? about.undoTake : about[act];
  };
  // Whoever heard nothing of it is told nothing.
  const withoutFields = act === "undo" && !isOver;
  const asked = { act, requests: [request], about: tellAbout(), withoutFields };
  return { ...toActView(words, operatorDesk, asked), isNext: isNext[act] === true };
}

function mailsOf({ dates, mail, operator }: Words, mails: Story["mails"]): RequestView["mails"] {
  return mails.map((one) => ({
    kind: mail.mailKinds[one.kind] ?? one.kind,
    state: operator.desk.request.mailStates[one.state],
    trouble: one.state === "needs-person",
    when: dates.momentBriefly(one.createdAt),
    problem: tellDeliveryProblem(mail.deliveryProblems, one.lastProblem),
  }));
}

function standingOf({ dates, operator, say }: Words, handOver: HandOver): string[] {
  const labels = operator.desk.request;
  return [
    labels.systemStates[handOver.state],
    say(labels.systemAsked, { time: dates.momentBriefly(handOver.askedAt) }),
    ...(handOver.accountId === undefined
      ? []
      : [say(labels.systemAccount, { account: handOver.accountId })]),
  ];
}

function situationOf(
  { operator, mail, dates, say }: Words,
  { request, events, mails }: Story,
  lines: StoryLine[],
  handOver: HandOver | undefined,
  name: string,
): RequestView["situation"] {
  const { request: labels, groups, card, whyNot } = operator.desk;
  const working = isWorking(request) ? request : undefined;
  const found: RequestView["situation"] = [];
  const undelivered = mails.filter(({ state }) => state === "needs-person");
  if (undelivered.length > 0) {
    const { title, address, other } = labels.undelivered;
    const problems = undelivered.map(
      ({ kind, lastProblem }) =>
        `${mail.mailKinds[kind] ?? kind}, ${tellDeliveryProblem(mail.deliveryProblems, lastProblem)}`,
    );
    const isAddress = undelivered.some(
      ({ lastProblem }) =>
        isRecipientRefused(lastProblem) || lastProblem.startsWith("address not usable"),
    );
    const text = `${[...new Set(problems)].join("; ")}. ${isAddress ? address : other}`;
    found.push({ of: title, text });
  }
  if (working?.done) {
    const leaves = dates.time(finalAt(working.done.at));
    found.push({ of: groups.done, text: say(card.leaves, { time: leaves }) });
  }
  const isDeletedHeld = handOver?.state === "deleted-held";
  const isNobodys = working?.owner === undefined || isDeletedHeld;
  if (handOver && working && !working.done && isNobodys) {
    const { state } = handOver;
    const failed = events.findLastIndex(({ type }) => type === "failed");
    if (isAtWork(request, handOver)) {
      found.push({ of: labels.system, text: labels.systemStates[state] });
    } else if (state === "failed" || state === "blocked" || isDeletedHeld) {
      const why = lines[failed]?.quote ?? "";
      found.push({ of: labels.system, text: `${labels.systemStates[state]} ${why}`.trim() });
    }
  }
  const last = events.findLastIndex(({ type }) => type !== "note");
  const reopened = events[last]?.type === "reopen" ? lines[last] : undefined;
  if (working && reopened) {
    found.push({ of: `${reopened.who} ${reopened.what}`, text: reopened.quote });
  }
  if (request.state === "received" && request.enteredBy && isSameName(request.enteredBy, name)) {
    found.push({ of: groups.approve, text: whyNot["needs-second-person"] });
  }
  if (request.state === "received" && !request.enteredBy) {
    const until = dates.momentBriefly(request.expiresAt);
    // Nobody can confirm with a link that did not come.
    const hasLink = !undelivered.some(({ kind }) => kind === "confirm");
    const text = hasLink ? `${until}. ${whyNot["not-confirmed"]}` : until;
    found.push({ of: labels.expires, text });
  }
  return found;
}

/** What became of each kind of data in each place, by what it was. */
function dataOf(
  { dates, mail, dataKinds, say }: Words,
  completion: Completion,
): RequestView["data"] {
  const day = (date: string) => dates.day(Temporal.PlainDate.from(date));
  const { lines } = toReceipt(completion, dataKinds, mail.receipt, { day, say });
  return tellOutcomes(lines, mail.receipt).map(({ title, lines }) => ({
    title,
    lines: lines.map(({ row, when, why }) => ({
      place: row.place,
      kind: row.kind,
      how: [when, why].filter((text) => text !== undefined).join(", "),
    })),
  }));
}

function factsOf(words: Words, { request, submissions }: Story): RequestView["facts"] {
  const { dates, deletion, operator } = words;
  const labels = operator.desk.request;
  const others = submissions
    .map(({ reference }) => reference)
    .filter((one) => one !== request.reference);
  const facts: [string, string | undefined][] = [
    [labels.contact, request.contact],
    [labels.reason, deletion.form.reasons[request.reason] ?? deletion.form.reasons.other],
    [labels.references, others.join(", ") || undefined],
    [
      labels.firstDue,
      "firstDueOn" in request && !request.firstDueOn.equals(request.dueOn)
        ? dates.day(request.firstDueOn)
        : undefined,
    ],
    [labels.expires, request.state === "received" ? dates.moment(request.expiresAt) : undefined],
    [labels.language, languages.length > 1 ? languageOf(request.language).name : undefined],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** Until when the last step can be taken back: what has run out, until its mail leaves, as soon as the server comes to it. */
function undoOf(
  { dates, operator, say }: Words,
  { now }: OperatorDesk,
  { request, mails }: Story,
): RequestView["undo"] {
  const { undoUntil, leavesNow } = operator.desk.request;
  const done = isWorking(request) ? request.done?.at : undefined;
  const at = done ? finalAt(done) : mails.at(-1)?.nextAt;
  if (!at) return undefined;
  return Temporal.Instant.compare(at, now()) > 0
    ? say(undoUntil, { time: dates.time(at) })
    : leavesNow;
}
