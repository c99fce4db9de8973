import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { DataKindsTable } from "../../ui/data-kinds-table.tsx";
import { Notice } from "../../ui/notice.tsx";
import { MaskedAddress } from "./masked-address.tsx";
import { SkippedDays } from "./skipped-days.tsx";
import styles from "./visit-panel.module.css";
import type { Fact, VisitView } from "./visit-view.ts";

const words = campus.deletion.visit;

/** The page behind a mail's link. Only its buttons, which post, change anything. */
export function VisitPanel({ view, problem }: { view: VisitView; problem?: string }) {
  return (
    <>
      {problem ? (
        <Notice tone="danger" role="alert">
          {problem}
        </Notice>
      ) : null}
      <PanelOf view={view} />
    </>
  );
}

function PanelOf({ view }: { view: VisitView }) {
  switch (view.kind) {
    case "confirm":
      return (
        <section className={styles.panel}>
          <h1>{words.confirm.title}</h1>
          <p>{words.confirm.text}</p>
          <Facts facts={view.facts} />
          <p className={styles.promise}>{view.due}</p>
          <SkippedDays title={words.skipped.title} days={view.skipped} />
          <Act act="confirm" visit={view.visit} look="danger">
            {words.confirm.button}
          </Act>
          <p className={styles.aside}>{words.confirm.notYou}</p>
        </section>
      );
    case "status":
      return <StatusPanel view={view} />;
    case "link-used":
    case "link-expired": {
      const { title, text } = view.kind === "link-used" ? words.linkUsed : words.linkExpired;
      return (
        <section className={styles.panel}>
          <h1>{title}</h1>
          <p>{text}</p>
          <Facts facts={[{ label: words.facts.reference, value: view.reference }]} />
          <Act act="new-link" visit={view.visit} look="primary">
            {words.newLink.button}
          </Act>
        </section>
      );
    }
    case "new-link-sent":
      return (
        <section className={styles.panel}>
          <h1>{words.newLink.sentTitle}</h1>
          <p>{words.newLink.sentText}</p>
          <Facts facts={view.facts} />
        </section>
      );
    case "visit-expired":
      return (
        <section className={styles.panel}>
          <h1>{words.visitExpired.title}</h1>
          <p>{words.visitExpired.text}</p>
        </section>
      );
    case "unknown":
      return (
        <section className={styles.panel}>
          <h1>{words.unknown.title}</h1>
          <p>{words.unknown.text}</p>
          <p>
            <ButtonLink href={paths.deletion} look="primary">
              {words.unknown.button}
            </ButtonLink>
          </p>
        </section>
      );
  }
}

function StatusPanel({ view }: { view: Extract<VisitView, { kind: "status" }> }) {
  const { label, text } = words.status.states[view.state];
  const query = `?visit=${encodeURIComponent(view.visit)}`;
  return (
    <>
      <section className={styles.panel}>
        <h1>{words.status.title}</h1>
        {view.cancel === "too-late" ? (
          <Notice tone="danger" role="alert">
            {words.cancel.tooLate}
          </Notice>
        ) : null}
        <p className={styles.state} data-state={view.state}>
          {label}
        </p>
        <p>{text}</p>
        {view.refusal ? (
          <blockquote className={styles.reason}>
            <p>{view.refusal.reason}</p>
            {view.refusal.explanation ? <p>{view.refusal.explanation}</p> : null}
          </blockquote>
        ) : null}
        <Facts facts={view.facts} />
        {view.extensions.length > 0 ? (
          <div>
            <h2>{words.status.extensionsTitle}</h2>
            {view.extensions.map((extension) => (
              <blockquote key={extension.when} className={styles.reason}>
                <p>{extension.when}</p>
                {extension.explanation ? <p>{extension.explanation}</p> : null}
              </blockquote>
            ))}
          </div>
        ) : null}
        <SkippedDays title={words.skipped.title} days={view.skipped} />
        {view.refusal ? <p dangerouslySetInnerHTML={{ __html: words.status.complain }} /> : null}
        {view.state === "completed" ? (
          <p>
            <ButtonLink href={`${paths.deletionReceipt}${query}`} look="primary" download="">
              {words.receipt.download}
            </ButtonLink>
          </p>
        ) : (
          <p className={styles.aside}>{words.status.keepMail}</p>
        )}
      </section>
      {view.cancel === "offered" || view.cancel === "asked" ? (
        <section className={styles.cancel}>
          <h2>{view.cancel === "asked" ? words.cancel.question : words.cancel.title}</h2>
          {view.cancel === "asked" ? (
            <div className={styles.buttons}>
              <Act act="cancel" visit={view.visit} look="primary">
                {words.cancel.yes}
              </Act>
              <ButtonLink href={`${paths.deletion}${query}`}>{words.cancel.no}</ButtonLink>
            </div>
          ) : (
            <>
              <p>{words.cancel.text}</p>
              <p>
                <ButtonLink href={`${paths.deletion}${query}&ask=cancel`}>
                  {words.cancel.link}
                </ButtonLink>
              </p>
            </>
          )}
        </section>
      ) : null}
      {view.state === "completed" ? (
        <section>
          <h2>{words.receipt.title}</h2>
          <DataKindsTable />
        </section>
      ) : null}
    </>
  );
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.masked ? <MaskedAddress address={fact.masked} /> : fact.value}</dd>
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
  return (
    <form method="post" action={paths.deletion}>
      <input type="hidden" name="visit" value={visit} />
      <Button type="submit" name="act" value={act} look={look}>
        {children}
      </Button>
    </form>
  );
}
