import { campus } from "virtual:campus";
import { data, redirect } from "react-router";
import { createFormKey } from "../../../server/deletion-requests/form-key.ts";
import type { DeletionRequests } from "../../../server/deletion-requests/service.ts";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import { getServices } from "../../services-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { DataKindsTable } from "../../ui/data-kinds-table.tsx";
import { Island } from "../../ui/island.tsx";
import { ImportantNotice } from "../../ui/notice.tsx";
import type { Route } from "./+types/delete-account-page";
import { type Shown, visitAddress } from "./answer-form.ts";
import styles from "./delete-account-page.module.css";
import islandUrl from "./deletion-request.island.tsx?island";
import { DeletionRequest } from "./deletion-request.tsx";
import formGuard from "./form-guard.js?script";
import { toSubmitted } from "./page-answer.ts";
import { VisitPanel } from "./visit-panel.tsx";
import { toVisitView, type VisitView } from "./visit-view.ts";

export const handle: PageHandle = { inlineScripts: [formGuard], island: true };

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const { meta, visit } = campus.deletion;
  const title = loaderData?.view ? visit.metaTitle : meta.title;
  return pageMeta({
    title,
    description: meta.description,
    path: paths.deletion,
    publicUrl,
    noIndex: Boolean(loaderData?.view || loaderData?.submitted),
    jsonLd: [breadcrumbs(publicUrl, [{ name: title, path: paths.deletion }])],
  });
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { deletionRequests, deletionMode, visit } = getServices(context);
  const shown = visit.shown as Shown | undefined;
  const { searchParams } = new URL(request.url);
  const formKey = searchParams.get("submitted");
  const stored = formKey ? await deletionRequests.findSubmission(formKey) : undefined;
  const view =
    shown?.kind === "visit" ? shown.view : await openView(deletionRequests, searchParams);
  return data(
    {
      form: shown?.kind === "form" ? shown : undefined,
      problem: shown?.kind === "visit" ? shown.problem : undefined,
      simulated: deletionMode === "simulated",
      newFormKey: createFormKey(),
      submitted: stored && toSubmitted(stored),
      view,
    },
    { status: view?.kind === "unknown" ? 404 : view?.kind === "visit-expired" ? 410 : 200 },
  );
}

/** The page behind a mail's link. The link itself is exchanged at once for a short-lived form of it. */
async function openView(
  deletionRequests: DeletionRequests,
  searchParams: URLSearchParams,
): Promise<VisitView | undefined> {
  const link = searchParams.get("link");
  if (link !== null) {
    const opened = await deletionRequests.openLink(link);
    if (opened.kind === "unknown") return { kind: "unknown" };
    throw redirect(visitAddress(opened.visit), 303);
  }
  const visit = searchParams.get("visit");
  if (visit === null) return undefined;
  const asked = searchParams.get("ask") === "cancel";
  return toVisitView(await deletionRequests.openVisit(visit), visit, { asked });
}

export default function DeleteAccountPage({ loaderData }: Route.ComponentProps) {
  const { deletion } = campus;
  const { form, view, problem } = loaderData;
  const answer = form?.answer;
  const submitted = answer?.kind === "submitted" ? answer.submitted : loaderData.submitted;
  if (view) {
    return (
      <div className={`page-width ${styles.page}`}>
        <Badge>{deletion.badge}</Badge>
        <VisitPanel view={view} problem={problem} />
        <Help />
      </div>
    );
  }
  const { next: _, ...success } = deletion.success;
  return (
    <div className={`page-width ${styles.page}`}>
      <header className={styles.opening}>
        <Badge>{deletion.badge}</Badge>
        <h1>{deletion.title}</h1>
        <p>{deletion.lead}</p>
      </header>

      <ImportantNotice id="notice-title" title={deletion.noticeTitle}>
        <p>{deletion.notice}</p>
        <p className={styles.stays}>{deletion.stays}</p>
      </ImportantNotice>

      <section>
        <h2>{deletion.stepsTitle}</h2>
        <ol className={styles.steps}>
          {deletion.steps.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </section>

      <section>
        <h2>{deletion.before.title}</h2>
        <ul className={styles.before}>
          {deletion.before.items.map((item) => (
            <li key={item} dangerouslySetInnerHTML={{ __html: item }} />
          ))}
        </ul>
      </section>

      <Island
        id="deletion-island"
        scriptUrl={islandUrl}
        props={{
          words: {
            form: deletion.form,
            problems: deletion.problems,
            success: { ...success, skippedTitle: deletion.visit.skipped.title },
          },
          formKey: form?.formKey || loaderData.newFormKey,
          values: form?.values ?? {},
          problems: answer?.kind === "problems" ? answer.problems : [],
          submitted,
          simulated: loaderData.simulated,
        }}
        render={(props) => <DeletionRequest {...props} />}
      />

      <section>
        <h2>{deletion.table.title}</h2>
        <DataKindsTable />
      </section>

      <Help />
    </div>
  );
}

function Help() {
  const { closedMailbox, help } = campus.deletion;
  return (
    <div className={styles.help}>
      <section>
        <h2>{closedMailbox.title}</h2>
        <p dangerouslySetInnerHTML={{ __html: closedMailbox.text }} />
      </section>
      <section>
        <h2>{help.title}</h2>
        <p>{help.text}</p>
        <p>
          <a className={styles.mail} href={`mailto:${campus.settings.email}`}>
            {help.link}
          </a>
        </p>
      </section>
    </div>
  );
}
