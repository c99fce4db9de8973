import type { Route } from "./+types/sign-out-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "signOut");

export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return {};
}

export default function SignOutPage() {
  return <OperatorPage name="signOut" />;
}
