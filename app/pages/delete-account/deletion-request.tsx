import { type SubmitEvent, useEffect, useRef, useState } from "react";
import type { Campus } from "../../../campus/load.ts";
import { createFormKey } from "../../../server/deletion-requests/form-key.ts";
import { paths } from "../../../server/http/paths.ts";
import { DeletionForm, type TypedValues } from "./deletion-form.tsx";
import type { FormProblem, PageAnswer, Submitted } from "./page-answer.ts";
import { SubmittedPanel, type SubmittedWords } from "./submitted-panel.tsx";

export type DeletionRequestProps = {
  words: Pick<Campus["deletion"], "form" | "problems"> & { success: SubmittedWords };
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
export function DeletionRequest({ words, simulated, ...given }: DeletionRequestProps) {
  const [state, setState] = useState<State>(
    given.submitted !== undefined
      ? { at: "submitted", submitted: given.submitted }
      : { at: "editing", problems: given.problems },
  );
  const [formKey, setFormKey] = useState(given.formKey);
  const [values, setValues] = useState(given.values);
  const answer = useRef<HTMLDivElement>(null);

  // Success and refusals take the focus, so that they are read out and seen.
  const answered =
    state.at === "submitted" || (state.at === "editing" && state.problems.length > 0);
  const hasAnswered = useRef(answered);
  useEffect(() => {
    if (answered && (!hasAnswered.current || state.at === "editing")) answer.current?.focus();
    hasAnswered.current = answered;
  }, [answered, state]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.at === "submitting") return;
    const fields = new URLSearchParams(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    );
    setState({ at: "submitting" });
    const result = simulated ? await simulate() : await send(fields, words.problems.offline);
    if (result.kind === "submitted") setState({ at: "submitted", submitted: result.submitted });
    else setState({ at: "editing", problems: result.problems });
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
        notice={simulated ? words.form.simulatedNotice : undefined}
        submitted={state.submitted}
        focus={answer}
        onAgain={startAgain}
      />
    );
  }
  return (
    <DeletionForm
      key={formKey}
      words={words.form}
      summaryTitle={words.problems.summaryTitle}
      formKey={formKey}
      values={values}
      problems={state.at === "editing" ? state.problems : []}
      simulated={simulated}
      submitting={state.at === "submitting"}
      summary={answer}
      onSubmit={submit}
    />
  );
}

function simulate(): Promise<PageAnswer> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ kind: "submitted", submitted: null }), simulatedWaitMs);
  });
}

/** Posts the form. Whatever goes wrong on the way comes back as a problem in words. */
async function send(fields: URLSearchParams, offline: string): Promise<PageAnswer> {
  try {
    const response = await fetch(paths.deletionRequests, { method: "POST", body: fields });
    return (await response.json()) as PageAnswer;
  } catch {
    return { kind: "problems", problems: [{ words: offline }] };
  }
}
