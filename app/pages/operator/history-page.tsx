import { paths } from "../../../server/platform/http/paths.ts";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/history-page";
import { toEventLine } from "./desk/request-detail.ts";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

const shown = 50;

export async function loader(args: Route.LoaderArgs) {
  const { services, url, words } = requireOperator(args, { admin: true });
  const before = url.searchParams.get("before");
  const { acts, next } = await services.desk.teamActs(shown, before);
  return {
    lines: acts.map((act) => {
      const { details, ...line } = toEventLine(words, act);
      const reference = act.kind === "request" && act.reference;
      // In emails, a reason is a full sentence; on this page, it is part of a sentence.
      const parts = details.map((detail) => (reference ? detail.replace(/[.।]$/, "") : detail));
      return { ...line, about: parts.join(" · "), reference };
    }),
    older: next && words.to(paths.operatorHistory, { before: next }),
  };
}

export default function HistoryPage({ loaderData }: Route.ComponentProps) {
  const { operator: words, to } = useWords();
  const { history } = words.people;
  const { lines, older } = loaderData;
  return (
    <OperatorPage>
      {lines.length === 0 ? (
        <p>
          <Text>{words.frame.nothing}</Text>
        </p>
      ) : null}
      <ol className="lines">
        {lines.map(({ when, who, what, about, reference }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: past events never change their order.
          <li key={index}>
            <p>
              {reference ? (
                <a href={to(paths.operatorRequest(reference))}>
                  <Text>{reference}</Text>
                </a>
              ) : null}{" "}
              <b>
                <Text>{who}</Text>
              </b>{" "}
              <Text>{what}</Text>
              {about ? <Text>{`: ${about}`}</Text> : null}
            </p>
            <p className="soft">
              <Text>{when}</Text>
            </p>
          </li>
        ))}
      </ol>
      {older === undefined ? null : (
        <a href={older}>
          <Text>{history.older}</Text>
        </a>
      )}
    </OperatorPage>
  );
}
