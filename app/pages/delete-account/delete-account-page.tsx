import { createContext, data, redirect } from "react-router";
import type { Visits } from "../../../server/deletion-requests/self-service/visits.ts";
import { firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { SiteServices } from "../../../server/services.ts";
import badge from "../../components/badge.module.css";
import { DataKindsTable } from "../../components/data-kinds-table.tsx";
import { Fold } from "../../components/fold.tsx";
import { WarningSign } from "../../components/icons.tsx";
import { WithAddresses } from "../../components/line-breaks.tsx";
import notice from "../../components/notice.module.css";
import "../../components/panel.css";
import { Text } from "../../components/text.tsx";
import type { PageHandle } from "../../document/page-handle.ts";
import { documentTitle, pageMeta } from "../../document/page-meta.ts";
import { presentKeptPromises } from "../../kept-promises.ts";
import { requireForm, servicesContext } from "../../services-context.ts";
import { type PageWords, useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/delete-account-page";
import {
  type AnswerInWords,
  type PageContent,
  postAddress,
  presentSubmissionAnswer,
  pressButton,
  readSentForm,
  submitForm,
  type Visited,
  wordsOfSuccess,
} from "./answer-form.ts";
import styles from "./delete-account-page.module.css";
import type { IslandProps } from "./deletion-form.island.tsx";
import islandUrl from "./deletion-form.island.tsx?island";
import { closedMailboxId, DeletionForm, settleId } from "./deletion-form.tsx";
import formGuard from "./form-guard.js?script";
import formStyles from "./form-page.module.css";
import helpStyles from "./help.module.css";
import { Journey } from "./journey.tsx";
import { SubmittedPanel } from "./submitted-panel.tsx";
import { panelOf, VisitPanel } from "./visit-panel.tsx";

/**
 * Query parameters that select one visitor's request. Without them, the page is the same for
 * everyone.
 */
const personal = ["link", "visit", "submitted"];

export const handle: PageHandle = {
  inlineScripts: [formGuard],
  island: true,
  keptAs: ({ searchParams }) =>
    personal.some((name) => searchParams.has(name)) ? undefined : paths.deletion,
};

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
    trail: [{ name: title, path: paths.deletion }],
  });
}

/** Passes the title of the action's answer to the loader, because `meta` gets no action data. */
const answerTitleContext = createContext<string | null>(null);

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const url = new URL(request.url);
  const words = wordsAt(url);
  const content = await readContent(words, services, url.searchParams);
  const loaded = {
    title: context.get(answerTitleContext) ?? titleOf(words, content),
    content,
    kept: content.kind === "form" ? await readKeptPromises(words, context) : undefined,
    simulated: services.deletionMode === "simulated",
  };
  return data(loaded, { status: statusOf(content) });
}

/**
 * Loads what the URL shows: a visit session, the success panel of a submitted form, or the form.
 */
async function readContent(
  words: PageWords,
  { submitting, visits }: SiteServices,
  searchParams: URLSearchParams,
): Promise<PageContent> {
  const visited = await openVisit(words, visits, searchParams);
  if (visited) return { kind: "visit", ...visited };
  const known = searchParams.get("submitted");
  const stored = known ? await submitting.findSubmission(known) : undefined;
  if (stored?.kind === "panel-closed") return { kind: "visit", answer: stored, visit: "" };
  const { answer } = presentSubmissionAnswer(words, stored ?? { kind: "refused", wrong: [] });
  return { kind: "form", answer, typed: {} };
}

/**
 * Reads the on-time rate. Returns undefined if the database is unavailable; the page then omits the
 * rate.
 */
async function readKeptPromises(words: PageWords, context: Route.LoaderArgs["context"]) {
  const { isStorageProblem } = context.get(servicesContext);
  return presentKeptPromises(words, context).catch((error: unknown) => {
    if (!isStorageProblem(error)) throw error;
  });
}

function statusOf({ kind, answer }: PageContent): number {
  if (kind === "form") return 200;
  if (answer.kind === "unknown") return 404;
  return answer.kind === "visit-expired" || answer.kind === "panel-closed" ? 410 : 200;
}

/** Handles the page's forms: the deletion request, and the buttons behind an email link. */
export async function action({ request, context }: Route.ActionArgs) {
  const words = wordsAt(new URL(request.url));
  const answered = await answerPost(words, context);
  if (!(answered instanceof Response)) {
    context.set(answerTitleContext, titleOf(words, answered.data));
  }
  return answered;
}

async function answerPost(words: PageWords, context: Route.ActionArgs["context"]) {
  const { posted } = requireForm(context);
  const typed = posted.kind === "form" ? posted.typed : {};
  if (typed.act) return pressButton(words, context.get(servicesContext).visits, typed);
  // The success panel's "wrong address" button only shows the form again.
  if (typed.edit) {
    return data<PageContent>({ kind: "form", answer: { kind: "problems", problems: [] }, typed });
  }
  const { answer, ...init } = presentSubmissionAnswer(words, await submitForm(words, context));
  return data<PageContent>({ kind: "form", answer, typed }, init);
}

/** Forwards the action's response headers, such as `Retry-After`. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/**
 * Opens the visit session that the query string names. If the query string has an email link's
 * token instead, starts a short-lived session and redirects to it.
 */
async function openVisit(
  words: PageWords,
  visits: Visits,
  searchParams: URLSearchParams,
): Promise<Visited | undefined> {
  const link = searchParams.get("link");
  if (link !== null) {
    const opened = await visits.openLink(link);
    if (opened.kind === "unknown") return { answer: opened, visit: "" };
    throw redirect(words.to(paths.deletion, { visit: opened.visit }), 303);
  }
  const visit = searchParams.get("visit");
  if (visit === null) return undefined;
  const asksToCancel = searchParams.get("ask") === "cancel";
  return { answer: await visits.openVisit(visit), visit, asksToCancel };
}

/** The loader's data. It needs no serialization, because the page renders only on the server. */
type Loaded = Awaited<ReturnType<typeof loader>>["data"];
type PageProps = { loaderData: Loaded; actionData?: PageContent | undefined };

export default function DeleteAccountPage({ loaderData, actionData }: PageProps) {
  const { deletion, settings } = useWords();
  const content = actionData ?? loaderData.content;
  return (
    <div className={`page-width stack ${styles.page}`} data-product={settings.product}>
      {content.kind === "form" ? (
        <FormPage {...loaderData} {...content} />
      ) : (
        <div className={`stack ${styles.opening}`}>
          <p className={badge.badge}>
            <Text>{deletion.badge}</Text>
          </p>
          <VisitPanel visited={content} />
        </div>
      )}
      <Help mayLackMailbox={content.kind === "form"} />
    </div>
  );
}

/** Returns the document title. After a submission, the title reports the result. */
function titleOf(words: PageWords, content: PageContent): string {
  if (content.kind === "form") return formTitles(words)[stateOf(content.answer)];
  const { problems, visit } = words.deletion;
  const title = content.isNotStored ? problems.summaryTitle : panelOf(words, content).title;
  return `${title} · ${visit.metaTitle}`;
}

function formTitles({ deletion }: PageWords) {
  const { title, problems, success } = deletion;
  return {
    form: title,
    problems: `${problems.summaryTitle} · ${title}`,
    submitted: success.title,
  };
}

function stateOf(answer: AnswerInWords): keyof IslandProps["titles"] {
  if (answer.kind === "submitted") return "submitted";
  return answer.problems.length > 0 ? "problems" : "form";
}

/** Renders the explanations and the form. After submission, the answer replaces both. */
function FormPage({
  typed,
  answer,
  simulated,
  kept,
}: Pick<Loaded, "kept" | "simulated"> & Extract<PageContent, { kind: "form" }>) {
  const words = useWords();
  const { deletion, to } = words;
  const asking = answer.kind !== "submitted";
  const addresses = {
    home: to(paths.landing),
    page: to(paths.deletion),
    form: to(postAddress),
    background: to(paths.deletionRequests),
  };
  return (
    <>
      <div className={`stack ${formStyles.opening}`}>
        <header className="stack">
          <p className={badge.badge}>
            <Text>{deletion.badge}</Text>
          </p>
          <h1>
            <Text>{deletion.title}</Text>
          </h1>
          {asking ? (
            <p className={formStyles.asking}>
              <Text>{deletion.lead}</Text>
            </p>
          ) : null}
        </header>
        {asking ? <ImportantNotice /> : null}
      </div>
      <div id="deletion-island" className={asking ? formStyles.beside : undefined}>
        {answer.kind === "submitted" ? (
          <SubmittedPanel
            words={answer.words}
            addresses={addresses}
            submitted={answer.submitted}
            sent={readSentForm(typed)}
          />
        ) : (
          <DeletionForm
            words={deletion.form}
            stays={kept ? `${deletion.stays} ${kept}` : deletion.stays}
            addresses={addresses}
            summaryTitle={deletion.problems.summaryTitle}
            formKey={firstValue(typed, "formKey")}
            typed={typed}
            problems={answer.problems}
            simulated={simulated}
          />
        )}
      </div>
      {asking ? <ToKnow /> : null}
      {asking ? (
        <Island
          words={islandWords(words, simulated)}
          addresses={addresses}
          mailDomains={words.settings.mailDomains}
          titles={islandTitles(words)}
          borrowed={words.textMarks.borrowed}
        />
      ) : null}
    </>
  );
}

function islandWords(words: PageWords, isSimulated: boolean): IslandProps["words"] {
  const { deletion, say } = words;
  const { takeSuggestion, sendSuggestion, sendTyped } = deletion.form;
  const { summaryTitle, offline, unanswered, emailMistyped } = deletion.problems;
  return {
    form: { takeSuggestion, sendSuggestion, sendTyped },
    problems: { summaryTitle, offline, unanswered },
    question: say(emailMistyped, { address: "{address}" }),
    simulated: isSimulated ? wordsOfSuccess(words, { isSimulated: true }) : undefined,
  };
}

function islandTitles(words: PageWords): IslandProps["titles"] {
  const { form, problems, submitted } = formTitles(words);
  return {
    form: documentTitle(words, form),
    problems: documentTitle(words, problems),
    submitted: documentTitle(words, submitted),
  };
}

/** Renders the script element of the form's island, with its props as JSON. */
function Island(props: IslandProps) {
  const json = JSON.stringify(props).replaceAll("<", "\\u003c");
  return (
    <>
      <script
        type="application/json"
        id="deletion-island-props"
        dangerouslySetInnerHTML={{ __html: json }}
      />
      <script type="module" src={islandUrl} fetchPriority="low" />
    </>
  );
}

function ImportantNotice() {
  const { deletion } = useWords();
  return (
    <section
      className={`frame ${formStyles.asking} ${notice.notice} ${notice.danger} ${notice.important}`}
      aria-labelledby="notice-title"
    >
      <h2 id="notice-title">
        <WarningSign /> <Text>{deletion.noticeTitle}</Text>
      </h2>
      <p>
        <Text>{deletion.notice}</Text>
      </p>
    </section>
  );
}

/**
 * Renders what visitors need to know before they request a deletion. The text is below the form on
 * phones and next to the form on wide screens.
 */
function ToKnow() {
  const { deletion } = useWords();
  return (
    <div className={`stack ${formStyles.asking} ${formStyles.know}`}>
      <Fold id={settleId} title={deletion.before.title}>
        <ul className={`stack bullets ${formStyles.settle}`}>
          {deletion.before.items.map((item) => (
            <li key={item} dangerouslySetInnerHTML={{ __html: item }} />
          ))}
        </ul>
      </Fold>
      <Fold title={deletion.stepsTitle}>
        <Journey
          label={deletion.stepsTitle}
          stops={deletion.steps.map((step, index) => ({
            ...step,
            phase: index === 0 ? "here" : "ahead",
          }))}
        />
      </Fold>
      <Fold title={deletion.table.title}>
        <p>
          <Text>{deletion.table.intro}</Text>
        </p>
        <DataKindsTable />
      </Fold>
    </div>
  );
}

/**
 * Renders the support contacts, separately for a closed mailbox and for everything else.
 * @param mayLackMailbox true if we don't know yet whether the visitor can receive email
 */
function Help({ mayLackMailbox }: { mayLackMailbox: boolean }) {
  const { deletion, settings } = useWords();
  const { help } = deletion;
  return (
    <div className={`row ${helpStyles.help}`}>
      {mayLackMailbox ? <ClosedMailbox /> : null}
      <section className="stack" data-field="marigold">
        <h2>
          <Text>{help.title}</Text>
        </h2>
        <p>
          <Text>{help.text}</Text>
        </p>
        <Write href={`mailto:${settings.email}`} label={help.link} />
      </section>
    </div>
  );
}

/** Explains how to request a deletion without a mailbox, with a link that starts an email to us. */
function ClosedMailbox() {
  const { deletion, settings } = useWords();
  const { title, text, link, subject, body } = deletion.closedMailbox;
  const written = { subject, body: `${body}\n`.replaceAll("\n", "\r\n") };
  const query = Object.entries(written).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return (
    <section id={closedMailboxId} className="stack" data-field="sky">
      <h2>
        <Text>{title}</Text>
      </h2>
      <p>
        <Text>{text}</Text>
      </p>
      <Write href={`mailto:${settings.email}?${query.join("&")}`} label={link} />
    </section>
  );
}

function Write({ href, label }: { href: string; label: string }) {
  return (
    <p>
      <a className="target" href={href}>
        {/* The span keeps the link text and its optional line breaks in one flex item. */}
        <span>
          <WithAddresses text={label} />
        </span>
      </a>
    </p>
  );
}
