import { readMonths } from "../../../server/deletion-requests/ledger/figures.ts";
import { reasonCodes } from "../../../server/deletion-requests/life/reasons.ts";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/figures-page";
import { Bar, Limit } from "./chart.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import styles from "./watch.module.css";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "figures");

/** Months that are drawn; the file has them all. */
const monthsShown = 12;

export async function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  const { clock, desk } = getServices(args.context);
  const { settings, mail, deletion } = wordsAt(new URL(args.request.url));
  const now = clock();
  const newest = now.toZonedDateTimeISO(settings.timeZone).toPlainDate().toPlainYearMonth();
  const months = await readMonths(desk, newest, monthsShown);
  const monthName = new Intl.DateTimeFormat(mail.locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const toDate = (month: Temporal.PlainYearMonth) => new Date(`${month}-01T00:00:00Z`);
  const labels: Readonly<Record<string, string>> = deletion.form.reasons;
  const { openByAge } = await desk.standing();
  /** Newest first; neighbours that have no values stand together. */
  const tellMonths = (valuesOf: (month: (typeof months)[number]) => number[]): MonthRow[] =>
    groupEmpty(months.toReversed(), (one) => valuesOf(one).length === 0).map((span) => {
      const [newest, oldest] = [span[0], span.at(-1)] as [(typeof months)[0], (typeof months)[0]];
      return {
        label: monthName.formatRange(toDate(oldest.month), toDate(newest.month)),
        values: valuesOf(newest),
      };
    });
  const counted = (values: number[]) => (values.some(Boolean) ? values : []);
  return {
    received: tellMonths(({ received, confirmed }) => counted([received, confirmed])),
    done: tellMonths(({ completed, completedOnTime }) => counted([completed, completedOnTime])),
    days: tellMonths(({ medianBusinessDays: days }) => (days === undefined ? [] : [days])),
    // What this campus does not ask for came from elsewhere: an account system, or a form of former times.
    reasons: [...Map.groupBy(reasonCodes, (code) => labels[code] ?? labels.other)]
      .map(([label = "", codes]) => ({
        label,
        count: months.reduce(
          (sum, { reasons }) => sum + codes.reduce((all, code) => all + (reasons[code] ?? 0), 0),
          0,
        ),
      }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count),
    ages: Object.values(openByAge).some(Boolean)
      ? Object.entries(openByAge).map(([age, count]) => ({
          age: age as keyof typeof openByAge,
          count,
        }))
      : [],
  };
}

export default function FiguresPage({ loaderData }: Route.ComponentProps) {
  const { to, operator, settings, say } = useWords();
  const { figures } = operator.watch;
  const { limit: days } = settings.deletionBusinessDays;
  return (
    <OperatorPage name="figures">
      <div className={styles.charts}>
        <ByMonth
          id="received"
          words={figures.charts.received}
          names={[figures.received, figures.confirmed]}
          rows={loaderData.received}
        />
        <ByMonth
          id="done"
          words={figures.charts.done}
          names={[figures.completed, figures.onTime]}
          rows={loaderData.done}
        />
        <ByMonth
          id="median"
          words={figures.charts.median}
          names={[figures.days]}
          rows={loaderData.days}
          limit={{ at: days, label: say(figures.promise, { days }) }}
        />
        <Counted
          id="reasons"
          words={figures.charts.reasons}
          head={figures.reasonsLabel}
          rows={loaderData.reasons}
        />
        <Counted
          id="age"
          words={figures.charts.age}
          head={figures.ageLabel}
          nothing={figures.nothingOpen}
          rows={loaderData.ages.map(({ age, count }) => ({ label: figures.ages[age], count }))}
        />
        <section aria-labelledby="file">
          <h2 id="file">{figures.file.title}</h2>
          <p className={styles.about}>{figures.file.about}</p>
          <p>
            <ButtonLink href={to(paths.operatorFiguresFile)} download>
              {figures.file.button}
            </ButtonLink>
          </p>
        </section>
      </div>
    </OperatorPage>
  );
}

/** A month with its numbers, or several that have none. */
type MonthRow = { label: string; values: number[] };

/** Neighbours that are empty in one group, everything else by itself. */
function groupEmpty<One>(all: readonly One[], isEmpty: (one: One) => boolean): One[][] {
  const groups: One[][] = [];
  for (const one of all) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isEmpty(last[0]) && isEmpty(one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function ByMonth({
  id,
  words,
  names,
  rows,
  limit,
}: {
  id: string;
  words: { title: string; about: string };
  /** Of what is counted, in the order of a month's values. */
  names: string[];
  rows: MonthRow[];
  limit?: { at: number; label: string };
}) {
  const { figures } = useWords().operator.watch;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.title}</h2>
      <p className={styles.about}>{words.about}</p>
      {rows.some(({ values }) => values.length > 0) ? (
        <>
          {limit ? <Limit label={limit.label} /> : null}
          <Table
            title={words.title}
            head={[figures.month, ...names]}
            rows={rows}
            limit={limit?.at}
          />
        </>
      ) : (
        <p>{figures.nothing}</p>
      )}
    </section>
  );
}

/** How often each of a few things is, largest first where nothing else orders them. */
function Counted({
  id,
  words,
  head,
  nothing,
  rows,
}: {
  id: string;
  words: { title: string; about: string };
  head: string;
  /** What is said where there are none, in place of the usual. */
  nothing?: string;
  rows: { label: string; count: number }[];
}) {
  const { figures } = useWords().operator.watch;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.title}</h2>
      <p className={styles.about}>{words.about}</p>
      {rows.length === 0 ? (
        <p>{nothing ?? figures.nothing}</p>
      ) : (
        <Table
          title={words.title}
          head={[head, figures.count]}
          rows={rows.map(({ label, count }) => ({ label, values: [count] }))}
        />
      )}
    </section>
  );
}

/** Every number with its bar, all bars of a table by one measure. */
function Table({
  title,
  head,
  rows,
  limit,
}: {
  title: string;
  head: string[];
  rows: { label: string; values: number[] }[];
  limit?: number | undefined;
}) {
  const { operator, digits } = useWords();
  const most = Math.max(limit ?? 0, ...rows.flatMap(({ values }) => values));
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, values }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {values.length > 0 ? (
              values.map((value, place) => (
                <td key={head[place + 1]}>
                  <div>
                    <span>{digits(value)}</span>
                    <Bar value={value} of={most} fill={place} limit={limit} />
                  </div>
                </td>
              ))
            ) : (
              <td colSpan={head.length - 1}>{operator.watch.figures.none}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
