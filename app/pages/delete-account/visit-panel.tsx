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
import { type Fact, type Quote, type StatusView, titleOf, type VisitView } from "./visit-view.ts";

/** The page behind a mail's link. Only its buttons, which post, change anything. */
export function VisitPanel({ view, problem }: { view: VisitView; problem?: string }) {
  const spoken = useWords();
  const words = spoken.deletion.visit;
  return (
    <>
      <section
        id={answerId}
        className={`stack panel ${styles.panel}`}
        tabIndex={-1}
        aria-labelledby="answer-title"
      >
        {problem ? <Alarm>{problem}</Alarm> : null}
        {view.kind === "status" && view.cancel === "too-late" ? (
          <Alarm>
            {view.state === "in-progress" ? words.cancel.tooLate : words.cancel.tooLateEnded}
          </Alarm>
        ) : null}
        <h1 id="answer-title">{titleOf(spoken, view)}</h1>
        <PanelOf view={view} />
      </section>
      {view.kind === "status" ? <BelowStatus view={view} /> : null}
    </>
  );
}

function Alarm({ children }: { children: string }) {
  return (
    <Notice tone="danger" role="alert">
      {children}
    </Notice>
  );
}

/** Below how a request stands: the way to cancel, or the receipt and its proof. */
function BelowStatus({ view }: { view: StatusView }) {
  const { deletion, to } = useWords();
  const { cancel, receipt } = deletion.visit;
  return (
    <>
      {view.cancel === "offered" ? (
        <section className={`stack ${styles.cancel}`}>
          <h2>{cancel.title}</h2>
          <p>{cancel.text}</p>
          <p>
            <ButtonLink href={to(`${visitAddress(view)}&ask=cancel#${answerId}`)}>
              {cancel.link}
            </ButtonLink>
          </p>
        </section>
      ) : null}
      {view.state === "completed" ? (
        <section className={`stack ${styles.kinds}`}>
          <h2>{receipt.title}</h2>
          <DataKindsTable lines={view.receipt.lines} />
          {[view.receipt.backups ?? "", ...view.receipt.told].filter(Boolean).map((text) => (
            <p key={text}>{text}</p>
          ))}
        </section>
      ) : null}
      {view.proof.length > 0 ? <Proof facts={view.proof} /> : null}
    </>
  );
}

/** How it stands in the ledger. */
function Proof({ facts }: { facts: Fact[] }) {
  const { deletion, to } = useWords();
  const words = deletion.visit.receipt.proof;
  const site = useRouteLoaderData<typeof loader>("root");
  const receiptKeys = to(paths.receiptKeys);
  return (
    <section className={`stack ${styles.kinds}`}>
      <h2>{words.title}</h2>
      <p>
        {words.text}{" "}
        <a href={receiptKeys} data-address={site?.publicUrl + receiptKeys}>
          {words.link}
        </a>
      </p>
      <Facts facts={facts} />
    </section>
  );
}

function PanelOf({ view }: { view: VisitView }) {
  const { deletion } = useWords();
  const words = deletion.visit;
  switch (view.kind) {
    case "confirm":
      return <Confirm view={view} />;
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
          <ToForm />
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
          <ToForm look="primary" />
        </>
      );
  }
}

function Confirm({ view }: { view: Extract<VisitView, { kind: "confirm" }> }) {
  const { deletion, mail } = useWords();
  const words = deletion.visit;
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
}

/** The way back to the form. */
function ToForm({ look }: { look?: "primary" }) {
  const { deletion, to } = useWords();
  return (
    <p>
      <ButtonLink href={to(paths.deletion)} look={look}>
        {deletion.visit.unknown.button}
      </ButtonLink>
    </p>
  );
}

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
      {view.why ? <Quoted {...view.why} /> : null}
      {view.waitsUntil && !view.late ? <Html html={words.status.held.due} /> : null}
      <Quotes title={words.status.correctionsTitle} quotes={view.corrections} />
      <Quotes title={words.status.extensionsTitle} quotes={view.extensions} />
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
      {view.state === "refused" || view.state === "cancelled" ? <ToForm /> : null}
    </>
  );
}

function Quotes({ title, quotes }: { title: string; quotes: Quote[] }) {
  if (quotes.length === 0) return null;
  return (
    <div>
      <h2>{title}</h2>
      {quotes.map((quote) => (
        <Quoted key={quote.text} {...quote} />
      ))}
    </div>
  );
}

function Quoted({ text, explanation }: Quote) {
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
