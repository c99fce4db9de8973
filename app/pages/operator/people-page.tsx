import { data } from "react-router";
import {
  type FormValues,
  firstValue,
  readFields,
} from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { invitationSchema } from "../../../server/team/roster/operator-name.ts";
import { ButtonLink } from "../../components/button.tsx";
import type { Problem } from "../../components/field.tsx";
import { Text } from "../../components/text.tsx";
import { type PageWords, useWords } from "../../words.ts";
import type { Route } from "./+types/people-page";
import { Card, CardForm, Row } from "./card.tsx";
import { Fields, type Filled } from "./desk/fields.tsx";
import { type AtDesk, requireOperator } from "./guard.ts";
import { NoticeBox, OperatorPage } from "./operator-frame.tsx";

/** Page where admins list, invite and remove team members and change their roles. */

export async function loader(args: Route.LoaderArgs) {
  const { services, url } = requireOperator(args, { admin: true });
  const team = await services.team.list();
  /** The member to send a new link to. If undefined, the form invites a new member. */
  const again = team.find(({ id }) => String(id) === url.searchParams.get("again"));
  return { team, again, now: services.clock() };
}

/** The result as text, possibly with an invitation link, or the invitation form to show again. */
type PeopleAnswer = { notice?: string[]; link?: string; invitation?: Filled };

const answer = (answer: PeopleAnswer, status = 200) => data(answer, { status });

export async function action(args: Route.ActionArgs) {
  const operatorContext = requireOperator(args, { admin: true, fresh: true });
  const { typed } = operatorContext;
  const { team } = operatorContext.services;
  const { name: by } = operatorContext.operator;
  const act = firstValue(typed, "act");
  if (act === "invite") return invite(operatorContext, typed);
  const member = (await team.list()).find(({ id }) => String(id) === firstValue(typed, "id"));
  if (!member) return answer({});
  const { id, name } = member;
  const { say, dates, operator: words } = operatorContext.words;
  const { people } = words;
  if (act === "role") {
    const role = firstValue(typed, "role") === "admin" ? "admin" : "operator";
    const changed = await team.changeRole({ id, role }, by);
    if (changed === "last-admin") return answer({ notice: [people.only] }, 422);
    return answer({ notice: [say(people.nowIs, { name, role: people.roles[role] })] });
  }
  const removed = await team.remove(name, by);
  if (removed === "last-admin") return answer({ notice: [people.only] }, 422);
  const references = removed && dates.list(removed.handedBack);
  const notice = [say(people.removed, { name })];
  if (references) notice.push(say(people.handedBack, { references }));
  return answer({ notice });
}

/** Invites a new member or, if `again` is set, sends an existing member a new invitation. */
async function invite({ operator: by, services, words }: AtDesk, typed: FormValues) {
  const { dates, say, operator } = words;
  const { people, desk } = operator;
  const refuse = (problems: Problem[]) => answer({ invitation: { typed, problems } }, 422);
  const problemTexts: Record<string, string> = {
    name: people.invite.nameProblem,
    address: desk.problems.email,
  };
  const read = readFields(invitationSchema, typed);
  if (read.kind === "wrong") {
    return refuse(
      read.wrong.map(({ field, what }) => ({ field, words: problemTexts[field ?? what] ?? "" })),
    );
  }
  const isTicked = (box: string) => Object.hasOwn(typed, box);
  const invitation = { ...read.fields, admin: isTicked("admin"), again: isTicked("again") };
  const invited = await services.team.invite(invitation, by.name);
  if (invited.kind === "unknown-operator") return answer({});
  if (invited.kind === "name-taken") {
    const { name } = invited;
    return refuse([{ field: "name", words: say(people.invite.nameTaken, { name }) }]);
  }
  const until = dates.momentBriefly(invited.until);
  const title = say(people.invite.linkTitle, { name: invited.name });
  return answer({ notice: [title, say(people.invite.linkText, { until })], link: invited.link });
}

type Loaded = Awaited<ReturnType<typeof loader>>;

/** Describes a member's role and, for an invited member, when the invitation expires. */
function describeMember(
  { invitedAt, role, address, enrolled, linkEnds }: Loaded["team"][number],
  { team, now }: Loaded,
  { dates, operator, say }: PageWords,
) {
  const { invitedUntil, linkEnded, notInvited, roles } = operator.people;
  if (!invitedAt) return [notInvited];
  const says = [`${roles[role]}, ${address}`];
  if (enrolled || !team.some((member) => member.enrolled)) return says;
  const isOpen = linkEnds && Temporal.Instant.compare(linkEnds, now) > 0;
  return [
    ...says,
    isOpen ? say(invitedUntil, { until: dates.momentBriefly(linkEnds) }) : linkEnded,
  ];
}

type PageProps = { loaderData: Loaded; actionData?: PeopleAnswer | undefined };

export default function PeoplePage({ loaderData, actionData }: PageProps) {
  const words = useWords();
  const { operator, to } = words;
  const { people, frame } = operator;
  const { notice, link } = actionData ?? {};
  return (
    <OperatorPage>
      {notice ? (
        <NoticeBox tone="know">
          {notice.map((text) => (
            <p key={text}>
              <Text>{text}</Text>
            </p>
          ))}
          {link ? (
            <code className="desk-link" dir="ltr">
              {link}
            </code>
          ) : null}
        </NoticeBox>
      ) : null}
      <div className="columns">
        <Card id="team" title={people.team}>
          <ul className="desk-rows lines">
            {loaderData.team.map((member) => (
              <Row
                key={member.id}
                name={member.name}
                says={describeMember(member, loaderData, words)}
              >
                <ButtonLink href={`${to(paths.operatorPeople, { again: `${member.id}` })}#invite`}>
                  {people.invite.again}
                </ButtonLink>
                {member.isOnlyAdmin ? (
                  <p>
                    <Text>{people.only}</Text>
                  </p>
                ) : (
                  <Changes of={member} />
                )}
              </Row>
            ))}
          </ul>
          <a href={to(paths.operatorHistory)}>
            <Text>{frame.pages.history.title}</Text>
          </a>
        </Card>
        <Invite again={loaderData.again} filled={actionData?.invitation} />
      </div>
    </OperatorPage>
  );
}

function Changes({ of: { id, name, role, invitedAt } }: { of: Loaded["team"][number] }) {
  const { operator, say } = useWords();
  const { people } = operator;
  const [other, label] =
    role === "admin" ? ["operator", people.makeOperator] : ["admin", people.makeAdmin];
  return (
    <>
      {invitedAt ? <CardForm act="role" fields={{ id, role: other }} label={label} /> : null}
      <CardForm act="remove" fields={{ id }} label={say(people.remove, { name })} variant="danger">
        <p>
          <Text>{people.removeText}</Text>
        </p>
      </CardForm>
    </>
  );
}

function Invite({ again, filled }: { again: Loaded["again"]; filled: Filled | undefined }) {
  const { invite } = useWords().operator.people;
  const address = { kind: "email", name: "address", label: invite.address } as const;
  return (
    <Card id="invite" title={again ? again.name : invite.title}>
      <CardForm
        act="invite"
        fields={again && { again: "1", name: again.name }}
        label={again ? invite.again : invite.button}
        variant="primary"
      >
        <p>
          <Text>{again ? invite.againText : invite.text}</Text>
        </p>
        <Fields
          fields={
            again
              ? [{ ...address, value: again.address }]
              : [
                  { kind: "text", name: "name", label: invite.name },
                  address,
                  { kind: "tick", name: "admin", label: invite.admin },
                ]
          }
          filled={filled}
        />
      </CardForm>
    </Card>
  );
}
