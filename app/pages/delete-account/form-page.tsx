import { paths } from "../../../server/http/paths.ts";
import { documentTitle } from "../../document/page-meta.ts";
import { Badge } from "../../ui/badge.tsx";
import { DataKindsTable } from "../../ui/data-kinds-table.tsx";
import { Fold } from "../../ui/fold.tsx";
import { DownSign } from "../../ui/icons.tsx";
import { Island } from "../../ui/island.tsx";
import { breakAddresses } from "../../ui/line-breaks.tsx";
import { ImportantNotice } from "../../ui/notice.tsx";
import { useWords, type Words } from "../../words.ts";
import { postAddress } from "./answer-place.ts";
import islandUrl from "./deletion-request.island.tsx?island";
import { DeletionRequest, type DeletionRequestProps } from "./deletion-request.tsx";
import styles from "./form-page.module.css";
import { Journey } from "./journey.tsx";

/** What the page's title says, before and after the form is sent. */
export function formTitles({ deletion }: Words) {
  const { meta, problems, success } = deletion;
  return {
    form: meta.title,
    problems: `${problems.summaryTitle} · ${meta.title}`,
    submitted: success.title,
  };
}

/** The form with all that is to be known before; once it is sent, what came of it in their place. */
export function FormPage({
  kept,
  ...given
}: Omit<DeletionRequestProps, "words" | "titles" | "addresses"> & { kept: string | undefined }) {
  const words = useWords();
  const { deletion, to } = words;
  const { summaryTitle, offline } = deletion.problems;
  const { next: _, notes: __, ...success } = deletion.success;
  const titles = formTitles(words);
  const asking = given.submitted === undefined;
  return (
    <>
      <header className={`stack ${styles.opening}`}>
        <Badge>{deletion.badge}</Badge>
        <h1>{deletion.title}</h1>
        {asking ? (
          <div className={styles.asking}>
            <p>{kept ? `${deletion.lead} ${kept}` : deletion.lead}</p>
            <p>
              <a className={`target ${styles.toForm}`} href="#deletion-form">
                <DownSign /> {deletion.toForm}
              </a>
            </p>
          </div>
        ) : null}
      </header>
      {asking ? <ToKnowBefore /> : null}
      <Island
        id="deletion-island"
        scriptUrl={islandUrl}
        props={{
          ...given,
          addresses: {
            home: to(paths.landing),
            page: to(paths.deletion),
            form: to(postAddress),
            background: to(paths.deletionRequests),
          },
          words: {
            form: deletion.form,
            problems: { summaryTitle, offline },
            success: { ...success, skippedTitle: deletion.visit.skipped.title },
          },
          titles: {
            form: documentTitle(words, titles.form),
            problems: documentTitle(words, titles.problems),
            submitted: documentTitle(words, titles.submitted),
          },
        }}
        render={(props) => <DeletionRequest {...props} />}
      />
    </>
  );
}

function ToKnowBefore() {
  const { deletion } = useWords();
  return (
    <div className={`stack ${styles.asking} ${styles.before}`}>
      <ImportantNotice id="notice-title" title={deletion.noticeTitle}>
        <p>{deletion.notice}</p>
        <p className={styles.stays}>{deletion.stays}</p>
      </ImportantNotice>
      <Fold title={deletion.stepsTitle}>
        <Journey
          label={deletion.stepsTitle}
          stops={deletion.steps.map((step, index) => ({
            ...step,
            phase: index === 0 ? "here" : "ahead",
          }))}
        />
      </Fold>
      <Fold title={deletion.before.title}>
        <ul className={`stack bullets ${styles.settle}`}>
          {deletion.before.items.map((item) => (
            <li key={item} dangerouslySetInnerHTML={{ __html: breakAddresses(item) }} />
          ))}
        </ul>
      </Fold>
      <Fold title={deletion.table.title}>
        <DataKindsTable />
      </Fold>
    </div>
  );
}
