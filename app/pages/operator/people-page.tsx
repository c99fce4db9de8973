import type { Route } from "./+types/people-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "people");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args, { keeper: true });
  return {};
}

export default function PeoplePage() {
  return <OperatorPage name="people" />;
}
