import type { Locator } from "@playwright/test";
import { createFormKey } from "../../server/deletion-requests/life/request.ts";
import { bySystem } from "../../server/deletion-requests/service.fixture.ts";
import { findSubmission } from "../../server/deletion-requests/store/forms.ts";
import { paths } from "../../server/http/paths.ts";
import { inLanguage } from "../../server/language/in-language.ts";
import type { Foundation } from "../../server/open.ts";
import { elementsOf } from "./html.ts";
import type { ServerProcess } from "./server-process.ts";
import { beside } from "./sign-in.ts";
import type { TestSite } from "./test-site.ts";

/** A form as a student fills it in. Every call has a form key of its own. */
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

/** The links in mails lead here, whatever port a server has in each of its lives. */
export const origin = "http://rides.localhost";

/** Settings of a server that so many forms come to, and whose mails go to a mail server of the tests. */
export const takesMany = {
  PUBLIC_URL: origin,
  SUBMISSION_LIMIT: "1000000",
  MAX_UNCONFIRMED: "10000000",
  SMTP_TLS: "optional",
  LOG_LEVEL: "error",
};

/**
 * Sends the form to a server that runs in a process of its own.
 * @param origin where the visitor's page is from, if not from that server
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

/** The values that the form on a page would send if its button were pressed. */
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

/** The reference that a success panel shows. */
export const referencePattern = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/;

/** Confirms a form that was sent, for tests of what comes then. Returns the reference of its request. */
async function confirm(foundation: Foundation, formKey: string): Promise<string> {
  const submission = await findSubmission(foundation.database.read, formKey);
  if (!submission) throw new Error("The form was not stored");
  const { reference, reason } = submission;
  const act = { type: "confirm", reference, reason } as const;
  const decision = await bySystem(foundation, reference, act, { actor: "person" });
  if (!decision?.ok) throw new Error(decision?.refusal);
  return reference;
}

/** @param more what the person wrote, and the language of the page on which they asked if it isn't the campus's first */
export async function confirmedRequest(
  { post, foundation }: Pick<TestSite, "post" | "foundation">,
  email: string,
  { feedback = "", language }: { feedback?: string; language?: string } = {},
): Promise<string> {
  const form = filledForm({ email, reason: "other", feedback });
  await post(language ? inLanguage(paths.deletion, language) : paths.deletion, form);
  return confirm(foundation, form.formKey);
}

/** The same on a server that runs in a process of its own. */
export async function confirmedRequestOn(
  server: Pick<ServerProcess, "dataDir" | "url">,
  email: string,
): Promise<string> {
  const formKey = createFormKey();
  await sendForm(server.url, { email, reason: "other", feedback: "", formKey });
  return beside(server, (foundation) => confirm(foundation, formKey));
}

/** Chooses the first day that an operator's form for a later date offers. */
export async function chooseDay(form: Locator): Promise<void> {
  const list = form.locator("select[name=by]");
  const day = await list.locator('option[value^="2"]').first().getAttribute("value");
  await list.selectOption(day ?? "");
}
