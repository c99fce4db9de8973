import type { Route } from "./+types/new-request-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "newRequest");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function NewRequestPage() {
  return <OperatorPage name="newRequest" />;
}
