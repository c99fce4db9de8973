import { Outlet, useLocation } from "react-router";
import "./operator.css";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import notice from "../../ui/notice.module.css";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/desk-layout";
import { guard, requireOperator } from "./guard.ts";
import { OperatorFault, OperatorFrame } from "./operator-frame.tsx";

/** Around every page of operators that only signed-in people see. */

export { operatorMeta as meta } from "./operator-frame.tsx";

export const handle: PageHandle = { operators: true };

export const middleware = [guard];

export async function loader(args: Route.LoaderArgs) {
  const { operator, services, url, words } = requireOperator(args);
  const { operatorDesk, handOver, health, isDrill = false } = services;
  const signs = await health.signs();
  const standing = await operatorDesk.standing();
  const hasList = url.pathname === paths.operator && operator.role === "admin" && !isDrill;
  const list = hasList ? await handOver.look() : undefined;
  return {
    operator,
    /** Whether each promised date still holds, in the line that stands on top of everything. */
    promised: {
      line: words.dates.standing(standing, words.mail.shared.standing),
      isBroken: standing.late > 0,
    },
    /** How many things beside late requests need somebody now. */
    others: signs.filter(({ kind, needs }) => kind !== "late" && needs === "now").length,
    toDo: list && { list: list.list, left: list.lines.filter(({ done }) => !done).length },
  };
}

export default function DeskLayout({ loaderData }: Route.ComponentProps) {
  return (
    <OperatorFrame operator={loaderData.operator} notice={<Notices {...loaderData} />}>
      <Outlet />
    </OperatorFrame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <OperatorFault
      error={error}
      operator={loaderData?.operator}
      notice={loaderData && <Notices {...loaderData} />}
    />
  );
}

/**
 * What stands above every page, whatever became of it: a broken promise alone, while there is one, or how many other things
 * need somebody now; and on an admin's Today what is left while a new site is set up or the team changes.
 */
function Notices({ promised, others, toDo }: Route.ComponentProps["loaderData"]) {
  const { operator, say, to } = useWords();
  const { pathname } = useLocation();
  const { desk, frame, handOver, watch } = operator;
  // Where the line stands by itself, it is not said twice.
  const late = promised.isBroken && pathname !== paths.operator;
  const isUrgent = (late || others > 0) && pathname !== paths.operatorHealth;
  const list = toDo?.list === "firstDay" ? handOver.firstDay : frame.pages.handOver.title;
  return (
    <>
      {isUrgent ? (
        <aside className={notice.danger} aria-label={frame.pages.health.title}>
          {late ? `${promised.line}. ` : `${say(watch.banner.text, { count: others })} `}
          <a className="target" href={to(late ? paths.operator : paths.operatorHealth)}>
            {late ? desk.search.all : watch.banner.link}
          </a>
        </aside>
      ) : null}
      {toDo ? (
        <aside aria-label={list}>
          {say(handOver.left, { list, count: toDo.left })}{" "}
          <a href={to(paths.operatorHandOver)}>{handOver.link}</a>
        </aside>
      ) : null}
    </>
  );
}
