import type { Route } from "./+types/me-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "me");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function MePage() {
  return <OperatorPage name="me" />;
}
