import { Fragment } from "react";
import { paths } from "../../../server/http/paths.ts";
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
  const signs = await getServices(args.context).watch.signs();
  return { signs: showSigns(signs, wordsAt(new URL(args.request.url))) };
}

export default function HealthPage({ loaderData }: Route.ComponentProps) {
  return (
    <OperatorPage name="health">
      <ul className={styles.signs}>
        {loaderData.signs.map((sign) => (
          <Sign key={sign.kind} sign={sign} />
        ))}
      </ul>
    </OperatorPage>
  );
}

function Sign({ sign }: { sign: ShownSign }) {
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
      <p className={styles.todo}>{sign.todo}</p>
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
