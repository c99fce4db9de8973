import { data } from "react-router";
import { parseEmailAddress } from "../../../server/platform/addresses/email-address.ts";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { Button } from "../../components/button.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/subject-page";
import { CardForm } from "./card.tsx";
import { Fields, Hidden } from "./desk/fields.tsx";
import { requireOperator } from "./guard.ts";
import { noticeHere, OperatorPage, WithPicture } from "./operator-frame.tsx";

/** Reads the email address from a posted form so that no log or browser history contains it. */
export async function action(args: Route.ActionArgs) {
  const operatorContext = requireOperator(args, { fresh: true });
  const typed = firstValue(operatorContext.typed, "address");
  const address = parseEmailAddress(typed);
  if (!address.ok) return data({ typed, found: undefined }, { status: 422 });
  const found = await operatorContext.services.desk.lookUp(address.email);
  return data({ typed: address.email, found: found.length });
}

export default function SubjectPage({ actionData }: Route.ComponentProps) {
  const { operator, say, to } = useWords();
  const { subject } = operator.watch;
  const { typed, found } = actionData ?? {};
  if (typed === undefined || found === undefined) {
    const problems = [{ field: "address", words: subject.noAddress }];
    return (
      <WithPicture name="safety">
        <OperatorPage>
          <CardForm act="find" label={subject.find} variant="primary">
            <Fields
              fields={[{ kind: "email", name: "address", label: subject.address }]}
              filled={typed === undefined ? undefined : { typed: { address: [typed] }, problems }}
            />
          </CardForm>
        </OperatorPage>
      </WithPicture>
    );
  }
  return (
    <OperatorPage>
      <form
        method="post"
        action={to(paths.operatorSubjectFile)}
        className="desk-card stack frame"
        aria-label={typed}
      >
        <h2>
          <Text>{typed}</Text>
        </h2>
        <p {...noticeHere}>
          <Text>{found === 0 ? subject.none : say(subject.found, { count: found })}</Text>
        </p>
        <Hidden fields={{ address: typed }} />
        {found === 0 ? null : (
          <>
            <div className="desk-buttons row">
              <Button type="submit" variant="primary" name="as" value="page">
                {subject.page}
              </Button>
              <Button type="submit" name="as" value="json">
                {subject.json}
              </Button>
            </div>
            <p>
              <Text>{subject.care}</Text>
            </p>
          </>
        )}
      </form>
      <p>
        <a href={to(paths.operatorSubject)}>
          <Text>{subject.another}</Text>
        </a>
      </p>
    </OperatorPage>
  );
}
