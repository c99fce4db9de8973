import { data, redirect } from "react-router";
import {
  isEnded,
  isWorking,
  ownerOf,
  waitOf,
} from "../../../server/deletion-requests/life/request.ts";
import { finalAt } from "../../../server/deletion-requests/telling/tell-request.ts";
import { paths } from "../../../server/http/paths.ts";
import { type DeskAct, deskActs } from "../../../server/operator-desk/act-names.ts";
import { getServices } from "../../services-context.ts";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import type { Route } from "./+types/request-page";
import { ActForm } from "./desk/act-form.tsx";
import { type Answer, answerAct, readTold, readTyped, whyNot } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { Due, tellNotes, tellState } from "./desk/request-row.tsx";
import { RequestStory } from "./desk/request-story.tsx";
import { tellSituation } from "./desk/situation.ts";
import { type StoryLine, tellEvent } from "./desk/story.ts";
import { Told } from "./desk/told.tsx";
import { nameIn } from "./desk/walk.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";

export const meta = (args: Route.MetaArgs) =>
  operatorMeta(args, "request", args.loaderData?.story.request.reference);

/** Pages of operators are rendered here and nowhere else: what was read reaches them as it is. */
export type Loaded = Awaited<ReturnType<typeof loader>>;

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const story = await desk.tell(args.params.id);
  if (!story) throw data(null, { status: 404 });
  const { request } = story;
  // Any of its references leads here; the page has one address.
  if (request.reference !== args.params.id) {
    throw redirect(words.to(paths.operatorRequest(request.reference)), 303);
  }
  const look = operatorDesk.look(story, operator.name);
  return {
    story,
    handOver: await operatorDesk.handOver(request.id),
    sight: await operatorDesk.sightOf(operator.name, [request]),
    possible: operatorDesk.findPossible(look),
    isUnknown: operatorDesk.isUnknown(look),
    matter: operatorDesk.matterOf([request]),
    now: operatorDesk.now(),
    done: await readTold(words, url, { desk, operatorDesk }, operator.name),
  };
}

export async function action(args: Route.ActionArgs) {
  const typed = readTyped(await args.request.formData());
  const { id } = args.params;
  return answerAct(args, typed, [id], paths.operatorRequest(id));
}

export default function RequestPage({
  loaderData,
  actionData: answer,
}: {
  loaderData: Loaded;
  actionData?: Answer;
}) {
  const words = useWords();
  const { story, handOver, possible, matter } = loaderData;
  const { request, events } = story;
  // What an operator called done is completed by the clock.
  const byHand = events.some(({ type, actor }) => type === "complete" && actor === "operator");
  const lines = events.map((event) => {
    const line = tellEvent(words, event, handOver !== undefined && !byHand);
    const proof = matter.dataList.ownershipProofs.find(({ key }) => key === event.code);
    return event.type === "enter" && proof ? { ...line, details: [nameIn(words, proof)] } : line;
  });
  const proof =
    request.state === "received"
      ? lines[events.findIndex(({ type }) => type === "enter")]
      : undefined;
  const kept = deskActs.some((act) => act === answer?.act && possible[act].can);
  return (
    <OperatorPage name="request" title={request.reference} about={null}>
      <Told done={loaderData.done} answer={answer} kept={kept} />
      <div className={styles.request}>
        <Head {...{ loaderData, lines, isProven: proof !== undefined }} />
        <Acts {...{ loaderData, answer }} proof={proof?.details[0]} />
        <div className={styles.rest}>
          <RequestStory {...{ story, handOver, lines }}>
            {possible.note.can ? (
              <OneAct {...{ loaderData, answer }} act="note" look="plain" />
            ) : null}
          </RequestStory>
        </div>
      </div>
    </OperatorPage>
  );
}

/** What it is, in one look. */
function Head({
  loaderData: { story, handOver, sight },
  lines,
  isProven,
}: {
  loaderData: Loaded;
  lines: readonly StoryLine[];
  isProven: boolean;
}) {
  const words = useWords();
  const { dates, operator, say } = words;
  const { card, groups, list } = operator.desk;
  const { request } = story;
  const isDone = isWorking(request) && request.done !== undefined;
  const notes = [
    ...(isDone ? [] : [isProven ? groups.approve : tellState(words, request, sight)]),
    ...tellNotes(words, request, sight),
    say(card.received, { date: dates.momentBriefly(request.receivedAt) }),
  ];
  return (
    <section className={styles.head} aria-label={request.reference}>
      <p className={styles.address}>
        <WithAddresses text={request.email ?? list.erased} />
      </p>
      <Due request={request} />
      <p className={styles.meta}>
        {notes.map((note) => (
          <span key={note}>{note}</span>
        ))}
      </p>
      {tellSituation(words, story, lines, handOver, sight).map(({ of, text }) => (
        <p key={of} className={styles.situation}>
          <b>{text ? `${of}:` : of}</b> {text}
        </p>
      ))}
    </section>
  );
}

type Shown = { loaderData: Loaded; answer: Answer | undefined; proof?: string | undefined };

/** Everything that can be done, in one place: what comes next in full, the rest folded. */
function Acts(shown: Shown) {
  const words = useWords();
  const { desk } = words.operator;
  const { loaderData, answer } = shown;
  const { possible } = loaderData;
  const { request } = loaderData.story;
  const open = deskActs.filter((act) => act !== "note" && possible[act].can);
  const asked = possible[isEnded(request) ? "undo" : "complete"];
  const [first] = open.filter((act) => isNext(act, loaderData));
  return (
    <section className={styles.acts} aria-labelledby="acts-title">
      <h2 id="acts-title">{desk.request.acts}</h2>
      {open
        .filter((act) => isNext(act, loaderData))
        .map((act) => (
          <div key={act} id={act} className={styles.next}>
            {act === "complete" ? <h3>{desk.acts[act]}</h3> : null}
            <OneAct {...shown} act={act} look={act === first ? "primary" : "plain"} />
          </div>
        ))}
      {asked.can ? null : <p className={styles.hint}>{whyNot(words, asked.because, request)}</p>}
      {open
        .filter((act) => !isNext(act, loaderData))
        .map((act) => (
          <details
            key={act}
            id={act}
            className={styles.act}
            open={answer?.act === act || undefined}
          >
            <summary>{desk.acts[act]}</summary>
            <OneAct {...shown} act={act} look={act === "refuse" ? "danger" : "plain"} />
          </details>
        ))}
    </section>
  );
}

/** Whether an act comes next in the ordinary way. What the account system deletes now, nobody is led to delete by hand. */
function isNext(act: DeskAct, { story, sight, isUnknown }: Loaded): boolean {
  const { request, mails } = story;
  const owner = ownerOf(request);
  const isWithSystem = sight.marks.get(request.id)?.has("system") === true;
  switch (act) {
    case "take":
      return !isWithSystem && (owner === undefined || sight.away.has(owner));
    case "complete":
      return !isWithSystem;
    case "undo": {
      const isOver = isEnded(request) || (isWorking(request) && request.done !== undefined);
      return waitOf(request) !== undefined || (isUnknown && isOver);
    }
    case "approve":
      return true;
    default:
      return act === "resend" && mails.some(({ state }) => state === "needs-person");
  }
}

function OneAct({
  act,
  loaderData,
  answer,
  proof,
  look,
}: Shown & { act: DeskAct; look: "primary" | "plain" | "danger" }) {
  const words = useWords();
  const { enter } = words.operator.desk;
  const { story, isUnknown, matter } = loaderData;
  const { request, seen } = story;
  // Whoever heard nothing of it is told nothing.
  const isBare = act === "undo" && (isUnknown || !isEnded(request));
  return (
    <ActForm
      {...{ act, answer, look, isBare }}
      {...{ matter, seen }}
      about={tellAbout(words, act, loaderData)}
    >
      {act === "approve" && proof ? (
        <p>
          {enter.proof}: {proof}
        </p>
      ) : null}
      {act === "undo" && isUnknown ? <UndoUntil {...loaderData} /> : null}
    </ActForm>
  );
}

/** What comes of an act. */
function tellAbout({ operator, say }: Words, act: DeskAct, { story, isUnknown }: Loaded): string {
  const { about } = operator.desk;
  const { request } = story;
  const owner = ownerOf(request);
  if (act === "take" && owner) return say(about.takeOver, { name: owner });
  if (act === "take" && request.state === "in-progress") return about.takeBegun;
  if (act !== "undo") return about[act];
  if (isEnded(request)) return isUnknown ? about.undo : about.undoTold;
  if (isWorking(request) && request.done) return about.undo;
  return waitOf(request) ? about.undoHold : about.undoTake;
}

/** Until when the last step can be taken back: what has run out, until its mail leaves, as soon as the server comes to it. */
function UndoUntil({ story: { request, mails }, now }: Loaded) {
  const { dates, operator, say } = useWords();
  const { undoUntil, leavesNow } = operator.desk.request;
  const done = isWorking(request) ? request.done?.at : undefined;
  const until = done ? finalAt(done) : isEnded(request) ? mails.at(-1)?.nextAt : undefined;
  if (!until) return null;
  const isAhead = Temporal.Instant.compare(until, now) > 0;
  return (
    <p className={styles.undo}>
      {isAhead ? say(undoUntil, { time: dates.time(until) }) : leavesNow}
    </p>
  );
}
