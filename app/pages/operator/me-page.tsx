import { data, Form } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/me-page";
import { isWorthReading, sendOrKeep } from "./desk/offline.ts";
import { DoorProblemNotice } from "./door-problem.tsx";
import { requireOperator, visitorOf } from "./guard.ts";
import { OfflineNotice } from "./offline-notice.tsx";
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
    passkeys: passkeys.map(({ id, device, createdAt, usedAt, doubtedAt }) => ({
      id,
      device,
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
  const signedIn = requireOperator(args, { fresh: true });
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

export const clientAction = ({ serverAction, request }: Route.ClientActionArgs) =>
  sendOrKeep(serverAction, request);

export const shouldRevalidate = isWorthReading;

export default function MePage({ loaderData, actionData }: Route.ComponentProps) {
  const { operator: words, say, to } = useWords();
  const { me, codes: codeWords } = words.door;
  const path = to(paths.operatorMe);
  const { passkeys, codesLeft, sessions, options } = loaderData;
  const made = actionData && "codes" in actionData ? actionData.codes : [];
  const problem = actionData && "problem" in actionData ? actionData.problem : undefined;
  return (
    <OperatorPage name="me">
      <OfflineNotice answer={actionData} />
      <DoorProblemNotice problem={problem} />
      <div className="desk-columns">
        <section className="desk-card" aria-labelledby="passkeys">
          <h2 id="passkeys">{me.passkeys}</h2>
          <p>{me.passkeysText}</p>
          <ul className="desk-rows">
            {passkeys.map(({ id, device, made, used, doubted }) => (
              <li key={id}>
                <div>
                  <b>{device}</b>
                  <p>
                    {doubted
                      ? me.doubted
                      : [say(me.made, { date: made }), used && say(me.used, { date: used })]
                          .filter(Boolean)
                          .join(", ")}
                  </p>
                </div>
                <ActButton path={path} act="remove-passkey" id={id} label={me.remove} of={device} />
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
    <Form method="post" action={path}>
      <input type="hidden" name="act" value={act} />
      {id === undefined ? null : <input type="hidden" name="id" value={id} />}
      <Button type="submit">
        {label}
        {of ? <span className="visually-hidden"> {of}</span> : null}
      </Button>
    </Form>
  );
}
