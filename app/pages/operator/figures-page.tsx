import { paths } from "../../../server/platform/http/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import prose from "../../components/prose.module.css";
import { Text } from "../../components/text.tsx";
import { presentKeptPromises } from "../../kept-promises.ts";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/figures-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

/** Number of months on the page. The CSV file contains all months. */
const monthsShown = 12;

const columns = ["received", "completed", "completedOnTime", "medianBusinessDays"] as const;

export async function loader(args: Route.LoaderArgs) {
  const { services, words } = requireOperator(args);
  const { desk } = services;
  const months = (await desk.months()).toReversed().slice(0, monthsShown);
  return {
    kept: await presentKeptPromises(words, args.context),
    months: await Promise.all(
      months.map(async (month) => ({ month, happened: await desk.happened(month) })),
    ),
  };
}

type PageProps = { loaderData: Awaited<ReturnType<typeof loader>> };

export default function FiguresPage({ loaderData: { kept, months } }: PageProps) {
  const { to, operator, digits, mail } = useWords();
  const { frame, watch } = operator;
  const { figures } = watch;
  const shortly = { month: "short", year: "numeric" } as const;
  return (
    <OperatorPage>
      <div className="desk-form stack">
        {kept ? (
          <p>
            <Text>{kept}</Text>
          </p>
        ) : null}
        {months.length === 0 ? (
          <p>
            <Text>{frame.nothing}</Text>
          </p>
        ) : (
          <div className={`${prose.prose} desk-figures`}>
            <div className="table-frame">
              <table>
                <caption className="visually-hidden">
                  <Text>{frame.pages.figures.title}</Text>
                </caption>
                <thead>
                  <tr>
                    <th scope="col">
                      <Text>{figures.month}</Text>
                    </th>
                    {columns.map((column) => (
                      <th key={column} scope="col" className="align-right">
                        <Text>{figures[column]}</Text>
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {months.map(({ month, happened }) => (
                    <tr key={`${month}`}>
                      <th scope="row">
                        <Text>
                          {month.toPlainDate({ day: 1 }).toLocaleString(mail.locale, shortly)}
                        </Text>
                      </th>
                      {columns.map((column) => (
                        <td key={column} className="align-right">
                          {happened[column] === undefined ? "–" : digits(happened[column])}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </div>
        )}
        <ButtonLink href={to(paths.operatorFiguresFile)} download>
          {figures.file}
        </ButtonLink>
        <p>
          <Text>{figures.fileAbout}</Text>
        </p>
      </div>
    </OperatorPage>
  );
}
