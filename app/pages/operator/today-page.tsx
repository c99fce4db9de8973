import type { Route } from "./+types/today-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "today");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function TodayPage() {
  return <OperatorPage name="today" />;
}
