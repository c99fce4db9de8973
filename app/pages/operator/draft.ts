import { redirect } from "react-router";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { Route } from "./+types/draft";
import { requireOperator } from "./guard.ts";

/** Saves an operator's draft of a request's form. The operators' script posts it during typing. */
export async function action(args: Route.ActionArgs) {
  const { operator, services, typed } = requireOperator(args);
  await services.operatorDesk.drafts.save(
    args.params.id,
    operator.name,
    firstValue(typed, "act"),
    typed,
  );
  return new Response(null, { status: 204 });
}

export function loader(args: Route.LoaderArgs) {
  const { to } = requireOperator(args).words;
  return redirect(to(paths.operatorRequest(args.params.id)), 303);
}
