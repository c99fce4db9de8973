import { type SubmitEvent, useLayoutEffect, useRef, useState } from "react";
import type { Campus } from "../../../campus-reader/campus.ts";
import { createFormKey } from "../../../server/deletion-requests/life/request.ts";
import type { AnswerInWords, FormProblem, Submitted, TypedValues } from "./answer-form.ts";
import { type Addresses, answerId } from "./answer-place.ts";
import { DeletionForm } from "./deletion-form.tsx";
import { SubmittedPanel, type SubmittedWords } from "./submitted-panel.tsx";

export type DeletionRequestProps = {
  words: Pick<Campus["deletion"], "form"> & {
    problems: Pick<Campus["deletion"]["problems"], "summaryTitle" | "offline">;
    success: SubmittedWords;
  };
  /** The document's title in each state. */
  titles: { form: string; problems: string; submitted: string };
  addresses: Addresses;
  formKey: string;
  /** What was typed before the server refused it. */
  values: TypedValues;
  problems: FormProblem[];
  /** Undefined while nothing is submitted; null for a demonstration. */
  submitted?: Submitted;
  simulated: boolean;
};

type State =
  | { at: "editing"; problems: FormProblem[] }
  | { at: "submitting" }
  | { at: "submitted"; submitted: Submitted };

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
  const [state, setState] = useState(() => firstState(given));
  const [formKey, setFormKey] = useState(given.formKey);
  const [values, setValues] = useState(given.values);
  useShown(state, titles);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.at === "submitting") return;
    const fields = fieldsOf(event.currentTarget);
    // The pressed button is about to be disabled, which would drop the focus.
    event.currentTarget.focus({ preventScroll: true });
    setState({ at: "submitting" });
    const result = simulated
      ? await simulate()
      : await send(addresses.background, fields, words.problems.offline);
    setState(stateAfter(result));
  }

  function startAgain(event: { preventDefault(): void }) {
    event.preventDefault();
    setFormKey(createFormKey());
    setValues({});
    setState({ at: "editing", problems: [] });
  }

  if (state.at === "submitted") {
    return (
      <SubmittedPanel
        words={words.success}
        addresses={addresses}
        notice={simulated ? words.form.simulatedNotice : undefined}
        submitted={state.submitted}
        // A page that came as the answer has nothing of the form's surroundings: there the link loads it.
        onAgain={given.submitted === undefined ? startAgain : undefined}
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
      values={values}
      problems={state.at === "editing" ? state.problems : []}
      simulated={simulated}
      submitting={state.at === "submitting"}
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
    if (state.at !== "submitting") showState(state, titles);
  }, [state, titles]);
}

/** Title, focus and the first thing in view say what came of the last act. */
function showState(
  state: Exclude<State, { at: "submitting" }>,
  titles: DeletionRequestProps["titles"],
): void {
  const submitted = state.at === "submitted";
  const refused = !submitted && state.problems.length > 0;
  document.title = submitted ? titles.submitted : refused ? titles.problems : titles.form;
  document.documentElement.toggleAttribute("data-submitted", submitted);
  const answer = document.getElementById(answerId);
  const form = document.getElementById("deletion-form");
  (answer ?? form?.querySelector<HTMLElement>("#email"))?.focus({ preventScroll: true });
  (answer ?? form)?.scrollIntoView({ behavior: "instant" });
}

function firstState({
  submitted,
  problems,
}: Pick<DeletionRequestProps, "submitted" | "problems">): State {
  return submitted === undefined ? { at: "editing", problems } : { at: "submitted", submitted };
}

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  return new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

function stateAfter(answer: AnswerInWords): State {
  return answer.kind === "submitted"
    ? { at: "submitted", submitted: answer.submitted }
    : { at: "editing", problems: answer.problems };
}

function simulate(): Promise<AnswerInWords> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ kind: "submitted", submitted: null }), simulatedWaitMs);
  });
}

/** Posts the form. Whatever goes wrong on the way comes back as a problem in words. */
async function send(
  address: string,
  fields: URLSearchParams,
  offline: string,
): Promise<AnswerInWords> {
  try {
    const response = await fetch(address, { method: "POST", body: fields });
    return (await response.json()) as AnswerInWords;
  } catch {
    return { kind: "problems", problems: [{ words: offline }] };
  }
}
