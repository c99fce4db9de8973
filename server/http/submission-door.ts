import type { DeletionRequests, StoredSubmission } from "../deletion-requests/service.ts";
import type { Problem } from "../deletion-requests/submission.ts";
import type { SubmissionLimit } from "./submission-limit.ts";

/** Everything that can come of posting the form. Each has its status and its own words. */
export type SubmissionAnswer =
  | { kind: "stored"; submission: StoredSubmission }
  | { kind: "simulated" }
  | { kind: "refused"; problems: Problem[]; fields: PostedFields }
  | { kind: "too-many"; retryAfterMs: number; fields: PostedFields }
  | { kind: "not-stored"; fields: PostedFields }
  | { kind: "foreign" }
  | { kind: "too-large" }
  | { kind: "malformed" };

/** What was typed, to be shown again. Repeated fields keep all their values. */
export type PostedFields = Record<string, string | string[]>;

/** Room for 5,000 characters of four bytes each, percent-encoded, and the other fields. */
export const maxBodyBytes = 80 * 1024;

const maxPairs = 50;

export type SubmissionDoor = ReturnType<typeof createSubmissionDoor>;

/** The one way in for a posted form, whether the page or its island sent it. */
export function createSubmissionDoor(services: {
  deletionRequests: DeletionRequests;
  limit: SubmissionLimit;
  mode: "real" | "simulated";
}) {
  return {
    /** Reads a form that was posted from our own pages. */
    async read(request: Request, visit: { sameOrigin: boolean }): Promise<PostedForm> {
      if (!visit.sameOrigin) return { kind: "foreign" };
      return readForm(request);
    },

    /** Stores what the form says, or tells why not. */
    async submit(
      fields: PostedFields,
      visit: { clientAddress: string },
    ): Promise<SubmissionAnswer> {
      if (services.mode === "simulated") return { kind: "simulated" };
      const turn = await services.limit.take(visit.clientAddress);
      if (!turn.ok) return { kind: "too-many", retryAfterMs: turn.retryAfterMs, fields };
      const result = await services.deletionRequests.submit(fields);
      if (result.kind === "stored") return result;
      if (result.kind === "not-stored") return { kind: "not-stored", fields };
      return { kind: "refused", problems: result.problems, fields };
    },
  };
}

/** The HTTP status of an answer. */
export function statusOf(answer: SubmissionAnswer): number {
  switch (answer.kind) {
    case "stored":
    case "simulated":
      return 200;
    case "refused":
      return 422;
    case "too-many":
      return 429;
    case "not-stored":
      return 503;
    case "foreign":
      return 403;
    case "too-large":
      return 413;
    case "malformed":
      return 400;
  }
}

/** A form's fields, or why there are none. */
export type PostedForm =
  | { kind: "form"; fields: PostedFields }
  | { kind: "foreign" | "too-large" | "malformed" };

async function readForm(request: Request): Promise<PostedForm> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded" || !request.body) {
    return { kind: "malformed" };
  }
  const bytes = await readLimited(request.body);
  if (!bytes) return { kind: "too-large" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return { kind: "malformed" };
  }
  // Our form has seven fields; whoever sends fifty does not send our form.
  if (countPairs(text) > maxPairs) return { kind: "malformed" };
  const fields: PostedFields = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return { kind: "form", fields };
}

function countPairs(text: string): number {
  let count = 1;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1)) count++;
  return count;
}

/** Undefined when the body is longer than `maxBodyBytes`; the rest is not read. */
async function readLimited(body: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
