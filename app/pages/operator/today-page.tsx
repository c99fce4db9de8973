import { data } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { type Group, groups, type View } from "../../../server/operator-desk/acts.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/today-page";
import styles from "./desk/desk.module.css";
import { readTold, showUnfinished, tellDone, type Unfinished } from "./desk/desk-answer.ts";
import { doAct } from "./desk/do-act.ts";
import { Keys } from "./desk/keys.tsx";
import { isWorthReading, sendOrKeep, type Unreached } from "./desk/offline.ts";
import { first, readTyped } from "./desk/read-act.ts";
import { RequestRow } from "./desk/request-row.tsx";
import { type RowView, toRow } from "./desk/row-view.ts";
import { Search } from "./desk/search.tsx";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { WithPicture } from "./with-picture.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "today");

type Card = { group: Group; rows: RowView[]; more: boolean };

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { operatorDesk } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const work = await operatorDesk.readToday(operator.name);
  const shown = { ...(await operatorDesk.sightOf(operator.name)), address: "full" } as const;
  const cards = groups.flatMap((group): Card[] => {
    const { requests, more } = work[group];
    const rows = requests.map((request) => toRow(words, request, shown));
    // What one has begun of it comes before what somebody has still to take.
    if (group === "late") rows.sort((one, other) => rank(one) - rank(other));
    return rows.length === 0 ? [] : [{ group, rows, more }];
  });
  // What was taken is gone on with from there.
  const taken = url.searchParams.get("told") === "take" ? url.searchParams.get("of") : null;
  const late = cards.find(({ group }) => group === "late")?.rows ?? [];
  const isLate = late.some(({ reference }) => reference === taken);
  return {
    cards,
    unconfirmed: words.say(words.operator.desk.unconfirmed, { count: work.unconfirmed }),
    told: readTold(words, url, isLate),
    taken,
  };
}

const rank = ({ owner }: RowView) => (owner?.isOwn ? 0 : 1);

/** Taking, the one act that is pressed from here. */
export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const typed = { ...readTyped(await args.request.formData()), act: ["take"] };
  const reference = first(typed, "reference");
  const asked = { words, desk, operatorDesk, name: operator.name, reference, typed };
  const outcome = await doAct(asked);
  if (outcome.kind === "gone") throw data(null, { status: 404 });
  return outcome.kind === "done"
    ? tellDone(words, paths.operator, { act: outcome.act, reference })
    : showUnfinished(
        {
          ...outcome,
          problems: outcome.problems.map((one) => ({ words: `${reference}: ${one.words}` })),
        },
        typed,
      );
}

export const clientAction = ({ serverAction, request }: Route.ClientActionArgs) =>
  sendOrKeep(serverAction, request);

export const shouldRevalidate = isWorthReading;

const listOf: Partial<Record<Group, View>> = {
  late: "late",
  mine: "mine",
  nobody: "nobody",
  system: "system",
  held: "held",
  approve: "unconfirmed",
};

export default function TodayPage({ loaderData, actionData }: Route.ComponentProps) {
  const { cards, unconfirmed, told, taken } = loaderData;
  const { operator, to, digits } = useWords();
  const { desk } = operator;
  const answer = actionData as { unfinished?: Unfinished; offline?: Unreached } | undefined;
  const canChoose = cards.some(
    ({ group }) => group === "nobody" || group === "mine" || group === "late",
  );
  const page = (
    <OperatorPage name="today" about={null}>
      <Told
        told={told}
        leadsTo={taken ?? undefined}
        unfinished={answer?.unfinished}
        offline={answer?.offline}
      />
      <Search />
      {cards.length === 0 ? (
        <section className={styles.empty}>
          <h2>{desk.empty.title}</h2>
          <p>{desk.empty.text}</p>
        </section>
      ) : (
        <div className={styles.cards}>
          {cards.map(({ group, rows, more }) => (
            <section key={group} className={styles.card} data-group={group} aria-labelledby={group}>
              <h2 id={group}>
                {desk.groups[group]}{" "}
                <span className={styles.count}>{`${digits(rows.length)}${more ? "+" : ""}`}</span>
              </h2>
              <ul>
                {rows.map((row) => (
                  <RequestRow key={row.reference} row={row} group={group} />
                ))}
              </ul>
              {more ? (
                <p>
                  <a href={to(`${paths.operatorRequests}?show=${listOf[group] ?? "open"}`)}>
                    {desk.moreInList}
                  </a>
                </p>
              ) : null}
            </section>
          ))}
        </div>
      )}
      {canChoose ? (
        <form
          id="together"
          method="get"
          action={to(paths.operatorBatch)}
          className={styles.together}
        >
          <p>{desk.together.hint}</p>
          <div className={styles.buttons}>
            <Button type="submit" name="act" value="take">
              {desk.together.take}
            </Button>
            <Button type="submit" name="act" value="complete">
              {desk.together.complete}
            </Button>
          </div>
        </form>
      ) : null}
      <p className={styles.quiet}>{unconfirmed}</p>
      <Keys />
    </OperatorPage>
  );
  return cards.length > 0 ? (
    page
  ) : (
    <WithPicture name="parked-bike" alt={desk.empty.picture}>
      {page}
    </WithPicture>
  );
}
