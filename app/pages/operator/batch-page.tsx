import type { Route } from "./+types/batch-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "batch");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function BatchPage() {
  return <OperatorPage name="batch" />;
}
