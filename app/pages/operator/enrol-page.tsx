import { data } from "react-router";
import { paths } from "../../../server/platform/http/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Text } from "../../components/text.tsx";
import { servicesContext } from "../../services-context.ts";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/enrol-page";
import { OperatorPage } from "./operator-frame.tsx";
import { DoorProblemNotice, PasskeyForm, RecoveryCodes } from "./passkey-form.tsx";

/**
 * The page behind an invitation link. The link has the invitation token in its fragment so that no
 * log contains it; a script posts the token.
 */

/**
 * Returns whether the operator is already signed in, such as after reloading the page with the
 * recovery codes. The page then links to Today.
 */
export function loader({ context }: Route.LoaderArgs) {
  return { isIn: context.get(servicesContext).visit.signedIn !== undefined };
}

export async function action(args: Route.ActionArgs) {
  const { operators, visit } = args.context.get(servicesContext);
  const {
    code = [],
    invitation: [invitation] = code,
    passkey: [passkey] = [],
  } = visit.posted ?? {};
  if (passkey === undefined) {
    const welcome = await operators.welcome(invitation);
    return welcome.kind === "refused"
      ? data(welcome, { status: 403 })
      : { ...welcome, invitation: String(invitation) };
  }
  const userAgent = args.request.headers.get("user-agent");
  const enrolled = await operators.enrol(invitation, passkey, userAgent);
  if (enrolled.kind === "refused") return data(enrolled, { status: 403 });
  const { kind, codes } = enrolled;
  return data({ kind, codes }, { headers: { "Set-Cookie": enrolled.cookie } });
}

export default function EnrolPage({ loaderData: { isIn }, actionData }: Route.ComponentProps) {
  const { operator: words, say, to } = useWords();
  const { door, frame } = words;
  const path = to(paths.operatorEnrol);
  switch (actionData?.kind) {
    case "welcome": {
      const { name, purpose, options, invitation } = actionData;
      const title = say(door.enrol.hello, { name });
      return (
        <OperatorPage title={<Text>{title}</Text>} about={door.enrol[purpose]}>
          <div data-invited="">
            <PasskeyForm
              kind="create"
              action={path}
              options={options}
              label={door.enrol.button}
              fields={{ invitation }}
            />
          </div>
        </OperatorPage>
      );
    }
    case "in": {
      // Operators who signed in with a recovery code get no new codes here.
      const { title, text, goOn } =
        actionData.codes.length > 0
          ? door.codes
          : { ...frame.pages.enrol, text: door.codes.recovered, goOn: undefined };
      return (
        <OperatorPage title={title} about={text}>
          <RecoveryCodes codes={actionData.codes} />
          <ButtonLink variant="primary" href={to(goOn ? paths.operator : paths.operatorMe)}>
            {goOn ?? frame.pages.me.title}
          </ButtonLink>
        </OperatorPage>
      );
    }
  }
  return (
    <OperatorPage title={actionData && frame.fault.title} about={null}>
      <div data-invited="">
        <DoorProblemNotice problem={actionData?.problem} />
        {isIn || actionData ? (
          <ButtonLink
            variant={isIn ? "primary" : "plain"}
            href={to(isIn ? paths.operator : paths.operatorSignIn)}
          >
            {isIn ? frame.fault.today : frame.pages.signIn.title}
          </ButtonLink>
        ) : null}
        {actionData ? null : (
          <form method="post" action={path} data-invitation={door.enrol.checking}>
            {isIn ? null : (
              <p role="status">
                <Text>{door.enrol.noLink}</Text>
              </p>
            )}
            <input type="hidden" name="invitation" />
          </form>
        )}
        <noscript>
          <p>
            <Text>{door.noScript}</Text>
          </p>
        </noscript>
      </div>
    </OperatorPage>
  );
}
