import { useRef } from "react";
import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import { Journey } from "../delete-account/journey.tsx";
import type { Route } from "./+types/request-page";
import { ActForm, Acts, type ShownDraft } from "./desk/act-forms.tsx";
import styles from "./desk/desk.module.css";
import { readTold, showUnfinished, tellDone, type Unfinished } from "./desk/desk-answer.ts";
import { doAct } from "./desk/do-act.ts";
import { Due } from "./desk/due.tsx";
import { isWorthReading, sendOrKeep, type Unreached } from "./desk/offline.ts";
import { first, readAct, readTyped, type Typed } from "./desk/read-act.ts";
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
  return { view, told: readTold(words, url) };
}

/** What cannot be taken back for long: for these the passkey is touched once more. */
const serious = ["complete", "refuse"];

export async function action(args: Route.ActionArgs) {
  const { request, params, context } = args;
  const typed = readTyped(await request.formData());
  const act = first(typed, "act");
  const isDraft = typed.preview !== undefined;
  const { operator } =
    serious.includes(act) && !isDraft
      ? requireOperator(args, { fresh: true })
      : requireOperator(args);
  const { desk, operatorDesk } = getServices(context);
  const words = wordsAt(new URL(request.url));
  const reference = params.id;
  if (isDraft) {
    const drafted = await draft(words, operatorDesk, desk, {
      reference,
      typed,
      name: operator.name,
    });
    return data({ drafted, typed });
  }
  const asked = { words, desk, operatorDesk, name: operator.name, reference, typed };
  const outcome = await doAct(asked);
  switch (outcome.kind) {
    case "done":
      return outcome.act === "remove"
        ? tellDone(words, paths.operator, { act: outcome.act, reference })
        : tellDone(words, paths.operatorRequest(reference), { act: outcome.act, reference });
    case "gone":
      throw data(null, { status: 404 });
    case "problem":
      return showUnfinished(outcome, typed);
  }
}

/** The mail that a half-filled form would send. Undefined while it cannot be told. */
async function draft(
  words: Words,
  operatorDesk: ReturnType<typeof getServices>["operatorDesk"],
  desk: ReturnType<typeof getServices>["desk"],
  asked: { reference: string; typed: Typed; name: string },
): Promise<ShownDraft | undefined> {
  const found = await desk.find(asked.reference);
  const isUnwritten = first(asked.typed, "explanation") === "";
  const whole = readAct(words, asked.typed);
  // What must still be written is shown as dots.
  const read =
    whole && "problems" in whole && isUnwritten
      ? readAct(words, { ...asked.typed, explanation: ["…"] })
      : whole;
  if (!found || !read || "problems" in read) return undefined;
  const { act } = read;
  if (act.type === "approve") return undefined;
  const mail = operatorDesk.draft(found, act, asked.name);
  if (!mail.ok) return undefined;
  // The lines under a mail's titles are drawn otherwise here.
  const text = mail.text.replace(/^[=-]{3,}\n/gm, "");
  return { act: act.type, draft: { ...mail, text } };
}

export const clientAction = ({ serverAction, request }: Route.ClientActionArgs) =>
  sendOrKeep(serverAction, request);

export const shouldRevalidate = isWorthReading;

export default function RequestPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, told } = loaderData;
  const words = useWords();
  const { desk } = words.operator;
  const labels = desk.request;
  const answer = actionData as
    | { unfinished?: Unfinished; drafted?: ShownDraft; typed?: Typed; offline?: Unreached }
    | undefined;
  const unfinished = answer?.unfinished;
  const drafted =
    answer?.drafted && answer.typed ? { ...answer.drafted, typed: answer.typed } : undefined;
  const shown = { view, unfinished, drafted };
  const kept = view.can.some((act) => act === unfinished?.act);
  // What was done leaves empty forms; what was not, or may not have been, leaves them as they are.
  const emptied = told === undefined ? "" : String(view.seen);
  const forms = useRef(emptied);
  if (!answer?.offline) forms.current = emptied;
  return (
    <OperatorPage name="request" title={view.row.reference} about={null}>
      <Told told={told} unfinished={unfinished} offline={answer?.offline} kept={kept} />
      <div className={styles.request}>
        <Head view={view} />
        <Acts key={forms.current} {...shown} />
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
            {view.can.includes("note") ? <Note key={forms.current} {...shown} /> : null}
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
  const { card, groups, request: labels, list } = useWords().operator.desk;
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
        {row.enteredBy ? <span>{card.enteredBy.replace("{name}", row.enteredBy.name)}</span> : null}
        <span>{card.received.replace("{date}", row.received)}</span>
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

/** Writes something down for the team. */
function Note(shown: Parameters<typeof Acts>[0]) {
  const { unfinished } = shown;
  const { form } = useWords().operator.desk;
  return (
    <ActForm {...shown} act="note" look="plain">
      <div className={styles.field}>
        <label className="visually-hidden" htmlFor="note-note">
          {form.note}
        </label>
        <textarea
          id="note-note"
          name="note"
          rows={2}
          required
          maxLength={2000}
          defaultValue={unfinished?.act === "note" ? unfinished.typed.note?.[0] : undefined}
        />
      </div>
    </ActForm>
  );
}
