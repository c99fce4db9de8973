import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { noSessionCookie } from "../../../server/operators/session-cookie.ts";
import type { DoorProblem } from "../../../server/sign-in/door-problem.ts";
import { getServices } from "../../services-context.ts";
import { TickField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/me-page";
import { ActForm, Card, Row } from "./card.tsx";
import { tellDaysAway } from "./days-away.ts";
import { Fields, type Filled, untouched } from "./desk/fields.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";
import { DoorProblemNotice } from "./passkey-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** One's own passkeys, recovery codes, mails, sessions and days away, which the others see here, too. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "me");

export async function loader(args: Route.LoaderArgs) {
  const signedIn = requireOperator(args);
  const { operators } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const { dates, operator, say } = words;
  const { me } = operator.door;
  const { away } = operator.watch;
  const { passkeys, ...account } = await operators.account(signedIn);
  const { absences, nobodyThere, today } = await operators.presence();
  return {
    ...account,
    passkeys: passkeys.map(({ id, device, createdAt, usedAt, doubted }) => ({
      ...{ id, device, isHere: id === signedIn.session.passkeyId },
      says: doubted
        ? [me.doubted]
        : [
            say(me.made, { date: dates.momentBriefly(createdAt) }),
            usedAt && say(me.used, { date: dates.momentBriefly(usedAt) }),
          ],
    })),
    absences: absences.map(({ id, operatorId, name, reason, from, until }) => ({
      ...{ id, name, isMine: operatorId === signedIn.operator.id },
      says: [
        tellDaysAway(words, from, until),
        Temporal.PlainDate.compare(from, today) <= 0
          ? `${away.reasons[reason]}, ${away.today}`
          : away.reasons[reason],
      ],
    })),
    nobodyThere:
      nobodyThere && say(operator.watch.health.presence.nobody, { date: dates.day(nobodyThere) }),
    today: today.toString(),
  };
}

/** What a form is answered with that does not lead back. */
type Answer = {
  away?: Filled;
  problem?: DoorProblem;
  codes?: string[];
  link?: { address: string; until: string };
};

export async function action(args: Route.ActionArgs) {
  const { operators, visit } = getServices(args.context);
  const { act, id, ...fields } = visit.posted ?? {};
  const { to, dates, operator } = wordsAt(new URL(args.request.url));
  const text = (name: string) => String(fields[name] ?? "");
  const back = () => redirect(to(paths.operatorMe), 303);
  const signedIn = requireOperator(args);
  switch (act) {
    case "sign-out":
      await operators.signOut(signedIn);
      return redirect(to(paths.operatorSignIn), {
        status: 303,
        headers: { "Set-Cookie": noSessionCookie },
      });
    // To end sessions needs no touch: who fears for one should be fast.
    case "end-others":
      await operators.endOtherSessions(signedIn);
      return back();
    case "mails":
      await operators.enterMoreMails(fields.more !== undefined, signedIn);
      return back();
    case "rename-passkey":
      await operators.renameDevice(Number(id), text("device"), signedIn);
      return back();
    case "back":
      await operators.comeBack(Number(id), signedIn);
      return back();
    case "away": {
      const absence = { reason: text("reason"), from: text("from"), until: text("until") };
      const problem = await operators.goAway(absence, signedIn);
      if (!problem) return back();
      const words = operator.watch.away.problems[problem];
      const problems = [{ field: problem === "no-dates" ? "from" : "until", words }];
      const typed = { reason: [absence.reason], from: [absence.from], until: [absence.until] };
      return data<Answer>({ away: { typed, problems } }, { status: 422 });
    }
  }
  requireOperator(args, { fresh: true });
  if (act === "new-codes") return data<Answer>({ codes: await operators.newCodes(signedIn) });
  if (act === "remove-passkey") {
    const done = await operators.removeDevice(Number(id), signedIn);
    if (done.kind === "done") return back();
    return data<Answer>({ problem: done.problem }, { status: 422 });
  }
  const { link, until } = await operators.linkDevice(signedIn);
  return data<Answer>({ link: { address: link, until: dates.time(until) } });
}

type Shown = Pick<Route.ComponentProps, "loaderData" | "actionData">;

export default function MePage({ loaderData, actionData }: Shown) {
  const { operator: words, say, to } = useWords();
  const { me } = words.door;
  const path = to(paths.operatorMe);
  const { elsewhere, moreMails } = loaderData;
  return (
    <OperatorPage name="me">
      <DoorProblemNotice problem={actionData?.problem} />
      <div className="columns">
        <Passkeys loaderData={loaderData} actionData={actionData} />
        <Codes loaderData={loaderData} actionData={actionData} />
        <Away loaderData={loaderData} actionData={actionData} />
        <Card id="mails" title={me.mails}>
          <p>{me.mailsText}</p>
          <ActForm path={path} act="mails" label={me.saveMails}>
            <TickField name="more" label={me.moreMails}>
              <input id="more" name="more" type="checkbox" defaultChecked={moreMails} />
            </TickField>
          </ActForm>
        </Card>
        {elsewhere > 0 ? (
          <Card id="elsewhere" title={me.sessions}>
            <p>{say(me.elsewhere, { count: elsewhere })}</p>
            <ActForm path={path} act="end-others" label={me.endOthers} />
          </Card>
        ) : null}
      </div>
    </OperatorPage>
  );
}

function Passkeys({ loaderData: { passkeys }, actionData }: Shown) {
  const { operator, say, to } = useWords();
  const { me } = operator.door;
  const path = to(paths.operatorMe);
  const other = actionData?.link;
  return (
    <Card id="passkeys" title={me.passkeys}>
      <p>{me.passkeysText}</p>
      <ul className="desk-rows lines">
        {passkeys.map(({ id, device, isHere, says }) => (
          <Row key={id} name={isHere ? `${device} (${me.here})` : device} says={says}>
            <ActForm path={path} act="rename-passkey" fields={{ id }} label={me.rename}>
              <Fields
                prefix={`${id}-`}
                fields={[{ kind: "text", name: "device", label: me.deviceName, value: device }]}
                filled={untouched}
              />
            </ActForm>
            <ActForm
              path={path}
              act="remove-passkey"
              fields={{ id }}
              label={say(me.removeSure, { name: device })}
            />
          </Row>
        ))}
      </ul>
      {other ? (
        <div role="status">
          <p>{say(me.otherText, { until: other.until })}</p>
          <p className="desk-link">
            <code>{other.address}</code>
          </p>
        </div>
      ) : (
        <ActForm path={path} act="link-device" label={me.addOther} />
      )}
    </Card>
  );
}

function Codes({ loaderData: { codesLeft }, actionData }: Shown) {
  const { operator, say, to } = useWords();
  const { me, codes: words } = operator.door;
  const left = <p>{say(me.codesLeft, { count: codesLeft })}</p>;
  return (
    <Card id="codes" title={me.codes}>
      {actionData?.codes ? (
        <>
          <p role="status">{words.text}</p>
          <RecoveryCodes codes={actionData.codes} />
        </>
      ) : (
        <>
          {codesLeft === 0 ? <Notice tone="danger">{left}</Notice> : left}
          <ActForm path={to(paths.operatorMe)} act="new-codes" label={me.newCodes} />
        </>
      )}
    </Card>
  );
}

/** Who of the team is away when, and one's own days. */
function Away({ loaderData: { absences, nobodyThere, today }, actionData }: Shown) {
  const { operator, to } = useWords();
  const { away } = operator.watch;
  const path = to(paths.operatorMe);
  const options = Object.entries(away.reasons).map(([value, words]) => ({ value, words }));
  return (
    <Card id="away" title={away.planned}>
      {nobodyThere ? (
        <Notice tone="danger">
          <p>{nobodyThere}</p>
        </Notice>
      ) : null}
      {absences.length === 0 ? <p>{away.none}</p> : null}
      <ul className="desk-rows lines">
        {absences.map(({ id, name, isMine, says }) => (
          <Row key={id} name={isMine ? `${name} (${away.you})` : name} says={says}>
            {isMine ? <ActForm path={path} act="back" fields={{ id }} label={away.end} /> : null}
          </Row>
        ))}
      </ul>
      <ActForm path={path} act="away" label={away.add}>
        <p>{away.addAbout}</p>
        <Fields
          fields={[
            { kind: "date", name: "from", label: away.from },
            { kind: "date", name: "until", label: away.until, min: today },
            { kind: "list", name: "reason", label: away.reason, options },
          ]}
          filled={actionData?.away ?? untouched}
        />
      </ActForm>
    </Card>
  );
}
