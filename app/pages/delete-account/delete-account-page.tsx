import { data, redirect } from "react-router";
import type { Visits } from "../../../server/deletion-requests/asking/visits.ts";
import { createFormKey } from "../../../server/deletion-requests/life/request.ts";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import { tellKeptPromises } from "../../kept-promises.ts";
import { getServices } from "../../services-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { useWords, type Words, wordsAt } from "../../words.ts";
import type { Route } from "./+types/delete-account-page";
import { type Shown, toSubmitted, typedValues, wordAnswer } from "./answer-form.ts";
import { visitAddress } from "./answer-place.ts";
import styles from "./delete-account-page.module.css";
import formGuard from "./form-guard.js?script";
import { FormPage, formTitles } from "./form-page.tsx";
import { Help } from "./help.tsx";
import { titleOf, type Visited, VisitPanel } from "./visit-panel.tsx";

export const handle: PageHandle = { inlineScripts: [formGuard], island: true };

export function meta({ matches, location, loaderData }: Route.MetaArgs) {
  const words = wordsAt(location);
  const titles = formTitles(words);
  const { publicUrl } = matches[0].loaderData;
  const title = loaderData?.title ?? titles.form;
  return pageMeta(words, {
    title,
    description: words.deletion.meta.description,
    path: paths.deletion,
    publicUrl,
    noIndex: title !== titles.form,
    jsonLd: [breadcrumbs(words, publicUrl, [{ name: title, path: paths.deletion }])],
  });
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { submitting, visits, deletionMode, visit } = getServices(context);
  const shown = visit.shown as Shown | undefined;
  const url = new URL(request.url);
  const { searchParams } = url;
  const words = wordsAt(url);

  const visited = shown?.kind === "visit" ? shown : await openVisit(words, visits, searchParams);
  if (visited) {
    const { kind } = visited.answer;
    const notStored = shown?.kind === "visit" && shown.notStored;
    const problem = notStored ? words.deletion.visit.notStored : undefined;
    const title = problem ? words.deletion.problems.summaryTitle : titleOf(words, visited);
    const status = kind === "unknown" ? 404 : kind === "visit-expired" ? 410 : 200;
    return data(
      { title: `${title} · ${words.deletion.visit.metaTitle}`, visited, problem },
      { status },
    );
  }

  const form = shown?.kind === "form" ? shown : undefined;
  const answer = form && wordAnswer(words, form.answer);
  const { formKey = "", ...values } = form ? typedValues(form.fields) : {};
  const known = searchParams.get("submitted");
  const stored = known ? await submitting.findSubmission(known) : undefined;
  const submitted =
    answer?.kind === "submitted" ? answer.submitted : stored && toSubmitted(words, stored);
  const problems = answer?.kind === "problems" ? answer.problems : [];
  const state = submitted !== undefined ? "submitted" : problems.length > 0 ? "problems" : "form";
  return data({
    title: formTitles(words)[state],
    kept: await tellKeptPromises(words, context),
    form: {
      formKey: formKey || createFormKey(),
      values,
      problems,
      submitted,
      simulated: deletionMode === "simulated",
    },
  });
}

/** The page behind a mail's link. The link itself is exchanged at once for a short-lived form of it. */
async function openVisit(
  words: Words,
  visits: Visits,
  searchParams: URLSearchParams,
): Promise<Visited | undefined> {
  const link = searchParams.get("link");
  if (link !== null) {
    const opened = await visits.openLink(link);
    if (opened.kind === "unknown") return { answer: opened, visit: "" };
    throw redirect(words.to(visitAddress(opened.visit)), 303);
  }
  const visit = searchParams.get("visit");
  if (visit === null) return undefined;
  const isAsked = searchParams.get("ask") === "cancel";
  return { answer: await visits.openVisit(visit), visit, isAsked };
}

/** What is shown where a mail's link opens nothing. */
const linkTroubles: ReadonlySet<Visited["answer"]["kind"]> = new Set([
  "link-used",
  "link-expired",
  "request-ended",
  "visit-expired",
  "unknown",
]);

/** Nothing of the page but its form's island is made in a browser: what was read reaches it as it is. */
type Loaded = Awaited<ReturnType<typeof loader>>["data"];

export default function DeleteAccountPage({ loaderData }: { loaderData: Loaded }) {
  const { deletion, settings } = useWords();
  return (
    <div className={`page-width stack ${styles.page}`} data-product={settings.product}>
      {"form" in loaderData ? (
        <FormPage {...loaderData.form} kept={loaderData.kept} />
      ) : (
        <div className={`stack ${styles.opening}`}>
          <Badge>{deletion.badge}</Badge>
          <VisitPanel visited={loaderData.visited} problem={loaderData.problem} />
        </div>
      )}
      <Help
        mayLackMailbox={"form" in loaderData || linkTroubles.has(loaderData.visited.answer.kind)}
      />
    </div>
  );
}
