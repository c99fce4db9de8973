import { Outlet } from "react-router";
import "./operator.css";
import type { PageHandle } from "../../document/page-handle.ts";
import { getServices } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/desk-layout";
import { guard, requireOperator } from "./guard.ts";
import { HandOverNotice, type ToDo } from "./hand-over-notice.tsx";
import { HealthBanner, type Urgent } from "./health-banner.tsx";
import { countUrgent, tellPromised } from "./health-signs.ts";
import { Drill, OperatorFault, OperatorFrame } from "./operator-frame.tsx";

/** Around every page of operators that only signed-in people see. */

export const handle: PageHandle = { operators: true };

export const middleware = [guard];

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { operatorDesk, handOver, health, isDrill = false } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const promised = tellPromised(await operatorDesk.standing(), words);
  const hasList = operator.role === "admin" && !isDrill;
  const list = hasList ? await handOver.look() : undefined;
  return {
    operator,
    promised,
    others: countUrgent(await health.signs()),
    toDo: list && { list: list.list, left: list.lines.filter(({ done }) => !done).length },
    isDrill,
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

/** What stands above every page, whatever became of it. */
function Notices({ isDrill, toDo, ...urgent }: Urgent & ToDo & { isDrill: boolean }) {
  return (
    <>
      {isDrill ? <Drill /> : null}
      <HealthBanner {...urgent} />
      <HandOverNotice toDo={toDo} />
    </>
  );
}
