import { redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { readSessionCookie } from "../../../server/operators/session-cookie.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { describedBy, Field } from "../../ui/field.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/sign-in-page";
import { DoorProblemNotice } from "./door-problem.tsx";
import { letIn, readWanted, refuseEntry, visitorOf } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { PasskeyForm } from "./passkey-form.tsx";
import { withQuery } from "./with-query.ts";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "signIn");

export function loader({ request, context }: Route.LoaderArgs) {
  const { to } = wordsAt(new URL(request.url));
  return {
    options: getServices(context).operators.signInOptions(),
    action: withQuery(to(paths.operatorSignIn), { to: readWanted(request) }),
  };
}

export async function action(args: Route.ActionArgs) {
  const { request, context } = args;
  const { operators } = getServices(context);
  const form = await request.formData();
  const code = form.get("code");
  if (typeof code === "string") {
    const recovered = await operators.recover(code, visitorOf(args));
    if (recovered.kind === "refused") return refuseEntry(recovered.problem, code);
    const { to } = wordsAt(new URL(request.url));
    // Behind the hash, where no log of any server sees it.
    return redirect(`${to(paths.operatorEnrol)}#${recovered.token}`, 303);
  }
  const before = readSessionCookie(request.headers.get("cookie"));
  const signedIn = await operators.signIn(form.get("passkey"), visitorOf(args), before);
  if (signedIn.kind === "refused") return refuseEntry(signedIn.problem);
  return letIn(args, signedIn.token);
}

export default function SignInPage({ loaderData, actionData }: Route.ComponentProps) {
  const { door } = useWords().operator;
  // A code that was refused is answered at its field, and stands there still: most are one letter wrong.
  const { problem, code } = actionData ?? {};
  const isOfCode = code !== undefined;
  const wrong = isOfCode && problem ? door.problems[problem] : undefined;
  return (
    <OperatorPage name="signIn">
      <div className="desk-column">
        <DoorProblemNotice problem={isOfCode ? undefined : problem} />
        <PasskeyForm
          kind="get"
          action={loaderData.action}
          options={loaderData.options}
          label={door.signIn.button}
        />
        <details className="desk-card" open={isOfCode}>
          <summary>{door.lost.title}</summary>
          <form method="post" action={loaderData.action} className="desk-form">
            <p>{door.lost.text}</p>
            <Field name="code" label={door.lost.label} {...(wrong && { problem: wrong })}>
              <input
                id="code"
                name="code"
                required
                // biome-ignore lint/a11y/noAutofocus: whoever was refused goes on here, without script too.
                autoFocus={isOfCode}
                aria-invalid={isOfCode || undefined}
                aria-describedby={describedBy("code", wrong ? { problem: wrong } : {})}
                defaultValue={code}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </Field>
            <Button type="submit">{door.lost.button}</Button>
          </form>
        </details>
      </div>
    </OperatorPage>
  );
}
