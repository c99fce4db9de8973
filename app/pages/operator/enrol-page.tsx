import { data } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { readSessionCookie, toSessionCookie } from "../../../server/operators/session-cookie.ts";
import { getServices } from "../../services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/enrol-page";
import { DoorProblemNotice } from "./door-problem.tsx";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";
import { PasskeyForm } from "./passkey-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** Where an invitation leads. Its token stands behind the hash, so that it reaches no log: the page itself sends it. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "enrol");

/** Whoever is in already, and reloads the page that showed their recovery codes, has nothing to look for here. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = readSessionCookie(request.headers.get("cookie"));
  return { isIn: (await getServices(context).operators.findSession(token)) !== undefined };
}

export async function action(args: Route.ActionArgs) {
  const { operators } = getServices(args.context);
  const form = await args.request.formData();
  const token = form.get("invitation");
  if (!form.has("passkey")) {
    const welcome = await operators.welcome(token);
    return welcome.kind === "refused"
      ? data(welcome, { status: 403 })
      : { ...welcome, token: String(token) };
  }
  const enrolled = await operators.enrol(
    token,
    form.get("passkey"),
    args.request.headers.get("user-agent"),
  );
  if (enrolled.kind === "refused") return data(enrolled, { status: 403 });
  const { kind, codes } = enrolled;
  return data({ kind, codes }, { headers: { "Set-Cookie": toSessionCookie(enrolled.token) } });
}

export default function EnrolPage({ loaderData, actionData }: Route.ComponentProps) {
  const { operator: words, say, to } = useWords();
  const { door } = words;
  if (actionData?.kind === "in") return <Enrolled codes={actionData.codes} />;
  const path = to(paths.operatorEnrol);
  if (actionData?.kind === "welcome") {
    const { name, purpose, options, token } = actionData;
    return (
      <OperatorPage
        name="enrol"
        title={say(door.enrol.hello, { name })}
        about={door.enrol[purpose]}
      >
        <div data-invited="">
          <PasskeyForm
            kind="create"
            action={path}
            options={options}
            label={door.enrol.button}
            fields={[["invitation", token]]}
          />
        </div>
      </OperatorPage>
    );
  }
  return (
    <OperatorPage name="enrol" title={actionData && words.frame.fault.title} about={null}>
      <div className="desk-form stack" data-invited="">
        <DoorProblemNotice problem={actionData?.problem} />
        {loaderData.isIn ? (
          <ButtonLink look="primary" href={to(paths.operator)}>
            {words.frame.fault.today}
          </ButtonLink>
        ) : actionData ? (
          <ButtonLink href={to(paths.operatorSignIn)}>{words.frame.pages.signIn.title}</ButtonLink>
        ) : null}
        {actionData ? null : (
          <form method="post" action={path} data-invitation={door.enrol.checking}>
            {loaderData.isIn ? null : <p role="status">{door.enrol.noLink}</p>}
            <input type="hidden" name="invitation" />
          </form>
        )}
        <noscript>
          <p>{door.noScript}</p>
        </noscript>
      </div>
    </OperatorPage>
  );
}

/** @param codes of somebody new; who came with one of theirs gets no others here */
function Enrolled({ codes }: { codes: string[] }) {
  const { operator: words, to } = useWords();
  const { door, frame } = words;
  const isNew = codes.length > 0;
  return (
    <OperatorPage
      name="enrol"
      title={isNew ? door.codes.title : frame.pages.enrol.title}
      about={isNew ? door.codes.text : door.codes.recovered}
    >
      <RecoveryCodes codes={codes} />
      <ButtonLink look="primary" href={to(isNew ? paths.operator : paths.operatorMe)}>
        {isNew ? door.codes.goOn : frame.pages.me.title}
      </ButtonLink>
    </OperatorPage>
  );
}
