import { data, redirect } from "react-router";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { OpenList } from "../../../server/team/sign-in/hand-over.ts";
import { Button } from "../../components/button.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/hand-over-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

/**
 * Checklist for a new site's first days and for the yearly handover. Steps that the server can
 * verify are checked off automatically.
 */

export async function loader(args: Route.LoaderArgs) {
  return { open: await requireOperator(args, { admin: true }).services.handOver.read() };
}

export async function action(args: Route.ActionArgs) {
  const { operator, services, words, typed } = requireOperator(args, { admin: true });
  const isRecorded = await services.handOver.say(firstValue(typed, "about"), operator.name);
  if (!isRecorded) return data(null, { status: 422 });
  // Returns to the line, so that the keyboard and screen readers keep their place.
  const line = firstValue(typed, "line");
  const fragment = line in words.operator.handOver.lines ? `#${line}` : "";
  return redirect(words.to(paths.operatorHandOver) + fragment, 303);
}

export default function HandOverPage({
  loaderData: { open },
}: {
  loaderData: Awaited<ReturnType<typeof loader>>;
}) {
  const { handOver } = useWords().operator;
  const title = open?.list === "firstDay" ? handOver.firstDay : undefined;
  return (
    <OperatorPage title={title} about={open ? null : handOver.rest}>
      {open ? (
        <ol className="desk-rows lines">
          {open.lines.map((line) => (
            <Line key={line.name} line={line} />
          ))}
        </ol>
      ) : null}
      {open === undefined || open.done ? (
        <form method="post">
          <Button type="submit" variant="primary" name="about" value={open ? "end" : "begin"}>
            {open ? handOver.end : handOver.begin}
          </Button>
        </form>
      ) : null}
    </OperatorPage>
  );
}

function Line({ line: { name, done, items } }: { line: OpenList["lines"][number] }) {
  const { operator, dates, say, to } = useWords();
  const { handOver, people } = operator;
  return (
    <li id={name} className="row">
      <Mark done={done} />
      <div>
        <h2>
          <Text>{handOver.lines[name]}</Text>
        </h2>
        {items.length === 0 ? (
          <a href={to(paths.operatorPeople)}>
            <Text>{people.invite.title}</Text>
          </a>
        ) : null}
        {items.map(({ who, says, done, ticked }) => (
          <form key={who ?? ""} className="desk-buttons row" method="post">
            <input type="hidden" name="line" value={name} />
            {who ? (
              <p>
                <Mark done={done} />{" "}
                <b>
                  <Text>{who}</Text>
                </b>
              </p>
            ) : null}
            {ticked ? (
              <p>
                <Text>
                  {say(handOver.said, {
                    name: ticked.name,
                    at: dates.momentBriefly(ticked.at),
                  })}
                </Text>
              </p>
            ) : null}
            {says && (!done || ticked) ? (
              <Button type="submit" name="about" value={says}>
                {done ? handOver.untick : name === "leavers" ? handOver.stays : handOver.tick}
                <span className="visually-hidden">
                  {" "}
                  <Text>{who ?? handOver.lines[name]}</Text>
                </span>
              </Button>
            ) : null}
          </form>
        ))}
      </div>
    </li>
  );
}

function Mark({ done }: { done: boolean }) {
  const { handOver } = useWords().operator;
  return (
    <b className="desk-tick">
      <span aria-hidden="true">{done ? "✓" : "○"}</span>
      <span className="visually-hidden">
        <Text>{done ? handOver.done : handOver.open}</Text>
      </span>
    </b>
  );
}
