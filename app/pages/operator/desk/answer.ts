import { data, redirect } from "react-router";
import {
  actOf,
  type DeskAct,
  findWhyNot,
  forms,
  isUnknown,
  mostAtOnce,
  readChoice,
  toChoice,
  typedTexts,
} from "../../../../server/deletion-requests/commands/acts.ts";
import type { DeskResult } from "../../../../server/deletion-requests/commands/operator-commands.ts";
import {
  explainWhyNot,
  isCancelledByPerson,
} from "../../../../server/deletion-requests/presenters/history.ts";
import type { RequestDetail } from "../../../../server/deletion-requests/queries/request-queries.ts";
import {
  isWorking,
  ownerOf,
  type WorkingRequest,
} from "../../../../server/deletion-requests/state-machine/request.ts";
import { isSameName } from "../../../../server/deletion-requests/state-machine/state-machine.ts";
import type { Preview } from "../../../../server/operator-desk/desk-queries.ts";
import { matchEmail } from "../../../../server/platform/addresses/email-address.ts";
import { readDate } from "../../../../server/platform/calendar/business-days.ts";
import {
  type FieldError,
  type FormValues,
  firstValue,
} from "../../../../server/platform/forms/form-values.ts";
import { paths } from "../../../../server/platform/http/paths.ts";
import type { Text } from "../../../../server/platform/i18n/texts.ts";
import type { Problem } from "../../../components/field.tsx";
import type { PageWords } from "../../../words.ts";
import { type AtDesk, type RouteArgs, requireOperator } from "../guard.ts";
import type { Filled } from "./fields.tsx";
import { languageOf, nameIn, toEventLine } from "./request-detail.ts";

/**
 * Performs the desk's acts. Responds with a page that reports the result, or with the submitted
 * form and its problems.
 */

/**
 * A form to show again: its act, its problems, and the requests that already accepted the act or
 * are in the preview.
 */
export type DeskAnswer = Filled & {
  kind: "form";
  act: string;
  /** References of the requests that accepted the act, if other requests refused it. */
  done: readonly string[];
  /** Previews of the act and its emails, one per request. */
  sendings?: readonly ActPreview[];
};

/** A request in the state after the act, with the email that the act would send. */
export type ActPreview = Extract<Preview, { kind: "ready" }> & { choice: string };

/**
 * The result of an act: its requests, whether each can be undone, and the next request to work on.
 */
export type DoneView = {
  text: string;
  of: { reference: string; seen: number; canUndo: boolean }[];
  next?: { request: (WorkingRequest & { reference: string }) | undefined; isThisWeek: boolean };
};

function showAgain(
  typed: FormValues,
  status: number,
  problems: readonly Problem[],
  more: Partial<DeskAnswer> = {},
) {
  return data<DeskAnswer>(
    { kind: "form", act: firstValue(typed, "act"), typed, problems, done: [], ...more },
    { status },
  );
}

type DeskPost = Pick<AtDesk, "operator" | "services" | "words"> & {
  act: DeskAct;
  reference: string;
  /** Id of the request's latest event when the form was rendered. */
  seen: number;
  typed: FormValues;
  /** The requester's language. */
  language?: string;
};

/**
 * Performs the form's act on each selected request in the operator's name, then redirects to a page
 * that reports the result. A request that refuses the act doesn't block the others. With `preview`,
 * changes nothing and shows the emails; with `edit`, returns the form with the submitted values.
 */
export async function answerAct(args: RouteArgs, typed: FormValues, choices: readonly string[]) {
  const { operator, services, words } = requireOperator(args);
  // In a checklist, `save` is the button next to an answer; it stores the answers so far.
  const form = forms.get(typed.save === undefined ? firstValue(typed, "act") : "tick");
  if (!form) return showAgain(typed, 422, [{ words: words.operator.desk.problems.unknown }]);
  if (typed.edit !== undefined) return showAgain(typed, 200, []);
  const isPreview = typed.preview !== undefined;
  const { act, serious, hasChecklist } = form;
  if (serious && !isPreview) requireOperator(args, { fresh: true });
  const problems: FailedAct[] = [];
  if (isSeveral(typed) && choices.length === 0) {
    return showAgain(typed, 422, [{ words: words.operator.desk.problems.chooseOne }]);
  }
  const all = choices
    .slice(0, mostAtOnce)
    .map((choice): DeskPost => ({ operator, services, words, act, typed, ...readChoice(choice) }));
  const addressed = isSeveral(typed) && hasChecklist ? await findAddressed(all, problems) : all;
  const posts = await fitToRequests(addressed, problems);
  if (isPreview) return preview(typed, posts, problems);
  const done = await doActs(posts, problems);
  if (problems.length === 0) return redirect(reportAddress(words, form, typed, done), 303);
  const status = done.length > 0 ? 409 : problems.at(-1)?.status;
  return showAgain(typed, status ?? 422, onceEach(problems), { done });
}

/** Returns whether the form is for a batch of requests. */
const isSeveral = (typed: FormValues) => typed.r !== undefined;

/**
 * Adapts each form to its request, and returns the adapted forms. For each form that doesn't fit
 * its request, adds a problem instead.
 */
async function fitToRequests(all: readonly DeskPost[], problems: FailedAct[]): Promise<DeskPost[]> {
  const posts: DeskPost[] = [];
  for (const post of all) {
    const fitted = await fitToRequest(post);
    if (fitted.kind === "fits") posts.push(fitted.post);
    else problems.push(withReference(post, fitted.problem));
  }
  return posts;
}

/**
 * Performs the act on each request. Adds a problem for each request that refuses the act.
 * @returns the references of the requests that accepted the act
 */
async function doActs(posts: readonly DeskPost[], problems: FailedAct[]): Promise<string[]> {
  const done: string[] = [];
  for (const post of posts) {
    const result = await doAct(post);
    if (result.kind === "done") done.push(result.reference);
    else problems.push(...result.problems.map((problem) => withReference(post, problem)));
  }
  return done;
}

/**
 * Returns the URL of the page that reports the result: the request's page for a single request, and
 * Today otherwise.
 */
function reportAddress(
  words: PageWords,
  { act, several }: Pick<NonNullable<ReturnType<typeof forms.get>>, "act" | "several">,
  typed: FormValues,
  done: readonly string[],
): string {
  const [only] = !isSeveral(typed) || (several === "pressed" && done.length === 1) ? done : [];
  const path = only === undefined ? paths.operator : paths.operatorRequest(only);
  const address = words.to(
    path,
    done.map((reference) => ["told", reference]),
  );
  if (act !== "tick" || only === undefined) return `${address}#told`;
  const place = firstValue(typed, "save");
  return `${address}#complete-${place === "account" ? place : `at-${place}`}`;
}

/**
 * Returns the preview, or the form with its problems. The preview lists the requests that it omits
 * because they refuse the act.
 */
async function preview(typed: FormValues, posts: readonly DeskPost[], problems: FailedAct[]) {
  const sendings: ActPreview[] = [];
  for (const post of posts) {
    const { act, operator, reference, seen, services } = post;
    const result = await services.operatorDesk.preview(act, post.typed, reference, operator.name);
    if (result.kind === "ready") {
      sendings.push({ ...result, choice: toChoice({ reference, seen }) });
    } else {
      const found = explainRefusal(post, result);
      problems.push(...found.map((problem) => withReference(post, problem)));
    }
  }
  const isWrong = sendings.length === 0 || problems.some(({ field }) => field !== undefined);
  const status = isWrong ? (problems.at(-1)?.status ?? 422) : 200;
  return showAgain(typed, status, onceEach(problems), isWrong ? {} : { sendings });
}

const onceEach = (problems: readonly FailedAct[]): FailedAct[] => [
  ...new Map(problems.map((problem) => [problem.words, problem])).values(),
];

/**
 * Prefixes a problem with the reference of its request in the batch. Problems with a field concern
 * all requests and stay unchanged so that each is reported once.
 */
function withReference({ reference, typed }: DeskPost, problem: FailedAct): FailedAct {
  const isOfOne = isSeveral(typed) && !problem.field;
  return isOfOne ? { ...problem, words: `${reference}: ${problem.words}` } : problem;
}

/** Returns the name of the field for the operator's text in a language. */
export const explanationIn = (language: string) => `explanation-${language}`;

/** Field value that keeps the due date instead of setting a new one. */
export const promiseStays = "0";

/**
 * Adapts a batch form to one of its requests: picks the text in the requester's language and a date
 * that the law allows.
 */
async function fitToRequest(
  post: DeskPost,
): Promise<{ kind: "fits"; post: DeskPost } | { kind: "unfit"; problem: FailedAct }> {
  const { act, reference, services, words } = post;
  const request = await services.desk.find(reference);
  let { typed } = post;
  if (!request) return { kind: "fits", post: post };
  const language = languageOf(request.language).tag;
  const explanation = typed[explanationIn(language)];
  if (isSeveral(typed) && explanation) typed = { ...typed, explanation };
  const adapt = (more: FormValues = {}) =>
    ({ kind: "fits", post: { ...post, language, typed: { ...typed, ...more } } }) as const;
  if (act === "later" && firstValue(typed, "by") === promiseStays) return adapt({ days: ["0"] });
  const target = act === "later" ? readDate(firstValue(typed, "by")) : undefined;
  if (!target) return adapt();
  const businessDays = services.operatorDesk.fitDate(request, target);
  if (businessDays !== undefined) return adapt({ days: [`${businessDays}`] });
  const context = services.operatorDesk.contextOf(
    { request, mails: [], events: [] },
    post.operator.name,
  );
  const because = act === "enter" ? undefined : findWhyNot(act, context);
  const refuse = (problem: FailedAct) => ({ kind: "unfit", problem }) as const;
  if (because) return refuse({ status: 409, words: explainWhyNot(words, because, request) });
  const date = isWorking(request) ? words.dates.day(request.dueOn) : "";
  const text = words.say(words.operator.desk.problems.promisedAlready, { date });
  return refuse({ field: isSeveral(typed) ? undefined : "by", status: 422, words: text });
}

/**
 * Returns the posts of the selected requests whose email addresses were typed. Adds a problem for
 * each typed address that matches no selected request, or if no address was typed.
 */
async function findAddressed(all: readonly DeskPost[], problems: Problem[]): Promise<DeskPost[]> {
  const posts: DeskPost[] = [];
  const [form] = all;
  if (!form) return posts;
  const { services, words, typed } = form;
  const lines = new Set(firstValue(typed, "address").match(/[^\s,;]+/g));
  const field = "address";
  if (lines.size === 0)
    problems.push({ field, words: words.operator.desk.problems.addressMissing });
  const requests = await Promise.all(all.map(({ reference }) => services.desk.find(reference)));
  const accounts = requests.map((request) => matchEmail(request?.email ?? ""));
  for (const address of lines) {
    const post = all[accounts.indexOf(matchEmail(address))];
    if (post) posts.push({ ...post, typed: { ...typed, address: [address] } });
    else {
      const [match] = (await services.desk.lookUp(address)).filter(isWorking);
      problems.push({ field, words: `${address}: ${nameOtherRequest(words, match?.reference)}` });
    }
  }
  return posts;
}

type FailedAct = Problem & { status?: number | undefined };

/** Performs the act. Also succeeds if an earlier delivery of the same form already performed it. */
async function doAct(
  post: DeskPost,
): Promise<{ kind: "done"; reference: string } | { kind: "failed"; problems: FailedAct[] }> {
  const { words, services, act, reference, seen, typed, operator } = post;
  const result = await services.desk
    .submit({ act, reference, seen, typed }, operator.name)
    .catch((error: unknown) => {
      // If the database is full, the form retains its values until there is space.
      if (services.isStorageProblem(error)) return { kind: "full" as const };
      throw error;
    });
  if (result.kind === "done") {
    await services.operatorDesk.drafts.drop(reference, operator.name, act);
    return { kind: "done", reference: result.request.reference };
  }
  if (result.kind === "refused") {
    const { refusal, request } = result;
    // After a double click or a retry, this operator already owns the request.
    const isOwn = refusal === "already-taken" && isSameName(ownerOf(request) ?? "", operator.name);
    if (isOwn) return { kind: "done", reference: request.reference };
  }
  const problems =
    result.kind === "full"
      ? [{ status: 503, words: words.operator.desk.problems.full }]
      : explainRefusal(post, result);
  return { kind: "failed", problems };
}

type NotDone =
  | Exclude<DeskResult, { kind: "done" }>
  | Exclude<Preview, { kind: "ready" }>
  | { kind: "wrong"; wrong: FieldError[] };

/** Returns messages for a refused act, each on the field that caused the refusal. */
function explainRefusal(post: DeskPost, result: NotDone): FailedAct[] {
  const { act, typed, words } = post;
  const { problems } = words.operator.desk;
  const refuse = (problem: Problem): FailedAct[] => [{ status: 409, ...problem }];
  switch (result.kind) {
    case "wrong":
      return presentFieldErrors(post, result.wrong);
    case "not-found":
      if (!isSeveral(typed)) throw data(null, { status: 404 });
      return [{ status: 404, words: problems.unknown }];
    case "overtaken": {
      if (isCancelledByPerson(result.request)) {
        return refuse({ words: words.operator.desk.whyNot["cancelled-by-person"] });
      }
      const { who: name, what: act, when: time } = toEventLine(words, result.last);
      const text = words.say(problems.overtaken, { name, act, time });
      const isTyped = typedByHand(typed).length > 0;
      return refuse({ words: isTyped ? `${text} ${problems.stillHere}` : text });
    }
    case "another-address":
      return refuse({ field: "address", words: nameOtherRequest(words, result.reference) });
    case "unexplained":
      return refuse({ field: "explanation", words: problems.explanation });
    case "refused": {
      const field = act === "enter" ? "old" : undefined;
      return refuse({
        field,
        words: explainWhyNot(words, result.refusal, result.request, result.grace),
      });
    }
  }
}

/** Returns all free text that the operator submitted, even if the form is no longer on the page. */
export function typedByHand(typed: FormValues): string[] {
  return Object.values(typedTexts(firstValue(typed, "act"), typed))
    .flatMap((values) => values ?? [])
    .filter((text) => text.trim() !== "");
}

/** Formats validation errors and assigns each to its field. */
function presentFieldErrors(
  { words, services, typed, language }: DeskPost,
  wrong: readonly FieldError[],
): Problem[] {
  const { problems, enter } = words.operator.desk;
  return wrong.map(({ field: name, what, most = 0, about }) => {
    const field = fieldOnPage(name, typed, language);
    const text: Text = problems[what as keyof typeof problems] ?? problems.unknown;
    const { User: user, Rider: rider } = words.deletion.table.accounts;
    const account = firstValue(typed, "account") === "user" ? user : rider;
    const place = services.operatorDesk.dataList.stores.find(({ key }) => key === about);
    const kind = words.dataKinds.find(({ key }) => key === about)?.kind ?? "";
    const places = place ? nameIn(words, place) : "";
    const sentence = words.say(text, { count: most, places, kind, account });
    // The form for a new request has two email fields, so the message must say which one it means.
    const isTwice = field === "old" || field === "contact";
    return { field, words: isTwice ? `${enter[field]}: ${sentence}` : sentence };
  });
}

/**
 * Maps an act's field to the field on the page. The page has a date instead of a number of days,
 * and one text field per language.
 */
function fieldOnPage(
  field: string | undefined,
  typed: FormValues,
  language = "",
): string | undefined {
  if (field === "days") return "by";
  return field === "explanation" && isSeveral(typed) ? explanationIn(language) : field;
}

/**
 * Explains that the submitted email address belongs to another request, with that request's
 * reference.
 */
function nameOtherRequest({ operator, say }: PageWords, reference: string | undefined): string {
  const { anotherAddress, anotherOf, anotherOfNone } = operator.desk.problems;
  return `${anotherAddress} ${reference ? say(anotherOf, { reference }) : anotherOfNone}`;
}

/**
 * Reads the operator's last act on the requests in the URL, for the success box.
 * @param known a request that is already loaded
 */
export async function readDoneNotice(
  { operator, services, url, words }: AtDesk,
  known?: RequestDetail,
): Promise<DoneView | undefined> {
  const { desk, operatorDesk } = services;
  const { told: results, toldSeveral: resultsOfSeveral } = words.operator.desk;
  const stories = await Promise.all(
    url.searchParams
      .getAll("told")
      .slice(0, mostAtOnce)
      .map((reference) =>
        reference === known?.request.reference ? known : desk.readDetail(reference),
      ),
  );
  const done = stories.flatMap((story) => {
    const last = story?.events.at(-1);
    const act = last?.name === operator.name ? actOf(last.type) : undefined;
    if (!story || !act) return [];
    const { request, seen } = story;
    const context = operatorDesk.contextOf(story, operator.name);
    return [{ act, reference: request.reference, seen, canUndo: isUnknown(context, act) }];
  });
  const [first] = done;
  if (!first) return undefined;
  const of = done.filter(({ act }) => act === first.act);
  const isSeveral = of.length > 1 && first.act in resultsOfSeveral;
  const text = isSeveral
    ? words.say(resultsOfSeveral[first.act as keyof typeof resultsOfSeveral], { count: of.length })
    : words.say(results[first.act], { reference: first.reference });
  return {
    text,
    of,
    ...(closingActs.includes(first.act) && { next: await findNext(services, operator.name, of) }),
  };
}

/** Acts after which a request needs no more work today. */
const closingActs: readonly DeskAct[] = ["complete", "later", "refuse", "cancel"];

/** Finds the next request in the Today page's order, and whether it is due within a week. */
async function findNext(
  { operatorDesk }: AtDesk["services"],
  name: string,
  of: readonly { reference: string }[],
): Promise<NonNullable<DoneView["next"]>> {
  const dealtWith = of.map(({ reference }) => reference);
  const found = await operatorDesk.findNext(name, dealtWith);
  const request = found && isWorking(found) ? found : undefined;
  const endsOn = operatorDesk.matterOf([]).today.add({ days: 6 });
  const { compare } = Temporal.PlainDate;
  return { request, isThisWeek: request !== undefined && compare(request.dueOn, endsOn) <= 0 };
}
