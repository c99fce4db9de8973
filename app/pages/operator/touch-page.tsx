import { data } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/touch-page";
import { DoorProblemNotice } from "./door-problem.tsx";
import { letIn, readWanted, requireOperator, visitorOf } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { PasskeyForm } from "./passkey-form.tsx";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "touch");

export function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const path = wordsAt(new URL(request.url)).to(paths.operatorTouch);
  const query = new URLSearchParams({ to: readWanted(request) });
  const { operators, visit } = getServices(context);
  const kept = Object.entries(visit.posted ?? {}).filter(([name]) => name !== "passkey");
  return {
    options: operators.touchOptions(requireOperator(args)),
    action: `${path}${path.includes("?") ? "&" : "?"}${query}`,
    // What waits for the passkey waits on when it was not touched.
    fields: kept.flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  };
}

export async function action(args: Route.ActionArgs) {
  const { operators, visit } = getServices(args.context);
  const answer = visit.posted?.passkey;
  const touched = await operators.touch(answer, requireOperator(args), visitorOf(args));
  if (touched.kind === "refused") {
    const { problem } = touched;
    return data({ problem }, { status: problem === "too-many" ? 429 : 401 });
  }
  return letIn(args, touched.token);
}

export default function TouchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { door } = useWords().operator;
  return (
    <OperatorPage name="touch" about={door.touch.why}>
      <div className="desk-column">
        <DoorProblemNotice problem={actionData?.problem} />
        <PasskeyForm
          kind="get"
          action={loaderData.action}
          options={loaderData.options}
          label={door.touch.button}
          fields={loaderData.fields}
        />
      </div>
    </OperatorPage>
  );
}
