import { useRouteLoaderData } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import type { loader } from "../../root.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { DataKindsTable } from "../../ui/data-kinds-table.tsx";
import { breakAddresses, WithDates } from "../../ui/line-breaks.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useWords } from "../../words.ts";
import { answerId, postAddress } from "./answer-place.ts";
import { Journey } from "./journey.tsx";
import { MaskedAddress } from "./masked-address.tsx";
import { SkippedDays } from "./skipped-days.tsx";
import styles from "./visit-panel.module.css";
import { type Fact, titleOf, type VisitView } from "./visit-view.ts";

/** The page behind a mail's link. Only its buttons, which post, change anything. */
export function VisitPanel({ view, problem }: { view: VisitView; problem?: string }) {
  const spoken = useWords();
  const words = spoken.deletion.visit;
  const site = useRouteLoaderData<typeof loader>("root");
  const receiptKeys = spoken.to(paths.receiptKeys);
  return (
    <>
      <section
        id={answerId}
        className={`stack panel ${styles.panel}`}
        tabIndex={-1}
        aria-labelledby="answer-title"
      >
        {problem ? (
          <Notice tone="danger" role="alert">
            {problem}
          </Notice>
        ) : null}
        {view.kind === "status" && view.cancel === "too-late" ? (
          <Notice tone="danger" role="alert">
            {view.state === "in-progress" ? words.cancel.tooLate : words.cancel.tooLateEnded}
          </Notice>
        ) : null}
        <h1 id="answer-title">{titleOf(spoken, view)}</h1>
        <PanelOf view={view} />
      </section>
      {view.kind === "status" && view.cancel === "offered" ? (
        <section className={`stack ${styles.cancel}`}>
          <h2>{words.cancel.title}</h2>
          <p>{words.cancel.text}</p>
          <p>
            <ButtonLink href={spoken.to(`${visitAddress(view)}&ask=cancel#${answerId}`)}>
              {words.cancel.link}
            </ButtonLink>
          </p>
        </section>
      ) : null}
      {view.kind === "status" && view.state === "completed" ? (
        <section className={`stack ${styles.kinds}`}>
          <h2>{words.receipt.title}</h2>
          <DataKindsTable lines={view.receipt.lines} />
          {[view.receipt.backups ?? "", ...view.receipt.told].filter(Boolean).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      ) : null}
      {view.kind === "status" && view.proof.length > 0 ? (
        <section className={`stack ${styles.kinds}`}>
          <h2>{words.receipt.proof.title}</h2>
          <p>
            {words.receipt.proof.text}{" "}
            <a href={receiptKeys} data-address={site?.publicUrl + receiptKeys}>
              {words.receipt.proof.link}
            </a>
          </p>
          <Facts facts={view.proof} />
        </section>
      ) : null}
    </>
  );
}

function PanelOf({ view }: { view: VisitView }) {
  const { deletion, mail, to } = useWords();
  const words = deletion.visit;
  switch (view.kind) {
    case "confirm":
      return (
        <>
          <p>{words.confirm.text}</p>
          <Facts facts={view.facts} />
          <Act act="confirm" visit={view.visit} look="danger">
            {words.confirm.button}
          </Act>
          <p>{view.due}</p>
          <p className={styles.aside}>{words.confirm.notYou}</p>
          <Journey label={mail.route.label} stops={view.stops} />
          <SkippedDays title={words.skipped.title} days={view.skipped} />
        </>
      );
    case "status":
      return view.cancel === "asked" ? <CancelQuestion view={view} /> : <Status view={view} />;
    case "entered":
      return (
        <>
          <p>{words.entered.text}</p>
          <Html html={words.entered.notYou} />
          <Facts facts={view.facts} />
        </>
      );
    case "link-used":
    case "link-expired":
      return (
        <>
          <p>{view.kind === "link-used" ? words.linkUsed.text : words.linkExpired.text}</p>
          <Act act="new-link" visit={view.visit} look="primary">
            {words.newLink.button}
          </Act>
          {view.waits ? <p>{view.waits}</p> : null}
          <Facts facts={[{ label: words.facts.reference, value: view.reference }]} />
        </>
      );
    case "request-ended":
      return (
        <>
          <p>{words.requestEnded.text}</p>
          <p>
            <ButtonLink href={to(paths.deletion)}>{words.unknown.button}</ButtonLink>
          </p>
          <Facts facts={[{ label: words.facts.reference, value: view.reference }]} />
        </>
      );
    case "new-link-sent":
      return (
        <>
          <p>{words.newLink.sentText}</p>
          <Facts facts={view.facts} />
        </>
      );
    case "visit-expired":
      return <p>{words.visitExpired.text}</p>;
    case "unknown":
      return (
        <>
          <p>{words.unknown.text}</p>
          <p>
            <ButtonLink href={to(paths.deletion)} look="primary">
              {words.unknown.button}
            </ButtonLink>
          </p>
        </>
      );
  }
}

type StatusView = Extract<VisitView, { kind: "status" }>;

const visitAddress = (view: StatusView) =>
  `${paths.deletion}?visit=${encodeURIComponent(view.visit)}`;

function CancelQuestion({ view }: { view: StatusView }) {
  const { deletion, to } = useWords();
  const words = deletion.visit;
  return (
    <>
      <p>{words.cancel.explain}</p>
      <div className="row">
        <Act act="cancel" visit={view.visit} look="primary">
          {words.cancel.yes}
        </Act>
        <ButtonLink href={to(`${visitAddress(view)}#${answerId}`)}>{words.cancel.no}</ButtonLink>
      </div>
      <Facts facts={view.facts} />
    </>
  );
}

function Status({ view }: { view: StatusView }) {
  const { deletion, mail, to, say } = useWords();
  const words = deletion.visit;
  const completed = view.state === "completed";
  return (
    <>
      {view.late ? (
        <Notice tone="danger">
          <Html html={view.late} />
        </Notice>
      ) : null}
      <p>
        {view.waitsUntil
          ? words.status.held.text
          : view.done
            ? say(words.status.done.text, { time: view.done })
            : words.status.states[view.state].text}
      </p>
      {view.why ? <Quote text={view.why.reason} explanation={view.why.explanation} /> : null}
      {view.waitsUntil && !view.late ? <Html html={words.status.held.due} /> : null}
      {view.corrections.length > 0 ? (
        <div>
          <h2>{words.status.correctionsTitle}</h2>
          {view.corrections.map(({ what, explanation }) => (
            <Quote key={what} text={what} explanation={explanation} />
          ))}
        </div>
      ) : null}
      {view.extensions.length > 0 ? (
        <div>
          <h2>{words.status.extensionsTitle}</h2>
          {view.extensions.map(({ when, explanation }) => (
            <Quote key={when} text={when} explanation={explanation} />
          ))}
        </div>
      ) : null}
      <Journey label={mail.route.label} stops={view.stops} open={completed} />
      {view.state === "refused" ? <Html html={words.status.complain} /> : null}
      {view.state === "cancelled" ? <Html html={words.status.afterCancelling} /> : null}
      <Facts facts={view.facts} />
      <SkippedDays title={words.skipped.title} days={view.skipped} />
      {completed ? (
        <p>
          <ButtonLink
            href={to(`${paths.deletionReceipt}?visit=${encodeURIComponent(view.visit)}`)}
            look="primary"
          >
            {words.receipt.download}
          </ButtonLink>
        </p>
      ) : (
        <p className={styles.aside}>{words.status.keepMail}</p>
      )}
      {view.state === "refused" || view.state === "cancelled" ? (
        <p>
          <ButtonLink href={to(paths.deletion)}>{words.unknown.button}</ButtonLink>
        </p>
      ) : null}
    </>
  );
}

function Quote({ text, explanation }: { text: string; explanation: string }) {
  return (
    <blockquote className={`stack ${styles.reason}`}>
      <p>{text}</p>
      {explanation ? <p>{explanation}</p> : null}
    </blockquote>
  );
}

/** A paragraph of a campus's words, with links to mailboxes. */
function Html({ html }: { html: string }) {
  return <p dangerouslySetInnerHTML={{ __html: breakAddresses(html) }} />;
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>
            {fact.masked ? (
              <MaskedAddress address={fact.masked} />
            ) : (
              <WithDates text={fact.value} className={styles.date} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Act({
  act,
  visit,
  look,
  children,
}: {
  act: "confirm" | "cancel" | "new-link";
  visit: string;
  look: "primary" | "danger";
  children: string;
}) {
  const { to } = useWords();
  return (
    <form method="post" action={to(postAddress)}>
      <input type="hidden" name="visit" value={visit} />
      <Button type="submit" name="act" value={act} look={look}>
        {children}
      </Button>
    </form>
  );
}
