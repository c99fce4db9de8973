import { data } from "react-router";
import { parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { paths } from "../../../server/http/paths.ts";
import { parseOperatorName } from "../../../server/operators/operator-name.ts";
import type { Role } from "../../../server/operators/operators.ts";
import { getServices } from "../../services-context.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { TickField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/people-page";
import { ActForm, Card, Row } from "./card.tsx";
import { Fields, type Problem, untouched } from "./desk/fields.tsx";
import { requireOperator, withQuery } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";

/** Who is with the team: admins invite and remove. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "people");

export async function loader(args: Route.LoaderArgs) {
  requireOperator(args, { admin: true });
  const { team, clock } = getServices(args.context);
  const people = await team.list();
  const url = new URL(args.request.url);
  const { say, dates, operator } = wordsAt(url);
  const { invitedUntil, linkEnded, notInvited, roles } = operator.people;
  /** Of whom somebody still waits: until when their link opens. */
  const tellLink = (until: Temporal.Instant | undefined) =>
    until && Temporal.Instant.compare(until, clock()) > 0
      ? say(invitedUntil, { until: dates.momentBriefly(until) })
      : linkEnded;
  const again = people.find(({ id }) => String(id) === url.searchParams.get("again"));
  return {
    /** Whose link is to be sent once more, in place of somebody new. */
    again: again && { id: again.id, name: again.name, address: again.address },
    team: people.map(({ id, name, role, address, invitedAt, enrolled, isOnlyAdmin, linkEnds }) => ({
      ...{ id, name, role, isOnlyAdmin, isInvited: invitedAt !== undefined },
      says: [
        invitedAt ? `${roles[role]}, ${address}` : notInvited,
        invitedAt && !enrolled && people.some((one) => one.enrolled) ? tellLink(linkEnds) : "",
      ],
    })),
  };
}

/** What came of it, in words; or a form that is shown once more. */
type Answer = {
  told?: string[];
  link?: string;
  problems?: Problem[];
  fields?: { name?: unknown; address?: unknown; admin?: unknown };
};

const refuse = (answer: Answer) => data(answer, { status: 422 });

export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args, { admin: true, fresh: true });
  const { team, visit } = getServices(args.context);
  const { act, id, role: wanted } = visit.posted ?? {};
  if (act === "invite") return invite(args, operator.name);
  const one = (await team.list()).find((person) => String(person.id) === id);
  if (!one) return data<Answer>({});
  const { say, operator: words } = wordsAt(new URL(args.request.url));
  const { people } = words;
  if (act === "role") {
    const role: Role = wanted === "admin" ? "admin" : "operator";
    const changed = await team.changeRole({ id: one.id, role }, operator.name);
    if (changed?.kind === "last-admin") return refuse({ told: [people.only] });
    const now = { name: one.name, role: people.roles[role] };
    return data<Answer>({ told: [say(people.nowIs, now)] });
  }
  if (one.isOnlyAdmin) return refuse({ told: [people.only] });
  const removed = await team.remove(one.name, operator.name);
  const references = removed?.handedBack.join(", ");
  return data<Answer>({
    told: [
      say(people.removed, { name: one.name }),
      ...(references ? [say(people.handedBack, { references })] : []),
    ],
  });
}

/** Somebody new, or with `again` one of the team. */
async function invite({ request, context }: Route.ActionArgs, by: string) {
  const { team, visit } = getServices(context);
  const { dates, say, operator } = wordsAt(new URL(request.url));
  const { people, desk } = operator;
  const fields = visit.posted ?? {};
  const name = parseOperatorName(String(fields.name));
  const address = parseEmailAddress(String(fields.address));
  const problems: Problem[] = [];
  if (name === undefined) problems.push({ field: "name", words: people.invite.nameProblem });
  if (!address.ok) problems.push({ field: "address", words: desk.problems.email });
  if (name === undefined || !address.ok) return refuse({ problems, fields });
  const { admin, again } = fields;
  const invited = await team.invite(
    { name, address: address.email, admin: admin !== undefined, again: again !== undefined },
    by,
  );
  if (invited.kind === "nobody") return data<Answer>({});
  if (invited.kind === "name-taken") {
    const taken = say(people.invite.nameTaken, { name: invited.name });
    return refuse({ problems: [{ field: "name", words: taken }], fields });
  }
  const until = dates.momentBriefly(invited.until);
  return data<Answer>({
    told: [
      say(people.invite.linkTitle, { name: invited.name }),
      say(people.invite.linkText, { until }),
    ],
    link: invited.link,
  });
}

type Shown = Pick<Route.ComponentProps, "loaderData" | "actionData">;

export default function PeoplePage({ loaderData, actionData }: Shown) {
  const { operator: words, say, to } = useWords();
  const { people, frame } = words;
  const path = to(paths.operatorPeople);
  const { told, link } = actionData ?? {};
  return (
    <OperatorPage name="people">
      {told ? (
        <Notice tone="know" role="status">
          {told.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {link ? (
            <p className="desk-link">
              <code>{link}</code>
            </p>
          ) : null}
        </Notice>
      ) : null}
      <div className="columns">
        <Card id="team" title={people.team}>
          <ul className="desk-rows lines">
            {loaderData.team.map(({ id, name, role, says, isInvited, isOnlyAdmin }) => (
              <Row key={id} name={name} says={says}>
                <ButtonLink href={`${withQuery(path, { again: String(id) })}#invite`}>
                  {people.invite.again}
                </ButtonLink>
                {isOnlyAdmin ? <p>{people.only}</p> : null}
                {isInvited && !isOnlyAdmin ? (
                  <ActForm
                    path={path}
                    act="role"
                    fields={{ id, role: role === "admin" ? "operator" : "admin" }}
                    label={role === "admin" ? people.makeOperator : people.makeAdmin}
                  />
                ) : null}
                {isOnlyAdmin ? null : (
                  <ActForm
                    path={path}
                    act="remove"
                    fields={{ id }}
                    label={say(people.remove, { name })}
                    look="danger"
                  >
                    <p>{people.removeText}</p>
                  </ActForm>
                )}
              </Row>
            ))}
          </ul>
          <a href={to(paths.operatorHistory)}>{frame.pages.history.title}</a>
        </Card>
        <Invite again={loaderData.again} refused={actionData} />
      </div>
    </OperatorPage>
  );
}

function Invite({
  again,
  refused,
}: {
  again: Shown["loaderData"]["again"];
  refused: Answer | undefined;
}) {
  const { operator: words, to } = useWords();
  const { invite } = words.people;
  const path = to(paths.operatorPeople);
  const { problems, fields } = refused ?? {};
  const typed = { name: [String(fields?.name)], address: [String(fields?.address)] };
  return (
    <Card id="invite" title={again ? again.name : invite.title}>
      <ActForm
        path={again ? withQuery(path, { again: String(again.id) }) : path}
        act="invite"
        fields={again && { again: "1", name: again.name }}
        label={again ? invite.again : invite.button}
        look="primary"
      >
        <p>{again ? invite.againText : invite.text}</p>
        <Fields
          fields={[
            ...(again ? [] : [{ kind: "text", name: "name", label: invite.name } as const]),
            { kind: "email", name: "address", label: invite.address, value: again?.address },
          ]}
          filled={problems ? { typed, problems } : untouched}
        />
        {again ? null : (
          <TickField name="admin" label={invite.admin}>
            <input
              id="admin"
              name="admin"
              type="checkbox"
              defaultChecked={fields?.admin !== undefined}
            />
          </TickField>
        )}
      </ActForm>
    </Card>
  );
}
