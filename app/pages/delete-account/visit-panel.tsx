import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import { checkingCommands } from "../../../server/deletion-requests/ledger/proof.ts";
import { isPartlyKept, toReceipt } from "../../../server/deletion-requests/presenters/receipt.ts";
import type {
  Fact,
  FactName,
  KnownFacts,
  RequestStatus,
} from "../../../server/deletion-requests/presenters/request.ts";
import type { VisitAnswer } from "../../../server/deletion-requests/self-service/visits.ts";
import type { DueDate } from "../../../server/platform/calendar/business-days.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { DataKindsTable } from "../../components/data-kinds-table.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import type { loader } from "../../root.tsx";
import { type PageWords, useWords } from "../../words.ts";
import { postAddress, type Visited } from "./answer-form.ts";
import { Facts, MaskedAddress, SkippedDays } from "./facts.tsx";
import { answerId } from "./form-problems.tsx";
import { Journey, layOutTimeline, startAtConfirming } from "./journey.tsx";
import styles from "./visit-panel.module.css";

/** Names of the facts that have a label on the page. */
type ListedFact = FactName &
  keyof (PageWords["mail"]["facts"] & PageWords["deletion"]["visit"]["facts"]);

/**
 * Renders the page that an email link opens. Opening the page changes nothing; only pressing a
 * button does.
 */
export function VisitPanel({ visited }: { visited: Visited }) {
  const words = useWords();
  const { cancel, notStored } = words.deletion.visit;
  const { answer } = visited;
  const { title, text, more, isWide } = panelOf(words, visited);
  const isStatus = answer.kind === "status" || answer.kind === "too-late";
  const status = isStatus ? answer.status : undefined;
  const tooLate = status?.state === "in-progress" ? cancel.tooLate : cancel.tooLateEnded;
  const alarm = visited.isNotStored ? notStored : answer.kind === "too-late" ? tooLate : undefined;
  return (
    <>
      <section
        id={answerId}
        className={`stack panel ${styles.panel} ${isWide ? styles.wide : ""}`}
        tabIndex={-1}
        aria-labelledby="answer-title"
      >
        {alarm ? (
          <Notice tone="danger" role="alert">
            <Text>{alarm}</Text>
          </Notice>
        ) : null}
        <h1 id="answer-title">
          <Text>{title}</Text>
        </h1>
        {text ? (
          <p>
            <Text>{text}</Text>
          </p>
        ) : null}
        {more}
      </section>
      {status?.receipt ? <WhatBecameOf {...status.receipt} /> : null}
    </>
  );
}

/**
 * Content of the panel. The document title also starts with `title`. A wide panel has a route, which
 * fills the page's width.
 */
type Panel = { title: string; text?: string; more?: ReactNode; isWide?: boolean };

export function panelOf(words: PageWords, { answer, visit, asksToCancel }: Visited): Panel {
  const { dates, say } = words;
  const texts = words.deletion.visit;
  switch (answer.kind) {
    case "confirm":
      return { ...texts.confirm, more: <Confirm answer={answer} visit={visit} />, isWide: true };
    case "status":
    case "too-late": {
      const { status } = answer;
      const { question: title, explain: text } = texts.cancel;
      return answer.kind === "status" && asksToCancel && status.canCancel
        ? { title, text, more: <CancelQuestion status={status} visit={visit} /> }
        : {
            title: titleOf(words, status),
            more: <Standing answer={answer} visit={visit} />,
            isWide: true,
          };
    }
    case "entered":
      if (answer.stop) return stopPanel(words, answer, answer.stop, visit);
      return {
        ...texts.entered,
        title: words.mail.entered.title,
        more: [
          <Html key="not-you" html={texts.entered.notYou} />,
          <FactList
            key="facts"
            of={answer.facts}
            names={["reference", "address", "contact", "received"]}
          />,
        ],
      };
    case "link-used":
      return { ...texts.linkUsed, more: <NewLink {...answer} visit={visit} /> };
    case "link-expired":
      return { ...texts.linkExpired, more: <NewLink {...answer} visit={visit} /> };
    case "request-ended":
      return {
        ...texts.requestEnded,
        more: [<ToForm key="form" />, <Reference key="reference" text={answer.reference} />],
      };
    case "new-link-sent": {
      const { sentTitle: title, sentText: text } = texts.newLink;
      return { title, text, more: <FactList of={answer.facts} names={["address"]} /> };
    }
    case "panel-closed":
    case "visit-expired": {
      const { again, ...expired } = texts.visitExpired;
      return {
        ...(answer.kind === "panel-closed" ? texts.panelClosed : expired),
        more: [
          <p key="again">
            <Text>{again}</Text>
          </p>,
          <ToForm key="form" variant="primary" />,
        ],
      };
    }
    case "unknown": {
      const { restored, ...unknown } = texts.unknown;
      const { knownUntil } = answer;
      const text = knownUntil ? say(restored, { date: dates.moment(knownUntil) }) : unknown.text;
      return { ...unknown, text, more: <ToForm variant="primary" /> };
    }
  }
}

/**
 * Returns the panel for the owner of a mailbox that was reported as closed. If the mailbox still
 * works, its owner can stop the request here.
 */
function stopPanel(
  { dates, deletion, say }: PageWords,
  { facts }: { facts: KnownFacts },
  { until, isOver }: { until: Temporal.Instant; isOver: boolean },
  visit: string,
): Panel {
  const { title, text, late, button, wasYou } = deletion.visit.entered.stop;
  return {
    title,
    text: isOver ? late : say(text, { date: dates.moment(until) }),
    more: [
      <Act key="stop" act="cancel" visit={visit} variant="primary">
        {button}
      </Act>,
      <p key="was-you">
        <Text>{wasYou}</Text>
      </p>,
      <FactList key="facts" of={facts} names={["reference", "address", "contact", "received"]} />,
    ],
  };
}

function titleOf({ dates, deletion, mail, say }: PageWords, status: RequestStatus): string {
  const { held, states } = deletion.visit.status;
  const { why } = status;
  if (why?.until) return say(held.title, { date: dates.dayNear(why.until) });
  if (status.state === "confirmed") return mail.confirmed.title;
  if (status.state !== "completed") return states[status.state].title;
  return (isPartlyKept(status.receipt?.completion) ? mail.completed.kept : mail.completed).title;
}

/**
 * Returns whether the request is late (`isLate`) or still on schedule (`isPromised`). Both are
 * false for a request that isn't open.
 */
function dueStatus({ state, daysLeft }: RequestStatus) {
  const isOpen = state === "confirmed" || state === "in-progress";
  return { isLate: isOpen && daysLeft < 0, isPromised: isOpen && daysLeft >= 0 };
}

/** Renders the button that requests a new link, for a used or expired link. */
function NewLink(given: { visit: string; reference: string; waitsUntil?: Temporal.Instant }) {
  const { visit, reference, waitsUntil } = given;
  const { dates, deletion, say } = useWords();
  const { linkExpired, newLink } = deletion.visit;
  return (
    <>
      <Act act="new-link" visit={visit} variant="primary">
        {newLink.button}
      </Act>
      {waitsUntil ? (
        <p>
          <Text>{say(linkExpired.waits, { date: dates.moment(waitsUntil) })}</Text>
        </p>
      ) : null}
      <Reference text={reference} />
    </>
  );
}

function Confirm({
  answer: { facts, road, dueIfConfirmedToday: due },
  visit,
}: {
  answer: Extract<VisitAnswer, { kind: "confirm" }>;
  visit: string;
}) {
  const words = useWords();
  const { confirm } = words.deletion.visit;
  return (
    <div className={styles.sides}>
      <div className="stack">
        <FactList of={facts} names={["reference", "address"]} />
        <Act act="confirm" visit={visit} variant="danger">
          {confirm.button}
        </Act>
        <p>
          <Text>{words.say(confirm.due, { date: words.dates.day(due.date) })}</Text>
        </p>
        <p className="soft">
          <Text>{confirm.notYou}</Text>
        </p>
      </div>
      <div className={styles.road}>
        <Journey
          label={words.mail.route.label}
          stops={startAtConfirming(words, layOutTimeline(words, road))}
        />
        <Skipped due={due} />
      </div>
    </div>
  );
}

function Cancelling({ visit }: { visit: string }) {
  const { deletion, to } = useWords();
  const { cancel } = deletion.visit;
  return (
    <div className={`row ${styles.cancel}`}>
      <p>
        <b>
          <Text>{cancel.title}</Text>
        </b>{" "}
        <Text>{cancel.text}</Text>
      </p>
      <ButtonLink href={`${to(paths.deletion, { visit, ask: "cancel" })}#${answerId}`}>
        {cancel.link}
      </ButtonLink>
    </div>
  );
}

function CancelQuestion({ status, visit }: { status: RequestStatus; visit: string }) {
  const { deletion, to } = useWords();
  const words = deletion.visit;
  return (
    <>
      <div className="row">
        <Act act="cancel" visit={visit} variant="primary">
          {words.cancel.yes}
        </Act>
        <ButtonLink href={`${to(paths.deletion, { visit })}#${answerId}`}>
          {words.cancel.no}
        </ButtonLink>
      </div>
      <StatusFacts status={status} />
    </>
  );
}

/** Renders a request's status: the due date first, and the route next to it. */
function Standing({
  answer: { kind, status },
  visit,
}: {
  answer: Extract<VisitAnswer, { kind: "status" | "too-late" }>;
  visit: string;
}) {
  const words = useWords();
  const { status: texts, overdue, receipt } = words.deletion.visit;
  const { dates, mail, say, to } = words;
  const { state, why } = status;
  const { isLate, isPromised } = dueStatus(status);
  // The title of a request on hold already contains a date.
  const isDateFirst = isPromised && !why;
  const road = status.road.map(({ ahead, ...step }) =>
    ahead?.says === "by" && isDateFirst ? step : { ...step, ...(ahead && { ahead }) },
  );
  return (
    <div className={styles.sides}>
      <div className="stack">
        {isDateFirst ? (
          <p className={styles.due}>
            <Text>{mail.route.ahead.completed}</Text>{" "}
            <b className="display">
              <Text>{say(mail.route.by, { date: dates.dayNear(status.due.date) })}</Text>
            </b>{" "}
            <span className="soft">
              <Text>{dates.daysLeft(status.daysLeft, mail.shared)}</Text>
            </span>
          </p>
        ) : null}
        {isLate ? (
          <Notice tone="danger">
            <Html html={overdue} />
          </Notice>
        ) : null}
        <p>
          <Text>{why?.until ? texts.held.text : texts.states[state].text}</Text>
        </p>
        {why ? <Quoted text={reasonOf(words, why)} explanation={why.explanation} /> : null}
        {state === "in-progress" ? <Html html={texts.stillStop} /> : null}
        {why?.until && !isLate ? <Html html={texts.held.due} /> : null}
        <Corrections status={status} />
      </div>
      <div className={styles.road}>
        <Journey
          label={mail.route.label}
          stops={layOutTimeline(words, road)}
          open={state === "completed"}
        />
        {isPromised ? <Skipped due={status.due} /> : null}
      </div>
      <div className="stack">
        {state === "refused" ? <Html html={texts.complain} /> : null}
        {state === "cancelled" ? <Html html={texts.afterCancelling} /> : null}
        {state === "refused" || state === "cancelled" ? <ToForm /> : null}
        <StatusFacts status={status} />
        {state === "completed" ? (
          <p>
            <ButtonLink href={to(paths.deletionReceipt, { visit })} variant="primary">
              {receipt.download}
            </ButtonLink>
          </p>
        ) : (
          <p className="soft">
            <Text>{texts.keepMail}</Text>
          </p>
        )}
        {kind === "status" && status.canCancel ? <Cancelling visit={visit} /> : null}
      </div>
    </div>
  );
}

function reasonOf({ deletion, mail }: PageWords, why: NonNullable<RequestStatus["why"]>): string {
  const { reason, until, explanation } = why;
  return reason === "other" && explanation === "" && !until
    ? deletion.visit.status.refusedOther
    : mail.reasons[reason];
}

/** Renders each correction and each changed due date as a sentence, with the team's explanation. */
function Corrections({ status }: { status: RequestStatus }) {
  const { dates, deletion, say } = useWords();
  const words = deletion.visit.status;
  return (
    <>
      <Titled title={words.correctionsTitle}>
        {status.corrections.map(({ at, explanation }) => {
          const text = say(words.corrections.reopened, { date: dates.moment(at) });
          return <Quoted key={text} text={text} explanation={explanation} />;
        })}
      </Titled>
      <Titled title={words.extensionsTitle}>
        {status.extensions.map(({ from, to, explanation }) => {
          const text = say(words.extension, { from: dates.day(from), to: dates.day(to) });
          return <Quoted key={text} text={text} explanation={explanation} />;
        })}
      </Titled>
    </>
  );
}

function Titled({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <div>
      <h2>
        <Text>{title}</Text>
      </h2>
      {children}
    </div>
  );
}

/**
 * Renders a completed request's receipt and how to verify it. The list of data deleted with the
 * account is collapsed.
 */
function WhatBecameOf({ completion, proof }: NonNullable<RequestStatus["receipt"]>) {
  const { dataKinds, dates, deletion, mail, say } = useWords();
  const receipt = toReceipt(completion, dataKinds, mail.receipt, dates);
  const { table, visit } = deletion;
  const deleted = receipt.lines.filter(
    ({ outcome, when, why }) => outcome === "deleted" && !when && !why,
  );
  const rest = receipt.lines.filter((line) => !deleted.includes(line));
  const count = say(table.onReceipt.withAccount, { count: deleted.length });
  return (
    <>
      <section className={`stack ${styles.kinds}`}>
        <h2>
          <Text>{visit.receipt.title}</Text>
        </h2>
        {deleted.length > 0 ? (
          <details className={`frame ${styles.deleted}`} aria-label={count}>
            <summary>
              <Text>{count}</Text>
            </summary>
            <ul className="stack">
              {deleted.map(({ row }) => (
                <li key={`${row.store}/${row.key}`}>
                  <Text>{row.kind}</Text>
                  <span className="soft">
                    <Text>{`${row.examples} (${row.place})`}</Text>
                  </span>
                </li>
              ))}
            </ul>
          </details>
        ) : null}
        {rest.length > 0 ? <DataKindsTable lines={rest} /> : null}
        {[receipt.backups ?? "", ...receipt.notices].filter(Boolean).map((text) => (
          <p key={text}>
            <Text>{text}</Text>
          </p>
        ))}
      </section>
      {proof ? <Check keyVersion={proof.keyVersion} /> : null}
    </>
  );
}

function Check({ keyVersion }: { keyVersion: number }) {
  const { deletion, to } = useWords();
  const words = deletion.visit.receipt.genuine;
  const site = useRouteLoaderData<typeof loader>("root");
  const [key, more] = [paths.receiptKey(keyVersion), to(paths.receiptKeys)];
  return (
    <section className={`stack ${styles.kinds}`}>
      <h2>
        <Text>{words.title}</Text>
      </h2>
      <p>
        <Text>{words.text}</Text>
      </p>
      <pre className={styles.commands} lang="en" dir="ltr">
        {checkingCommands.map((command) => (
          <code key={command}>
            {command.split(/( )/).map((word, place) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: a command may repeat a word
              word === " " ? word : <span key={place}>{word}</span>,
            )}
            {"\n"}
          </code>
        ))}
      </pre>
      <p>
        <a href={key} download="key.pem" data-address={site?.publicUrl + key}>
          <Text>{words.key}</Text>
        </a>
      </p>
      <p>
        <a href={more} data-address={site?.publicUrl + more}>
          <Text>{words.link}</Text>
        </a>
      </p>
    </section>
  );
}

function StatusFacts({ status }: { status: RequestStatus }) {
  return <FactList of={status.facts} names={["reference", "references", "address", "contact"]} />;
}

function Reference({ text }: { text: string }) {
  return <FactList of={{ reference: { text } }} names={["reference"]} />;
}

/** Renders the known facts among `names`, with the page's labels. */
function FactList({ of, names }: { of: KnownFacts; names: readonly ListedFact[] }) {
  const { dates, deletion, mail } = useWords();
  const labels = { ...mail.facts, ...deletion.visit.facts };
  const format = ({ text = "", masked, on, at }: Fact) => {
    if (masked) return <MaskedAddress address={masked} />;
    return on ? dates.day(on) : at ? dates.moment(at) : text;
  };
  const facts = names.flatMap((name) => {
    const fact = of[name];
    return fact ? [[labels[name], format(fact)] as const] : [];
  });
  return <Facts facts={facts} />;
}

function Skipped({ due }: { due: DueDate }) {
  const { dates, mail } = useWords();
  const { skippedTitle, skippedWeekend } = mail.shared;
  const days = dates.skipped(due.skipped, skippedWeekend, dates.day);
  return <SkippedDays title={skippedTitle} days={days} />;
}

function Quoted({ text, explanation }: { text: string; explanation: string }) {
  return (
    <blockquote className={`stack ${styles.reason}`}>
      <p>
        <Text>{text}</Text>
      </p>
      {explanation ? (
        <p>
          <Text>{explanation}</Text>
        </p>
      ) : null}
    </blockquote>
  );
}

/** Renders a paragraph of trusted HTML from the campus's content. It may contain email links. */
function Html({ html }: { html: string }) {
  return <p dangerouslySetInnerHTML={{ __html: html }} />;
}

function ToForm({ variant }: { variant?: "primary" }) {
  const { deletion, to } = useWords();
  return (
    <p>
      <ButtonLink href={to(paths.deletion)} variant={variant}>
        {deletion.visit.unknown.button}
      </ButtonLink>
    </p>
  );
}

function Act({
  act,
  visit,
  variant,
  children,
}: {
  act: "confirm" | "cancel" | "new-link";
  visit: string;
  variant: "primary" | "danger";
  children: string;
}) {
  const { to } = useWords();
  return (
    <form method="post" action={to(postAddress)}>
      <input type="hidden" name="visit" value={visit} />
      <Button type="submit" name="act" value={act} variant={variant}>
        {children}
      </Button>
    </form>
  );
}
