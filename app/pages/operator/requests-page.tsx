import type { Route } from "./+types/requests-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "requests");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function RequestsPage() {
  return <OperatorPage name="requests" />;
}
