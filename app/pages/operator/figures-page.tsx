import type { ReactNode } from "react";
import { data, Form } from "react-router";
import { readMonths } from "../../../server/deletion-requests/figures.ts";
import { reasonCodes } from "../../../server/deletion-requests/reasons.ts";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/figures-page";
import { Bar, ColumnChart, topOf } from "./chart.tsx";
import { isWorthReading, sendOrKeep } from "./desk/offline.ts";
import { requireOperator } from "./guard.ts";
import { OfflineNotice } from "./offline-notice.tsx";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import styles from "./watch.module.css";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "figures");

/** Months that are drawn; the file has them all. */
const monthsShown = 12;

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { clock, desk, watch } = getServices(args.context);
  const { settings, mail, dates, deletion } = wordsAt(new URL(args.request.url));
  const now = clock();
  const newest = now.toZonedDateTimeISO(settings.timeZone).toPlainDate().toPlainYearMonth();
  const months = await readMonths(desk, newest, monthsShown);
  const named = (style: "short" | "long") =>
    new Intl.DateTimeFormat(mail.locale, {
      month: style,
      ...(style === "long" && { year: "numeric" }),
      timeZone: "UTC",
    });
  const [short, long] = [named("short"), named("long")];
  const toDate = (month: Temporal.PlainYearMonth) => new Date(`${month}-01T00:00:00Z`);
  const labels: Readonly<Record<string, string>> = deletion.form.reasons;
  const { openByAge } = await desk.standing();
  const since = await watch.feedSince(operator.id);
  return {
    months: months.map((one) => ({
      short: short.format(toDate(one.month)),
      long: long.format(toDate(one.month)),
      received: one.received,
      confirmed: one.confirmed,
      completed: one.completed,
      onTime: one.completedOnTime,
      days: one.medianBusinessDays,
    })),
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
    ages: Object.entries(openByAge).map(([age, count]) => ({
      age: age as keyof typeof openByAge,
      count,
    })),
    feedSince: since && dates.momentBriefly(since),
  };
}

/** Makes or ends the private address of one's calendar. */
export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args, { fresh: true });
  const { watch, publicUrl } = getServices(args.context);
  const act = (await args.request.formData()).get("act");
  if (act === "end-feed") {
    await watch.endFeed(operator);
    return data({ address: undefined });
  }
  const token = await watch.makeFeed(operator);
  const { to } = wordsAt(new URL(args.request.url));
  return data({ address: publicUrl + to(paths.operatorCalendar(token)) });
}

export const clientAction = ({ serverAction, request }: Route.ClientActionArgs) =>
  sendOrKeep(serverAction, request);

export const shouldRevalidate = isWorthReading;

export default function FiguresPage({ loaderData, actionData }: Route.ComponentProps) {
  const { to, operator } = useWords();
  const { figures } = operator.watch;
  return (
    <OperatorPage name="figures">
      <div className={styles.charts}>
        <Received months={loaderData.months} />
        <Done months={loaderData.months} />
        <Median months={loaderData.months} />
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
          rows={loaderData.ages.map(({ age, count }) => ({ label: figures.ages[age], count }))}
        />
        <div>
          <section aria-labelledby="file">
            <h2 id="file">{figures.file.title}</h2>
            <p className={styles.about}>{figures.file.about}</p>
            <p>
              <ButtonLink href={to(paths.operatorFiguresFile)} download>
                {figures.file.button}
              </ButtonLink>
            </p>
          </section>
          <Feed since={loaderData.feedSince} answer={actionData} />
        </div>
      </div>
    </OperatorPage>
  );
}

type Month = Route.ComponentProps["loaderData"]["months"][number];

function Received({ months }: { months: Month[] }) {
  const { figures } = useWords().operator.watch;
  const series = [
    { name: figures.received, values: months.map(({ received }) => received) },
    { name: figures.confirmed, values: months.map(({ confirmed }) => confirmed) },
  ];
  return <ByMonth id="received" words={figures.charts.received} months={months} series={series} />;
}

function Done({ months }: { months: Month[] }) {
  const { figures } = useWords().operator.watch;
  const series = [
    { name: figures.completed, values: months.map(({ completed }) => completed) },
    { name: figures.onTime, values: months.map(({ onTime }) => onTime) },
  ];
  return <ByMonth id="done" words={figures.charts.done} months={months} series={series} />;
}

function Median({ months }: { months: Month[] }) {
  const { operator, settings, say } = useWords();
  const { figures } = operator.watch;
  const { limit: days } = settings.deletionBusinessDays;
  const series = [{ name: figures.days, values: months.map((month) => month.days) }];
  const limit = { at: days, label: say(figures.promise, { days }) };
  return (
    <ByMonth
      id="median"
      words={figures.charts.median}
      months={months}
      series={series}
      limit={limit}
    />
  );
}

function ByMonth({
  id,
  words,
  months,
  series,
  limit,
}: {
  id: string;
  words: { title: string; about: string };
  months: Month[];
  series: { name: string; values: (number | undefined)[] }[];
  limit?: { at: number; label: string };
}) {
  const { operator, digits } = useWords();
  const { figures } = operator.watch;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.title}</h2>
      <p className={styles.about}>{words.about}</p>
      {series.some(({ values }) => values.some(Boolean)) ? (
        <ColumnChart
          labels={months.map(({ short }) => short)}
          series={series}
          topLabel={digits(topOf(series, limit?.at))}
          {...(limit && { limit })}
        />
      ) : (
        <p>{figures.nothing}</p>
      )}
      <details className={styles.numbers}>
        <summary>{figures.numbers}</summary>
        <Table
          title={words.title}
          head={[figures.month, ...series.map(({ name }) => name)]}
          rows={months
            .map(({ long }, place) => ({
              label: long,
              cells: series.map(({ values }) => {
                const value = values[place];
                return value === undefined ? "–" : digits(value);
              }),
            }))
            .reverse()}
        />
      </details>
    </section>
  );
}

/** How often each of a few things is, largest first where nothing else orders them. */
function Counted({
  id,
  words,
  head,
  rows,
}: {
  id: string;
  words: { title: string; about: string };
  head: string;
  rows: { label: string; count: number }[];
}) {
  const { operator, digits } = useWords();
  const { figures } = operator.watch;
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.title}</h2>
      <p className={styles.about}>{words.about}</p>
      {rows.length === 0 ? (
        <p>{figures.nothing}</p>
      ) : (
        <Table
          title={words.title}
          head={[head, figures.count]}
          rows={rows.map(({ label, count }) => ({
            label,
            cells: [digits(count)],
            bar: <Bar value={count} of={most} />,
          }))}
        />
      )}
    </section>
  );
}

function Table({
  title,
  head,
  rows,
}: {
  title: string;
  head: string[];
  rows: { label: string; cells: string[]; bar?: ReactNode }[];
}) {
  const barred = rows.some(({ bar }) => bar);
  return (
    <table className={barred ? `${styles.table} ${styles.barred}` : styles.table}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {barred ? <td /> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, cells, bar }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {cells.map((cell, place) => (
              <td key={head[place + 1]}>{cell}</td>
            ))}
            {bar ? <td>{bar}</td> : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Feed({
  since,
  answer,
}: {
  since: string | undefined;
  answer: Route.ComponentProps["actionData"];
}) {
  const made = answer && "address" in answer ? answer : undefined;
  const { feed } = useWords().operator.watch.figures;
  return (
    <section id="feed" aria-labelledby="feed-title">
      <h2 id="feed-title">{feed.title}</h2>
      <p className={styles.about}>{feed.about}</p>
      <OfflineNotice answer={answer} />
      {made?.address ? (
        <Notice tone="know" role="status">
          <label htmlFor="feed-address">{feed.made}</label>
          <input
            id="feed-address"
            className={styles.address}
            readOnly
            value={made.address}
            aria-label={feed.address}
          />
        </Notice>
      ) : null}
      {made && !made.address ? (
        <Notice tone="know" role="status">
          <p>{feed.ended}</p>
        </Notice>
      ) : null}
      {since && !made ? <p>{feed.since.replace("{at}", since)}</p> : null}
      <Form method="post" className={styles.row} preventScrollReset>
        <Button type="submit" name="act" value="make-feed">
          {since ? feed.renew : feed.make}
        </Button>
        {since ? (
          <Button type="submit" name="act" value="end-feed">
            {feed.end}
          </Button>
        ) : null}
      </Form>
    </section>
  );
}
