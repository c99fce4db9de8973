import type { FormValues } from "../forms/form-values.ts";
import { toPlainText } from "../i18n/texts.ts";

export type PostedForm =
  | { kind: "form"; typed: FormValues }
  | { kind: "foreign" | "too-large" | "malformed" };

/**
 * Maximum number of name-value pairs in a form. Our public form has seven, and one more if the
 * visitor accepts a suggested address.
 */
const maxPairs = 50;

/** Checks whether the headers declare an uncompressed form in UTF-8, as browsers send it. */
export function isReadableForm(headers: Pick<Headers, "get">): boolean {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  const charsets = parameters.filter((parameter) => parameter.trim().startsWith("charset="));
  return (
    type.trim() === "application/x-www-form-urlencoded" &&
    encoding === "identity" &&
    charsets.every((charset) => /^\s*charset="?utf-?8"?\s*$/.test(charset))
  );
}

/**
 * Parses a URL-encoded form.
 * @param pairs maximum number of name-value pairs
 */
export function parseForm(bytes: Uint8Array, pairs = maxPairs): PostedForm {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return { kind: "malformed" };
  }
  if (text.split("&", pairs + 1).length > pairs) return { kind: "malformed" };
  const typed: FormValues = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    typed[name] = [...(typed[name] ?? []), toPlainText(value)];
  }
  return { kind: "form", typed };
}

// Origin of a form

export type FormOrigin = "ours" | "elsewhere" | "unknown";

/**
 * Determines whether a form came from one of our own pages. Browsers send `Sec-Fetch-Site`; older
 * browsers send only `Origin`. If both headers are present, both must match. Programs may send
 * neither. Callers must then reject a form that a session cookie authenticates.
 */
export function findFormOrigin(headers: Headers, publicUrl: string): FormOrigin {
  const origins = [bySite(headers), byOrigin(headers, publicUrl)];
  if (origins.includes("elsewhere")) return "elsewhere";
  return origins.includes("ours") ? "ours" : "unknown";
}

function bySite(headers: Headers): FormOrigin {
  const site = headers.get("sec-fetch-site");
  if (!site) return "unknown";
  return site === "same-origin" || site === "none" ? "ours" : "elsewhere";
}

function byOrigin(headers: Headers, publicUrl: string): FormOrigin {
  const origin = headers.get("origin");
  if (!origin) return "unknown";
  // A browser that hides its referrer sends "null" even for our own form, but still sends
  // `Sec-Fetch-Site`.
  if (origin === "null" && headers.get("sec-fetch-site") === "same-origin") return "unknown";
  const { protocol } = new URL(publicUrl);
  const isOurs = origin === publicUrl || origin === `${protocol}//${headers.get("host")}`;
  return isOurs ? "ours" : "elsewhere";
}
