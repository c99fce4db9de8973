import type { Route } from "./+types/enrol-page";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "enrol");

export default function EnrolPage() {
  return <OperatorPage name="enrol" />;
}
