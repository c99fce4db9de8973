import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { isDeskAct } from "../../../server/operator-desk/act-names.ts";
import { first, type Typed } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, wordsAt } from "../../words.ts";
import { Journey } from "../delete-account/journey.tsx";
import type { Route } from "./+types/request-page";
import { ActForm, Acts, type ShownDraft } from "./desk/act-forms.tsx";
import styles from "./desk/desk.module.css";
import { showUnfinished, tellDone, type Unfinished } from "./desk/desk-answer.ts";
import { doAct } from "./desk/do-act.ts";
import { readTold } from "./desk/done-view.ts";
import { Due } from "./desk/due.tsx";
import { readTyped } from "./desk/read-act.ts";
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
  const { request, params, context } = args;
  const typed = readTyped(await request.formData());
  const act = first(typed, "act");
  const isDraft = typed.preview !== undefined;
  const { desk, operatorDesk, isStorageProblem } = getServices(context);
  const { operator } =
    isDeskAct(act) && operatorDesk.acts[act].serious && !isDraft
      ? requireOperator(args, { fresh: true })
      : requireOperator(args);
  const words = wordsAt(new URL(request.url));
  const reference = params.id;
  if (isDraft) {
    const drafted = await draft(operatorDesk, desk, {
      reference,
      typed,
      name: operator.name,
    });
    return data({ drafted, typed });
  }
  const by = { name: operator.name, isStorageProblem };
  const asked = { words, desk, operatorDesk, ...by, reference, typed };
  const outcome = await doAct(asked);
  switch (outcome.kind) {
    case "done":
      return tellDone(words, paths.operatorRequest(reference), {
        act: outcome.act,
        references: [reference],
      });
    case "gone":
      throw data(null, { status: 404 });
    case "problem":
      return showUnfinished(outcome, typed);
  }
}

/** The mail that a half-filled form would send. Undefined while it cannot be told. */
async function draft(
  operatorDesk: ReturnType<typeof getServices>["operatorDesk"],
  desk: ReturnType<typeof getServices>["desk"],
  asked: { reference: string; typed: Typed; name: string },
): Promise<ShownDraft | undefined> {
  const { typed, name } = asked;
  const request = await desk.find(asked.reference);
  const act = first(typed, "act");
  if (!request || !isDeskAct(act)) return undefined;
  const look = operatorDesk.look({ request, mails: [] }, name);
  // What must still be written is shown as dots.
  const written = first(typed, "explanation") === "" ? { ...typed, explanation: ["…"] } : typed;
  const [read = { wrong: [] }] = [typed, written]
    .map((fields) => operatorDesk.acts[act].read(fields, look))
    .filter((one) => "ready" in one);
  if ("wrong" in read) return undefined;
  const mail = operatorDesk.draft(request, read.ready, look);
  if (!mail.ok) return undefined;
  // The lines under a mail's titles are drawn otherwise here.
  const text = mail.text.replace(/^[=-]{3,}\n/gm, "");
  return { act, draft: { ...mail, text } };
}

export default function RequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, done } = loaderData;
  const words = useWords();
  const { desk } = words.operator;
  const labels = desk.request;
  const answer = actionData as
    | { unfinished?: Unfinished; drafted?: ShownDraft; typed?: Typed }
    | undefined;
  const unfinished = answer?.unfinished;
  const drafted =
    answer?.drafted && answer.typed ? { ...answer.drafted, typed: answer.typed } : undefined;
  const shown = { view, unfinished, drafted };
  const kept = view.acts.some(({ act }) => act === unfinished?.act);
  const note = view.acts.find(({ act }) => act === "note");
  return (
    <OperatorPage name="request" title={view.row.reference} about={null}>
      <Told done={done} unfinished={unfinished} kept={kept} />
      <div className={styles.request}>
        <Head view={view} />
        <Acts {...shown} />
        <div className={styles.rest}>
          <section aria-labelledby="route-title">
            <h2 id="route-title">{labels.route}</h2>
            <Journey label={labels.route} stops={view.stops} />
          </section>
          <Facts view={view} />
          {view.data.length > 0 && !view.system?.data.length ? (
            <section aria-labelledby="data-title">
              <h2 id="data-title">{labels.data}</h2>
              <Data data={view.data} />
            </section>
          ) : null}
          <section aria-labelledby="notes-title">
            <h2 id="notes-title">{labels.notes}</h2>
            {view.notes.length > 0 ? <Story lines={view.notes} /> : <p>{labels.noNotes}</p>}
            {note ? <ActForm {...shown} one={note} look="plain" /> : null}
          </section>
          <section aria-labelledby="trail-title">
            <h2 id="trail-title">{labels.trail}</h2>
            <Story lines={view.story} />
          </section>
          <Mails view={view} />
          {view.system ? (
            <section aria-labelledby="system-title">
              <h2 id="system-title">{labels.system}</h2>
              {view.system.standing.map((line) => (
                <p key={line}>{line}</p>
              ))}
              {view.system.said.length > 0 ? <Story lines={view.system.said} /> : null}
              <Data data={view.system.data} />
            </section>
          ) : null}
        </div>
      </div>
    </OperatorPage>
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
      {row.hold ? (
        <p className={styles.hold}>
          <b>{labels.held}</b> {row.hold}
        </p>
      ) : null}
      {view.situation.map(({ of, text }) => (
        <p key={of} className={styles.hold}>
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
        // biome-ignore lint/suspicious/noArrayIndexKey: a trail only grows at its end.
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
