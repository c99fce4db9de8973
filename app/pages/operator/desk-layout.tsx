import { Outlet } from "react-router";
import "./operator.css";
import type { PageHandle } from "../../document/page-handle.ts";
import { getServices } from "../../services-context.ts";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/desk-layout";
import { guard, requireOperator } from "./guard.ts";
import { HealthBanner } from "./health-banner.tsx";
import { countUrgent } from "./health-signs.ts";
import { OperatorFault } from "./operator-fault.tsx";
import { OperatorFrame } from "./operator-frame.tsx";

/** Around every page of operators that only signed-in people see. */

export const handle: PageHandle = { operators: true };

export const middleware = [guard];

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args);
  const { watch, isDrill = false } = getServices(args.context);
  return { operator, urgent: countUrgent(await watch.signs()), isDrill };
}

export default function DeskLayout({ loaderData }: Route.ComponentProps) {
  const { frame } = useWords().operator;
  const { operator, urgent, isDrill } = loaderData;
  return (
    <OperatorFrame
      operator={operator}
      notice={
        <>
          {isDrill ? <p className="desk-drill">{frame.drill}</p> : null}
          <HealthBanner urgent={urgent} />
        </>
      }
    >
      <Outlet />
    </OperatorFrame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return <OperatorFault error={error} operator={loaderData?.operator} />;
}
