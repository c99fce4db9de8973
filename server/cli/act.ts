import { readEnglish } from "../../campus-reader/product-words.ts";
import {
  type ActContext,
  type ActName,
  acts,
  declarations,
  findUndone,
  findWhyNot,
  isAct,
  listExtensions,
} from "../deletion-requests/commands/acts.ts";
import {
  createOperatorCommands,
  type Desk,
} from "../deletion-requests/commands/operator-commands.ts";
import { explainWhyNot } from "../deletion-requests/presenters/history.ts";
import { finalAt } from "../deletion-requests/presenters/request.ts";
import {
  foundThere,
  listChecklistFields,
  recipientsToNotify,
} from "../deletion-requests/state-machine/checklist.ts";
import { isWorking, ownerOf } from "../deletion-requests/state-machine/request.ts";
import { isSameName, type Refusal } from "../deletion-requests/state-machine/state-machine.ts";
import type { FieldError, FormValues } from "../platform/forms/form-values.ts";
import { createSay } from "../platform/i18n/texts.ts";
import type { CommandServices } from "./program.ts";
import { describeState, explainNotFound, formatDaysLeft } from "./request-views.ts";
import {
  countOf,
  done,
  failed,
  notUnderstood,
  type Outcome,
  toPrintable,
  toTime,
} from "./sentences.ts";

/** Implements the `act` subcommand. It takes the same fields as the forms on the operator pages. */

const choices = foundThere.join(" | ");

/** Usage lines, one for each act with its fields. */
export const actLines = (Object.keys(acts) as ActName[])
  .map((act) => {
    const { fields, hasChecklist } = declarations[act];
    const hints = fields.map(({ hint, isOptional }) => (isOptional ? `[${hint}]` : hint));
    const places = hasChecklist ? [`at-PLACE=${choices}`] : [];
    return `      ${[act.padEnd(9), ...places, ...hints].join(" ").trimEnd()}\n`;
  })
  .join("");

type ActInvocation = { services: CommandServices; words: readonly string[]; name: string };

/**
 * Performs an act. `words` contains the act, the request's reference and the fields as NAME=VALUE.
 * Fields can be repeated.
 */
export async function runAct({ services, words, name }: ActInvocation): Promise<Outcome> {
  const desk = createOperatorCommands(services);
  const [act = "", reference, ...pairs] = words;
  if (!isAct(act)) {
    return notUnderstood(
      `There is no act called ${toPrintable(act)}. These are the acts:\n${actLines}`,
    );
  }
  if (reference === undefined) {
    return act === "resend"
      ? resendAll(desk, name)
      : notUnderstood(`Something is missing: act ${act} REF.`);
  }
  const typed = readPairs(pairs);
  if (typeof typed === "string") {
    return notUnderstood(`${toPrintable(typed)} is not a field. Write NAME=VALUE, such as days=5.`);
  }
  const story = await desk.readDetail(reference);
  if (!story) return explainNotFound(desk, reference);
  const { request, mails, events, grace, seen } = story;
  const before = { services, name, now: services.clock(), request, mails, events, grace };
  const stranger = findStranger(before, act, typed);
  if (stranger !== undefined) {
    return notUnderstood(`${act} has no field called ${toPrintable(stranger)}.`);
  }
  if (act === "later" && typed.until && typed.days && typed.days[0] !== "0") {
    return notUnderstood("later takes until=DATE only with days=0.");
  }
  const because = findWhyNot(act, before);
  if (because) return failed(explainRefusal(because, before, act));
  const result = await desk.submit({ act, reference, seen, typed }, name);
  return reportResult({ services, desk }, before, act, result);
}

async function resendAll(desk: Desk, name: string): Promise<Outcome> {
  const count = await desk.retry(name);
  return done(
    count === 0
      ? "There are no emails to send again."
      : `We are sending ${countOf(count, "email", "emails")} again.`,
  );
}

/** Parses NAME=VALUE pairs, or returns the first word that isn't such a pair. */
function readPairs(pairs: readonly string[]): FormValues | string {
  const typed: FormValues = {};
  for (const pair of pairs) {
    const [, field, value] = /^([a-z][a-z\d-]*)=(.*)$/s.exec(pair) ?? [];
    if (field === undefined || value === undefined) return pair;
    typed[field] = [...(typed[field] ?? []), value];
  }
  return typed;
}

function findStranger(
  { services }: ActContext,
  act: ActName,
  typed: FormValues,
): string | undefined {
  const { fields, hasChecklist } = declarations[act];
  const places = hasChecklist ? listChecklistFields(services.dataList) : [];
  const known = [...fields.map(({ name }) => name), ...places];
  return Object.keys(typed).find((field) => !known.includes(field));
}

/**
 * Describes the result of an act: why nothing changed, or the request's new state and how to
 * continue or undo the act.
 */
async function reportResult(
  { services, desk }: { services: CommandServices; desk: Desk },
  before: ActContext,
  act: ActName,
  result: Awaited<ReturnType<Desk["submit"]>>,
): Promise<Outcome> {
  const { reference } = before.request;
  switch (result.kind) {
    case "wrong":
      return listFieldErrors(before, act, result.wrong);
    case "not-found":
      return explainNotFound(desk, reference);
    case "overtaken":
      return failed(
        "The request has changed in the meantime. Look at it again before you carry on.",
      );
    case "another-address":
      return failed(
        `STOP: that is a different account. We haven't changed anything or told anyone. ${
          result.reference
            ? `That address belongs to request ${result.reference}.`
            : "No open request has that address."
        }`,
      );
    case "unexplained":
      return failed(
        'We have already told the person. If it was a mistake, explain it to them: explanation="WHY".',
      );
    case "refused":
      return failed(explainRefusal(result.refusal, { ...before, ...result }, act));
  }
  const story = await desk.readDetail(reference);
  if (!story) return done("The request has been removed.");
  const { request, mails, events, grace } = story;
  const after = { ...before, request, mails, events, grace };
  const due = isWorking(request)
    ? `, due ${request.dueOn}, ${formatDaysLeft(request.daysLeft)}`
    : "";
  const outcome = `${reference}: ${act} is done. It is ${describeState(services, request)}${due}.`;
  const command = (next: ActName) =>
    `npm run requests -- act ${next} ${reference} --as ${before.name}`;
  const isTaken = act === "take" || findWhyNot("complete", before) !== undefined;
  const isReady = isTaken && !findWhyNot("complete", after);
  if (isReady) return done(`${outcome} Next: ${command("complete")}`);
  const undone = findUndone(after, act);
  if (!undone) return done(outcome);
  const isSilent = undone.mails.length === 0 && undone.act !== "complete";
  if (isSilent) return done(`${outcome} We don't tell the person. To undo it: ${command("undo")}`);
  const leaves = toTime(services.calendar, finalAt(services.clock()));
  return done(`${outcome} We'll tell no one before ${leaves}. To undo it: ${command("undo")}`);
}

/**
 * Lists the field errors, one per line. If the act has a checklist, first shows the account's email
 * address and the checklist.
 */
function listFieldErrors(context: ActContext, act: ActName, wrong: readonly FieldError[]): Outcome {
  const { fields, hasChecklist } = declarations[act];
  const most =
    act === "later" && listExtensions(context.services, [context.request], context.now).length;
  const hints = new Map(fields.map(({ name, hint }) => [name, hint]));
  if (most)
    hints.set(
      "days",
      `days=N, ${most} at most here; days=0 with until=DATE to keep the promised date`,
    );
  const lines = wrong.map((fieldError) => `  ${describeFieldError(fieldError, hints)}\n`).join("");
  if (!hasChecklist) return notUnderstood(`${act} needs\n${lines.trimEnd()}`);
  const { request, services } = context;
  const { dataList } = services;
  const toNotify = recipientsToNotify(dataList);
  const places = dataList.stores.map(({ key, holder }) => {
    const kinds = dataList.kinds.filter(({ store }) => store === key).map((kind) => kind.key);
    const todo = toNotify.includes(key) ? " TELL THEM" : holder === "us" ? "" : " (by itself)";
    return `  [ ] ${key}${todo}: ${kinds.join(", ")}\n`;
  });
  return {
    code: 3,
    out: [
      `${request.reference} is the account of\n\n      ${request.email ?? "(erased)"}\n\n`,
      `Is that the account you deleted? Go through these places:\n\n${places.join("")}\n`,
      `Nothing has changed yet. Add:\n${lines}`,
    ].join(""),
  };
}

function describeFieldError(
  { what, field = "", most }: FieldError,
  hints: ReadonlyMap<string, string>,
): string {
  switch (what) {
    case "unticked":
      return `${field}=${choices}   what you found there`;
    case "untold":
      return `${field}=done   once you have told them that the account is deleted`;
    case "keptUntil":
      return `${field}=DATE   a day after today, at most eleven years from now`;
    case "nothing":
      return "you found nothing: refuse the request instead, with reason=no-account";
    default:
      return most === undefined
        ? (hints.get(field) ?? field)
        : `${field}=... at most ${most} characters`;
  }
}

/**
 * Explains a refusal with the same text as the operator pages. If another operator has the request,
 * also explains how to take it over.
 */
function explainRefusal(
  because: Refusal,
  { request, grace, name: by }: Pick<ActContext, "request" | "grace" | "name">,
  act: ActName,
): string {
  const explanation = explainWhyNot(inEnglish, because, request, grace);
  const owner = ownerOf(request);
  const isOthers = because === "already-taken" && owner && !isSameName(owner, by);
  return act === "take" && isOthers
    ? `${explanation} To take it over, add from=${owner}.`
    : explanation;
}

const inEnglish = {
  operator: readEnglish("operator"),
  dates: { say: createSay("en"), day: String, list: String, momentBriefly: String },
};
