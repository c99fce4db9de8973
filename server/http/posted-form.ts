import type { IncomingMessage } from "node:http";
import { toPlainText } from "../language/plain-text.ts";

/** What was typed, as plain text. Repeated fields keep all their values. */
export type PostedFields = Record<string, string | string[]>;

/** A form's fields, or why there are none. */
export type PostedForm =
  | { kind: "form"; fields: PostedFields }
  | { kind: "foreign" | "too-large" | "malformed" };

/** Room for 5,000 characters of four bytes each, percent-encoded, and the other fields. */
export const maxBodyBytes = 80 * 1024;

/** Our public form has seven fields; whoever sends more than fifty does not send our form. */
const maxPairs = 50;

/**
 * Reads a posted form from the request, or straight from the socket where there is one: a stream of the web's kind
 * costs more than everything else that happens to a form.
 */
export async function readForm(
  request: Request,
  incoming: IncomingMessage | undefined,
  pairs = maxPairs,
): Promise<PostedForm> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const source = incoming ?? request.body;
  if (type !== "application/x-www-form-urlencoded" || !source) return { kind: "malformed" };
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes) {
    return { kind: "too-large" };
  }
  const bytes = await readLimited(source, maxBodyBytes);
  return bytes ? parseForm(bytes, pairs) : { kind: "too-large" };
}

function parseForm(bytes: Uint8Array, pairs: number): PostedForm {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return { kind: "malformed" };
  }
  if (countPairs(text) > pairs) return { kind: "malformed" };
  const fields: PostedFields = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    const plain = toPlainText(value);
    if (before === undefined) fields[name] = plain;
    else if (Array.isArray(before)) before.push(plain);
    else fields[name] = [before, plain];
  }
  return { kind: "form", fields };
}

function countPairs(text: string): number {
  let count = 1;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) count++;
  return count;
}

/** Undefined when the body is longer than `maxBytes`; the rest is not read. */
export async function readLimited(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}
