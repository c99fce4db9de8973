import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { placeFromText, placeToText } from "../../../server/operator-desk/places.ts";
import { first } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import type { Route } from "./+types/today-page";
import styles from "./desk/desk.module.css";
import { showUnfinished, tellDone, type Unfinished } from "./desk/desk-answer.ts";
import { doAct } from "./desk/do-act.ts";
import { readTold } from "./desk/done-view.ts";
import { Keys } from "./desk/keys.tsx";
import { readTyped } from "./desk/read-act.ts";
import { RequestRow } from "./desk/request-row.tsx";
import { type RowView, toRow } from "./desk/row-view.ts";
import { Search } from "./desk/search.tsx";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { tellPromised } from "./health-signs.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { WithPicture } from "./with-picture.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "today");

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const after = placeFromText(url.searchParams.get("after"));
  const work = await operatorDesk.readToday(after);
  const shown = { ...(await operatorDesk.sightOf(operator.name)), marks: work.marks };
  const { next } = work;
  return {
    promised: tellPromised(await operatorDesk.standing(), words),
    deletedHeld: work.deletedHeld.map((request) => toRow(words, request, shown)),
    undoable: work.undoable.map((request) => toRow(words, request, shown)),
    queue: [...work.toApprove, ...work.queue].map((request) => toRow(words, request, shown)),
    isFirst: after === undefined,
    next: next && words.to(`${paths.operator}?after=${placeToText(next)}`),
    unconfirmed: words.say(words.operator.desk.unconfirmed, { count: work.unconfirmed }),
    done: await readTold(words, url, { desk, operatorDesk }, operator.name),
  };
}

type Found = {
  /** What was looked for comes back into the field, and never into an address. */
  asked: string;
  rows: RowView[];
  says: string;
};

/** Searching, and the two acts that are pressed from here: taking, which opens the request, and undoing. */
export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args);
  const typed = readTyped(await args.request.formData());
  const words = wordsAt(new URL(args.request.url));
  if (typed.search) return search(args, words, operator.name, first(typed, "search"));
  const { desk, operatorDesk, isStorageProblem } = getServices(args.context);
  const reference = first(typed, "reference");
  const act = first(typed, "act") === "undo" ? "undo" : "take";
  const by = { name: operator.name, isStorageProblem };
  const asked = { words, desk, operatorDesk, ...by, reference };
  const outcome = await doAct({ ...asked, typed: { ...typed, act: [act] } });
  if (outcome.kind === "gone") throw data(null, { status: 404 });
  if (outcome.kind === "done") {
    const leadsTo = act === "take" ? paths.operatorRequest(reference) : paths.operator;
    return tellDone(words, leadsTo, { act, references: [reference] });
  }
  const problems = outcome.problems.map((one) => ({ words: `${reference}: ${one.words}` }));
  return showUnfinished({ ...outcome, problems }, typed);
}

/** By a whole reference or address whatever became of it, else by how one of them begins. A single one is opened. */
async function search(
  { context }: Route.ActionArgs,
  words: Words,
  name: string,
  asked: string,
): Promise<Response | ReturnType<typeof data<{ found: Found }>>> {
  const { desk, operatorDesk } = getServices(context);
  const whole = await desk.search(asked);
  const begun = whole.length > 0 ? undefined : await operatorDesk.findByBeginning(asked);
  const found = begun?.requests ?? whole;
  const [only] = found;
  if (only && found.length === 1) {
    return redirect(words.to(paths.operatorRequest(only.reference)), 303);
  }
  const sight = await operatorDesk.sightOf(name);
  const { search: own } = words.operator.desk;
  const says = words.say(begun?.more ? own.foundFirst : own.found, { count: found.length });
  const answer: Found = {
    asked,
    rows: found.map((request) => toRow(words, request, sight)),
    says: found.length > 0 ? says : await tellNothing(words, context, asked),
  };
  return data({ found: answer }, { status: found.length > 0 ? 200 : 404 });
}

async function tellNothing(
  words: Words,
  context: Route.ActionArgs["context"],
  asked: string,
): Promise<string> {
  const { desk, operatorDesk } = getServices(context);
  const { search: own } = words.operator.desk;
  const gone = await desk.findGone(asked);
  if (gone) return own.gone[gone];
  const unknown = asked.includes("@") ? await operatorDesk.countUnknown() : 0;
  return unknown > 0 ? `${own.nothing} ${words.say(own.unknown, { count: unknown })}` : own.nothing;
}

export default function TodayPage({ loaderData, actionData }: Route.ComponentProps) {
  const { promised, deletedHeld, undoable, queue, done } = loaderData;
  const { operator } = useWords();
  const { desk } = operator;
  const answer = actionData as { unfinished?: Unfinished; found?: Found } | undefined;
  const found = answer?.found;
  const isEmpty = (found?.rows ?? [...deletedHeld, ...undoable, ...queue]).length === 0;
  const page = (
    <OperatorPage name="today" about={null}>
      <p className={styles.standing} data-broken={promised.isBroken || undefined}>
        {promised.line}
      </p>
      <Told
        told={found?.says}
        done={found ? undefined : done}
        isPlain={found !== undefined}
        unfinished={answer?.unfinished}
      />
      <Search asked={found?.asked} />
      {found ? <Rows rows={found.rows} title={desk.search.title} /> : <Work {...loaderData} />}
      {found ? <Ways isNothing={isEmpty} /> : null}
      {isEmpty && !found ? <p>{desk.empty}</p> : null}
      <Keys />
    </OperatorPage>
  );
  return isEmpty ? (
    <WithPicture name={found ? "lost-page" : "parked-bike"}>{page}</WithPicture>
  ) : (
    page
  );
}

/** What nobody may overlook, what can be undone, then the queue by date, with a bar that stays in view once something is chosen. */
function Work({
  deletedHeld,
  undoable,
  queue,
  isFirst,
  next,
  unconfirmed,
}: Route.ComponentProps["loaderData"]) {
  const { operator, to } = useWords();
  const { groups, list, together } = operator.desk;
  return (
    <>
      <Rows rows={deletedHeld} title={groups["deleted-held"]} />
      <Rows rows={undoable} title={groups.done} act="undo" />
      <Rows rows={queue} title={groups.queue} act="take" />
      {isFirst && !next ? null : (
        <nav className={styles.pages} aria-label={list.next}>
          {isFirst ? null : <a href={to(paths.operator)}>{list.first}</a>}
          {next ? (
            <a href={next} rel="next">
              {list.next}
            </a>
          ) : null}
        </nav>
      )}
      <form id="together" method="get" action={to(paths.operatorBatch)} className={styles.together}>
        <Button type="submit" name="act" value="take">
          {together.take}
        </Button>
        <Button type="submit" name="act" value="complete">
          {together.complete}
        </Button>
      </form>
      <p className={styles.quiet}>{unconfirmed}</p>
    </>
  );
}

function Rows({ rows, title, act }: { rows: RowView[]; title: string; act?: "take" | "undo" }) {
  if (rows.length === 0) return null;
  return (
    <section className={styles.card} aria-label={title}>
      {act === "take" ? null : <h2>{title}</h2>}
      <ul>
        {rows.map((row) => (
          <RequestRow
            key={row.reference}
            row={row}
            act={act === "undo" || row.canTake ? act : undefined}
            canChoose={act === "take" && (row.canTake || (row.owner?.isOwn && !row.hold))}
          />
        ))}
      </ul>
    </section>
  );
}

/** Where a search goes on. */
function Ways({ isNothing }: { isNothing: boolean }) {
  const { operator, to } = useWords();
  const { search: own } = operator.desk;
  return (
    <div className={styles.buttons}>
      <ButtonLink look={isNothing ? "primary" : "plain"} href={to(paths.operator)}>
        {own.all}
      </ButtonLink>
      {isNothing ? (
        <ButtonLink look="plain" href={to(paths.operatorNewRequest)}>
          {operator.frame.pages.newRequest.title}
        </ButtonLink>
      ) : null}
    </div>
  );
}
