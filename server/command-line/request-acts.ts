import { parseEmailAddress } from "../addresses/email-address.ts";
import { dateAt } from "../calendar/business-days.ts";
import { readDate } from "../calendar/typed-date.ts";
import {
  type AccountKind,
  type DataList,
  type Found,
  findMissing,
  type Missing,
  placesToTick,
  recipientsToTell,
} from "../deletion-requests/checklist.ts";
import type { CompleteResult, Desk, DeskResult, OperatorAct } from "../deletion-requests/desk.ts";
import {
  answerWithinDays,
  extendedWithinDays,
  holdReasons,
  maxExplanation,
  outlasts,
  type Refusal,
  refusalReasons,
  tellWithinMonths,
  undoMinutes,
} from "../deletion-requests/life.ts";
import { reasonCodes } from "../deletion-requests/reasons.ts";
import { isEnded, isWorking, type StoredRequest } from "../deletion-requests/store/request.ts";
import { tellNotFound } from "./request-views.ts";
import type { Options } from "./requests.ts";
import { done, failed, findNearest, notUnderstood, stillToDo, toTime } from "./sentences.ts";
import type { CommandServices, Outcome } from "./start.ts";
import { toPrintable } from "./table.ts";

/** What an operator does to one request. */

export type Asked = {
  services: CommandServices;
  desk: Desk;
  reference: string;
  options: Options;
  name: string;
};

export type Act = (asked: Asked) => Promise<Outcome>;

export const acts: Record<string, Act> = {
  take: (asked) =>
    apply(
      asked,
      { type: "take" },
      (request) =>
        `${request.reference} is yours, ${tellDue(request)}. Delete the account, then: npm run requests -- complete ${request.reference} --as ${asked.name}`,
    ),
  "hand-back": (asked) =>
    apply(
      asked,
      { type: "hand-back" },
      (request) =>
        `${request.reference} is nobody's work now, ${tellDue(request)}. The person is not told.`,
    ),
  release: (asked) =>
    apply(
      asked,
      { type: "release" },
      (request) => `${request.reference} goes on, ${tellDue(request)}. The person is told by mail.`,
    ),
  approve: (asked) =>
    apply(
      asked,
      { type: "approve" },
      (request) =>
        `${request.reference} is confirmed, ${tellDue(request)}. The person is told by mail.`,
    ),
  refuse,
  cancel: async (asked) => {
    const explanation = readExplanation(asked.options);
    if (typeof explanation !== "string") return explanation.problem;
    return apply(asked, { type: "cancel", explanation }, (request) => tellEnd(asked, request));
  },
  extend,
  hold,
  reopen: async (asked) => {
    const explanation = readExplanation(asked.options);
    if (typeof explanation !== "string") return explanation.problem;
    if (explanation === "") {
      return notUnderstood('The person is told why it was ended by mistake: --because "TEXT".');
    }
    return apply(asked, { type: "reopen", explanation }, (request) => tellReopened(request));
  },
  undo,
  complete,
  enter,
};

async function apply(
  asked: Asked,
  act: OperatorAct,
  tell: (request: StoredRequest) => string,
): Promise<Outcome> {
  const result = await asked.desk.act(asked.reference, act, asked.name);
  return result.kind === "done" ? done(tell(result.request)) : tellProblem(asked, act.type, result);
}

async function refuse(asked: Asked): Promise<Outcome> {
  const { options } = asked;
  const explanation = readExplanation(options);
  if (typeof explanation !== "string") return explanation.problem;
  const reason = refusalReasons.find((code) => code === options.reason);
  if (!reason) return askForCode("--reason", options.reason, refusalReasons);
  if (reason === "other" && explanation === "") {
    return notUnderstood('The reason “other” needs an explanation: --because "TEXT".');
  }
  return apply(asked, { type: "refuse", reason, explanation }, (request) =>
    tellEnd(asked, request),
  );
}

async function extend(asked: Asked): Promise<Outcome> {
  const { options } = asked;
  const explanation = readExplanation(options);
  if (typeof explanation !== "string") return explanation.problem;
  const businessDays = /^\d{1,2}$/.test(options.days ?? "") ? Number(options.days) : 0;
  if (businessDays < 1) {
    return notUnderstood("Give the number of further business days: --days N.");
  }
  if (explanation === "") return notUnderstood('The person is told why: --because "TEXT".');
  return apply(
    asked,
    { type: "extend", businessDays, explanation },
    (request) => `${request.reference} is now ${tellDue(request)}. The person is told by mail.`,
  );
}

async function hold(asked: Asked): Promise<Outcome> {
  const { options } = asked;
  const explanation = readExplanation(options);
  if (typeof explanation !== "string") return explanation.problem;
  const reason = holdReasons.find((code) => code === options.reason);
  if (!reason) return askForCode("--reason", options.reason, holdReasons);
  if (reason === "other" && explanation === "") {
    return notUnderstood('The reason “other” needs an explanation: --because "TEXT".');
  }
  const until = readDate(options.until);
  if (!until) return notUnderstood("Give the last day of the hold: --until 2026-12-03.");
  const before = await asked.desk.find(asked.reference);
  const wasDue = before && isWorking(before) ? before.dueOn : until;
  return apply(asked, { type: "hold", reason, until, explanation }, (request) => {
    const how = outlasts(until, wasDue) ? "is now" : "stays";
    return `${request.reference} waits until ${until}, and ${how} ${tellDue(request)}. The person is told by mail.`;
  });
}

/** Takes the last step back, whichever it was, as long as its person was not told. */
async function undo(asked: Asked): Promise<Outcome> {
  const { desk, reference, name } = asked;
  const wasEnded = await desk.find(reference).then((request) => request && isEnded(request));
  const explanation = readExplanation(asked.options);
  if (typeof explanation !== "string") return explanation.problem;
  const result = await desk.takeBack(reference, explanation, name);
  if (result.kind === "unexplained") {
    return failed(
      `Its person knows of it. If it was a mistake, tell them why: npm run requests -- undo ${result.request.reference} --because "WHY" --as ${name}`,
    );
  }
  if (result.kind !== "done") return tellProblem(asked, "undo", result);
  const { request } = result;
  return done(
    wasEnded
      ? tellReopened(request)
      : `${request.reference} is taken back, and goes on, ${tellDue(request)}.`,
  );
}

async function complete(asked: Asked): Promise<Outcome> {
  const { services, desk, reference, options, name } = asked;
  const { dataList, calendar, clock } = services;
  const story = await desk.tell(reference);
  if (!story) return tellNotFound(desk, reference);
  const { request } = story;
  const stranger = findStranger(dataList, options);
  if (stranger) return notUnderstood(stranger);
  const isAsked = isWorking(request) && request.state === "in-progress" && !request.done;
  if (isAsked && !(options.address && options.account)) {
    const asked = listUnsaid(dataList, options);
    return stillToDo(showChecklist(services, request, dataList, asked, name));
  }
  const found = readFound(dataList, options);
  if ("problem" in found) return notUnderstood(found.problem);
  const missing = findMissing(dataList, found, dateAt(calendar, clock()));
  if (isAsked && missing.length > 0) {
    return stillToDo(showChecklist(services, request, dataList, missing.map(tellMissing), name));
  }
  const result = await desk.complete(reference, { address: options.address ?? "", found }, name);
  if (result.kind === "done") {
    const leaves = toTime(calendar, clock().add({ minutes: undoMinutes }));
    return done(
      `${result.request.reference} is done. The receipt leaves at ${leaves}; until then: npm run requests -- undo ${result.request.reference} --as ${name}`,
    );
  }
  return tellProblem(asked, "complete", result);
}

function listUnsaid(list: DataList, options: Options): string[] {
  const unticked = placesToTick(list).filter((key) => !listTicked(options).includes(key));
  const toTell = recipientsToTell(list);
  return [
    ...(options.address
      ? []
      : ["--address ADDRESS   of the account that you deleted, typed from there"]),
    ...(options.account ? [] : ["--account KIND      user, rider or both: what it was"]),
    ...unticked.map((key) =>
      tellMissing({ what: toTell.includes(key) ? "untold" : "unticked", key }),
    ),
  ];
}

function tellMissing(missing: Missing): string {
  switch (missing.what) {
    case "unticked":
      return `--gone ${missing.key}   once you have been through it, or what was otherwise there`;
    case "untold":
      return `--told ${missing.key}   once you have told them that the account is gone`;
    case "until":
      return `--kept ${missing.key}:WHY:DATE   with a day after today, eleven years from now at most`;
    case "nothing":
      return "nothing was there: refuse it instead, with --reason no-account";
  }
}

function showChecklist(
  services: CommandServices,
  request: StoredRequest,
  list: DataList,
  missing: readonly string[],
  name: string,
): string {
  const toTell = recipientsToTell(list);
  const stores = list.stores.map((store) => {
    const kinds = list.kinds
      .filter((kind) => kind.store === store.key)
      .map(({ key, accounts, onDeletion }) => {
        const only = accounts.length === 1 ? ` (${accounts[0]} only)` : "";
        return `${key}${only}${onDeletion === "kept" ? " (kept as the public table says)" : ""}`;
      });
    const todo =
      store.holder === "us" ? "" : toTell.includes(store.key) ? " TELL THEM" : " (by itself)";
    return `  [ ] ${store.key}${todo}: ${kinds.join(", ")}\n`;
  });
  const due = "dueOn" in request ? `due ${request.dueOn}` : "";
  return [
    `${request.reference} is the account of\n\n      ${request.email ?? "(erased)"}\n\n`,
    `${due}, received ${dateAt(services.calendar, request.receivedAt)}. Is that the account you deleted? What to go through:\n\n`,
    ...stores,
    `\nNothing has changed yet. Say it with:\n  npm run requests -- complete ${request.reference} --as ${name}\n`,
    ...missing.map((line) => `    ${line}\n`),
    "    --none KIND,...     of which there was nothing\n",
    "    --kept KIND:WHY:DATE   that must stay until that day (WHY: open-matter, legal-duty)\n",
  ].join("");
}

const accountsByWord: Record<string, readonly AccountKind[]> = {
  user: ["User"],
  rider: ["Rider"],
  both: ["User", "Rider"],
};

function readFound(list: DataList, options: Options): Found | { problem: string } {
  const typed = (options.account ?? "").toLowerCase();
  const accounts = accountsByWord[typed];
  if (!accounts) return { problem: "--account takes one of: user, rider, both." };
  const known = list.kinds.map((kind) => kind.key);
  const unknownKind = (kind: string) => {
    const meant = findNearest(kind, known);
    return {
      problem: `${toPrintable(kind)} is no kind of data.${meant ? ` Did you mean ${meant}?` : ""} There are ${known.join(", ")}.`,
    };
  };
  const none = readList(options.none);
  const wrong = none.find((kind) => !known.includes(kind));
  if (wrong !== undefined) return unknownKind(wrong);
  const kept: NonNullable<Found["kept"]>[number][] = [];
  for (const part of readList(options.kept)) {
    const [kind = "", why = "", date = ""] = part.split(":");
    if (!known.includes(kind)) return unknownKind(kind);
    const reason = (["open-matter", "legal-duty"] as const).find((one) => one === why);
    const until = readDate(date);
    if (!reason || !until) {
      return {
        problem: `--kept takes KIND:WHY:DATE, such as ${kind}:open-matter:2027-03-01; WHY is open-matter or legal-duty.`,
      };
    }
    kept.push({ kind, reason, until: until.toString() });
  }
  return { accounts, ticked: listTicked(options), none, kept };
}

function listTicked(options: Options): string[] {
  return [...readList(options.gone), ...readList(options.told)];
}

/** A place that was gone through and does not stand in the list, in a sentence. */
function findStranger(list: DataList, options: Options): string | undefined {
  const places = placesToTick(list);
  const stranger = listTicked(options).find((one) => !places.includes(one));
  return stranger && `${toPrintable(stranger)} is none of: ${places.join(", ")}.`;
}

async function enter(asked: Asked): Promise<Outcome> {
  const { services, desk, options, name } = asked;
  const { dataList, calendar, clock, languages } = services;
  const old = parseEmailAddress(asked.reference);
  if (!old.ok) {
    return notUnderstood(`${toPrintable(asked.reference)} is no mail address.`);
  }
  const contact = parseEmailAddress(options.contact ?? "");
  if (!contact.ok) {
    return notUnderstood(
      "Say where the person can read mail: --contact ADDRESS. It is erased like any other address.",
    );
  }
  if (contact.email.toLowerCase() === old.email.toLowerCase()) {
    return notUnderstood(
      "The contact is the closed mailbox itself. Who can still read it fills in the form.",
    );
  }
  const ways = dataList.ownershipProofs.map(({ key }) => key);
  const proof = ways.find((key) => key === options.shown);
  if (!proof) {
    const meant = options.shown === undefined ? undefined : findNearest(options.shown, ways);
    if (meant) return askForCode("--shown", options.shown, ways);
    const list = dataList.ownershipProofs.map(
      ({ key, words }) => `\n  ${key}: ${Object.values(words)[0]}`,
    );
    return notUnderstood(
      `Say how they showed that the account is theirs, --shown WAY:${list.join("")}`,
    );
  }
  const reason = options.reason ?? "other";
  const code = reasonCodes.find((one) => one === reason);
  if (!code) return askForCode("--reason", options.reason, reasonCodes);
  const { language } = options;
  if (language !== undefined && !languages.includes(language)) {
    return askForCode("--language", language, languages);
  }
  const today = dateAt(calendar, clock());
  const receivedOn = options.received === undefined ? today : readDate(options.received);
  if (!receivedOn || Temporal.PlainDate.compare(receivedOn, today) > 0) {
    return notUnderstood("Give the day on which the person asked: --received 2026-11-20.");
  }
  if (today.since(receivedOn).days > 30) {
    return notUnderstood("That is more than 30 days ago. Is the year right?");
  }
  const receivedAt = receivedOn.equals(today)
    ? clock()
    : receivedOn.toZonedDateTime({ timeZone: calendar.timeZone, plainTime: "12:00" }).toInstant();
  const result = await desk.enterRequest(
    { email: old.email, contact: contact.email, proof, reason: code, language, receivedAt },
    name,
  );
  const { request } = result;
  if (result.kind === "already-confirmed") {
    return failed(
      `${request.reference} of that address is confirmed already, by somebody who read its mail. Look at it: npm run requests -- show ${request.reference}`,
    );
  }
  return done(
    request.state === "received"
      ? `${request.reference} is entered, and ${contact.email} is told. Now another one of you: npm run requests -- approve ${request.reference} --as NAME`
      : `${request.reference} is confirmed, ${tellDue(request)}. ${contact.email} is told.`,
  );
}

function tellDue(request: StoredRequest): string {
  return "dueOn" in request ? `due ${request.dueOn}` : "not confirmed";
}

function tellEnd({ services, name }: Asked, request: StoredRequest): string {
  const { calendar, clock } = services;
  const leaves = toTime(calendar, clock().add({ minutes: undoMinutes }));
  return `${request.reference} is ${request.state}. Its person is told at ${leaves}; until then: npm run requests -- undo ${request.reference} --as ${name}`;
}

function tellReopened(request: StoredRequest): string {
  return `${request.reference} is open again and nobody's work yet, ${tellDue(request)}.`;
}

const sentences: Record<Refusal, string> = {
  "not-yours-to-do": "That is not an operator's to do.",
  "not-confirmed":
    "It is not confirmed yet: only its person can confirm it, with the link in the mail.",
  "already-confirmed": "It is confirmed already.",
  "not-entered": "Its person sent it, so only its person confirms it, with the link in the mail.",
  "needs-second-person": "You entered it yourself, so another one of you has to look at it.",
  "not-taken": "Take it up first.",
  "already-taken": "It was taken up already.",
  "somebody-elses": "It is somebody else's work.",
  "already-ended": "It has ended.",
  held: "It is on hold.",
  "not-held": "It is not on hold.",
  "already-done": "It was called done a moment ago: undo that first.",
  "not-done": "There is nothing to take back.",
  "not-later": "The new date must be later than the promised one.",
  "too-late-to-tell": "That is too late to tell.",
  "too-late-a-date": "That is too late a date.",
  "in-the-past": "That day has passed.",
  "not-ended": "It has not ended.",
  "persons-own-wish":
    "Its person cancelled it: only they can ask again, with the form. Their account stays.",
  "another-open": "There is another open request of this address: go on with that one.",
  erased: "Nothing is left that says whose it was: its person can ask again with the form.",
  "not-due-to-expire": "It has not expired yet.",
};

async function tellProblem(
  asked: Asked,
  act: string,
  result: Exclude<CompleteResult | DeskResult, { kind: "done" }>,
): Promise<Outcome> {
  const { desk, reference, options, name } = asked;
  if (result.kind === "not-found") return tellNotFound(desk, reference);
  if (result.kind === "overtaken") {
    return failed("Something has happened to it meanwhile. Look again before you go on.");
  }
  if (result.kind === "incomplete") return failed(result.missing.map(tellMissing).join("\n"));
  if (result.kind === "another-address") {
    const typed = toPrintable(options.address ?? "");
    const meant = result.reference
      ? ` ${typed} asked with ${result.reference}.`
      : ` Nobody has an open request for ${typed}.`;
    return failed(
      `STOP: that is not the account of this request. Nothing has changed and nobody was told.${meant} Look before you go on: npm run requests -- complete ${toPrintable(reference)} --as ${name}`,
    );
  }
  return failed(tellRefusal(asked, act, result.refusal, result.request));
}

/** Why something cannot be done, with what can. */
function tellRefusal(
  { services, name }: Asked,
  act: string,
  refusal: Refusal,
  request: StoredRequest,
): string {
  const { reference } = request;
  const command = (rest: string) => `npm run requests -- ${rest} --as ${name}`;
  const receivedOn = dateAt(services.calendar, request.receivedAt);
  switch (refusal) {
    case "already-ended":
      return `It has ended: ${request.state}.`;
    case "not-taken":
      return act === "hand-back"
        ? "It is nobody's work already."
        : `Take it up first: ${command(`take ${reference}`)}`;
    case "already-taken":
    case "somebody-elses": {
      const owner = isWorking(request) ? request.owner : undefined;
      if (!owner) return sentences[refusal];
      return owner === name
        ? "It is yours already."
        : `${owner} is at work on it. If you go on with it instead: ${command(`hand-back ${reference}`)}, then take it.`;
    }
    case "held":
      return isWorking(request) && request.hold
        ? `It is on hold until ${request.hold.until} (${request.hold.reason}). When that is settled: ${command(`release ${reference}`)}`
        : sentences.held;
    case "already-done":
      return `It was called done a moment ago. If it is not: ${command(`undo ${reference}`)}`;
    case "not-later":
      return "dueOn" in request
        ? `The new date must be later than the promised one, ${request.dueOn}.`
        : sentences[refusal];
    case "too-late-a-date":
      return `The law's clock runs from receipt: nothing may be later than ${receivedOn.add({ days: extendedWithinDays })}, ${extendedWithinDays} days after it.`;
    case "too-late-to-tell":
      return `A date after ${receivedOn.add({ days: answerWithinDays })}, ${answerWithinDays} days from receipt, had to be told by ${receivedOn.add({ months: tellWithinMonths })}. Promise an earlier one, or complete it today.`;
    default:
      return sentences[refusal];
  }
}

function readExplanation(options: Options): string | { problem: Outcome } {
  const explanation = (options.because ?? "").trim();
  return explanation.length > maxExplanation
    ? { problem: notUnderstood(`Shorten the explanation to ${maxExplanation} characters.`) }
    : explanation;
}

function askForCode(option: string, typed: string | undefined, known: readonly string[]): Outcome {
  const meant = typed === undefined ? undefined : findNearest(typed, known);
  const wrong = typed === undefined ? "" : `There is no ${toPrintable(typed)}. `;
  return notUnderstood(
    meant
      ? `${wrong}Did you mean ${option} ${meant}?`
      : `${wrong}Give ${option}: ${known.join(" | ")}.`,
  );
}

function readList(typed: string | undefined): string[] {
  return (typed ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
