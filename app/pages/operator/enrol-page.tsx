import { useEffect, useState } from "react";
import { data, useFetcher } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { readSessionCookie, toSessionCookie } from "../../../server/operators/session-cookie.ts";
import { getServices } from "../../services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/enrol-page";
import { DoorProblemNotice } from "./door-problem.tsx";
import { visitorOf } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
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
    return data(welcome, { status: welcome.kind === "refused" ? 403 : 200 });
  }
  const enrolled = await operators.enrol(token, form.get("passkey"), visitorOf(args));
  if (enrolled.kind === "refused") return data(enrolled, { status: 403 });
  const { kind, codes } = enrolled;
  return data({ kind, codes }, { headers: { "Set-Cookie": toSessionCookie(enrolled.token) } });
}

export default function EnrolPage({ loaderData, actionData }: Route.ComponentProps) {
  const { operator: words, to } = useWords();
  const { door } = words;
  if (actionData?.kind === "in") {
    const isNew = actionData.codes.length > 0;
    return (
      <OperatorPage
        name="enrol"
        title={isNew ? door.codes.title : words.frame.pages.enrol.title}
        about={isNew ? door.codes.text : door.codes.recovered}
      >
        <RecoveryCodes codes={actionData.codes} />
        <ButtonLink look="primary" href={to(isNew ? paths.operator : paths.operatorMe)}>
          {isNew ? door.codes.goOn : words.frame.pages.me.title}
        </ButtonLink>
      </OperatorPage>
    );
  }
  const problem = actionData?.kind === "refused" ? actionData.problem : undefined;
  return <Invitation problem={problem} isIn={loaderData.isIn} />;
}

type Door = { problem: Parameters<typeof DoorProblemNotice>[0]["problem"]; isIn: boolean };

function Invitation({ problem, isIn }: Door) {
  const { operator: words, say, to } = useWords();
  const { door } = words;
  const asking = useFetcher<typeof action>();
  const [token, setToken] = useState<string>();
  const path = to(paths.operatorEnrol);
  const { submit } = asking;

  useEffect(() => {
    const read = () => {
      const found = location.hash.slice(1);
      setToken(found);
      if (found) void submit({ invitation: found }, { method: "post", action: path });
    };
    read();
    // Another link that is pasted into this tab changes nothing but what is behind the hash.
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, [submit, path]);

  const answer = asking.data;
  if (answer?.kind === "welcome") {
    return (
      <OperatorPage
        name="enrol"
        title={say(door.enrol.hello, { name: answer.name })}
        about={door.enrol[answer.purpose]}
      >
        <PasskeyForm
          kind="create"
          action={path}
          options={answer.options}
          label={door.enrol.button}
          fields={[["invitation", token ?? ""]]}
        />
      </OperatorPage>
    );
  }
  const isChecking = token && !answer && !problem;
  const refused = answer?.kind === "refused" ? answer.problem : problem;
  return (
    <OperatorPage name="enrol" title={refused && words.frame.fault.title} about={null}>
      <div className="desk-column">
        <DoorProblemNotice problem={refused} />
        {isChecking ? (
          <p role="status">{door.enrol.checking}</p>
        ) : isIn ? (
          <ButtonLink look="primary" href={to(paths.operator)}>
            {words.frame.fault.today}
          </ButtonLink>
        ) : answer || problem ? (
          <ButtonLink href={to(paths.operatorSignIn)}>{words.frame.pages.signIn.title}</ButtonLink>
        ) : (
          <p role="status">{door.enrol.noLink}</p>
        )}
        <noscript>
          <p>{door.noScript}</p>
        </noscript>
      </div>
    </OperatorPage>
  );
}
