import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { placeFromText, placeToText } from "../../../server/operator-desk/places.ts";
import { first } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import type { Route } from "./+types/today-page";
import {
  mostAtOnce,
  readTold,
  readTyped,
  showUnfinished,
  tellDone,
  type Unfinished,
} from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { doAct } from "./desk/do-act.ts";
import type { FieldProblem } from "./desk/fields.tsx";
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
  const queue = [...work.toApprove, ...work.queue].map((request) => toRow(words, request, shown));
  // What has passed or falls due within days, unless it is put off already.
  const pressing = queue
    .filter(({ due, waits }) => due && due.tone !== "calm" && !waits)
    .map(({ reference }) => reference);
  return {
    promised: tellPromised(await operatorDesk.standing(), words),
    deletedHeld: work.deletedHeld.map((request) => toRow(words, request, shown)),
    undoable: work.undoable.map((request) => toRow(words, request, shown)),
    queue,
    isFirst: after === undefined,
    next: next && `${paths.operator}?after=${placeToText(next)}`,
    pressing: pressing.length > 0 ? batchPath("later", pressing) : undefined,
    unconfirmed:
      work.unconfirmed > 0
        ? words.say(words.operator.desk.unconfirmed, { count: work.unconfirmed })
        : "",
    done: await readTold(words, url, { desk, operatorDesk }, operator.name),
  };
}

type Found = {
  /** What was looked for comes back into the field, and never into an address. */
  asked: string;
  rows: RowView[];
  says: string;
};

/** Searching, and what is pressed from here: taking, which opens the request, undoing, and what is done with the chosen. */
export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args);
  const typed = readTyped(await args.request.formData());
  const words = wordsAt(new URL(args.request.url));
  if (typed.search) return search(args, words, operator.name, first(typed, "search"));
  const act = first(typed, "act");
  const chosen = (typed.r ?? []).slice(0, mostAtOnce);
  if (act !== "take" && act !== "undo") return redirect(words.to(batchPath(act, chosen)), 303);
  const { desk, operatorDesk, isStorageProblem } = getServices(args.context);
  const by = { name: operator.name, isStorageProblem };
  const done: string[] = [];
  const problems: FieldProblem[] = [];
  for (const reference of chosen) {
    const outcome = await doAct({ words, desk, operatorDesk, ...by, reference, typed });
    if (outcome.kind === "gone") throw data(null, { status: 404 });
    if (outcome.kind === "done") done.push(reference);
    else problems.push(...outcome.problems.map((one) => ({ words: `${reference}: ${one.words}` })));
  }
  if (problems.length > 0) return showUnfinished({ act, problems, status: 409 }, typed);
  const [only = ""] = chosen.length === 1 ? chosen : [];
  const leadsTo = act === "take" && only ? paths.operatorRequest(only) : paths.operator;
  return tellDone(words, leadsTo, { act, references: done });
}

function batchPath(act: string, references: readonly string[]): string {
  const query = new URLSearchParams([["act", act], ...references.map((one) => ["r", one])]);
  return `${paths.operatorBatch}?${query}`;
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
  const { desk } = useWords().operator;
  const answer = actionData as { unfinished?: Unfinished; found?: Found } | undefined;
  const found = answer?.found;
  const isEmpty = (found?.rows ?? [...deletedHeld, ...undoable, ...queue]).length === 0;
  const page = (
    <OperatorPage name="today" about={null}>
      <p className={styles.standing} data-broken={promised.isBroken || undefined}>
        {promised.line}
      </p>
      <Told done={found ? undefined : done} unfinished={answer?.unfinished} />
      {found ? (
        <p id="told" data-told="" role="status" tabIndex={-1}>
          {found.says}
        </p>
      ) : null}
      <Search asked={found?.asked} />
      {found ? <Rows rows={found.rows} title={desk.search.title} /> : <Work {...loaderData} />}
      {found ? <Ways isNothing={isEmpty} /> : null}
      {isEmpty && !found ? <p>{desk.empty}</p> : null}
    </OperatorPage>
  );
  return isEmpty ? (
    <WithPicture name={found ? "lost-page" : "parked-bike"}>{page}</WithPicture>
  ) : (
    page
  );
}

/** What nobody may overlook, what can be undone, then the queue by date, with a bar that stays in view once something is chosen. */
function Work(work: Route.ComponentProps["loaderData"]) {
  const { operator, to } = useWords();
  const { acts, groups, list, together } = operator.desk;
  const { isFirst, next, pressing } = work;
  return (
    <>
      <Rows rows={work.deletedHeld} title={groups["deleted-held"]} />
      <Rows rows={work.undoable} title={groups.done} act="undo" />
      {pressing ? (
        <p className={styles.pages}>
          <a href={to(pressing)}>{together.extend}</a>
        </p>
      ) : null}
      <Rows rows={work.queue} title={groups.queue} act="take" />
      {isFirst && !next ? null : (
        <nav className={styles.pages} aria-label={list.next}>
          {isFirst ? null : <a href={to(paths.operator)}>{list.first}</a>}
          {next ? (
            <a href={to(next)} rel="next">
              {list.next}
            </a>
          ) : null}
        </nav>
      )}
      <form
        id="together"
        method="post"
        action={to(paths.operator)}
        className={styles.together}
        data-kept=""
      >
        {(["take", "complete", "later"] as const).map((act) => (
          <Button key={act} type="submit" name="act" value={act} aria-label={together[act]}>
            {acts[act]}
          </Button>
        ))}
      </form>
      {work.unconfirmed ? <p className={styles.quiet}>{work.unconfirmed}</p> : null}
    </>
  );
}

function Rows({ rows, title, act }: { rows: RowView[]; title: string; act?: "take" | "undo" }) {
  if (rows.length === 0) return null;
  return (
    <section className={styles.card} aria-label={title}>
      {act === "take" ? <ChooseAll /> : <h2>{title}</h2>}
      <ul>
        {rows.map((row) => (
          <RequestRow
            key={row.reference}
            row={row}
            act={act === "undo" || row.canTake ? act : undefined}
            canChoose={act === "take" && (row.canTake || (row.owner?.isOwn && !row.waits))}
          />
        ))}
      </ul>
    </section>
  );
}

/** Chooses every row that can be chosen, with the operators' script. */
function ChooseAll() {
  const { card } = useWords().operator.desk;
  return (
    <label className={styles.all}>
      <input type="checkbox" className={styles.choose} data-choose-all="r" />
      <span>{card.chooseAll}</span>
    </label>
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
