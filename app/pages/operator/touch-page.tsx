import type { Route } from "./+types/touch-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "touch");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function TouchPage() {
  return <OperatorPage name="touch" />;
}
