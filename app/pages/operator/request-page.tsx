import type { ReactNode } from "react";
import { data, redirect } from "react-router";
import {
  type DeskAct,
  deskActs,
  findWhyNot,
  isStuck,
  isUnknown,
} from "../../../server/deletion-requests/commands/acts.ts";
import { explainWhyNot } from "../../../server/deletion-requests/presenters/history.ts";
import type { RequestDetail } from "../../../server/deletion-requests/queries/request-queries.ts";
import {
  holdOf,
  isEnded,
  isWorking,
  ownerOf,
} from "../../../server/deletion-requests/state-machine/request.ts";
import type { Refusal } from "../../../server/deletion-requests/state-machine/state-machine.ts";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { Button } from "../../components/button.tsx";
import { InLanguage } from "../../components/in-language.tsx";
import { WithAddresses } from "../../components/line-breaks.tsx";
import { Text } from "../../components/text.tsx";
import { type PageWords, useWords } from "../../words.ts";
import type { Route } from "./+types/request-page";
import { DeskForm, DoneNotice } from "./desk/act-form.tsx";
import { answerAct, type DeskAnswer, readDoneNotice } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import {
  type DetailLine,
  presentConditions,
  presentEmails,
  presentFormAnswers,
  presentOutcome,
  toEventLine,
} from "./desk/request-detail.ts";
import { Due, nameState, requestNotes } from "./desk/request-row.tsx";
import { SendingPage } from "./desk/sending.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

/**
 * The loader's data. It needs no serialization, because operator pages render only on the server.
 */
export type Loaded = Awaited<ReturnType<typeof loader>>;

export async function loader(args: Route.LoaderArgs) {
  const operatorContext = requireOperator(args);
  const { operator, services, words } = operatorContext;
  const { desk, operatorDesk } = services;
  const story = await desk.readDetail(args.params.id);
  if (!story) throw data(null, { status: 404 });
  const { request } = story;
  // A request can have several references. Redirect all of them to one URL.
  if (request.reference !== args.params.id) {
    throw redirect(words.to(paths.operatorRequest(request.reference)), 303);
  }
  const context = operatorDesk.contextOf(story, operator.name);
  const job = await operatorDesk.job(request.id);
  const [row] = await operatorDesk.list([request]);
  if (!row) throw data(null, { status: 404 });
  return {
    story,
    row,
    job,
    viewer: await operatorDesk.viewerOf(operator.name),
    whyNot: Object.fromEntries(deskActs.map((act) => [act, findWhyNot(act, context)])),
    isUnknown: isUnknown(context),
    isJustPutOff: isUnknown(context, "later"),
    matter: {
      ...operatorDesk.matterOf([row]),
      suggested: await operatorDesk.suggestDate(row),
    },
    now: services.clock(),
    done: await readDoneNotice(operatorContext, story),
    drafts: await operatorDesk.drafts.read(request.reference, operator.name),
  };
}

export function action(args: Route.ActionArgs) {
  const { typed } = requireOperator(args);
  return answerAct(args, typed, [`${args.params.id}~${firstValue(typed, "seen")}`]);
}

type PageProps = { loaderData: Loaded; answer: DeskAnswer | undefined };

export default function RequestPage({
  loaderData,
  actionData: answer,
}: {
  loaderData: Loaded;
  actionData?: DeskAnswer;
}) {
  const words = useWords();
  const { story, whyNot, matter } = loaderData;
  const { request, events } = story;
  const { noNotes, mailKept, mailsErased } = words.operator.desk.request;
  const lines = events.map((event) => toEventLine(words, event, matter.dataList.ownershipProofs));
  const isNote = (_: unknown, index: number) => events[index]?.type === "note";
  if (answer?.sendings) return <SendingPage answer={answer} sendings={answer.sendings} />;
  return (
    <OperatorPage title={request.reference}>
      <DoneNotice
        done={loaderData.done}
        answer={answer}
        kept={deskActs.some((act) => act === answer?.act && !whyNot[act])}
      />
      <div className={`${styles.story} stack`}>
        <Head {...{ loaderData, lines }} />
        <Acts {...{ loaderData, answer }} />
        <div className="stack">
          <Known of="facts" lines={presentFormAnswers(words, story)} />
          <Known of="data" lines={presentOutcome(words, story)} />
          <Known of="notes" lines={lines.filter(isNote)} none={noNotes}>
            {whyNot.note ? null : <Fold {...{ loaderData, answer }} act="note" variant="plain" />}
          </Known>
          <Known of="history" lines={lines.filter((line, index) => !isNote(line, index))} />
          <Known
            of="mails"
            lines={presentEmails(words, story)}
            none={request.email ? mailKept : mailsErased}
          />
        </div>
      </div>
    </OperatorPage>
  );
}

/**
 * Renders a form for each possible act. The usual next acts are expanded, and the others are
 * collapsed. Also explains why an open request can't be completed, or why the last act can't be
 * undone.
 */
function Acts({ loaderData, answer }: PageProps) {
  const words = useWords();
  const { story, whyNot, done } = loaderData;
  const { request: labels } = words.operator.desk;
  const { request, mails } = story;
  // The success box already has an Undo button.
  const isUndoAbove = answer === undefined && done?.of.some(({ canUndo }) => canUndo) === true;
  const isShown: Partial<Record<DeskAct, boolean>> = {
    note: false,
    undo: !isUndoAbove,
    // Once all emails have arrived, only the confirmation link is worth resending.
    resend: request.state === "received" || mails.some(isStuck),
  };
  const open = deskActs.filter((act) => isShown[act] !== false && !whyNot[act]);
  const next = open.filter((act) => isNext(act, loaderData));
  // A request entered by an operator needs no confirmation.
  const isTheirs = request.enteredBy === undefined || request.state !== "received";
  const because = isTheirs && whyNot[isEnded(request) ? "undo" : "complete"];
  // The Take button already shows that the request isn't taken.
  const isObvious = because === "not-taken" && open.includes("take");
  const later = isWorking(request) && isTooLate(whyNot.later) ? whyNot.later : undefined;
  const shown = { loaderData, answer };
  return (
    <section className={`${styles.acts} stack`} aria-labelledby="acts-title">
      <h2 id="acts-title" className="visually-hidden">
        <Text>{labels.acts}</Text>
      </h2>
      {next.map((act, index) => (
        <div key={act} id={act} className={`${styles.next} frame`}>
          <OneAct {...shown} act={act} variant={index === 0 ? "primary" : "plain"} />
        </div>
      ))}
      {because && !isObvious ? (
        <p className="soft">
          <Text>{explainWhyNot(words, because, request, story.grace)}</Text>
        </p>
      ) : null}
      {later ? (
        <p className="soft">
          <Text>{explainWhyNot(words, later, request)}</Text>
        </p>
      ) : null}
      <div className="row">
        {open
          .filter((act) => !next.includes(act))
          .map((act) => (
            <Fold key={act} {...shown} act={act} variant={act === "refuse" ? "danger" : "plain"} />
          ))}
      </div>
    </section>
  );
}

const isTooLate = (refusal: Refusal | undefined) =>
  refusal === "too-late-to-tell" || refusal === "too-late-a-date";

/**
 * Renders an act in a collapsible section, expanded if its form was just submitted or has a draft.
 */
function Fold(props: PageProps & { act: DeskAct; variant: "plain" | "danger" }) {
  const { act, answer, loaderData } = props;
  return (
    <details
      id={act}
      className={`${styles.act} frame`}
      open={answer ? answer.act === act : loaderData.drafts.has(act)}
    >
      <summary>
        <Text>{useWords().operator.desk.acts[act]}</Text>
      </summary>
      <OneAct {...props} />
    </details>
  );
}

function Head({ loaderData, lines }: { loaderData: Loaded; lines: readonly DetailLine[] }) {
  const words = useWords();
  const { dates, operator, say } = words;
  const { card, list } = operator.desk;
  const { row: request, viewer, story } = loaderData;
  const notes = [
    ...(isWorking(request) && request.done ? [] : [nameState(words, request)]),
    ...requestNotes(words, request, viewer),
    say(card.received, { date: dates.momentBriefly(request.receivedAt) }),
  ];
  return (
    <section className={styles.head} aria-label={request.reference}>
      <div className={`${styles.account} row`}>
        <p className={styles.whose}>
          <WithAddresses text={request.email ?? list.erased} />
        </p>
        {request.email ? (
          <Button data-copy={request.email} data-says={card.copied}>
            {card.copy}
          </Button>
        ) : null}
        <span role="status" className="soft" />
      </div>
      <RequesterMessages story={story} />
      <Due request={request} />
      <p className={`${styles.meta} row soft`}>
        {notes.map((note) => (
          <span key={note}>
            <Text>{note}</Text>
          </span>
        ))}
      </p>
      {presentConditions(words, loaderData, lines).map(({ of, text }) => (
        <p key={of} className={styles.situation}>
          <b>
            <Text>{text ? `${of}:` : of}</Text>
          </b>{" "}
          <Text>{text}</Text>
        </p>
      ))}
    </section>
  );
}

function RequesterMessages({ story: { submissions, request } }: { story: RequestDetail }) {
  const { feedback: title } = useWords().operator.desk.request;
  const texts = submissions.flatMap(({ reference, feedback }) =>
    feedback ? [{ reference, feedback }] : [],
  );
  if (texts.length === 0) return null;
  return (
    <section className={styles.words} aria-label={title}>
      <p className="soft">
        <Text>{title}</Text>
      </p>
      {texts.map(({ reference, feedback }) => (
        <blockquote key={reference} lang={request.language || undefined} dir="auto">
          <InLanguage language={request.language}>
            <Text>{feedback}</Text>
          </InLanguage>
        </blockquote>
      ))}
    </section>
  );
}

/** Renders facts of one kind, one per line. Without facts, renders `none`, if set. */
function Known({
  of,
  lines,
  none,
  children,
}: {
  of: "facts" | "data" | "notes" | "history" | "mails";
  lines: readonly DetailLine[];
  none?: string;
  children?: ReactNode;
}) {
  const labels = useWords().operator.desk.request;
  if (lines.length === 0 && none === undefined) return null;
  return (
    <section aria-labelledby={`${of}-title`}>
      <h2 id={`${of}-title`}>
        <Text>{labels[of]}</Text>
      </h2>
      {lines.length === 0 ? (
        <p>
          <Text>{none}</Text>
        </p>
      ) : null}
      <ol className={styles.lines}>
        {lines.map(({ who, what, when, details = [], quote, by, needsPerson }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: new events are only added at the end.
          <li key={index} data-by={by} data-trouble={needsPerson || undefined}>
            <p>
              <b>
                <Text>{who}</Text>
              </b>{" "}
              <Text>{what}</Text>{" "}
              <time className="soft">
                <Text>{when}</Text>
              </time>
            </p>
            {details.map((detail) => (
              <p key={detail} className="soft">
                <Text>{detail}</Text>
              </p>
            ))}
            {quote ? (
              <blockquote>
                <Text>{quote}</Text>
              </blockquote>
            ) : null}
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}

/**
 * Returns whether an act is the usual next step. While the account system is deleting the account,
 * deleting it by hand is never suggested.
 */
function isNext(act: DeskAct, { story, row, viewer, isUnknown, isJustPutOff }: Loaded): boolean {
  const { request, mails } = story;
  const owner = ownerOf(request);
  const isWithSystem = row.marks.system;
  const isOver = isEnded(request) || (isWorking(request) && request.done !== undefined);
  const found: Partial<Record<DeskAct, boolean>> = {
    take: !isWithSystem && (owner === undefined || viewer.away.has(owner)),
    complete: !isWithSystem,
    undo: holdOf(request) !== undefined || isJustPutOff || (isUnknown && isOver),
    approve: true,
    resend: mails.some(isStuck),
  };
  return found[act] === true;
}

function OneAct({
  act,
  variant,
  loaderData: loaded,
  answer,
}: PageProps & { act: DeskAct; variant: "primary" | "plain" | "danger" }) {
  const { story, isUnknown, matter } = loaded;
  const about = describeConsequence(useWords(), act, loaded);
  // If the requester never learned of an act, undoing it sends no email.
  const isBare = act === "undo" && (isUnknown || !isEnded(story.request));
  const draft = loaded.drafts.get(act);
  return <DeskForm {...{ act, variant, answer, isBare, matter, about, draft }} seen={story.seen} />;
}

function describeConsequence(
  words: PageWords,
  act: DeskAct,
  { story, isUnknown, matter }: Loaded,
): string {
  const { operator, say } = words;
  const { about } = operator.desk;
  const { request, events } = story;
  if (act === "approve") {
    // The second operator approves the entry without seeing the proof of ownership.
    const entered = events.findLast(({ type }) => type === "enter");
    const line = entered && toEventLine(words, entered, matter.dataList.ownershipProofs);
    const proof = line?.details[0] ?? "";
    return say(about.approve, { name: line?.who, time: line?.when ?? "", proof });
  }
  const owner = ownerOf(request);
  if (act === "take" && owner) return say(about.takeOver, { name: owner });
  if (act === "take" && request.state === "in-progress") return about.takeBegun;
  if (act !== "undo") return about[act];
  const isOver = isEnded(request) || (isWorking(request) && request.done !== undefined);
  if (isUnknown) return isOver ? about.undo : about.undoQuiet;
  if (isEnded(request)) return about.undoTold;
  return holdOf(request) ? about.undoHold : about.undoTake;
}
