import { data, redirect } from "react-router";
import { createFormKey } from "../../../server/deletion-requests/life/form-key.ts";
import type { QueuedRequest } from "../../../server/deletion-requests/working/reading.ts";
import { paths } from "../../../server/http/paths.ts";
import type { Sight } from "../../../server/operator-desk/operator-desk.ts";
import { first } from "../../../server/operator-desk/walk.ts";
import { getServices } from "../../services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import type { Route } from "./+types/today-page";
import { type Answer, answerAct, mostAtOnce, readTold, readTyped } from "./desk/answer.ts";
import styles from "./desk/desk.module.css";
import { isPressing, Rows } from "./desk/request-row.tsx";
import { Search } from "./desk/search.tsx";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { tellPromised } from "./health-signs.ts";
import { OperatorPage, operatorMeta, WithPicture } from "./operator-frame.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "today");

type Loaded = Awaited<ReturnType<typeof loader>>;

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const after = url.searchParams.get("after") ?? undefined;
  const work = await operatorDesk.readToday(after);
  return {
    work,
    sight: await operatorDesk.sightOf(operator.name, work.queue),
    standing: await operatorDesk.standing(),
    isFirst: after === undefined,
    // Whatever is sent from here twice counts once.
    formKey: createFormKey(),
    done: await readTold(words, url, { desk, operatorDesk }, operator.name),
  };
}

type Found = {
  /** What was looked for comes back into the field, and never into an address. */
  asked: string;
  requests: QueuedRequest[];
  sight: Sight;
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
  const [only = ""] = chosen.length === 1 ? chosen : [];
  const leadsTo = act === "take" && only ? paths.operatorRequest(only) : paths.operator;
  return answerAct(args, typed, chosen, leadsTo);
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
    requests: found,
    sight,
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

export default function TodayPage({
  loaderData,
  actionData,
}: {
  loaderData: Loaded;
  actionData?: Answer | { found: Found };
}) {
  const { work, done } = loaderData;
  const words = useWords();
  const { desk } = words.operator;
  const found = actionData && "found" in actionData ? actionData.found : undefined;
  const answer = actionData && "act" in actionData ? actionData : undefined;
  const promised = tellPromised(loaderData.standing, words);
  const listed = [...work.deletedHeld, ...work.undoable, ...work.toApprove, ...work.queue];
  const isEmpty = (found?.requests ?? listed).length === 0;
  const page = (
    <OperatorPage name="today" about={null}>
      <p className={styles.standing} data-broken={promised.isBroken || undefined}>
        {promised.line}
      </p>
      <Told done={found ? undefined : done} answer={answer} />
      {found ? (
        <p id="told" data-told="" role="status" tabIndex={-1}>
          {found.says}
        </p>
      ) : null}
      <Search asked={found?.asked} />
      {found ? <Rows {...found} title={desk.search.title} /> : <Work {...loaderData} />}
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
function Work({ work, sight, formKey, isFirst }: Loaded) {
  const { operator, to, say } = useWords();
  const { acts, groups, list, together, unconfirmed } = operator.desk;
  const { next } = work;
  const queue = [...work.toApprove, ...work.queue];
  const pressing = queue.filter(isPressing).map(({ reference }) => reference);
  const each = { sight, formKey };
  return (
    <>
      <Rows {...each} requests={work.deletedHeld} title={groups["deleted-held"]} />
      <Rows {...each} requests={work.undoable} title={groups.done} act="undo" />
      {pressing.length > 0 ? (
        <p className="desk-buttons">
          <a href={to(batchPath("later", pressing))}>{together.extend}</a>
        </p>
      ) : null}
      <Rows {...each} requests={queue} title={groups.queue} act="take" />
      {isFirst && !next ? null : (
        <nav className="desk-buttons" aria-label={list.next}>
          {isFirst ? null : <a href={to(paths.operator)}>{list.first}</a>}
          {next ? (
            <a href={to(`${paths.operator}?after=${next}`)} rel="next">
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
        <input type="hidden" name="formKey" value={formKey} />
        {(["take", "complete", "later"] as const).map((act) => (
          <Button key={act} type="submit" name="act" value={act} aria-label={together[act]}>
            {acts[act]}
          </Button>
        ))}
      </form>
      {work.unconfirmed > 0 ? (
        <p className={styles.quiet}>{say(unconfirmed, { count: work.unconfirmed })}</p>
      ) : null}
    </>
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
