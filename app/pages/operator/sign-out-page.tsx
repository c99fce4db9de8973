import { paths } from "../../../server/http/paths.ts";
import { noSessionCookie } from "../../../server/operators/session-cookie.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/sign-out-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { WithPicture } from "./with-picture.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "signOut");

export async function action(args: Route.ActionArgs) {
  await getServices(args.context).operators.signOut(requireOperator(args));
  const { to } = wordsAt(new URL(args.request.url));
  return new Response(null, {
    status: 303,
    headers: { Location: to(paths.operatorSignIn), "Set-Cookie": noSessionCookie },
  });
}

export default function SignOutPage() {
  const { operator: words, to } = useWords();
  return (
    <WithPicture name="parked-bike">
      <OperatorPage name="signOut">
        <form method="post" action={to(paths.operatorSignOut)} className="desk-form">
          <Button type="submit" look="primary">
            {words.door.signOut.button}
          </Button>
        </form>
      </OperatorPage>
    </WithPicture>
  );
}
