import type { HandOver } from "../../../../server/account-system/hand-overs.ts";
import {
  daysIntoWeek,
  findSkipReason,
  firstWeekday,
} from "../../../../server/calendar/business-days.ts";
import {
  kindsToAnswer,
  placesToTick,
  recipientsToTell,
} from "../../../../server/deletion-requests/life/checklist.ts";
import type { Completion } from "../../../../server/deletion-requests/life/completion.ts";
import { createFormKey } from "../../../../server/deletion-requests/life/form-key.ts";
import {
  isSameName,
  refusalReasons,
  undoMinutes,
} from "../../../../server/deletion-requests/life/life.ts";
import {
  isEnded,
  isWorking,
  type StoredRequest,
} from "../../../../server/deletion-requests/store/request.ts";
import { tellOutcomes, toReceipt } from "../../../../server/deletion-requests/telling/receipt.ts";
import { roadOf } from "../../../../server/deletion-requests/telling/tell-request.ts";
import type { QueuedRequest, Story } from "../../../../server/deletion-requests/working/reading.ts";
import { tellDeliveryProblem } from "../../../../server/mail/delivery-problem.ts";
import { isRecipientRefused } from "../../../../server/mail/mail-problem.ts";
import {
  type DeskAct,
  deskActs,
  laterReasons,
} from "../../../../server/operator-desk/act-names.ts";
import type { Look } from "../../../../server/operator-desk/acts.ts";
import { isAtWork } from "../../../../server/operator-desk/at-work.ts";
import type { OperatorDesk, Sight } from "../../../../server/operator-desk/operator-desk.ts";
import { languages, type Words } from "../../../words.ts";
import type { Stop } from "../../delete-account/journey.tsx";
import { layRoad } from "../../delete-account/visit-view.ts";
import { whyNot } from "./do-act.ts";
import { nameIn } from "./read-act.ts";
import { type RowView, toRow } from "./row-view.ts";
import { type StoryLine, tellEvent } from "./story.ts";
import type { WalkView } from "./walk.tsx";

/** Everything that the page of one request shows, ready to be read. Dates for fields are text such as 2026-12-06. */
export type RequestView = {
  row: RowView;
  /** What the page has told of; an act brings it back. */
  seen: number;
  /** Of the forms that are sent once, however often the network lets them be. */
  formKey: string;
  stops: Stop[];
  facts: { label: string; value: string }[];
  /** What became of the data; empty while nothing has. */
  data: DataView[];
  feedback: { reference: string; text: string }[];
  /** What its state does not say and whoever opens it must know first: of what, and how it stands with it. */
  situation: { of: string; text: string }[];
  /** How ownership was shown of one that was entered here, while somebody has to look at it. */
  proof: string | undefined;
  story: StoryLine[];
  notes: StoryLine[];
  mails: { kind: string; state: string; trouble: boolean; when: string; problem: string }[];
  /** What the account system was asked and said; undefined where it takes no part. */
  system: SystemView | undefined;
  /** What can be done now. */
  acts: ActView[];
  /** Why it cannot be completed, or why what has ended stays as it is. */
  why: string | undefined;
  /** Until when the last step can be taken back, while its person is not told. */
  undo: { until: string; leftMs: number } | undefined;
  /** The person's language, as it is called, where it is not the reader's. */
  language: { tag: string; name: string };
  reasons: Partial<Record<DeskAct, { value: string; words: string }[]>>;
  months: MonthView[];
  weekdays: { short: string; long: string }[];
  walk: WalkView;
};

export type ActView = {
  act: DeskAct;
  about: string;
  /** What is asked for, as the act's declaration names it. */
  fields: readonly string[];
  /** Its mail can be read before. */
  hasDraft: boolean;
  /** It comes next in the ordinary way, and is shown in full. */
  isNext: boolean;
};

export type SystemView = {
  /** How it stands with it. */
  standing: string[];
  /** Its answers, oldest first. */
  said: StoryLine[];
  /** What it said of each kind of data in each place. */
  data: DataView[];
  /** It deletes the account now, and nobody else should. */
  isAtWork: boolean;
};

export type DataView = { title: string; lines: { place: string; kind: string; how: string }[] };

export type MonthView = {
  name: string;
  days: DayView[] /** Empty cells before the first. */;
  gap: number;
};

/** A day of the calendar; `count` is what an extension to it takes, undefined where it cannot be promised. */
export type DayView = { day: string; label: string; count: number | undefined };

export function toRequestView(
  words: Words,
  operatorDesk: OperatorDesk,
  story: Story,
  handOver: HandOver | undefined,
  sight: Sight,
): RequestView {
  const { request, mails } = story;
  const { dates, mail, operator } = words;
  const { desk } = operator;
  const labels = desk.request;
  const look = operatorDesk.look(story, sight.name);
  const possible = operatorDesk.findPossible(look);
  // What an operator called done is completed by the clock.
  const byHand = story.events.some(
    ({ type, actor }) => type === "complete" && actor === "operator",
  );
  const withSystem = handOver !== undefined && !byHand;
  const lines = story.events.map((event) => {
    const line = tellEvent(words, event, withSystem);
    return event.type === "enter"
      ? { ...line, details: [proofOf(words, operatorDesk, event.code)] }
      : line;
  });
  const isNote = (index: number) => story.events[index]?.type === "note";
  const asked = isEnded(request) ? "undo" : "complete";
  const isWithSystem = handOver !== undefined && isAtWork(request, handOver);
  const marks = new Map([[request.id, new Set(isWithSystem ? (["system"] as const) : [])]]);
  const row = toRow(words, request, { ...sight, marks });
  return {
    row,
    seen: story.seen,
    formKey: createFormKey(),
    stops: stopsOf(words, request),
    facts: factsOf(words, story),
    data: isEnded(request) && request.completion ? dataOf(words, request.completion) : [],
    feedback: story.submissions.flatMap(({ reference, feedback }) =>
      feedback === "" ? [] : [{ reference, text: feedback }],
    ),
    situation: situationOf(words, story, lines, handOver, sight.name),
    proof:
      request.state === "received"
        ? lines.find((_, index) => story.events[index]?.type === "enter")?.details[0]
        : undefined,
    story: lines.filter((_, index) => !isNote(index)),
    notes: lines.filter((_, index) => isNote(index)),
    mails: mails.map((one) => ({
      kind: mail.mailKinds[one.kind] ?? one.kind,
      state: [
        labels.mailStates[one.state],
        ...(one.state === "waiting" && one.failures > 0
          ? [words.say(labels.again, { time: dates.momentBriefly(one.nextAt) })]
          : []),
        ...(one.state === "waiting" &&
        one.failures === 0 &&
        Temporal.Instant.compare(one.nextAt, one.createdAt) > 0
          ? [words.say(labels.leaves, { time: dates.time(one.nextAt) })]
          : []),
      ].join(", "),
      trouble: one.state === "needs-person",
      when: dates.momentBriefly(one.createdAt),
      problem: tellDeliveryProblem(mail.deliveryProblems, one.lastProblem),
    })),
    system: handOver && systemOf(words, operatorDesk, story, handOver, { lines, byHand }),
    acts: deskActs.flatMap((act) =>
      possible[act].can
        ? [actOf(words, operatorDesk, act, look, { row, isAtSystem: isWithSystem })]
        : [],
    ),
    why: possible[asked].can ? undefined : whyNot(words, possible[asked].because, request),
    undo:
      possible.undo.can && operatorDesk.isUnknown(look)
        ? undoOf(words, operatorDesk, story)
        : undefined,
    language: languageOf(request.language),
    reasons: {
      refuse: refusalReasons.map((code) => ({ value: code, words: labels.refusals[code] })),
      later: laterReasons.map((code) => ({
        value: code,
        words: code === "time" ? labels.noTime : labels.holds[code],
      })),
    },
    months: monthsOf(words, operatorDesk, request),
    weekdays: weekdaysOf(words, operatorDesk),
    walk: walkOf(words, operatorDesk, request.email === undefined ? [] : [request.email]),
  };
}

/** An act as the page of a request shows it. */
function actOf(
  { operator, say }: Words,
  { acts, isUnknown }: OperatorDesk,
  act: DeskAct,
  look: Look,
  { row, isAtSystem }: { row: RowView; isAtSystem: boolean },
): ActView {
  const { about } = operator.desk;
  const { request, mails } = look;
  const { owner } = row;
  const isOver = act === "undo" && !isUnknown(look) && isEnded(request);
  const isHeld = act === "undo" && row.hold !== undefined;
  const isNext: Partial<Record<DeskAct, boolean>> = {
    // What the account system deletes now, nobody is led to delete by hand.
    take: !isAtSystem && (owner === undefined || owner.isAway),
    complete: !isAtSystem,
    undo: isHeld || (isUnknown(look) && (isEnded(request) || row.leaves !== undefined)),
    approve: true,
    resend: mails.some(({ state }) => state === "needs-person"),
  };
  const tellAbout = (): string => {
    if (act === "take" && owner) return say(about.takeOver, { name: owner.name });
    if (act === "take" && row.isBegun) return about.takeBegun;
    if (isOver) return about.undoTold;
    if (isHeld) return about.undoHold;
    const isTake = act === "undo" && row.leaves === undefined && isWorking(request);
    return isTake ? about.undoTake : about[act];
  };
  return {
    act,
    about: tellAbout(),
    // Whoever heard nothing of it is told nothing.
    fields: act === "undo" && !isOver ? [] : acts[act].fields,
    hasDraft: acts[act].drafted === true,
    isNext: isNext[act] === true,
  };
}

/** What the account system itself said; what the campus's list adds to a completion is not its own. */
function systemOf(
  words: Words,
  { dataList }: OperatorDesk,
  { request, events }: Story,
  handOver: HandOver,
  { lines, byHand }: { lines: StoryLine[]; byHand: boolean },
): SystemView {
  const { dates, operator } = words;
  const labels = operator.desk.request;
  const byClock = ["expire", "erase", "late"];
  const isSaid = ({ actor, type, toState }: Story["events"][number]) =>
    actor === "system" &&
    !byClock.includes(type) &&
    !(type === "complete" && toState === "completed");
  const completion = !byHand && isEnded(request) ? request.completion : undefined;
  const own = kindsToAnswer(dataList);
  const told = completion?.lines.filter((line) =>
    own.some(({ store, kind }) => store === line.store && kind === line.kind),
  );
  const day = (date: string) => dates.day(Temporal.PlainDate.from(date));
  return {
    standing: [
      labels.systemStates[handOver.state],
      words.say(labels.systemAsked, { time: dates.momentBriefly(handOver.askedAt) }),
      ...(handOver.accountId === undefined
        ? []
        : [words.say(labels.systemAccount, { account: handOver.accountId })]),
      ...(completion?.backupsGoneBy
        ? [words.say(labels.backups, { date: day(completion.backupsGoneBy) })]
        : []),
    ],
    said: lines.filter((_, index) => {
      const event = events[index];
      return event !== undefined && isSaid(event);
    }),
    data: told ? dataOf(words, { lines: told, backupsGoneBy: null }) : [],
    isAtWork: isAtWork(request, handOver),
  };
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
    const leaves = dates.time(working.done.at.add({ minutes: undoMinutes }));
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
function dataOf({ dates, mail, dataKinds, say }: Words, completion: Completion): DataView[] {
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

function proofOf({ settings }: Words, { dataList }: OperatorDesk, code: string): string {
  const proof = dataList.ownershipProofs.find(({ key }) => key === code);
  return proof?.words[settings.language] ?? Object.values(proof?.words ?? {})[0] ?? code;
}

/** What the language of a request is called in itself. Empty is the campus's first. */
export function languageOf(tag: string): { tag: string; name: string } {
  const spoken = languages.find(({ settings }) => settings.language === tag) ?? languages[0];
  const found = spoken?.settings.language ?? tag;
  return {
    tag: found,
    name: new Intl.DisplayNames([found], { type: "language" }).of(found) ?? found,
  };
}

function stopsOf(words: Words, request: QueuedRequest): Stop[] {
  const { approved, ...ahead } = words.operator.desk.request.ahead;
  const isEntered = request.state === "received" && request.enteredBy !== undefined;
  // What is said to a person on their own page is said otherwise here.
  const road = roadOf(request, request.daysLeft).map(({ ahead, ...stop }) =>
    ahead?.says === "cancelUntil" ? stop : { ...stop, ...(ahead && { ahead }) },
  );
  return layRoad(words, road, { titles: isEntered ? { ...ahead, confirmed: approved } : ahead });
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

/** Until when the last step can be taken back. */
function undoOf(
  { dates }: Words,
  { now }: OperatorDesk,
  { request, mails }: Story,
): RequestView["undo"] {
  const done = isWorking(request) ? request.done?.at : undefined;
  const at = done ? done.add({ minutes: undoMinutes }) : mails.at(-1)?.nextAt;
  return at && { until: dates.time(at), leftMs: at.since(now()).total("milliseconds") };
}

/** The months in which a new date can lie, with every day, of which only lawful ones can be chosen. */
function monthsOf(words: Words, operatorDesk: OperatorDesk, request: StoredRequest): MonthView[] {
  const lawful = new Map(
    operatorDesk
      .extensions(request)
      .map(({ dueOn, businessDays }) => [dueOn.toString(), businessDays]),
  );
  const [first] = lawful.keys();
  const last = [...lawful.keys()].at(-1);
  if (!first || !last) return [];
  const { locale } = words.mail;
  const nameOf = new Intl.DateTimeFormat(locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const numberOf = new Intl.NumberFormat(locale);
  const months: MonthView[] = [];
  const end = Temporal.PlainDate.from(last);
  for (
    let month = Temporal.PlainDate.from(first).toPlainYearMonth();
    Temporal.PlainYearMonth.compare(month, end.toPlainYearMonth()) <= 0;
    month = month.add({ months: 1 })
  ) {
    const whole = month.toPlainDate({ day: 1 });
    const isIn = (day: string) => day.startsWith(month.toString());
    // Whole weeks, of which some day can be chosen.
    const own = [...lawful.keys()].filter(isIn).map((day) => Temporal.PlainDate.from(day));
    const [from = whole] = own;
    const to = own.at(-1) ?? whole;
    const intoWeek = (day: Temporal.PlainDate) => daysIntoWeek(operatorDesk.calendar, day);
    const begin = later(whole, from.subtract({ days: intoWeek(from) }));
    const last = Math.min(month.daysInMonth, to.day + 6 - intoWeek(to));
    months.push({
      name: nameOf.format(new Date(`${whole}T00:00:00Z`)),
      gap: intoWeek(begin),
      days: Array.from({ length: last - begin.day + 1 }, (_, index) => {
        const day = begin.add({ days: index });
        return {
          day: numberOf.format(day.day),
          label: labelOf(words, operatorDesk, day),
          count: lawful.get(day.toString()),
        };
      }),
    });
  }
  return months;
}

function later(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) > 0 ? one : other;
}

/**
 * From the day that the campus's weeks begin with, as months are laid out. Cut to their first sign where a short one is
 * still too long for a column.
 */
function weekdaysOf(
  { mail }: Words,
  { calendar }: OperatorDesk,
): { short: string; long: string }[] {
  const named = (weekday: "narrow" | "short" | "long") => {
    const format = new Intl.DateTimeFormat(mail.locale, { weekday, timeZone: "UTC" });
    // 5 January 1970 was a Monday.
    const first = 3 + firstWeekday(calendar);
    return Array.from({ length: 7 }, (_, index) => format.format((first + index) * 86_400_000));
  };
  const short = named("short");
  const shown = short.some((name) => name.length > 5) ? named("narrow") : short;
  return named("long").map((long, index) => ({ short: shown[index] ?? long, long }));
}

/** A day in words, with why it does not count where it does not. */
function labelOf({ dates, holidays }: Words, { calendar }: OperatorDesk, day: Temporal.PlainDate) {
  const skip = findSkipReason(calendar, day);
  return skip?.reason === "holiday"
    ? `${dates.day(day)}: ${holidays[skip.name] ?? skip.name}`
    : dates.day(day);
}

/** The walk from place to place; each place's own page of these accounts stands beside it. */
export function walkOf(
  words: Words,
  { dataList }: OperatorDesk,
  addresses: readonly string[],
): WalkView {
  const toTell = recipientsToTell(dataList);
  const toWalk = placesToTick(dataList);
  const walked = dataList.stores.filter(({ key }) => toWalk.includes(key));
  return {
    places: walked.map((store) => ({
      key: store.key,
      place: nameIn(words, store),
      isTold: toTell.includes(store.key),
      kinds: words.dataKinds.flatMap(({ key, kind, store: place }) =>
        place === store.key ? [{ key, kind }] : [],
      ),
      links: linksTo(store.adminPage, addresses),
    })),
    byItself: dataList.stores
      .filter(({ key }) => !toWalk.includes(key))
      .map((store) => nameIn(words, store)),
  };
}

function linksTo(page: string | undefined, addresses: readonly string[]) {
  if (page === undefined) return [];
  return addresses.map((address) => ({
    address,
    url: page.replace("{address}", encodeURIComponent(address)),
  }));
}
