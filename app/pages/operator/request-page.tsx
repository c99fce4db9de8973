import type { Route } from "./+types/request-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "request");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function RequestPage() {
  return <OperatorPage name="request" />;
}
