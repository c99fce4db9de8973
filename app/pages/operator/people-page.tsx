import { data } from "react-router";
import { parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { paths } from "../../../server/http/paths.ts";
import { parseOperatorName } from "../../../server/operators/operator-name.ts";
import type { Role } from "../../../server/operators/operators.ts";
import { listAdmins } from "../../../server/operators/who-is-in.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { TickField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/people-page";
import { ActButton } from "./act-button.tsx";
import { Fields, type Filled, type Problem, untouched } from "./desk/fields.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";

/** Who is with the team: admins invite and remove. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "people");

export async function loader(args: Route.LoaderArgs) {
  requireOperator(args, { admin: true });
  const { team: people, clock } = getServices(args.context);
  const everybody = await people.list();
  const team = everybody.filter(({ leftAt }) => leftAt === undefined);
  const links = await people.openInvitations();
  const words = wordsAt(new URL(args.request.url));
  /** Of whom somebody still waits: until when their link opens. */
  const standingOf = (id: number) => {
    const until = links.get(id);
    const { invitedUntil, linkEnded } = words.operator.people;
    if (!until || Temporal.Instant.compare(until, clock()) <= 0) return linkEnded;
    return words.say(invitedUntil, { until: words.dates.momentBriefly(until) });
  };
  const admins = listAdmins(everybody);
  return {
    onlyAdmin: admins.length === 1 ? admins[0]?.id : undefined,
    team: team.map(({ id, name, role, address, invitedAt, enrolled }) => ({
      id,
      name,
      role,
      address,
      invited: invitedAt !== undefined,
      waits:
        invitedAt && !enrolled && team.some((one) => one.enrolled) ? standingOf(id) : undefined,
    })),
  };
}

export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args, { admin: true, fresh: true });
  const { team, visit } = getServices(args.context);
  const fields = visit.posted ?? {};
  const id = Number(fields.id);
  if (fields.act === "remove") {
    const everybody = await team.list();
    const leaving = everybody.find((one) => !one.leftAt && one.id === id);
    if (leaving && listAdmins(everybody).every((one) => one.id === leaving.id)) {
      return data({ kind: "last-admin" as const }, { status: 422 });
    }
    const removed = leaving && (await team.remove(leaving.name, operator.name));
    return removed ? { kind: "removed" as const, ...removed } : { kind: "gone" as const };
  }
  if (fields.act === "role") {
    const role: Role = fields.role === "admin" ? "admin" : "operator";
    const changed = await team.changeRole({ id, role }, operator.name);
    if (changed?.kind === "last-admin") return data(changed, { status: 422 });
    return changed ? { ...changed, role } : { kind: "gone" as const };
  }
  return invite(args, operator.name);
}

/** Somebody new; or, at somebody's row, the same person once more. */
async function invite({ request, context }: Route.ActionArgs, by: string) {
  const { team, visit } = getServices(context);
  const words = wordsAt(new URL(request.url));
  const fields = visit.posted ?? {};
  const again = fields.act === "invite-again";
  const text = (name: string) => String(fields[name] ?? "");
  const prefix = again ? `${text("id")}-` : "";
  const refuse = (...problems: Problem[]) =>
    data(
      {
        kind: "refused" as const,
        prefix,
        filled: {
          typed: { name: [text("name")], address: [text("address")] },
          problems: problems.map(({ field, ...one }) => ({ ...one, field: prefix + field })),
        } satisfies Filled,
        admin: fields.admin !== undefined,
      },
      { status: 422 },
    );
  const { people, desk } = words.operator;
  const name = parseOperatorName(text("name"));
  const address = parseEmailAddress(text("address"));
  if (name === undefined || !address.ok) {
    return refuse(
      ...(name === undefined ? [{ field: "name", words: people.invite.nameProblem }] : []),
      ...(address.ok ? [] : [{ field: "address", words: desk.problems.email }]),
    );
  }
  const admin = fields.admin !== undefined;
  const invited = await team.invite({ name, address: address.email, admin, again }, by);
  if (invited.kind === "nobody") return { kind: "gone" as const };
  if (invited.kind === "name-taken") {
    const taken = words.say(people.invite.nameTaken, { name: invited.name });
    return refuse({ field: "name", words: taken });
  }
  const { link, until } = invited;
  return { ...invited, link, until: words.dates.momentBriefly(until) };
}

export default function PeoplePage({ loaderData, actionData }: Route.ComponentProps) {
  const { operator: words, to } = useWords();
  const { people, frame } = words;
  const { invite } = people;
  const refused = actionData?.kind === "refused" ? actionData : undefined;
  const filledOf = (prefix: string) => (refused?.prefix === prefix ? refused.filled : untouched);
  return (
    <OperatorPage name="people">
      <Outcome outcome={actionData} />
      <div className="desk-columns">
        <section className="desk-card" aria-labelledby="team">
          <h2 id="team">{people.team}</h2>
          <ul className="desk-rows">
            {loaderData.team.map((one) => (
              <Person
                key={one.id}
                one={one}
                isOnlyAdmin={loaderData.onlyAdmin === one.id}
                filled={filledOf(`${one.id}-`)}
              />
            ))}
          </ul>
          <a href={to(paths.operatorHistory)}>{frame.pages.history.title}</a>
        </section>
        <section className="desk-card" aria-labelledby="invite">
          <h2 id="invite">{invite.title}</h2>
          <form data-kept="" method="post" action={to(paths.operatorPeople)} className="desk-form">
            <p>{invite.text}</p>
            <input type="hidden" name="act" value="invite" />
            <Fields
              fields={[
                { kind: "text", name: "name", label: invite.name },
                { kind: "email", name: "address", label: invite.address },
              ]}
              filled={filledOf("")}
            />
            <TickField name="admin" label={invite.admin}>
              <input
                id="admin"
                name="admin"
                type="checkbox"
                defaultChecked={refused?.prefix === "" && refused.admin}
              />
            </TickField>
            <Button type="submit" look="primary">
              {invite.button}
            </Button>
          </form>
        </section>
      </div>
    </OperatorPage>
  );
}

/** Somebody of the team, and what an admin can change of them. */
function Person({
  one: { id, name, role, address, invited, waits },
  isOnlyAdmin,
  filled,
}: {
  one: Route.ComponentProps["loaderData"]["team"][number];
  isOnlyAdmin: boolean;
  filled: Filled;
}) {
  const { operator, say, to } = useWords();
  const { people } = operator;
  const path = to(paths.operatorPeople);
  const person = { id, name };
  return (
    <li>
      <div>
        <b>{name}</b>
        <p>{invited ? `${people.roles[role]}, ${address}` : people.notInvited}</p>
        {waits ? <p>{waits}</p> : null}
      </div>
      <details open={filled.problems.length > 0}>
        <summary>
          {people.change}
          <span className="visually-hidden"> {name}</span>
        </summary>
        <form data-kept="" method="post" action={path} className="desk-form">
          <p>{people.invite.againText}</p>
          <input type="hidden" name="act" value="invite-again" />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="name" value={name} />
          <Fields
            prefix={`${id}-`}
            fields={[
              { kind: "email", name: "address", label: people.invite.address, value: address },
            ]}
            filled={filled}
          />
          <Button type="submit">
            {people.invite.again}
            <span className="visually-hidden"> {name}</span>
          </Button>
        </form>
        {isOnlyAdmin ? <p>{people.only}</p> : null}
        {invited && !isOnlyAdmin ? (
          <ActButton
            path={path}
            act="role"
            fields={{ ...person, role: role === "admin" ? "operator" : "admin" }}
            label={role === "admin" ? people.makeOperator : people.makeAdmin}
            of={name}
          />
        ) : null}
        {isOnlyAdmin ? null : (
          <ActButton
            path={path}
            act="remove"
            fields={person}
            about={people.removeText}
            label={say(people.remove, { name })}
            danger
          />
        )}
      </details>
    </li>
  );
}

/** What came of the last act. */
function Outcome({ outcome }: { outcome: Route.ComponentProps["actionData"] }) {
  const { operator, say } = useWords();
  const { people } = operator;
  switch (outcome?.kind) {
    case "last-admin":
      return (
        <Notice tone="danger" role="status">
          <p>{people.only}</p>
        </Notice>
      );
    case "changed":
      return (
        <Notice tone="know" role="status">
          <p>{say(people.nowIs, { name: outcome.name, role: people.roles[outcome.role] })}</p>
        </Notice>
      );
    case "removed":
      return (
        <Notice tone="know" role="status">
          <p>
            {say(people.removed, { name: outcome.name })}{" "}
            {outcome.handedBack.length > 0
              ? say(people.handedBack, { references: outcome.handedBack.join(", ") })
              : null}
          </p>
        </Notice>
      );
    case "invited":
      return (
        <Notice tone="know" role="status">
          <p>
            <b>{say(people.invite.linkTitle, { name: outcome.name })}</b>
          </p>
          <p className="desk-link">
            <code>{outcome.link}</code>
          </p>
          <p>{say(people.invite.linkText, { until: outcome.until })}</p>
        </Notice>
      );
  }
  return null;
}
