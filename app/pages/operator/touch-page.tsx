import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/touch-page";
import { DoorProblemNotice } from "./door-problem.tsx";
import { letIn, readWanted, refuseEntry, requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { PasskeyForm } from "./passkey-form.tsx";
import { isTyped, pageBefore, tellTouch, touchPurpose } from "./touch-purpose.ts";
import { WithPicture } from "./with-picture.tsx";
import { withQuery } from "./with-query.ts";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "touch");

export function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const words = wordsAt(new URL(request.url));
  const path = words.to(paths.operatorTouch);
  const { operators, visit } = getServices(context);
  const wanted = readWanted(request);
  const posted = visit.posted ?? {};
  const purpose = touchPurpose(words, wanted, posted);
  const kept = Object.entries(posted).filter(([name]) => name !== "passkey");
  return {
    options: operators.touchOptions(requireOperator(args)),
    touch: tellTouch(words, purpose),
    isWaiting: purpose !== undefined || kept.length > 0,
    isTyped: isTyped(posted),
    back: pageBefore(words, wanted),
    action: withQuery(path, { to: wanted }),
    // What waits for the passkey waits on when it was not touched.
    fields: kept.flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  };
}

export async function action(args: Route.ActionArgs) {
  const { operators, visit } = getServices(args.context);
  const answer = visit.posted?.passkey;
  const touched = await operators.touch(answer, requireOperator(args));
  if (touched.kind === "refused") return refuseEntry(touched.problem);
  return letIn(args, touched.token);
}

export default function TouchPage({ loaderData, actionData }: Route.ComponentProps) {
  const { door, frame } = useWords().operator;
  const { touch, isWaiting } = loaderData;
  const why = loaderData.isTyped ? `${touch.why} ${door.touch.kept}` : touch.why;
  return (
    <WithPicture name="step-1">
      <OperatorPage name="touch" title={touch.title} about={isWaiting ? why : door.touch.nothing}>
        <div className="desk-column">
          <DoorProblemNotice problem={actionData?.problem} />
          <PasskeyForm
            kind="get"
            action={loaderData.action}
            options={loaderData.options}
            label={touch.button}
            look={isWaiting ? "primary" : "plain"}
            fields={loaderData.fields}
          />
          <ButtonLink look={isWaiting ? "plain" : "primary"} href={loaderData.back}>
            {isWaiting ? door.touch.back : frame.fault.today}
          </ButtonLink>
        </div>
      </OperatorPage>
    </WithPicture>
  );
}
