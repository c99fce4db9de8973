import { data } from "react-router";
import { parseEmailAddress } from "../../../server/addresses/email-address.ts";
import { paths } from "../../../server/http/paths.ts";
import { parseOperatorName } from "../../../server/operators/operator-name.ts";
import type { Role } from "../../../server/operators/operators.ts";
import { listAdmins } from "../../../server/operators/who-is-in.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TickField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/people-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";

/** Who is with the team: admins invite and remove. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "people");

export async function loader(args: Route.LoaderArgs) {
  const { operator } = requireOperator(args, { admin: true });
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
    self: operator.id,
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

type Typed = {
  name: string;
  address: string;
  admin: boolean;
  /** Of whom it is at whose row it was typed; undefined where somebody new is invited. */
  id?: number;
};

export async function action(args: Route.ActionArgs) {
  const { operator } = requireOperator(args, { admin: true, fresh: true });
  const { team, visit } = getServices(args.context);
  const fields = visit.posted ?? {};
  if (fields.act === "remove") {
    const everybody = await team.list();
    const leaving = everybody.find(({ id, leftAt }) => !leftAt && id === Number(fields.id));
    if (leaving && listAdmins(everybody).every(({ id }) => id === leaving.id)) {
      return data({ kind: "last-admin" as const }, { status: 422 });
    }
    const removed = leaving && (await team.remove(leaving.name, operator.name));
    return removed ? { kind: "removed" as const, ...removed } : { kind: "gone" as const };
  }
  if (fields.act === "role") {
    const role: Role = fields.role === "admin" ? "admin" : "operator";
    const changed = await team.changeRole({ id: Number(fields.id), role }, operator.name);
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
  const typed: Typed = {
    name: String(fields.name ?? ""),
    address: String(fields.address ?? ""),
    admin: fields.admin !== undefined,
    ...(again && { id: Number(fields.id) }),
  };
  const refuse = (problems: { name?: string; address?: string }) =>
    data({ kind: "refused" as const, typed, problems }, { status: 422 });
  const { invite: own } = words.operator.people;
  const name = parseOperatorName(typed.name);
  const address = parseEmailAddress(typed.address);
  if (name === undefined || !address.ok) {
    const isMissing = (text: string) => text.trim() === "";
    return refuse({
      ...(name === undefined && {
        name: isMissing(typed.name) ? own.nameMissing : own.nameProblem,
      }),
      ...(!address.ok && {
        address: isMissing(typed.address)
          ? words.operator.desk.problems.emailMissing
          : own.addressProblem,
      }),
    });
  }
  const { admin } = typed;
  const invited = await team.invite({ name, address: address.email, admin, again }, by);
  if (invited.kind === "nobody") return { kind: "gone" as const };
  if (invited.kind === "name-taken") {
    return refuse({ name: words.say(own.nameTaken, { name: invited.name }) });
  }
  return {
    kind: "invited" as const,
    name: invited.name,
    link: invited.link,
    until: words.dates.momentBriefly(invited.until),
  };
}

export default function PeoplePage({ loaderData, actionData }: Route.ComponentProps) {
  const { operator: words, to, say } = useWords();
  const { people } = words;
  const path = to(paths.operatorPeople);
  const outcome = actionData;
  const came = outcome?.kind === "refused" ? outcome : undefined;
  const refused = came?.typed.id === undefined ? came : undefined;
  const toldOf = (name: "name" | "address") =>
    refused?.problems[name] === undefined
      ? {}
      : { "aria-invalid": true, "aria-describedby": `${name}-problem` };
  return (
    <OperatorPage name="people">
      <Outcome outcome={outcome} />
      <div className="desk-columns">
        <section className="desk-card" aria-labelledby="team">
          <h2 id="team">{people.team}</h2>
          <ul className="desk-rows">
            {loaderData.team.map(({ id, name, role, address, invited, waits }) => (
              <li key={id}>
                <div>
                  <b>{name}</b>
                  <p>{invited ? `${people.roles[role]}, ${address}` : people.notInvited}</p>
                  {waits ? <p>{waits}</p> : null}
                </div>
                <details open={came?.typed.id === id}>
                  <summary>
                    {people.change}
                    <span className="visually-hidden"> {name}</span>
                  </summary>
                  <InviteAgain
                    to={{ id, name, address: address ?? "" }}
                    path={path}
                    {...(came?.typed.id === id && { refused: came })}
                  />
                  {loaderData.onlyAdmin === id ? (
                    <p>{people.only}</p>
                  ) : (
                    <>
                      {invited ? (
                        <form data-kept="" method="post" action={path} className="desk-form">
                          <input type="hidden" name="act" value="role" />
                          <input type="hidden" name="id" value={id} />
                          <input type="hidden" name="name" value={name} />
                          <input
                            type="hidden"
                            name="role"
                            value={role === "admin" ? "operator" : "admin"}
                          />
                          <Button type="submit">
                            {role === "admin" ? people.makeOperator : people.makeAdmin}
                            <span className="visually-hidden"> {name}</span>
                          </Button>
                        </form>
                      ) : null}
                      <form data-kept="" method="post" action={path} className="desk-form">
                        <p>{people.removeText}</p>
                        <input type="hidden" name="act" value="remove" />
                        <input type="hidden" name="id" value={id} />
                        <input type="hidden" name="name" value={name} />
                        <Button type="submit" look="danger">
                          {say(people.remove, { name })}
                        </Button>
                      </form>
                    </>
                  )}
                </details>
              </li>
            ))}
          </ul>
          <a href={to(paths.operatorHistory)}>{people.historyLink}</a>
        </section>
        <section className="desk-card" aria-labelledby="invite">
          <h2 id="invite">{people.invite.title}</h2>
          <form data-kept="" method="post" action={path} className="desk-form">
            <p>{people.invite.text}</p>
            <input type="hidden" name="act" value="invite" />
            <Field
              name="name"
              label={people.invite.name}
              {...(refused?.problems.name && { problem: refused.problems.name })}
            >
              <input
                id="name"
                name="name"
                required
                maxLength={40}
                autoComplete="off"
                defaultValue={refused?.typed.name}
                {...toldOf("name")}
              />
            </Field>
            <Field
              name="address"
              label={people.invite.address}
              {...(refused?.problems.address && { problem: refused.problems.address })}
            >
              <input
                id="address"
                name="address"
                type="email"
                required
                autoComplete="off"
                defaultValue={refused?.typed.address}
                {...toldOf("address")}
              />
            </Field>
            <TickField name="admin" label={people.invite.admin}>
              <input
                id="admin"
                name="admin"
                type="checkbox"
                defaultChecked={refused?.typed.admin}
              />
            </TickField>
            <Button type="submit" look="primary">
              {people.invite.button}
            </Button>
          </form>
        </section>
      </div>
    </OperatorPage>
  );
}

/** A new link for somebody who is with the team, to the same mailbox or to another one. */
function InviteAgain({
  to: { id, name, address },
  path,
  refused,
}: {
  to: { id: number; name: string; address: string };
  path: string;
  refused?: { typed: Typed; problems: { address?: string } };
}) {
  const { invite: words } = useWords().operator.people;
  const field = `address-${id}`;
  const problem = refused?.problems.address;
  return (
    <form data-kept="" method="post" action={path} className="desk-form">
      <p>{words.againText}</p>
      <input type="hidden" name="act" value="invite-again" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="name" value={name} />
      <Field name={field} label={words.address} {...(problem && { problem })}>
        <input
          id={field}
          name="address"
          type="email"
          required
          autoComplete="off"
          defaultValue={refused?.typed.address ?? address}
          {...(problem && { "aria-invalid": true, "aria-describedby": `${field}-problem` })}
        />
      </Field>
      <Button type="submit">
        {words.again}
        <span className="visually-hidden"> {name}</span>
      </Button>
    </form>
  );
}

/** What came of the last act. */
function Outcome({ outcome }: { outcome: Route.ComponentProps["actionData"] }) {
  const { operator: words, say } = useWords();
  const { people } = words;
  if (!outcome || outcome.kind === "refused" || outcome.kind === "gone") return null;
  return (
    <Notice tone={outcome.kind === "last-admin" ? "danger" : "know"} role="status">
      {outcome.kind === "last-admin" ? <p>{people.lastAdmin}</p> : null}
      {outcome.kind === "changed" ? (
        <p>{say(people.nowIs, { name: outcome.name, role: people.roles[outcome.role] })}</p>
      ) : null}
      {outcome.kind === "removed" ? (
        <p>
          {say(people.removed, { name: outcome.name })}{" "}
          {outcome.handedBack.length > 0
            ? say(people.handedBack, { references: outcome.handedBack.join(", ") })
            : null}
        </p>
      ) : null}
      {outcome.kind === "invited" ? (
        <>
          <p>
            <b>{say(people.invite.linkTitle, { name: outcome.name })}</b>
          </p>
          <p className="desk-link">
            <code>{outcome.link}</code>
          </p>
          <p>{say(people.invite.linkText, { until: outcome.until })}</p>
        </>
      ) : null}
    </Notice>
  );
}
