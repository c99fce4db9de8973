import { data, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { noSessionCookie } from "../../../server/operators/session-cookie.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { TickField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/me-page";
import { ActButton } from "./act-button.tsx";
import { Fields, untouched } from "./desk/fields.tsx";
import { DoorProblemNotice } from "./door-problem.tsx";
import { requireOperator } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-frame.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** One's own passkeys, recovery codes, mails and sessions. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "me");

export async function loader(args: Route.LoaderArgs) {
  const signedIn = requireOperator(args);
  const { dates } = wordsAt(new URL(args.request.url));
  const account = await getServices(args.context).operators.account(signedIn);
  return {
    ...account,
    passkeys: account.passkeys.map(({ createdAt, usedAt, ...one }) => ({
      ...one,
      here: one.id === signedIn.session.passkeyId,
      made: dates.momentBriefly(createdAt),
      used: usedAt && dates.momentBriefly(usedAt),
    })),
  };
}

export async function action(args: Route.ActionArgs) {
  const { operators, visit } = getServices(args.context);
  const { act, id, more, device } = visit.posted ?? {};
  const { to, dates } = wordsAt(new URL(args.request.url));
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
      await operators.enterMoreMails(more !== undefined, signedIn);
      return back();
    case "rename-passkey": {
      const name = String(device ?? "").trim();
      if (name !== "") await operators.renameDevice(Number(id), name, signedIn);
      return back();
    }
  }
  requireOperator(args, { fresh: true });
  if (act === "new-codes") return { codes: await operators.newCodes(signedIn) };
  if (act === "remove-passkey") {
    const done = await operators.removeDevice(Number(id), signedIn);
    return done.kind === "refused" ? data({ problem: done.problem }, { status: 422 }) : back();
  }
  const { link, until } = await operators.linkDevice(signedIn);
  return { link, until: dates.time(until) };
}

type Shown = Pick<Route.ComponentProps, "loaderData" | "actionData">;

export default function MePage({ loaderData, actionData }: Shown) {
  const { operator: words, say, to } = useWords();
  const { me } = words.door;
  const path = to(paths.operatorMe);
  const { elsewhere, moreMails } = loaderData;
  const problem = actionData && "problem" in actionData ? actionData.problem : undefined;
  return (
    <OperatorPage name="me">
      <DoorProblemNotice problem={problem} />
      <div className="desk-columns">
        <Passkeys loaderData={loaderData} actionData={actionData} />
        <Codes loaderData={loaderData} actionData={actionData} />
        <section className="desk-card" aria-labelledby="mails">
          <h2 id="mails">{me.mails}</h2>
          <p>{me.mailsText}</p>
          <form data-kept="" method="post" action={path} className="desk-form">
            <input type="hidden" name="act" value="mails" />
            <TickField name="more" label={me.moreMails}>
              <input id="more" name="more" type="checkbox" defaultChecked={moreMails} />
            </TickField>
            <Button type="submit">{me.saveMails}</Button>
          </form>
        </section>
        {elsewhere > 0 ? (
          <section className="desk-card" aria-labelledby="elsewhere">
            <h2 id="elsewhere">{me.sessions}</h2>
            <p>{say(me.elsewhere, { count: elsewhere })}</p>
            <ActButton path={path} act="end-others" label={me.endOthers} />
          </section>
        ) : null}
      </div>
    </OperatorPage>
  );
}

function Passkeys({ loaderData, actionData }: Shown) {
  const { operator: words, say, to } = useWords();
  const { me } = words.door;
  const path = to(paths.operatorMe);
  const other =
    actionData && "link" in actionData && actionData.link !== undefined ? actionData : undefined;
  return (
    <section className="desk-card" aria-labelledby="passkeys">
      <h2 id="passkeys">{me.passkeys}</h2>
      <p>{me.passkeysText}</p>
      <ul className="desk-rows">
        {loaderData.passkeys.map(({ id, device, here, made, used, doubted }) => (
          <li key={id}>
            <div>
              <b>
                {device}
                {here ? ` (${me.here})` : ""}
              </b>
              <p>
                {doubted
                  ? me.doubted
                  : [say(me.made, { date: made }), used && say(me.used, { date: used })]
                      .filter(Boolean)
                      .join(", ")}
              </p>
            </div>
            <details>
              <summary>
                {words.people.change}
                <span className="visually-hidden"> {device}</span>
              </summary>
              <form data-kept="" method="post" action={path} className="desk-form">
                <input type="hidden" name="act" value="rename-passkey" />
                <input type="hidden" name="id" value={id} />
                <Fields
                  prefix={`${id}-`}
                  fields={[{ kind: "text", name: "device", label: me.deviceName, value: device }]}
                  filled={untouched}
                />
                <Button type="submit">{me.rename}</Button>
              </form>
              <ActButton
                path={path}
                act="remove-passkey"
                fields={{ id, name: device }}
                label={say(me.removeSure, { name: device })}
              />
            </details>
          </li>
        ))}
      </ul>
      {other ? (
        <div role="status">
          <p>{say(me.otherText, { until: other.until })}</p>
          <p className="desk-link">
            <code>{other.link}</code>
          </p>
        </div>
      ) : (
        <ActButton path={path} act="link-device" label={me.addOther} />
      )}
    </section>
  );
}

function Codes({ loaderData: { codesLeft }, actionData }: Shown) {
  const { operator, say, to } = useWords();
  const { me, codes: words } = operator.door;
  const made = actionData && "codes" in actionData ? actionData.codes : undefined;
  const left = <p>{say(me.codesLeft, { count: codesLeft })}</p>;
  return (
    <section className="desk-card" aria-labelledby="codes">
      <h2 id="codes">{me.codes}</h2>
      {made ? (
        <>
          <p role="status">{words.text}</p>
          <RecoveryCodes codes={made} />
        </>
      ) : (
        <>
          {codesLeft === 0 ? <Notice tone="danger">{left}</Notice> : left}
          <ActButton path={to(paths.operatorMe)} act="new-codes" label={me.newCodes} />
        </>
      )}
    </section>
  );
}
