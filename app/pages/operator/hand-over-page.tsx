import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import type { Line } from "../../../server/sign-in/hand-over.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/hand-over-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";
import styles from "./watch.module.css";

/** A new site's first day, and each year's hand-over: what is left to do, ticked by itself where it can be. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "handOver");

export async function loader(args: Route.LoaderArgs) {
  requireOperator(args, { admin: true });
  const open = await getServices(args.context).handOver.look();
  const { dates, say, operator } = wordsAt(new URL(args.request.url));
  const tellTick = (ticked: Line["items"][number]["ticked"]) =>
    ticked &&
    say(operator.handOver.said, { name: ticked.name, at: dates.momentBriefly(ticked.at) });
  return {
    open: open && {
      ...open,
      lines: open.lines.map((line) => ({
        ...line,
        items: line.items.map((item) => ({ ...item, ticked: tellTick(item.ticked) })),
      })),
    },
  };
}

export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args, { admin: true });
  const { handOver, visit } = getServices(args.context);
  const { act, key } = visit.posted ?? {};
  const done =
    act === "begin"
      ? await handOver.begin(operator.name)
      : act === "end"
        ? await handOver.end(operator.name)
        : await handOver.tick(String(key), act === "tick", operator.name);
  if (!done) return data(null, { status: 422 });
  return redirect(wordsAt(new URL(args.request.url)).to(paths.operatorHandOver), 303);
}

export default function HandOverPage({ loaderData: { open } }: Route.ComponentProps) {
  const { operator, to } = useWords();
  const { handOver } = operator;
  const { title } = operator.frame.pages.handOver;
  const list = open?.list;
  return (
    <OperatorPage
      name="handOver"
      title={list === "firstDay" ? handOver.firstDay : title}
      about={list ? null : handOver.rest}
    >
      {open ? (
        <ol className={styles.list}>
          {open.lines.map((line) => (
            <HandOverLine key={line.name} line={line} />
          ))}
        </ol>
      ) : null}
      {open === undefined || open.done ? (
        <form method="post" action={to(paths.operatorHandOver)}>
          <Button type="submit" look="primary" name="act" value={open ? "end" : "begin"}>
            {open ? handOver.end : handOver.begin}
          </Button>
        </form>
      ) : null}
    </OperatorPage>
  );
}

type ShownLine = NonNullable<Route.ComponentProps["loaderData"]["open"]>["lines"][number];

function HandOverLine({ line: { name, done, items } }: { line: ShownLine }) {
  const { operator, to } = useWords();
  const { handOver, people } = operator;
  return (
    <li>
      <Mark done={done} />
      <div>
        <h2>{handOver.lines[name]}</h2>
        {items.length === 0 ? <a href={to(paths.operatorPeople)}>{people.invite.title}</a> : null}
        {items.map((item) => (
          <form key={item.who ?? ""} method="post" action={to(paths.operatorHandOver)}>
            {item.who ? (
              <p>
                <Mark done={item.done} /> <b>{item.who}</b>
              </p>
            ) : null}
            {item.ticked ? <p>{item.ticked}</p> : null}
            {item.key && (!item.done || item.ticked) ? (
              <>
                <input type="hidden" name="key" value={item.key} />
                <Button type="submit" name="act" value={item.done ? "untick" : "tick"}>
                  {item.done
                    ? handOver.untick
                    : name === "leavers"
                      ? handOver.stays
                      : handOver.tick}
                  <span className="visually-hidden"> {item.who ?? handOver.lines[name]}</span>
                </Button>
              </>
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
    <span className={styles.tick} data-done={done || undefined}>
      <span aria-hidden="true">{done ? "✓" : ""}</span>
      <span className="visually-hidden">{done ? handOver.done : handOver.open}</span>
    </span>
  );
}
