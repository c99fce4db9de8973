import { redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/touch-page";
import { askPasskey, letIn, readWanted, requireOperator } from "./guard.ts";

/** Where a touched passkey is sent, with the form that waits for it. Nothing waits for whoever only looks. */

export function loader({ request }: Route.LoaderArgs) {
  return redirect(wordsAt(new URL(request.url)).to(paths.operator), 303);
}

export async function action(args: Route.ActionArgs) {
  const { operators, visit } = getServices(args.context);
  const touched = await operators.touch(visit.posted?.passkey, requireOperator(args));
  if (touched.kind === "in") return letIn(args, touched.token);
  throw askPasskey("touch", args, { action: readWanted(args.request), problem: touched.problem });
}

export default function TouchPage() {
  return null;
}
