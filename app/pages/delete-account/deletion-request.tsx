import { type SubmitEvent, useLayoutEffect, useRef, useState } from "react";
import type { Campus } from "../../../campus-reader/campus.ts";
import { createFormKey } from "../../../server/deletion-requests/life/request.ts";
import type { Typed } from "../../../server/forms/typed.ts";
import { ButtonLink } from "../../ui/button.tsx";
import type { AnswerInWords } from "./answer-form.ts";
import { answerId, DeletionForm } from "./deletion-form.tsx";
import { Facts, MaskedAddress, SkippedDays } from "./facts.tsx";
import { Journey } from "./journey.tsx";
import styles from "./submitted-panel.module.css";

type SubmittedWords = Omit<Campus["deletion"]["success"], "next" | "notes"> & {
  addressLabel: string;
  skippedTitle: string;
};

export type DeletionRequestProps = {
  words: Pick<Campus["deletion"], "form"> & {
    problems: Pick<Campus["deletion"]["problems"], "summaryTitle" | "offline">;
    success: SubmittedWords;
  };
  titles: { form: string; problems: string; submitted: string };
  /** In the page's language: home, the page itself, where its form posts, and where it does so from within the page. */
  addresses: { home: string; page: string; form: string; background: string };
  formKey: string;
  /** What was typed before the server refused it. */
  typed: Typed;
  /** What came of the last form; before one is sent, nothing is wrong. */
  answer: AnswerInWords;
  simulated: boolean;
};

type Submitted = Extract<AnswerInWords, { kind: "submitted" }>["submitted"];
type State = AnswerInWords | { kind: "submitting" };

/** How long a demonstration pretends to work, in milliseconds (specification, section 9). */
const simulatedWaitMs = 2_000;

/** The form and what becomes of it. The server renders it; in the browser it is the page's one island. */
export function DeletionRequest({
  words,
  titles,
  addresses,
  simulated,
  ...given
}: DeletionRequestProps) {
  const [state, setState] = useState<State>(given.answer);
  const [formKey, setFormKey] = useState(given.formKey);
  const [typed, setTyped] = useState(given.typed);
  useShown(state, titles);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.kind === "submitting") return;
    const fields = [...new FormData(event.currentTarget)];
    // The pressed button is about to be disabled, which would drop the focus.
    event.currentTarget.focus({ preventScroll: true });
    setState({ kind: "submitting" });
    setState(
      simulated
        ? await simulate()
        : await send(addresses.background, fields, words.problems.offline),
    );
  }

  function startAgain(event: { preventDefault(): void }) {
    event.preventDefault();
    setFormKey(createFormKey());
    setTyped({});
    setState({ kind: "problems", problems: [] });
  }

  if (state.kind === "submitted") {
    return (
      <SubmittedPanel
        words={words}
        addresses={addresses}
        submitted={state.submitted}
        // A page that came as the answer has nothing of the form's surroundings: there the link loads it.
        onAgain={given.answer.kind === "submitted" ? undefined : startAgain}
      />
    );
  }
  return (
    <DeletionForm
      key={formKey}
      words={words.form}
      addresses={addresses}
      summaryTitle={words.problems.summaryTitle}
      formKey={formKey}
      typed={typed}
      problems={state.kind === "problems" ? state.problems : []}
      simulated={simulated}
      submitting={state.kind === "submitting"}
      onSubmit={submit}
    />
  );
}

/** Shows each state but the first: that one the server has set up, and the browser has gone to the answer's place. */
function useShown(state: State, titles: DeletionRequestProps["titles"]): void {
  const shown = useRef(state);
  useLayoutEffect(() => {
    if (shown.current === state) return;
    shown.current = state;
    if (state.kind !== "submitting") showAnswer(state, titles);
  }, [state, titles]);
}

/** Title, focus and the first thing in view say what came of the last act. */
function showAnswer(said: AnswerInWords, titles: DeletionRequestProps["titles"]): void {
  document.title = titles[stateOf(said)];
  document.documentElement.toggleAttribute("data-submitted", said.kind === "submitted");
  const answer = document.getElementById(answerId);
  const form = document.getElementById("deletion-form");
  (answer ?? form?.querySelector<HTMLElement>("#email"))?.focus({ preventScroll: true });
  (answer ?? form)?.scrollIntoView({ behavior: "instant" });
}

/** Which title a page has with this answer. */
export function stateOf(said: AnswerInWords): keyof DeletionRequestProps["titles"] {
  return said.kind === "submitted" ? "submitted" : said.problems.length > 0 ? "problems" : "form";
}

function simulate(): Promise<AnswerInWords> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ kind: "submitted", submitted: null }), simulatedWaitMs);
  });
}

/** Posts the form. Whatever goes wrong on the way comes back as a problem in words. */
async function send(
  address: string,
  fields: [name: string, value: FormDataEntryValue][],
  offline: string,
): Promise<AnswerInWords> {
  try {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
    const response = await fetch(address, { method: "POST", body });
    return (await response.json()) as AnswerInWords;
  } catch {
    return { kind: "problems", problems: [{ words: offline }] };
  }
}

/** Shown once a request is stored: what to remember and what happens next. */
function SubmittedPanel({
  words: { form, success: words },
  addresses,
  submitted,
  onAgain,
}: Pick<DeletionRequestProps, "words" | "addresses"> & {
  submitted: Submitted;
  /** Undefined where the link leads to a new page. */
  onAgain: ((event: { preventDefault(): void }) => void) | undefined;
}) {
  return (
    <div
      id={answerId}
      className={`stack panel ${styles.panel}`}
      role="status"
      tabIndex={-1}
      aria-labelledby="submitted-title"
    >
      <h2 id="submitted-title">{words.title}</h2>
      {submitted ? <Stored words={words} submitted={submitted} /> : <p>{form.simulatedNotice}</p>}
      <div className={`row ${styles.buttons}`}>
        <ButtonLink href={addresses.home} look="primary">
          {words.home}
        </ButtonLink>
        <ButtonLink href={addresses.page} onClick={onAgain}>
          {words.again}
        </ButtonLink>
      </div>
    </div>
  );
}

function Stored(given: { words: SubmittedWords; submitted: NonNullable<Submitted> }) {
  const { words, submitted } = given;
  return (
    <>
      <Facts
        facts={[
          [words.referenceLabel, submitted.reference],
          [words.addressLabel, <MaskedAddress key="address" address={submitted.maskedEmail} />],
        ]}
      />
      <h3>{words.nextTitle}</h3>
      <Journey label={words.nextTitle} stops={submitted.stops} down />
      <p>{words.text}</p>
      <ul className={"stack bullets"}>
        {submitted.notes.map((note) => (
          <li key={note} dangerouslySetInnerHTML={{ __html: note }} />
        ))}
      </ul>
      <SkippedDays title={words.skippedTitle} days={submitted.skipped} />
    </>
  );
}
