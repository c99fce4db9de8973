import type { Route } from "./+types/away-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "away");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function AwayPage() {
  return <OperatorPage name="away" />;
}
