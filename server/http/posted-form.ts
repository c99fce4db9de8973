import type { Typed } from "../forms/typed.ts";
import { toPlainText } from "../language/texts.ts";

/** What was typed into a form, or why nothing is known of it. */
export type PostedForm =
  | { kind: "form"; typed: Typed }
  | { kind: "foreign" | "too-large" | "malformed" };

/** Our public form has six fields; whoever sends more than fifty does not send our form. */
const maxPairs = 50;

/** Whether a body says that it is a form as browsers send it: in UTF-8, and not compressed. */
export function isReadableForm(headers: Pick<Headers, "get">): boolean {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
  const charsets = parameters.filter((one) => one.trim().startsWith("charset="));
  return (
    type.trim() === "application/x-www-form-urlencoded" &&
    encoding === "identity" &&
    charsets.every((one) => /^\s*charset="?utf-?8"?\s*$/.test(one))
  );
}

/**
 * Reads a form as browsers send it.
 * @param pairs how many names with a value it may have
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
  const typed: Typed = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    typed[name] = [...(typed[name] ?? []), toPlainText(value)];
  }
  return { kind: "form", typed };
}

// Where it stood

type Place = "ours" | "elsewhere" | "unsaid";

/**
 * Tells whether a form was on our own page. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin` alone; if both
 * speak, both must agree. A program may say nothing, which is ours to refuse where a login travels by itself.
 */
export function whereFrom(headers: Headers, publicUrl: string): Place {
  const said = [bySite(headers), byOrigin(headers, publicUrl)];
  if (said.includes("elsewhere")) return "elsewhere";
  return said.includes("ours") ? "ours" : "unsaid";
}

function bySite(headers: Headers): Place {
  const site = headers.get("sec-fetch-site");
  if (!site) return "unsaid";
  return site === "same-origin" || site === "none" ? "ours" : "elsewhere";
}

function byOrigin(headers: Headers, publicUrl: string): Place {
  const origin = headers.get("origin");
  if (!origin) return "unsaid";
  // A browser that hides its referrer hides the origin of our own form, too, and still names the site.
  if (origin === "null" && headers.get("sec-fetch-site") === "same-origin") return "unsaid";
  const { protocol } = new URL(publicUrl);
  const isOurs = origin === publicUrl || origin === `${protocol}//${headers.get("host")}`;
  return isOurs ? "ours" : "elsewhere";
}
