import type { Route } from "./+types/figures-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "figures");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function FiguresPage() {
  return <OperatorPage name="figures" />;
}
