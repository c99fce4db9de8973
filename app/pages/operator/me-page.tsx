import { data, redirect } from "react-router";
import { formatAbsence } from "../../../server/deletion-requests/presenters/history.ts";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { DoorProblem } from "../../../server/team/sign-in/passkeys.ts";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import type { Route } from "./+types/me-page";
import { Card, CardForm, Row } from "./card.tsx";
import { Fields, type Filled, untouched } from "./desk/fields.tsx";
import { requireOperator } from "./guard.ts";
import { NoticeBox, noticeHere, OperatorPage } from "./operator-frame.tsx";
import { DoorProblemNotice, RecoveryCodes } from "./passkey-form.tsx";

/**
 * Page for an operator's passkeys, recovery codes, email settings, sessions and absences. Also
 * lists colleagues' absences.
 */

export async function loader(args: Route.LoaderArgs) {
  const operatorContext = requireOperator(args);
  const { operator, session, services, url } = operatorContext;
  const account = await services.operators.account(operatorContext);
  return { operator, session, isDone: url.searchParams.has("done"), ...account };
}

/** Data of every response that isn't a redirect. */
type MeAnswer = {
  away?: Filled;
  problem?: DoorProblem;
  codes?: string[];
  link?: { address: string; until: string };
};

const answer = (answer: MeAnswer, status = 200) => data(answer, { status });

export async function action(args: Route.ActionArgs) {
  const { typed } = requireOperator(args);
  const text = (name: string) => firstValue(typed, name);
  const [act, id] = [text("act"), Number(text("id"))];
  // Ending sessions needs no passkey check. An operator who suspects a stolen session can therefore
  // act fast.
  const isSerious = ["new-codes", "remove-passkey", "link-device"].includes(act);
  const signedIn = requireOperator(args, isSerious ? { fresh: true } : {});
  const { operators } = signedIn.services;
  const { to, dates, operator } = signedIn.words;
  switch (act) {
    case "sign-out":
      return redirect(to(paths.operatorSignIn), {
        status: 303,
        headers: {
          "Set-Cookie": await operators.signOut(signedIn),
          // Clears the desk's data in this browser. "cookies" isn't included, because it would
          // affect every site on the university's domain.
          "Clear-Site-Data": '"cache", "storage"',
        },
      });
    case "end-others":
      await operators.endOtherSessions(signedIn);
      break;
    case "mails":
      await operators.enterMoreMails({ wanted: Object.hasOwn(typed, "more") }, signedIn);
      break;
    case "rename-passkey":
      await operators.renameDevice(id, text("device"), signedIn);
      break;
    case "back":
      await operators.endAbsence(id, signedIn);
      break;
    case "away": {
      const wrong = await operators.startAbsence(typed, signedIn);
      if (!wrong) break;
      const texts = operator.watch.away.problems;
      const problems = wrong.map(({ field, what }) => ({ field, words: texts[what] }));
      return answer({ away: { typed, problems } }, 422);
    }
    case "new-codes":
      return answer({ codes: await operators.newCodes(signedIn) });
    case "remove-passkey": {
      const refused = await operators.removeDevice(id, signedIn);
      if (!refused) break;
      return answer({ problem: refused.problem }, 422);
    }
    case "link-device": {
      const { link, until } = await operators.linkDevice(signedIn);
      return answer({ link: { address: link, until: dates.time(until) } });
    }
  }
  return redirect(`${to(paths.operatorMe, { done: act })}#told`, 303);
}

type PageProps = {
  loaderData: Awaited<ReturnType<typeof loader>>;
  actionData?: MeAnswer | undefined;
};

export default function MePage({ loaderData, actionData }: PageProps) {
  const { operator, say } = useWords();
  const { me } = operator.door;
  const { elsewhere } = loaderData;
  const { moreMails } = loaderData.operator;
  return (
    <OperatorPage>
      <DoorProblemNotice problem={actionData?.problem} />
      {loaderData.isDone && !actionData ? (
        <NoticeBox tone="success">
          <p>
            <Text>{operator.desk.together.done}</Text>.
          </p>
        </NoticeBox>
      ) : null}
      <div className="columns">
        <Passkeys loaderData={loaderData} actionData={actionData} />
        <Codes loaderData={loaderData} actionData={actionData} />
        <Away loaderData={loaderData} actionData={actionData} />
        <Card id="mails" title={me.mails}>
          <p>
            <Text>{me.mailsText}</Text>
          </p>
          <CardForm act="mails" label={me.saveMails}>
            <Fields
              fields={[{ kind: "tick", name: "more", label: me.moreMails, isTicked: moreMails }]}
            />
          </CardForm>
        </Card>
        {elsewhere > 0 ? (
          <Card id="elsewhere" title={me.sessions}>
            <p>
              <Text>{say(me.elsewhere, { count: elsewhere })}</Text>
            </p>
            <CardForm act="end-others" label={me.endOthers} />
          </Card>
        ) : null}
      </div>
    </OperatorPage>
  );
}

function Passkeys({ loaderData: { passkeys, session }, actionData }: PageProps) {
  const { operator, dates, say } = useWords();
  const { me } = operator.door;
  const other = actionData?.link;
  return (
    <Card id="passkeys" title={me.passkeys}>
      <p>
        <Text>{me.passkeysText}</Text>
      </p>
      <ul className="desk-rows lines">
        {passkeys.map(({ id, device, createdAt, usedAt, doubtedAt }) => (
          <Row
            key={id}
            name={id === session.passkeyId ? `${device} (${me.here})` : device}
            says={[
              doubtedAt ? me.doubted : say(me.made, { date: dates.momentBriefly(createdAt) }),
              doubtedAt ? "" : say(me.used, { date: dates.momentBriefly(usedAt) }),
            ]}
          >
            <CardForm act="rename-passkey" fields={{ id }} label={me.rename}>
              <Fields
                filled={{ ...untouched, prefix: `${id}-` }}
                fields={[{ kind: "text", name: "device", label: me.deviceName, value: device }]}
              />
            </CardForm>
            <CardForm
              act="remove-passkey"
              fields={{ id }}
              label={say(me.removeSure, { name: device })}
            />
          </Row>
        ))}
      </ul>
      {other ? (
        <div {...noticeHere}>
          <p>
            <Text>{say(me.otherText, { until: other.until })}</Text>
          </p>
          <code className="desk-link" dir="ltr">
            {other.address}
          </code>
        </div>
      ) : (
        <CardForm act="link-device" label={me.addOther} />
      )}
    </Card>
  );
}

function Codes({ loaderData: { codesLeft }, actionData }: PageProps) {
  const { operator, say } = useWords();
  const { me, codes: words } = operator.door;
  const left = (
    <p>
      <Text>{say(me.codesLeft, { count: codesLeft })}</Text>
    </p>
  );
  return (
    <Card id="codes" title={me.codes}>
      {actionData?.codes ? (
        <>
          <p {...noticeHere}>
            <Text>{words.text}</Text>
          </p>
          <RecoveryCodes codes={actionData.codes} />
        </>
      ) : (
        <>
          {codesLeft === 0 ? <Notice tone="danger">{left}</Notice> : left}
          <CardForm act="new-codes" label={me.newCodes} />
        </>
      )}
    </Card>
  );
}

/** Renders the team's absences and a form for adding the operator's. */
function Away({ loaderData, actionData }: PageProps) {
  const words = useWords();
  const { away, health } = words.operator.watch;
  const { operator, absences, unstaffedDay, today } = loaderData;
  const options = Object.entries(away.reasons).map(([value, words]) => ({ value, words }));
  return (
    <Card id="away" title={away.planned}>
      {unstaffedDay ? (
        <Notice tone="danger">
          <p>
            <Text>
              {words.say(health.presence.nobody, { date: words.dates.day(unstaffedDay) })}
            </Text>
          </p>
        </Notice>
      ) : null}
      {absences.length === 0 ? (
        <p>
          <Text>{away.none}</Text>
        </p>
      ) : null}
      <ul className="desk-rows lines">
        {absences.map((absence) => {
          const { id, name, operatorId, fromOn, untilOn } = absence;
          const isMine = operatorId === operator.id;
          const reason = away.reasons[absence.reason];
          const hasStarted = Temporal.PlainDate.compare(fromOn, today) <= 0;
          return (
            <Row
              key={id}
              name={isMine ? `${name} (${away.you})` : name}
              says={[
                formatAbsence(words, fromOn, untilOn),
                hasStarted ? `${reason}, ${away.today}` : reason,
              ]}
            >
              {isMine ? <CardForm act="back" fields={{ id }} label={away.end} /> : null}
            </Row>
          );
        })}
      </ul>
      <CardForm act="away" label={away.add}>
        <p>
          <Text>{away.addAbout}</Text>
        </p>
        <Fields
          fields={[
            { kind: "date", name: "from", label: away.from },
            { kind: "date", name: "until", label: away.until, min: `${today}` },
            { kind: "list", name: "reason", label: away.reason, options },
          ]}
          filled={actionData?.away}
        />
      </CardForm>
    </Card>
  );
}
