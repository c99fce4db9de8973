import { Fragment } from "react";
import { paths } from "../../../server/http/paths.ts";
import { tellDeliveryProblem } from "../../../server/mail/delivery-problem.ts";
import type { DeskAct } from "../../../server/operator-desk/act-names.ts";
import { getServices } from "../../services-context.ts";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/health-page";
import { requireOperator } from "./guard.ts";
import { type ShownSign, showSigns } from "./health-signs.ts";
import { OperatorPage, operatorMeta } from "./operator-page.tsx";
import styles from "./watch.module.css";

export const meta = (args: Route.MetaArgs) => operatorMeta(args, "health");

export async function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  const { desk, watch } = getServices(args.context);
  const words = wordsAt(new URL(args.request.url));
  const { mailKinds, deliveryProblems } = words.mail;
  const troubled = await desk.troubled(mailsShown);
  const failing = await desk.failing(mailsShown);
  return {
    signs: showSigns(await watch.signs(), words),
    mails: {
      first: [
        ...troubled.first.map((one) => ({ ...one, place: "resend" satisfies DeskAct })),
        ...failing.map((one) => ({ ...one, place: "mails-title" })),
      ]
        .slice(0, mailsShown)
        .map((one) => ({
          reference: one.reference,
          place: one.place,
          kind: mailKinds[one.kind] ?? one.kind,
          problem: tellDeliveryProblem(deliveryProblems, one.lastProblem),
        })),
      more: troubled.count + failing.length > mailsShown,
    },
  };
}

/** A card's worth; the oldest come first, and the others when these are done. */
const mailsShown = 8;

export default function HealthPage({ loaderData }: Route.ComponentProps) {
  return (
    <OperatorPage name="health">
      <ul className={styles.signs}>
        {loaderData.signs.map((sign) => (
          <Sign key={sign.kind} sign={sign} mails={loaderData.mails} />
        ))}
      </ul>
    </OperatorPage>
  );
}

type Mails = Route.ComponentProps["loaderData"]["mails"];

function Sign({ sign, mails }: { sign: ShownSign; mails: Mails }) {
  const { operator, to } = useWords();
  const { needs, health } = operator.watch;
  return (
    <li className={`${styles.sign} ${sign.needs === "nothing" ? "" : styles[sign.needs]}`}>
      <header>
        <h2>{sign.title}</h2>
        <span className={styles.needs}>{needs[sign.needs]}</span>
      </header>
      {sign.says.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {sign.kind === "mail" && mails.first.length > 0 ? <MailList {...mails} /> : null}
      <p className={styles.todo}>{sign.todo}</p>
      {sign.kind === "late" && sign.needs === "now" ? (
        <p className={styles.todo}>
          <a href={to(paths.operator)}>{health.late.link}</a>
        </p>
      ) : null}
      {sign.kind === "presence" ? (
        <p className={styles.todo}>
          <a href={to(paths.operatorAway)}>{health.presence.link}</a>
        </p>
      ) : null}
      {sign.command ? (
        <p className={styles.todo}>
          {health.machine} <Command line={sign.command} />
        </p>
      ) : null}
    </li>
  );
}

/** The mails that did not leave, each with the way to the request from which it is sent again. */
function MailList({ first, more }: Mails) {
  const { operator, say, to } = useWords();
  const { mail } = operator.watch.health;
  return (
    <>
      <p>{say(mail.open, { count: first.length })}</p>
      <ul className={styles.mails}>
        {first.map(({ reference, place, kind, problem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a request may wait with two of a kind.
          <li key={index}>
            {reference ? (
              <a href={`${to(paths.operatorRequest(reference))}#${place}`}>{reference}</a>
            ) : null}{" "}
            <b>{kind}</b> {problem}
          </li>
        ))}
      </ul>
      {more ? <p className={styles.todo}>{mail.more}</p> : null}
    </>
  );
}

function Command({ line }: { line: string }) {
  return (
    <code>
      {line.split(" ").map((word, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of one command, in their order.
        <Fragment key={place}>
          {place > 0 ? " " : ""}
          <span>{word}</span>
        </Fragment>
      ))}
    </code>
  );
}
