import { Outlet } from "react-router";
import { Text } from "../../components/text.tsx";
import "./operator.css";
import { paths } from "../../../server/platform/http/paths.ts";
import notice from "../../components/notice.module.css";
import type { PageHandle } from "../../document/page-handle.ts";
import { pathAt, usePath, useWords } from "../../words.ts";
import type { Route } from "./+types/desk-layout";
import { guard, requireOperator } from "./guard.ts";
import { OperatorFault, OperatorFrame } from "./operator-frame.tsx";

/** Layout of all pages that require sign-in. */

export { operatorMeta as meta } from "./operator-frame.tsx";

export const handle: PageHandle = { operators: true };

export const middleware = [guard];

export async function loader(args: Route.LoaderArgs) {
  const { operator, services, url, words } = requireOperator(args);
  const { operatorDesk, handOver, health, isDrill = false } = services;
  const signs = await health.signs();
  const standing = await operatorDesk.standing();
  const hasList = pathAt(url) === paths.operator && operator.role === "admin" && !isDrill;
  const list = hasList ? await handOver.read() : undefined;
  return {
    operator,
    /**
     * Due date status for the notice at the top of every page: all met, or the number of late
     * requests.
     */
    promised: {
      line: words.dates.standing(standing, words.mail.shared.standing),
      isBroken: standing.late > 0,
    },
    /** Number of urgent warnings, not counting late requests. */
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
 * Renders the notices above every page except the health page, but including error pages: the late
 * requests if there are any, otherwise the number of urgent warnings. An admin's Today page also
 * shows the open steps of a setup or handover.
 */
function Notices({ promised, others, toDo }: Route.ComponentProps["loaderData"]) {
  const { operator, say, to } = useWords();
  const path = usePath();
  const { desk, frame, handOver, watch } = operator;
  // The Today page already shows the late requests.
  const late = promised.isBroken && path !== paths.operator;
  const isUrgent = (late || others > 0) && path !== paths.operatorHealth;
  const list = toDo?.list === "firstDay" ? handOver.firstDay : frame.pages.handOver.title;
  return (
    <>
      {isUrgent ? (
        <aside className={notice.danger} aria-label={frame.pages.health.title}>
          <Text>
            {late
              ? say(watch.banner.late, { standing: promised.line })
              : say(watch.banner.text, { count: others })}
          </Text>{" "}
          <a className="target" href={to(late ? paths.operator : paths.operatorHealth)}>
            <Text>{late ? desk.search.all : watch.banner.link}</Text>
          </a>
        </aside>
      ) : null}
      {toDo ? (
        <aside aria-label={list}>
          <Text>{say(handOver.left, { list, count: toDo.left })}</Text>{" "}
          <a href={to(paths.operatorHandOver)}>
            <Text>{handOver.link}</Text>
          </a>
        </aside>
      ) : null}
    </>
  );
}
