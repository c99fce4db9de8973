import type { Route } from "./+types/trail-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "trail");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args, { keeper: true });
  return {};
}

export default function TrailPage() {
  return <OperatorPage name="trail" />;
}
