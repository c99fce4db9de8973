import type { Locator } from "@playwright/test";
import { findSubmission } from "../../server/deletion-requests/repository/submissions.ts";
import { bySystem } from "../../server/deletion-requests/service.fixture.ts";
import { createFormKey } from "../../server/deletion-requests/state-machine/request.ts";
import type { Foundation } from "../../server/open.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { addressIn } from "./campus.ts";
import { elementsOf } from "./html.ts";
import type { ServerProcess } from "./server-process.ts";
import { beside } from "./sign-in.ts";
import type { TestSite } from "./test-site.ts";

/** Returns the fields of a valid form. Each call creates a new form key. */
export function filledForm(
  change: Record<string, string> = {},
): Record<string, string> & { formKey: string } {
  return {
    email: "ayesha.rahman@uni.example",
    reason: "privacy-concerns",
    feedback: "I moved to another city.",
    confirmation: "yes",
    formKey: createFormKey(),
    website: "",
    ...change,
  };
}

/** Origin of the links in emails, regardless of the server's port. */
export const origin = "http://rides.localhost";

/** Settings for a server that accepts many forms and sends email without TLS. */
export const takesMany = {
  PUBLIC_URL: origin,
  SUBMISSION_LIMIT: "1000000",
  MAX_UNCONFIRMED: "10000000",
  SMTP_TLS: "optional",
  LOG_LEVEL: "error",
};

/**
 * Submits the form to a server process.
 * @param origin origin of the page with the form; by default, the server's own origin
 */
export function sendForm(
  url: string,
  change: Record<string, string> = {},
  origin = url,
): Promise<Response> {
  return fetch(url + paths.deletionRequests, {
    method: "POST",
    headers: { Origin: origin },
    body: new URLSearchParams(filledForm(change)),
  });
}

/** Returns the values that the first form on a page would submit. */
export function valuesOf(html: string): Record<string, string> {
  const form = elementsOf(html, "form")[0]?.html ?? "";
  const values: Record<string, string> = {};
  for (const { attributes } of elementsOf(form, "input")) {
    const unchecked = attributes.type === "checkbox" && !("checked" in attributes);
    if (attributes.name && !unchecked) values[attributes.name] = attributes.value ?? "";
  }
  for (const { attributes, html: options } of elementsOf(form, "select")) {
    const chosen = elementsOf(options, "option").find((option) => "selected" in option.attributes);
    values[attributes.name ?? ""] = chosen?.attributes.value ?? "";
  }
  for (const { attributes, html: text } of elementsOf(form, "textarea")) {
    values[attributes.name ?? ""] = text.replace(/^\n/, "");
  }
  return values;
}

/**
 * Matches a request's reference. Doesn't match within a random token, which can contain the same
 * kind of text between hyphens.
 */
export const referencePattern = /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/;

/** Confirms a submission. Returns the request's reference. */
async function confirm(foundation: Foundation, formKey: string): Promise<string> {
  const submission = await findSubmission(foundation.database.read, formKey);
  if (!submission) throw new Error("The form was not stored");
  const { reference, reason } = submission;
  const act = { type: "confirm", reference, reason } as const;
  const decision = await bySystem(foundation, reference, act, { actor: "person" });
  if (!decision?.ok) throw new Error(decision?.refusal);
  return reference;
}

/**
 * Creates a confirmed request.
 * @param more the requester's feedback, and the page's language if it isn't the default
 */
export async function confirmedRequest(
  { post, foundation }: Pick<TestSite, "post" | "foundation">,
  email: string,
  { feedback = "", language }: { feedback?: string; language?: string } = {},
): Promise<string> {
  const form = filledForm({ email, reason: "other", feedback });
  await post(language ? addressIn(language, paths.deletion) : paths.deletion, form);
  return confirm(foundation, form.formKey);
}

export async function confirmedRequestOn(
  server: Pick<ServerProcess, "dataDir" | "url">,
  email: string,
): Promise<string> {
  const formKey = createFormKey();
  await sendForm(server.url, { email, reason: "other", feedback: "", formKey });
  return beside(server, (foundation) => confirm(foundation, formKey));
}

/** Selects the earliest date in an operator's form for a new due date. */
export async function chooseDay(form: Locator): Promise<void> {
  const list = form.locator("select[name=by]");
  const day = await list.locator('option[value^="2"]').first().getAttribute("value");
  await list.selectOption(day ?? "");
}
