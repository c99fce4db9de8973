import type { Route } from "./+types/sign-in-page";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "signIn");

export default function SignInPage() {
  return <OperatorPage name="signIn" />;
}
