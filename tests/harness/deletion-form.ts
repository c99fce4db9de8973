import { createFormKey } from "../../server/deletion-requests/life/request.ts";
import { paths } from "../../server/http/paths.ts";
import { elementsOf } from "./html.ts";

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
