import { data } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TickField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/me-page";
import { DoorProblemNotice } from "./door-problem.tsx";
import { requireOperator, visitorOf } from "./guard.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import { PasskeyForm } from "./passkey-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** One's own passkeys, recovery codes and sessions. */

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "me");

export async function loader(args: Route.LoaderArgs) {
  const signedIn = requireOperator(args);
  const { operators } = getServices(args.context);
  const { dates } = wordsAt(new URL(args.request.url));
  const { passkeys, codesLeft, sessions } = await operators.account(signedIn);
  return {
    options: await operators.deviceOptions(signedIn),
    codesLeft,
    moreMails: await operators.wantsMoreMails(signedIn),
    passkeys: passkeys.map(({ id, device, createdAt, usedAt, doubtedAt }) => ({
      id,
      device,
      here: id === signedIn.session.passkeyId,
      made: dates.momentBriefly(createdAt),
      used: usedAt && dates.momentBriefly(usedAt),
      doubted: doubtedAt !== undefined,
    })),
    sessions: sessions.map(({ id, device, openedAt, seenAt }) => ({
      id,
      device,
      here: id === signedIn.session.id,
      from: dates.momentBriefly(openedAt),
      seen: dates.momentBriefly(seenAt),
    })),
  };
}

export async function action(args: Route.ActionArgs) {
  const { operators, visit } = getServices(args.context);
  const { act, id, passkey } = visit.posted ?? {};
  // To end sessions needs no touch: who fears for one should be fast.
  if (act === "end-session" || act === "end-others") {
    const signedIn = requireOperator(args);
    if (act === "end-session") await operators.endSession(Number(id), signedIn);
    else await operators.endOtherSessions(signedIn);
    return back(args.request);
  }
  if (act === "mails") {
    await operators.enterMoreMails(visit.posted?.more !== undefined, requireOperator(args));
    return back(args.request);
  }
  const name = String(visit.posted?.device ?? "").trim();
  if (act === "rename-passkey") {
    if (name !== "") await operators.renameDevice(Number(id), name, requireOperator(args));
    return back(args.request);
  }
  const signedIn = requireOperator(args, { fresh: true });
  if (act === "link-device") {
    const { link, until } = await operators.linkDevice(signedIn);
    return { link, until: wordsAt(new URL(args.request.url)).dates.time(until) };
  }
  if (act === "new-codes") return { codes: await operators.newCodes(signedIn) };
  const done =
    act === "remove-passkey"
      ? await operators.removeDevice(Number(id), signedIn)
      : await operators.addDevice(passkey, signedIn, visitorOf(args));
  return done.kind === "refused"
    ? data({ problem: done.problem }, { status: 422 })
    : back(args.request);
}

function back(request: Request): Response {
  const { to } = wordsAt(new URL(request.url));
  return new Response(null, { status: 303, headers: { Location: to(paths.operatorMe) } });
}

export default function MePage({ loaderData, actionData }: Route.ComponentProps) {
  const { operator: words, say, to } = useWords();
  const { me, codes: codeWords } = words.door;
  const path = to(paths.operatorMe);
  const { passkeys, codesLeft, sessions, options } = loaderData;
  const made = (actionData && "codes" in actionData && actionData.codes) || [];
  const other =
    actionData && "link" in actionData && actionData.link !== undefined ? actionData : undefined;
  const problem = actionData && "problem" in actionData ? actionData.problem : undefined;
  return (
    <OperatorPage name="me">
      <DoorProblemNotice problem={problem} />
      <div className="desk-columns">
        <section className="desk-card" aria-labelledby="passkeys">
          <h2 id="passkeys">{me.passkeys}</h2>
          <p>{me.passkeysText}</p>
          <ul className="desk-rows">
            {passkeys.map(({ id, device, here, made, used, doubted }) => (
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
                    <Field name={`device-${id}`} label={me.deviceName}>
                      <input
                        id={`device-${id}`}
                        name="device"
                        maxLength={40}
                        required
                        autoComplete="off"
                        defaultValue={device}
                      />
                    </Field>
                    <Button type="submit">{me.rename}</Button>
                  </form>
                  <p>{me.remove}</p>
                  <ActButton
                    path={path}
                    act="remove-passkey"
                    id={id}
                    label={say(me.removeSure, { name: device })}
                  />
                </details>
              </li>
            ))}
          </ul>
          <PasskeyForm
            kind="create"
            look="plain"
            action={path}
            options={options}
            label={me.addDevice}
            fields={[["act", "add-passkey"]]}
          />
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
        <section className="desk-card" aria-labelledby="codes">
          <h2 id="codes">{me.codes}</h2>
          {made.length > 0 ? (
            <>
              <p role="status">{codeWords.text}</p>
              <RecoveryCodes codes={made} />
            </>
          ) : (
            <>
              {codesLeft === 0 ? (
                <Notice tone="danger">
                  <p>{say(me.codesLeft, { count: codesLeft })}</p>
                </Notice>
              ) : (
                <p>{say(me.codesLeft, { count: codesLeft })}</p>
              )}
              <ActButton path={path} act="new-codes" label={me.newCodes} />
            </>
          )}
        </section>
        <section className="desk-card" aria-labelledby="mails">
          <h2 id="mails">{me.mails}</h2>
          <p>{me.mailsText}</p>
          <form data-kept="" method="post" action={path} className="desk-form">
            <input type="hidden" name="act" value="mails" />
            <TickField name="more" label={me.moreMails}>
              <input id="more" name="more" type="checkbox" defaultChecked={loaderData.moreMails} />
            </TickField>
            <Button type="submit">{me.saveMails}</Button>
          </form>
        </section>
        <section className="desk-card" aria-labelledby="sessions">
          <h2 id="sessions">{me.sessions}</h2>
          <ul className="desk-rows">
            {sessions.map(({ id, device, here, from, seen }) => (
              <li key={id}>
                <div>
                  <b>
                    {device}
                    {here ? ` (${me.here})` : ""}
                  </b>
                  <p>{say(me.since, { from, seen })}</p>
                </div>
                {here ? (
                  <a href={to(paths.operatorSignOut)}>{words.door.signOut.button}</a>
                ) : (
                  <ActButton path={path} act="end-session" id={id} label={me.end} of={device} />
                )}
              </li>
            ))}
          </ul>
          {sessions.length > 1 ? (
            <ActButton path={path} act="end-others" label={me.endOthers} />
          ) : null}
        </section>
      </div>
    </OperatorPage>
  );
}

function ActButton({
  path,
  act,
  id,
  label,
  of,
}: {
  path: string;
  act: string;
  id?: number;
  label: string;
  /** What it concerns, for those who hear the button alone. */
  of?: string;
}) {
  return (
    <form data-kept="" method="post" action={path}>
      <input type="hidden" name="act" value={act} />
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      <Button type="submit">
        {label}
        {of ? <span className="visually-hidden"> {of}</span> : null}
      </Button>
    </form>
  );
}
