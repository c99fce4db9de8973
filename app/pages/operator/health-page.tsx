import type { DeskAct } from "../../../server/deletion-requests/commands/acts.ts";
import {
  describeDeliveryCure,
  describeDeliveryProblem,
} from "../../../server/delivery/delivery-problem.ts";
import type { HealthSign, SentenceKeys, SignValue } from "../../../server/health.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { Text as Template } from "../../../server/platform/i18n/texts.ts";
import notice from "../../components/notice.module.css";
import { Text } from "../../components/text.tsx";
import { type PageWords, useWords } from "../../words.ts";
import type { Route } from "./+types/health-page";
import { requireOperator } from "./guard.ts";
import { OperatorPage } from "./operator-frame.tsx";

export async function loader(args: Route.LoaderArgs) {
  const { desk, health } = requireOperator(args).services;
  const troubled = await desk.troubled(mailsShown);
  const failing = await desk.failing(mailsShown);
  const mails = [
    ...troubled.first.map((message) => ({ ...message, place: "resend" satisfies DeskAct })),
    ...failing.map((message) => ({ ...message, place: "mails-title" })),
  ];
  return {
    signs: await health.signs(),
    mails: mails.slice(0, mailsShown),
    hasMore: troubled.count + failing.length > mailsShown,
  };
}

/**
 * Maximum number of emails on a card. Emails that need an operator come first, then those that the
 * server will retry, each group with the oldest first.
 */
const mailsShown = 8;

type LoaderData = Awaited<ReturnType<typeof loader>>;

const toneClasses = { now: notice.danger, soon: notice.know, nothing: "" };

export default function HealthPage({ loaderData }: { loaderData: LoaderData }) {
  const words = useWords();
  const { operator, to } = words;
  const { needs, health, away } = operator.watch;
  const links: Partial<Record<string, { text: string; path: string }>> = {
    late: { text: operator.desk.search.all, path: paths.operator },
    presence: { text: away.planned, path: `${paths.operatorMe}#away` },
  };
  return (
    <OperatorPage>
      <ul className="columns">
        {presentSigns(loaderData.signs, words).map((sign) => {
          const link = links[sign.kind];
          return (
            <li key={sign.kind} className={`desk-card stack frame ${toneClasses[sign.needs]}`}>
              <header className="row">
                <h2>
                  <Text>{sign.title}</Text>
                </h2>
                <b>
                  <Text>{needs[sign.needs]}</Text>
                </b>
              </header>
              {sign.says.map((text) => (
                <p key={text}>
                  <Text>{text}</Text>
                </p>
              ))}
              {sign.kind === "mail" && loaderData.mails.length > 0 ? (
                <MailList {...loaderData} />
              ) : null}
              {sign.needs === "nothing" ? null : (
                <p>
                  <Text>{sign.todo}</Text>
                </p>
              )}
              {link ? (
                <a href={to(link.path)}>
                  <Text>{link.text}</Text>
                </a>
              ) : null}
              {sign.command && sign.needs !== "nothing" ? (
                <p>
                  {/* Breaks the command only at spaces, not at hyphens. */}
                  <Text>{health.machine}</Text>{" "}
                  <code dir="ltr">
                    {sign.command
                      .split(" ")
                      .flatMap((word) => [" ", <span key={word}>{word}</span>])}
                  </code>
                </p>
              ) : null}
            </li>
          );
        })}
      </ul>
    </OperatorPage>
  );
}

/**
 * Renders the unsent emails. An email about a request links to the request's page, where an operator
 * can resend the email once the system has given up on it.
 */
function MailList({ mails, hasMore }: Pick<LoaderData, "mails" | "hasMore">) {
  const { mail, operator, to } = useWords();
  return (
    <>
      <ul className="lines">
        {mails.map(({ reference, place, kind, lastProblem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a request may wait with two of a kind.
          <li key={index}>
            {reference ? (
              <a className="target" href={`${to(paths.operatorRequest(reference))}#${place}`}>
                <Text>{reference}</Text>
              </a>
            ) : null}{" "}
            <b>
              <Text>{mail.mailKinds[kind] ?? kind}</Text>
            </b>{" "}
            <Text>{describeDeliveryProblem(mail.deliveryProblems, lastProblem)}</Text>
            <p className="soft">
              <Text>{describeDeliveryCure(mail.deliveryCures, lastProblem)}</Text>
            </p>
          </li>
        ))}
      </ul>
      {hasMore ? (
        <p>
          <Text>{operator.watch.health.mail.more}</Text>
        </p>
      ) : null}
    </>
  );
}

/** Formats the health signs. Urgent signs come first; otherwise, the order is unchanged. */
function presentSigns(signs: readonly HealthSign[], words: PageWords) {
  const { health } = words.operator.watch;
  const texts: {
    [Kind in keyof SentenceKeys]: Record<SentenceKeys[Kind], Template> &
      Record<"title" | "todo", string>;
  } & { late: { title: string; todo: string } } = {
    ...health,
    backup: { ...health.copies, ...health.backup },
    export: { ...health.copies, ...health.export },
  };
  const sentencesOf = (sign: HealthSign) => {
    if (sign.kind === "late") {
      return [words.dates.standing(sign.standing, words.mail.shared.standing)];
    }
    const signTexts: Record<string, Template> = texts[sign.kind];
    return sign.says.map(([key, values = {}]) =>
      words.say(signTexts[key] ?? key, formatValues(values, words)),
    );
  };
  return Object.keys(toneClasses)
    .flatMap((needs) => signs.filter((sign) => sign.needs === needs))
    .map((sign) => {
      const { title, todo } = texts[sign.kind];
      return { command: undefined, ...sign, title, todo, says: sentencesOf(sign) };
    });
}

function formatValues(values: Record<string, SignValue>, { dates, mail }: PageWords) {
  const format = (name: string, value: SignValue) => {
    if (value instanceof Temporal.Instant) return dates.momentBriefly(value);
    if (value instanceof Temporal.PlainDate) return dates.day(value);
    if (typeof value === "string") return describeDeliveryProblem(mail.deliveryProblems, value);
    return name === "size" ? formatBytes(value, mail.locale) : value;
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, format(name, value)]),
  );
}

/** Formats a size in bytes as gigabytes, such as "12 GB", in the given locale. */
function formatBytes(bytes: number, locale: string): string {
  const options = { style: "unit", unit: "gigabyte", maximumSignificantDigits: 2 } as const;
  return new Intl.NumberFormat(locale, options).format(bytes / 2 ** 30);
}
