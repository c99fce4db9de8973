import type { Route } from "./+types/health-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "health");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function HealthPage() {
  return <OperatorPage name="health" />;
}
