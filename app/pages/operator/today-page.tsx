import { data, redirect, useRouteLoaderData } from "react-router";
import { forms, isForSeveral, toChoice } from "../../../server/deletion-requests/commands/acts.ts";
import { explainWhyNot } from "../../../server/deletion-requests/presenters/history.ts";
import { createFormKey } from "../../../server/deletion-requests/state-machine/request.ts";
import type { Chosen, ListedRequest } from "../../../server/operator-desk/desk-queries.ts";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import field from "../../components/field.module.css";
import { SearchSign } from "../../components/icons.tsx";
import notice from "../../components/notice.module.css";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/today-page";
import { DeskForm, DoneNotice } from "./desk/act-form.tsx";
import { answerAct, type DeskAnswer, readDoneNotice } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { Hidden } from "./desk/fields.tsx";
import { isPressing, Rows } from "./desk/request-row.tsx";
import { SendingPage } from "./desk/sending.tsx";
import type { loader as layout } from "./desk-layout.tsx";
import { type AtDesk, requireOperator } from "./guard.ts";
import { OperatorPage, WithPicture } from "./operator-frame.tsx";

/**
 * The desk's only list: the queue by date, search results, or selected requests with an act's form.
 */

type Loaded = Awaited<ReturnType<typeof loader>>;

export async function loader(args: Route.LoaderArgs) {
  const operatorContext = requireOperator(args);
  const { operator, services, typed, url } = operatorContext;
  const { operatorDesk } = services;
  const { searchParams } = url;
  const work = await operatorDesk.readToday(searchParams.get("after") ?? undefined);
  // The act comes from the submitted form, or else from the URL.
  const act = firstValue(typed, "act") || (searchParams.get("act") ?? "");
  // All requests that the form listed, selected or not.
  const { of: shown = typed.r ?? searchParams.getAll("r") } = typed;
  return {
    work,
    viewer: await operatorDesk.viewerOf(operator.name),
    chosen: isForSeveral(act)
      ? await operatorDesk.readChosen(act, shown, operator.name)
      : undefined,
    // Idempotency key: a form that is submitted twice from this page takes effect once.
    formKey: createFormKey(),
    done: await readDoneNotice(operatorContext),
  };
}

type Found = {
  kind: "found";
  /** The search text, for prefilling the field. It is never part of a URL. */
  searchText: string;
  requests: ListedRequest[];
  says: string;
};

/**
 * Handles the search, the selection and the page's buttons: Take (which opens the request), Undo,
 * and batch acts.
 */
export async function action(args: Route.ActionArgs) {
  const operatorContext = requireOperator(args);
  const { typed, words } = operatorContext;
  if (typed.search) return answerSearch(operatorContext, firstValue(typed, "search"));
  const { r = [], choose: [choice] = [] } = typed;
  if (choice) return redirect(words.to(paths.operator, queryOf(choice, r)), 303);
  return answerAct(args, { ...typed, r }, r);
}

function queryOf(act: string, choices: readonly string[]): string[][] {
  return [["act", act], ...choices.map((choice) => ["r", choice])];
}

/**
 * Finds requests in any state by full reference or email address. If there are none, searches the
 * open requests by prefix. Opens a single result directly.
 */
async function answerSearch({ services, words }: AtDesk, searchText: string) {
  const { desk, operatorDesk } = services;
  const { requests, more } = await operatorDesk.search(searchText);
  const [first] = requests;
  if (first && requests.length === 1) {
    return redirect(words.to(paths.operatorRequest(first.reference)), 303);
  }
  const searchTexts = words.operator.desk.search;
  const erased = await desk.findErased(searchText);
  const found: Found = {
    kind: "found",
    searchText,
    requests,
    says: first
      ? words.say(more ? searchTexts.foundFirst : searchTexts.found, { count: requests.length })
      : erased
        ? searchTexts.gone[erased]
        : searchTexts.nothing,
  };
  return data(found, { status: first ? 200 : 404 });
}

export default function TodayPage({
  loaderData,
  actionData,
}: {
  loaderData: Loaded;
  actionData?: DeskAnswer | Found;
}) {
  const { work, chosen, done, viewer } = loaderData;
  const words = useWords();
  const around = useRouteLoaderData<typeof layout>("pages/operator/desk-layout");
  const { desk } = words.operator;
  const found = actionData?.kind === "found" ? actionData : undefined;
  const answer = actionData?.kind === "form" ? actionData : undefined;
  if (answer?.sendings) return <SendingPage answer={answer} sendings={answer.sendings} />;
  if (chosen && chosen.requests.length > 0) return <ChosenOnes {...{ chosen, viewer, answer }} />;
  const promised = around?.promised;
  const listed = [...work.deletedHeld, ...work.undoable, ...work.toApprove, ...work.queue];
  const isEmpty = (found?.requests ?? listed).length === 0;
  const page = (
    <OperatorPage>
      <p
        className={
          promised?.isBroken ? `frame ${notice.notice} ${notice.danger} desk-told` : styles.standing
        }
      >
        <Text>{promised?.line}</Text>
      </p>
      <DoneNotice done={found ? { text: found.says, of: [] } : done} answer={answer} kept={false} />
      <Search text={found?.searchText} />
      {found ? (
        <Rows requests={found.requests} viewer={viewer} title={desk.search.title} />
      ) : (
        <Work {...loaderData} />
      )}
      {found ? <ButtonLink href={words.to(paths.operator)}>{desk.search.all}</ButtonLink> : null}
      {isEmpty && !found ? (
        <p>
          <Text>{desk.empty}</Text>
        </p>
      ) : null}
    </OperatorPage>
  );
  if (!isEmpty) return page;
  return <WithPicture name={found ? "lost-page" : "parked-bike"}>{page}</WithPicture>;
}

/**
 * Renders the search by reference or email address. The form is posted so that no URL, browser
 * history or log contains the email address.
 */
function Search({ text = "" }: { text?: string | undefined }) {
  const { operator, to } = useWords();
  const { search } = operator.desk;
  return (
    <search>
      <form
        method="post"
        action={to(paths.operator)}
        className={`${field.field} ${styles.search} stack`}
      >
        <input
          name="search"
          id="search"
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-label={search.label}
          placeholder={search.label}
          defaultValue={text}
          required
        />
        <Button type="submit" aria-label={search.button}>
          <SearchSign size={20} />
        </Button>
      </form>
    </search>
  );
}

function Way({ query, rel, children }: { query?: string[][]; rel?: "next"; children: string }) {
  return (
    <p className="desk-buttons row">
      <a className="target" href={useWords().to(paths.operator, query)} rel={rel}>
        <Text>{children}</Text>
      </a>
    </p>
  );
}

/**
 * Renders urgent notices, acts that can be undone, and the queue by date. Once a request is
 * selected, an action bar stays in view.
 */
function Work({ work, viewer, formKey }: Loaded) {
  const { operator, to, say } = useWords();
  const { acts, groups, list, together, unconfirmed } = operator.desk;
  const { next } = work;
  const queue = [...work.toApprove, ...work.queue];
  const pressing = queue.filter(isPressing).map(toChoice);
  const shared = { viewer, formKey };
  const labels: Partial<Record<string, string>> = together;
  const bar = [...forms.values()].filter(({ several }) => several);
  return (
    <>
      <Rows {...shared} requests={work.deletedHeld} title={groups["deleted-held"]} />
      <Rows {...shared} requests={work.undoable} title={groups.done} act="undo" />
      {work.batches.map((batch) => (
        <form key={batch[0]} method="post" action={to(paths.operator)} data-kept="">
          <Hidden fields={{ act: "undo", formKey, r: choicesOf(work.undoable, batch) }} />
          <p className="desk-buttons">
            <Button type="submit">{say(together.undo, { count: batch.length })}</Button>
          </p>
        </form>
      ))}
      {pressing.length > 0 ? <Way query={queryOf("later", pressing)}>{together.extend}</Way> : null}
      <Rows {...shared} requests={queue} title={groups.queue} act="take" />
      {next ? (
        <Way query={[["after", next]]} rel="next">
          {list.next}
        </Way>
      ) : null}
      <form
        id="together"
        method="post"
        action={to(paths.operator)}
        className={`${styles.together} row frame`}
        data-kept=""
      >
        <input type="hidden" name="formKey" value={formKey} />
        {bar.map(({ act, several }) => (
          <Button
            key={act}
            type="submit"
            aria-label={labels[act]}
            name={several === "pressed" ? "act" : "choose"}
            value={act}
          >
            {acts[act]}
          </Button>
        ))}
      </form>
      {work.unconfirmed > 0 ? (
        <p className="soft">
          <Text>{say(unconfirmed, { count: work.unconfirmed })}</Text>
        </p>
      ) : null}
    </>
  );
}

const choicesOf = (requests: readonly ListedRequest[], batch: readonly string[]) =>
  requests.filter(({ reference }) => batch.includes(reference)).map(toChoice);

/**
 * Renders the selected requests with the same form as for a single request. A request that refuses
 * the act doesn't block the others.
 */
function ChosenOnes({
  chosen: { act, requests, whyNot, matter: given },
  viewer,
  answer,
}: {
  chosen: Chosen;
  viewer: Loaded["viewer"];
  answer: DeskAnswer | undefined;
}) {
  const words = useWords();
  const { operator, say } = words;
  const { about, acts, together } = operator.desk;
  // Results are listed above the form so that the operator sees them before typing anything.
  const isDone = ({ reference }: ListedRequest) => answer?.done.includes(reference) === true;
  const noteOf = (request: ListedRequest) => {
    if (isDone(request)) return together.done;
    const refused = whyNot.get(request.reference);
    return refused && explainWhyNot(words, refused.because, request, refused.grace);
  };
  const matter = { ...given, requests: given.requests.filter((request) => !isDone(request)) };
  const isLeft = matter.requests.length > 0;
  const [titled, comes] =
    act === "later"
      ? [together.laterTitle, about.later]
      : [together.completeTitle, together.completeText];
  const title = say(titled, { count: requests.length });
  return (
    <OperatorPage title={title}>
      <DoneNotice answer={answer} kept={isLeft} />
      <div className="columns">
        {isLeft ? (
          <div className={`${styles.next} frame`}>
            <h2>
              <Text>{acts[act]}</Text>
            </h2>
            <DeskForm {...{ act, matter, answer }} about={comes} variant="primary" />
          </div>
        ) : null}
        <Rows {...{ requests, viewer, noteOf, title }} />
      </div>
      <Way>{operator.frame.fault.today}</Way>
    </OperatorPage>
  );
}
