import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { Campus } from "../../../campus-reader/campus.ts";
import {
  createFormKey,
  visibleFields,
} from "../../../server/deletion-requests/state-machine/request.ts";
import { cleanAddress } from "../../../server/platform/addresses/clean-address.ts";
import { suggestAddress } from "../../../server/platform/addresses/suggest-address.ts";
import type { BorrowedMarks } from "../../../server/platform/i18n/borrowed-words.ts";
import { FieldProblem, fieldState } from "../../components/field.tsx";
import { TextMarksContext } from "../../components/text.tsx";
import type { AnswerInWords, SubmittedWords } from "./answer-form.ts";
import styles from "./deletion-form.module.css";
import { answerId, ErrorSummary, type FormProblem, Suggestion } from "./form-problems.tsx";
import { SubmittedPanel } from "./submitted-panel.tsx";

/**
 * Submits the deletion form without leaving the page. The form remains the server's HTML. React
 * renders each answer once into a new element and never updates it, so translators, password
 * managers and grammar checkers can safely change the page. If rendering an answer fails, the form
 * is posted normally.
 */

export type IslandProps = {
  words: {
    form: Pick<Campus["deletion"]["form"], "takeSuggestion" | "sendSuggestion" | "sendTyped">;
    problems: Pick<Campus["deletion"]["problems"], "summaryTitle" | "offline" | "unanswered">;
    /** Question about a likely typo in the email address, with an `{address}` placeholder. */
    question: string;
    /** The success panel's text in a demo, where no server response contains it. */
    simulated?: SubmittedWords | undefined;
  };
  titles: { form: string; problems: string; submitted: string };
  /**
   * URLs in the page's language: the home page, this page, and the endpoint for background
   * submission.
   */
  addresses: { home: string; page: string; background: string };
  /** The campus's email domains, for detecting typos. */
  mailDomains: readonly string[];
  borrowed: BorrowedMarks;
};

/** How long a demo pretends to submit the form, in milliseconds (specification, section 9). */
const simulatedWaitMs = 2_000;

/**
 * Timeout for the server's response, in milliseconds. Sending a long message over a slow connection
 * takes time.
 */
const patienceMs = 120_000;

function takeOver(form: HTMLFormElement, props: IslandProps): void {
  const { words, titles, addresses } = props;
  watchAddress(form, props);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!form.hasAttribute("aria-busy")) void submit(event.submitter);
  });
  form.dataset.ready = "";

  async function submit(button: HTMLElement | null) {
    const fields = [...new FormData(form, button)];
    // Move the focus first, because disabling the focused button would lose it.
    form.focus({ preventScroll: true });
    show(form, "sending");
    const answer = await (words.simulated
      ? simulate(words.simulated)
      : send(addresses.background, fields, words.problems));
    show(form, "ready");
    const sent = Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
    if (answer.kind === "submitted") showPanel(answer, sent.take ?? sent.email ?? "");
    else showProblems(answer.problems);
  }

  function showPanel(answer: Extract<AnswerInWords, { kind: "submitted" }>, typed: string) {
    const backToForm = () => {
      panel?.replaceWith(form);
      history.replaceState(history.state, "", addresses.page);
      showAnswer("form");
    };
    const email = cleanAddress(typed);
    const panel = render(
      <SubmittedPanel
        words={answer.words}
        addresses={addresses}
        submitted={answer.submitted}
        sent={{ email }}
        onWrongAddress={() => {
          control(form, "email").value = email;
          backToForm();
        }}
        onAgain={(event) => {
          event.preventDefault();
          empty(form);
          backToForm();
        }}
      />,
      props,
    );
    if (!panel) return HTMLFormElement.prototype.submit.call(form);
    clearProblems(form);
    form.replaceWith(panel);
    // With this URL, a reload shows the panel again, with the email address masked.
    const shown = answer.submitted?.address;
    if (shown) history.replaceState(history.state, "", shown);
    showAnswer("submitted");
  }

  function showProblems(problems: readonly FormProblem[]) {
    const summary = render(
      <ErrorSummary title={words.problems.summaryTitle} problems={problems} words={words.form} />,
      props,
    );
    if (!summary) return HTMLFormElement.prototype.submit.call(form);
    clearProblems(form);
    control(form, "formKey").before(summary);
    for (const name of visibleFields) showFieldProblem(control(form, name), problems, props);
    if (problems.some(({ suggestion }) => suggestion)) {
      control(form, "asked").value = control(form, "email").value;
    }
    showAnswer("problems");
  }

  /** Puts the result in the document title, focuses the answer and scrolls to it. */
  function showAnswer(state: keyof IslandProps["titles"]) {
    document.title = titles[state];
    document.documentElement.toggleAttribute("data-submitted", state === "submitted");
    const answer = document.getElementById(answerId);
    (answer ?? control(form, "email")).focus({ preventScroll: true });
    (answer ?? form).scrollIntoView({ behavior: "instant" });
  }
}

/** Renders a node once into a detached element. Returns undefined if rendering fails. */
function render(
  node: ReactNode,
  { borrowed }: Pick<IslandProps, "borrowed">,
): HTMLElement | undefined {
  const place = document.createElement("div");
  place.className = styles.answer ?? "";
  let isWhole = true;
  const root = createRoot(place, {
    onUncaughtError: () => {
      isWhole = false;
    },
  });
  const marks = { borrowed, split: (text: string) => [text] };
  flushSync(() => root.render(<TextMarksContext value={marks}>{node}</TextMarksContext>));
  return isWhole ? place : undefined;
}

const control = (form: HTMLFormElement, name: string) =>
  form.elements.namedItem(name) as HTMLInputElement;

function show(form: HTMLFormElement, state: "sending" | "ready"): void {
  const isBusy = state === "sending";
  if (isBusy) form.setAttribute("aria-busy", "true");
  else form.removeAttribute("aria-busy");
  const status = form.querySelector("[role=status]:last-child");
  const busyText = form.querySelector("[data-busy]")?.textContent ?? "";
  if (status) status.textContent = isBusy ? busyText : "";
  // The page's inline script listens for this event to enable or disable the button.
  form.dispatchEvent(new Event("input"));
}

function clearProblems(form: HTMLFormElement): void {
  for (const name of visibleFields) document.getElementById(`${name}-problem`)?.remove();
  for (const id of [answerId, suggestionId]) document.getElementById(id)?.remove();
  for (const name of visibleFields) describe(control(form, name), []);
  control(form, "website").value = "";
}

function showFieldProblem(
  field: HTMLInputElement,
  problems: readonly FormProblem[],
  props: IslandProps,
): void {
  const { problem } = describe(field, problems);
  const message = problem && render(<FieldProblem name={field.name} words={problem} />, props);
  if (!message) return;
  if (field.type === "checkbox") field.labels?.[0]?.after(message);
  else field.before(message);
}

/** Associates a field with its messages for screen readers. */
function describe(field: HTMLInputElement, problems: readonly FormProblem[]) {
  const hint = document.getElementById(`${field.name}-hint`) ? "hint" : undefined;
  const state = fieldState(problems, field.name, hint);
  for (const [name, value] of Object.entries(state.aria)) {
    if (value === undefined) field.removeAttribute(name);
    else field.setAttribute(name, String(value));
  }
  return state;
}

function empty(form: HTMLFormElement): void {
  for (const name of [...visibleFields, "asked"]) {
    const field = control(form, name);
    if (field.type === "checkbox") field.checked = false;
    else field.value = "";
  }
  control(form, "formKey").value = createFormKey();
  form.dispatchEvent(new Event("input"));
}

const suggestionId = "email-suggestion";

/**
 * Cleans up a pasted email address. When the visitor leaves the field, asks about a likely typo.
 */
function watchAddress(form: HTMLFormElement, props: IslandProps): void {
  const { words, mailDomains } = props;
  const email = control(form, "email");
  const clean = () => {
    const cleaned = cleanAddress(email.value);
    if (cleaned !== email.value) email.value = cleaned;
  };
  const suggest = () => {
    document.getElementById(suggestionId)?.remove();
    const suggested = suggestAddress(email.value, mailDomains);
    if (!suggested) return;
    control(form, "asked").value = email.value;
    const question = render(
      <Suggestion
        question={words.question.replace("{address}", suggested)}
        words={words.form}
        onTake={() => {
          email.value = suggested;
          question?.remove();
          email.focus();
        }}
      />,
      props,
    );
    if (!question) return;
    question.id = suggestionId;
    email.after(question);
  };
  // Clean up only pasted text, because rewriting the field would interfere with typing.
  email.addEventListener("input", (event) => {
    const how = (event as InputEvent).inputType as string | undefined;
    if (!how || /^insert(?:From|Replacement)/.test(how)) clean();
  });
  email.addEventListener("change", clean);
  // The question pushes down the content below it. If a click took the focus from the field, wait
  // for the end of the click so that the click's target doesn't move away.
  let isPressed = false;
  document.addEventListener("pointerdown", () => (isPressed = true), { capture: true });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => (isPressed = false), { capture: true });
  }
  email.addEventListener("blur", () => {
    if (!isPressed) setTimeout(suggest);
    else document.addEventListener("pointerup", () => setTimeout(suggest), { once: true });
  });
  clean();
}

function simulate(words: SubmittedWords): Promise<AnswerInWords> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ kind: "submitted", submitted: null, words }), simulatedWaitMs);
  });
}

/** The server's problem details (RFC 9457) for a form it can't read. */
type ProblemDetails = { kind?: undefined; title?: string; detail?: string };

/** Posts the form. Turns a network failure into a validation message. */
async function send(
  address: string,
  fields: [name: string, value: FormDataEntryValue][],
  words: IslandProps["words"]["problems"],
): Promise<AnswerInWords> {
  const fail = (text: string): AnswerInWords => ({ kind: "problems", problems: [{ words: text }] });
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(fields.map(([name, value]) => [name, String(value)])),
      signal: patience.signal,
    });
    return readAnswer(await response.text()) ?? fail(words.unanswered);
  } catch {
    return fail(words.offline);
  } finally {
    clearTimeout(timer);
  }
}

/** Parses the server's answer. Returns undefined for any other response, such as a proxy's JSON. */
function readAnswer(body: string): AnswerInWords | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  if (Object.hasOwn(answer, "kind")) return answer as AnswerInWords;
  const { title, detail } = answer as ProblemDetails;
  return title && detail
    ? { kind: "problems", problems: [{ words: `${title}. ${detail}` }] }
    : undefined;
}

const form = document.getElementById("deletion-form");
const props = document.getElementById("deletion-island-props")?.textContent;
if (form instanceof HTMLFormElement && props) takeOver(form, JSON.parse(props) as IslandProps);
