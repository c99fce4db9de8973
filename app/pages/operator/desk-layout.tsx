import { Outlet } from "react-router";
import "./operator.css";
import type { PageHandle } from "../../document/page-handle.ts";
import { getServices } from "../../services-context.ts";
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
  const urgent = countUrgent(await getServices(args.context).watch.signs());
  return { operator, urgent };
}

export default function DeskLayout({ loaderData }: Route.ComponentProps) {
  return (
    <OperatorFrame
      operator={loaderData.operator}
      notice={<HealthBanner urgent={loaderData.urgent} />}
    >
      <Outlet />
    </OperatorFrame>
  );
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return <OperatorFault error={error} operator={loaderData?.operator} />;
}
