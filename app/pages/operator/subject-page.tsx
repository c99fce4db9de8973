import type { Route } from "./+types/subject-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "subject");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function SubjectPage() {
  return <OperatorPage name="subject" />;
}
