import { data, redirect } from "react-router";
import type { FormValues } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { DoorProblem } from "../../../server/team/sign-in/passkeys.ts";
import { Button } from "../../components/button.tsx";
import { Text } from "../../components/text.tsx";
import { servicesContext } from "../../services-context.ts";
import { pathAt, useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/sign-in-page";
import { Fields } from "./desk/fields.tsx";
import { OperatorPage } from "./operator-frame.tsx";
import { DoorProblemNotice, PasskeyForm } from "./passkey-form.tsx";

export function loader({ request, context }: Route.LoaderArgs) {
  const { to } = wordsAt(new URL(request.url));
  return {
    options: context.get(servicesContext).operators.signInOptions(),
    action: to(paths.operatorSignIn, { to: readWanted(request) }),
  };
}

/**
 * Signs the operator in: sets the session cookie and redirects to the requested page. If a form
 * required a passkey check, this page contains the form's values, and the browser then resubmits
 * them.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { operators, visit } = context.get(servicesContext);
  const { code: [code] = [], passkey: [passkey] = [], ...typed } = visit.posted ?? {};
  const userAgent = request.headers.get("user-agent");
  if (code !== undefined) {
    const found = await operators.recover(code);
    // The submitted values are only in this response; operator pages are never cached.
    if (found.kind === "refused") return refuse({ problem: found.problem, code });
    // Makes the browser post the form to the enrollment page so that no URL contains the code.
    return redirect(wordsAt(new URL(request.url)).to(paths.operatorEnrol), 307);
  }
  if (passkey === undefined) return refuse({ typed });
  const signedIn = await operators.signIn(passkey, userAgent, visit.signedIn);
  if (signedIn.kind === "refused") return refuse({ problem: signedIn.problem, typed });
  return new Response(null, {
    status: Object.keys(typed).length > 0 ? 307 : 303,
    headers: { Location: readWanted(request), "Set-Cookie": signedIn.cookie },
  });
}

/**
 * Shows the sign-in page again.
 * @param refused.typed the values of the form that required the passkey check
 */
function refuse(refused: { problem?: DoorProblem; code?: string; typed?: FormValues }) {
  return data(refused, { status: 401 });
}

/**
 * Returns the URL that the operator requested before signing in, or Today if that URL isn't an
 * operator page.
 */
function readWanted(request: Request): string {
  const url = new URL(request.url);
  const wanted = url.searchParams.get("to") ?? "";
  if (URL.canParse(wanted, url.origin)) {
    const target = new URL(wanted, url.origin);
    // Check the resolved URL rather than the given one, because browsers resolve
    // `/operator/..//evil.example` to another site.
    if (target.origin === url.origin && /^\/operator(?:\/|$)/.test(pathAt(target))) {
      return target.pathname + target.search;
    }
  }
  return wordsAt(url).to(paths.operator);
}

export default function SignInPage({ loaderData, actionData }: Route.ComponentProps) {
  const { door } = useWords().operator;
  // A wrong code stays in its field, because it is usually off by one character.
  const { problem, code, typed = {} } = actionData ?? {};
  const wrong =
    code !== undefined && problem
      ? { typed: { code: [code] }, problems: [{ field: "code", words: door.problems[problem] }] }
      : undefined;
  const waits = Object.keys(typed).length > 0;
  return (
    <OperatorPage about={waits ? door.signIn.kept : undefined}>
      <div className="desk-form stack">
        <DoorProblemNotice problem={wrong ? undefined : problem} />
        <PasskeyForm
          kind="get"
          action={loaderData.action}
          options={loaderData.options}
          label={door.signIn.button}
          fields={typed}
        />
        <details className="desk-card stack frame" open={wrong !== undefined}>
          <summary>
            <Text>{door.lost.title}</Text>
          </summary>
          <form method="post" action={loaderData.action} className="desk-form stack">
            <p>
              <Text>{door.lost.text}</Text>
            </p>
            <Fields
              fields={[{ kind: "text", name: "code", label: door.lost.label }]}
              filled={wrong}
            />
            <Button type="submit">{door.lost.button}</Button>
          </form>
        </details>
      </div>
    </OperatorPage>
  );
}
