import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { isDeskAct } from "../../../server/operator-desk/act-names.ts";
import { first } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/request-page";
import { ActForm, type DraftView } from "./desk/act-form.tsx";
import { readTold, readTyped, showUnfinished, tellDone, type Unfinished } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { doAct, draftAct } from "./desk/do-act.ts";
import { type Filled, untouched } from "./desk/fields.tsx";
import { Due } from "./desk/request-row.tsx";
import { type RequestView, toRequestView } from "./desk/request-view.ts";
import type { StoryLine } from "./desk/story.ts";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) =>
  operatorMeta(args, "request", args.loaderData?.view.row.reference);

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const story = await desk.tell(args.params.id);
  if (!story) throw data(null, { status: 404 });
  // Any of its references leads here; the page has one address.
  if (story.request.reference !== args.params.id) {
    throw redirect(words.to(paths.operatorRequest(story.request.reference)), 303);
  }
  const handOver = await operatorDesk.handOver(story.request.id);
  const sight = await operatorDesk.sightOf(operator.name);
  const view = toRequestView(words, operatorDesk, story, handOver, sight);
  const done = await readTold(words, url, { desk, operatorDesk }, operator.name);
  return { view, done };
}

export async function action(args: Route.ActionArgs) {
  const typed = readTyped(await args.request.formData());
  const act = first(typed, "act");
  const isDraft = typed.preview !== undefined;
  const { desk, operatorDesk, isStorageProblem } = getServices(args.context);
  const isSerious = isDeskAct(act) && operatorDesk.acts[act].serious && !isDraft;
  const { operator } = requireOperator(args, isSerious ? { fresh: true } : {});
  const words = wordsAt(new URL(args.request.url));
  const reference = args.params.id;
  const by = { name: operator.name, isStorageProblem };
  const asked = { words, desk, operatorDesk, ...by, reference, typed };
  if (isDraft) return data({ act, typed, draft: await draftAct(asked) });
  const outcome = await doAct(asked);
  switch (outcome.kind) {
    case "done":
      return tellDone(words, paths.operatorRequest(reference), { act, references: [reference] });
    case "gone":
      throw data(null, { status: 404 });
    case "problem":
      return showUnfinished(outcome, typed);
  }
}

/** What was sent and not done, or shown before it is sent: of which act, and how its form is filled. */
type Sent = { act: string; filled: Filled; draft: DraftView | undefined };

export default function RequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, done } = loaderData;
  const labels = useWords().operator.desk.request;
  const answer = actionData as
    | { unfinished: Unfinished }
    | { act: string; typed: Filled["typed"]; draft: DraftView | undefined }
    | undefined;
  const unfinished = answer && "unfinished" in answer ? answer.unfinished : undefined;
  const sent: Sent | undefined =
    answer &&
    ("unfinished" in answer
      ? { act: answer.unfinished.act, filled: answer.unfinished, draft: undefined }
      : { act: answer.act, filled: { typed: answer.typed, problems: [] }, draft: answer.draft });
  const kept = view.acts.some(({ act }) => act === unfinished?.act);
  const note = view.acts.find(({ act }) => act === "note");
  return (
    <OperatorPage name="request" title={view.row.reference} about={null}>
      <Told done={done} unfinished={unfinished} kept={kept} />
      <div className={styles.request}>
        <Head view={view} />
        <Acts view={view} sent={sent} />
        <div className={styles.rest}>
          <Facts view={view} />
          {view.data.length > 0 ? (
            <section aria-labelledby="data-title">
              <h2 id="data-title">{labels.data}</h2>
              <Data data={view.data} />
            </section>
          ) : null}
          <section aria-labelledby="notes-title">
            <h2 id="notes-title">{labels.notes}</h2>
            {view.notes.length > 0 ? <Story lines={view.notes} /> : <p>{labels.noNotes}</p>}
            {note ? <OneAct {...{ view, sent }} one={note} look="plain" /> : null}
          </section>
          <section aria-labelledby="history-title">
            <h2 id="history-title">{labels.history}</h2>
            <Story lines={view.story} />
          </section>
          <Mails view={view} />
          {view.system.length > 0 ? (
            <section aria-labelledby="system-title">
              <h2 id="system-title">{labels.system}</h2>
              {view.system.map((line) => (
                <p key={line}>{line}</p>
              ))}
            </section>
          ) : null}
        </div>
      </div>
    </OperatorPage>
  );
}

type Shown = { view: RequestView; sent: Sent | undefined };

/** Everything that can be done, in one place: what comes next in full, the rest folded. */
function Acts({ view, sent }: Shown) {
  const { desk } = useWords().operator;
  const acts = view.acts.filter(({ act }) => act !== "note");
  return (
    <section className={styles.acts} aria-labelledby="acts-title">
      <h2 id="acts-title">{desk.request.acts}</h2>
      {acts
        .filter(({ isNext }) => isNext)
        .map((one, index) => (
          <div key={one.act} id={one.act} className={styles.next}>
            {one.walk ? <h3>{desk.acts[one.act]}</h3> : null}
            <OneAct {...{ view, sent, one }} look={index === 0 ? "primary" : "plain"} />
          </div>
        ))}
      {view.why ? <p className={styles.hint}>{view.why}</p> : null}
      {acts
        .filter(({ isNext }) => !isNext)
        .map((one) => (
          <details
            key={one.act}
            id={one.act}
            className={styles.act}
            open={sent?.act === one.act || undefined}
          >
            <summary>{desk.acts[one.act]}</summary>
            <OneAct {...{ view, sent, one }} look={one.act === "refuse" ? "danger" : "plain"} />
          </details>
        ))}
    </section>
  );
}

function OneAct({
  view,
  sent,
  one,
  look,
}: Shown & { one: RequestView["acts"][number]; look: "primary" | "plain" | "danger" }) {
  const { enter } = useWords().operator.desk;
  const own = sent?.act === one.act ? sent : undefined;
  return (
    <ActForm
      view={one}
      of={[view.row.reference]}
      filled={own?.filled ?? untouched}
      draft={own?.draft}
      seen={view.seen}
      look={look}
    >
      {one.act === "approve" && view.proof ? (
        <p>
          {enter.proof}: {view.proof}
        </p>
      ) : null}
      {one.act === "undo" && view.undo ? <p className={styles.undo}>{view.undo}</p> : null}
    </ActForm>
  );
}

function Data({ data }: { data: RequestView["data"] }) {
  return data.map(({ title, lines }) => (
    <div key={title} className={styles.said}>
      <h3>{title}</h3>
      <ul>
        {lines.map(({ place, kind, how }) => (
          <li key={`${place} ${kind}`}>
            <b>{kind}</b> {place}
            {how ? <small>{how}</small> : null}
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** What it is, in one look. */
function Head({ view }: { view: RequestView }) {
  const { operator, say } = useWords();
  const { card, groups, request: labels, list } = operator.desk;
  const { row } = view;
  return (
    <section className={styles.head} aria-label={row.reference}>
      <p className={styles.address}>
        <WithAddresses text={row.address ?? list.erased} />
      </p>
      {row.due ? <Due due={row.due} /> : null}
      <p className={styles.meta}>
        {row.leaves ? null : <span>{view.proof ? groups.approve : row.state}</span>}
        {row.owner ? <span>{row.owner.standing}</span> : null}
        {row.enteredBy ? <span>{say(card.enteredBy, { name: row.enteredBy.name })}</span> : null}
        <span>{say(card.received, { date: row.received })}</span>
      </p>
      {row.waits ? (
        <p className={styles.situation}>
          <b>{labels.held}</b> {row.waits}
        </p>
      ) : null}
      {view.situation.map(({ of, text }) => (
        <p key={of} className={styles.situation}>
          <b>{text ? `${of}:` : of}</b> {text}
        </p>
      ))}
    </section>
  );
}

function Facts({ view }: { view: RequestView }) {
  const { request: labels } = useWords().operator.desk;
  return (
    <section aria-labelledby="facts-title">
      <h2 id="facts-title">{labels.facts}</h2>
      <dl className={styles.facts}>
        {view.facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {view.feedback.length > 0 ? (
        <>
          <h3>{labels.feedback}</h3>
          {view.feedback.map(({ reference, text }) => (
            <blockquote key={reference} className={styles.quote}>
              {text}
            </blockquote>
          ))}
        </>
      ) : null}
    </section>
  );
}

function Story({ lines }: { lines: readonly StoryLine[] }) {
  return (
    <ol className={styles.story}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end.
        <li key={index} data-by={line.by}>
          <p>
            <b>{line.who}</b> {line.what} <time>{line.when}</time>
          </p>
          {line.details.map((detail) => (
            <p key={detail} className={styles.hint}>
              {detail}
            </p>
          ))}
          {line.quote ? <blockquote className={styles.quote}>{line.quote}</blockquote> : null}
        </li>
      ))}
    </ol>
  );
}

function Mails({ view }: { view: RequestView }) {
  const { request: labels } = useWords().operator.desk;
  return (
    <section aria-labelledby="mails-title">
      <h2 id="mails-title">{labels.mails}</h2>
      {view.mails.length === 0 ? (
        <p>{view.row.address ? labels.mailKept : labels.mailsErased}</p>
      ) : null}
      <ul className={styles.mails}>
        {view.mails.map((mail, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: mails are only added at the end.
          <li key={index} data-trouble={mail.trouble || undefined}>
            <b>{mail.kind}</b> <span>{mail.state}</span> <time>{mail.when}</time>
            {mail.problem ? <p>{mail.problem}</p> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
