import { campus } from "virtual:campus";
import { TriangleAlert } from "lucide-react";
import { data, redirect } from "react-router";
import { createFormKey } from "../../../server/deletion-requests/form-key.ts";
import { type PostedFields, statusOf } from "../../../server/http/submission-door.ts";
import type { PageHandle } from "../../document/document-assets.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import { Island } from "../../islands/island.tsx";
import { getServices } from "../../services-context.ts";
import { DataKindsTable } from "../../ui/data-kinds-table.tsx";
import type { Route } from "./+types/delete-account-page";
import styles from "./delete-account-page.module.css";
import type { TypedValues } from "./deletion-form.tsx";
import { DeletionRequest } from "./deletion-request.tsx";
import formGuard from "./form-guard.js?raw";
import { type PageAnswer, toPageAnswer } from "./page-answer.ts";

export const handle: PageHandle = { inlineScripts: [formGuard], island: true };

export function headers() {
  return { "Cache-Control": "no-store" };
}

export function meta({ matches }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const { title, description } = campus.deletion.meta;
  return pageMeta({
    title,
    description,
    path: "/delete-my-account",
    publicUrl,
    jsonLd: [breadcrumbs(publicUrl, [{ name: title, path: "/delete-my-account" }])],
  });
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { deletionRequests, deletionMode, islandUrl } = getServices(context);
  const formKey = new URL(request.url).searchParams.get("submitted");
  const stored = formKey ? await deletionRequests.findSubmission(formKey) : undefined;
  return {
    islandUrl,
    simulated: deletionMode === "simulated",
    newFormKey: createFormKey(),
    submitted: stored ? { reference: stored.reference, maskedEmail: stored.maskedEmail } : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { submissionDoor, visit } = getServices(context);
  const answer = await submissionDoor.receive(request, visit);
  if (answer.kind === "stored") {
    throw redirect(`/delete-my-account?submitted=${answer.submission.formKey}`, 303);
  }
  const fields = "fields" in answer ? answer.fields : {};
  return data(
    {
      answer: toPageAnswer(answer),
      values: typedValues(fields),
      formKey: single(fields, "formKey"),
    },
    { status: statusOf(answer) },
  );
}

export default function DeleteAccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { deletion } = campus;
  const answer: PageAnswer | undefined = actionData?.answer;
  const submitted = answer?.kind === "submitted" ? answer.submitted : loaderData.submitted;
  return (
    <div className={`page-width ${styles.page}`}>
      <header className={styles.opening}>
        <p className={styles.badge}>{deletion.badge}</p>
        <h1>{deletion.title}</h1>
        <p>{deletion.lead}</p>
      </header>

      <section className={styles.notice} aria-labelledby="notice-title">
        <h2 id="notice-title">
          <TriangleAlert aria-hidden="true" /> {deletion.noticeTitle}
        </h2>
        <p>{deletion.notice}</p>
        <p className={styles.stays}>{deletion.stays}</p>
      </section>

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
        scriptUrl={loaderData.islandUrl}
        props={{
          words: { form: deletion.form, problems: deletion.problems, success: deletion.success },
          formKey: actionData?.formKey || loaderData.newFormKey,
          values: actionData?.values ?? {},
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

      <div className={styles.help}>
        <section>
          <h2>{deletion.closedMailbox.title}</h2>
          <p dangerouslySetInnerHTML={{ __html: deletion.closedMailbox.text }} />
        </section>
        <section>
          <h2>{deletion.help.title}</h2>
          <p>{deletion.help.text}</p>
          <p>
            <a className={styles.mail} href={`mailto:${campus.settings.email}`}>
              {deletion.help.link}
            </a>
          </p>
        </section>
      </div>
    </div>
  );
}

/** What was typed, for the form to show again. A repeated field shows its first value. */
function typedValues(fields: PostedFields): TypedValues {
  return {
    email: single(fields, "email"),
    reason: single(fields, "reason"),
    feedback: single(fields, "feedback"),
    confirmed: single(fields, "confirmation") !== "",
  };
}

function single(fields: PostedFields, name: string): string {
  const value = fields[name] ?? "";
  return Array.isArray(value) ? (value[0] ?? "") : value;
}
