import { Outlet } from "react-router";
import "./operator.css";
import type { PageHandle } from "../../document/page-handle.ts";
import { getServices } from "../../services-context.ts";
import type { Route } from "./+types/door-layout";
import { Drill, OperatorFrame, WithPicture } from "./operator-frame.tsx";

export { OperatorFault as ErrorBoundary, operatorMeta as meta } from "./operator-frame.tsx";

/** Around the pages where operators come in. */

export const handle: PageHandle = { operators: true };

export function loader({ context }: Route.LoaderArgs) {
  const { isDrill = false } = getServices(context);
  return { isDrill };
}

export default function DoorLayout({ loaderData }: Route.ComponentProps) {
  return (
    <OperatorFrame notice={loaderData.isDrill ? <Drill /> : null}>
      <WithPicture name="step-1">
        <Outlet />
      </WithPicture>
    </OperatorFrame>
  );
}
