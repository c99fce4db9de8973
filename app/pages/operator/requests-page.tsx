import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { type Sorting, sortings, type View, views } from "../../../server/operator-desk/acts.ts";
import { placeFromText, placeToText } from "../../../server/operator-desk/places.ts";
import { getServices } from "../../services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import type { Route } from "./+types/requests-page";
import styles from "./desk/desk.module.css";
import { Due } from "./desk/due.tsx";
import { Keys } from "./desk/keys.tsx";
import { sendOrKeep, type Unreached } from "./desk/offline.ts";
import { first, readTyped } from "./desk/read-act.ts";
import { type RowView, toRow } from "./desk/row-view.ts";
import { Search } from "./desk/search.tsx";
import { Told } from "./desk/told.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { WithPicture } from "./with-picture.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "requests");

const pageSize = 50;

/** What goes by the day on which it ended. */
const endViews: readonly View[] = ["completed", "refused", "cancelled", "ended"];

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { operatorDesk } = getServices(args.context);
  const url = new URL(args.request.url);
  const words = wordsAt(url);
  const query = url.searchParams;
  const view = views.find((one) => one === query.get("show")) ?? "open";
  const offered = operatorDesk.sortingsOf(view);
  const sorting = offered.find((one) => one === query.get("sort")) ?? (offered[0] as Sorting);
  const after = placeFromText(query.get("after"));
  const { name } = operator;
  const page = await operatorDesk.list({ view, sorting, after, name, limit: pageSize });
  const sight = await operatorDesk.sightOf(name);
  const atSystem = await operatorDesk.atSystem(page.requests);
  const shown = { ...sight, address: "masked", atSystem } as const;
  return {
    view,
    sorting,
    sortings: offered,
    byEnd: endViews.includes(view),
    isFirst: after === undefined,
    rows: operatorDesk.withDaysLeft(page.requests).map((request) => toRow(words, request, shown)),
    next: page.next && words.to(listPath(view, sorting, placeToText(page.next))),
  };
}

function listPath(view: View, sorting?: Sorting, after?: string): string {
  const query = new URLSearchParams({
    show: view,
    ...(sorting && { sort: sorting }),
    ...(after && { after }),
  });
  return `${paths.operatorRequests}?${query}`;
}

type Found = {
  /** What was looked for comes back into the field, and never into an address. */
  asked: string;
  rows: RowView[];
  /** Why nothing was found. */
  nothing: string | undefined;
  count: string;
};

/** The search. A single request is opened at once. */
export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args);
  const { desk, operatorDesk } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const asked = first(readTyped(await args.request.formData()), "search");
  const found = await desk.search(asked);
  const [only] = found;
  if (only && found.length === 1) {
    return redirect(words.to(paths.operatorRequest(only.reference)), 303);
  }
  const sight = await operatorDesk.sightOf(operator.name);
  const atSystem = await operatorDesk.atSystem(found);
  const shown = { ...sight, address: "masked", atSystem } as const;
  const { search } = words.operator.desk;
  const answer: Found = {
    asked,
    rows: found.map((request) => toRow(words, request, shown)),
    nothing: found.length > 0 ? undefined : await tellNothing(words, args, asked),
    count: words.say(search.found, { count: found.length }),
  };
  return data({ found: answer }, { status: found.length > 0 ? 200 : 404 });
}

async function tellNothing(
  words: Words,
  { context }: Route.ActionArgs,
  asked: string,
): Promise<string> {
  const { desk, operatorDesk } = getServices(context);
  const { search } = words.operator.desk;
  const gone = await desk.findGone(asked);
  if (gone) return search.gone[gone];
  const unknown = asked.includes("@") ? await operatorDesk.countUnknown() : 0;
  return unknown > 0
    ? `${search.nothing} ${words.say(search.unknown, { count: unknown })}`
    : search.nothing;
}

export const clientAction = ({ serverAction, request }: Route.ClientActionArgs) =>
  sendOrKeep(serverAction, request);

export default function RequestsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { view, sorting, byEnd, rows, next, isFirst } = loaderData;
  const answer = actionData as { found?: Found; offline?: Unreached } | undefined;
  const found = answer?.found;
  const { operator, to } = useWords();
  const { list } = operator.desk;
  const shown = found?.rows ?? rows;
  const page = (
    <OperatorPage name="requests" title={found && operator.desk.search.title} about={null}>
      <Told offline={answer?.offline} told={found?.nothing ?? found?.count} isPlain />
      <div className={shown.length > 0 ? styles.listing : undefined}>
        <div>
          <Search asked={found?.asked} />
          {found ? null : (
            <form method="get" action={to(paths.operatorRequests)} className={styles.filters}>
              <div className={styles.field}>
                <label htmlFor="show">{list.show}</label>
                <select id="show" name="show" defaultValue={view}>
                  {views.map((one) => (
                    <option key={one} value={one}>
                      {list.views[one]}
                    </option>
                  ))}
                </select>
              </div>
              <div className={styles.field}>
                <label htmlFor="sort">{list.sort}</label>
                <select id="sort" name="sort" defaultValue={sorting}>
                  {sortings.map((one) => (
                    <option key={one} value={one} disabled={!loaderData.sortings.includes(one)}>
                      {byEnd && (one === "first" || one === "last")
                        ? list.endSortings[one]
                        : list.sortings[one]}
                    </option>
                  ))}
                </select>
              </div>
              <Button type="submit">{list.apply}</Button>
            </form>
          )}
        </div>
        {found && shown.length === 0 ? (
          <div className={styles.buttons}>
            {(["requests", "newRequest"] as const).map((name, index) => (
              <ButtonLink key={name} look={index === 0 ? "primary" : "plain"} href={to(ways[name])}>
                {name === "requests" ? operator.desk.search.all : operator.frame.pages[name].title}
              </ButtonLink>
            ))}
          </div>
        ) : found ? (
          <Requests rows={shown} />
        ) : (
          <div>
            {rows.length > 0 ? (
              <Requests rows={rows} />
            ) : (
              <section className={styles.empty}>
                <h2>{list.views[view]}</h2>
                <p>{list.none}</p>
              </section>
            )}
            {isFirst && !next ? null : (
              <nav className={styles.pages} aria-label={list.next}>
                {isFirst ? null : <a href={to(listPath(view, sorting))}>{list.first}</a>}
                {next ? (
                  <a href={next} rel="next">
                    {list.next}
                  </a>
                ) : null}
              </nav>
            )}
          </div>
        )}
      </div>
      <Keys />
    </OperatorPage>
  );
  if (shown.length > 0) return page;
  return <WithPicture name={found ? "lost-page" : "empty-shelf"}>{page}</WithPicture>;
}

/** Where a search that found nothing goes on. */
const ways = { requests: listPath("all"), newRequest: paths.operatorNewRequest };

/** A table where there is room, one of two lines for each request on a tablet, and a card for each on a phone. */
function Requests({ rows }: { rows: RowView[] }) {
  const { operator, to } = useWords();
  const { list, groups, request: labels } = operator.desk;
  const { columns } = list;
  if (rows.length === 0) return null;
  // What has ended is due on no day, and nobody's work.
  const shown = (["reference", "address", "state", "due", "ended", "whose"] as const).filter(
    (name) =>
      (name !== "due" || rows.some(({ due }) => due)) &&
      (name !== "ended" || rows.some(({ ended }) => ended)) &&
      (name !== "whose" || rows.some(({ owner }) => owner)),
  );
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {shown.map((name) => (
            <th key={name} scope="col" data-column={name}>
              {columns[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.reference}>
            <th scope="row" data-column="reference">
              <a href={to(paths.operatorRequest(row.reference))} data-request="">
                {row.reference}
              </a>
            </th>
            <td className={styles.address} data-column="address">
              <WithAddresses text={row.address ?? list.erased} />
            </td>
            <td data-column="state">
              {row.leaves ? groups.done : row.state}
              {row.hold ? ` · ${labels.held}` : null}
            </td>
            {shown.includes("due") ? (
              <td data-column="due">{row.due ? <Due due={row.due} /> : null}</td>
            ) : null}
            {shown.includes("ended") ? <td data-column="ended">{row.ended}</td> : null}
            {shown.includes("whose") ? (
              <td data-column="whose">{row.owner ? <Whose owner={row.owner} /> : null}</td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Under its column's head a name says enough; a card, which has no heads, says the whole. */
function Whose({ owner }: { owner: NonNullable<RowView["owner"]> }) {
  const { list } = useWords().operator.desk;
  if (owner.isOwn) return owner.standing;
  return (
    <>
      <span className={styles.inColumn}>
        {owner.isAway ? list.away.replace("{name}", owner.name) : owner.name}
      </span>
      <span className={styles.onCard}>{owner.standing}</span>
    </>
  );
}
