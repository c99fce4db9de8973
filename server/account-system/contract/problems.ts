import type { Mismatch } from "../../deletion-requests/state-machine/checklist.ts";

/**
 * Problem details (RFC 9457) for refused calls. The account system distinguishes problems by type.
 */

export type ProblemCode = keyof typeof problems;

export const problems = {
  unsigned: { status: 401, title: "The call is not signed." },
  stale: { status: 401, title: "The call's time is more than five minutes from ours." },
  "badly-signed": { status: 401, title: "The signature does not fit the body and the secret." },
  "wrong-token": { status: 401, title: "The token is missing or not the right one." },
  "too-many": { status: 429, title: "These are too many calls at once." },
  "too-slow": { status: 408, title: "The body stopped arriving." },
  "too-many-pieces": { status: 400, title: "The body came in too many small pieces." },
  "too-large": { status: 413, title: "The body is larger than 64 KB." },
  "wrong-method": { status: 405, title: "Only GET and POST are understood here." },
  "not-json": { status: 415, title: "The body must be application/json." },
  malformed: { status: 400, title: "The body is not JSON in UTF-8." },
  "unknown-type": { status: 422, title: "This type of answer is not known." },
  incomplete: { status: 422, title: "The answer lacks something, or has it in another form." },
  "unknown-request": { status: 404, title: "No request was handed over under this id." },
  repeated: { status: 409, title: "This call was accepted before; nothing more is to be done." },
  reused: { status: 422, title: "This webhook-id belongs to another answer. Send a new one." },
  "not-now": { status: 409, title: "The request's state does not allow that." },
  "not-fetched": { status: 404, title: "Events are sent here, and cannot be fetched." },
  "not-stored": { status: 503, title: "Nothing could be stored. Please try again later." },
  held: {
    status: 503,
    title:
      "A backup was restored here, and one of us has to check it first. Please try again later.",
  },
};

export const isProblem = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** A refusal. `more` is added to the response, `facts` to the log. */
export type ContractProblem = {
  code: ProblemCode;
  more?: { headers?: Record<string, string> } & Record<string, unknown>;
  facts?: Record<string, unknown>;
};

/** Refuses data that is malformed or contradicts the campus's data list. */
export const mismatch = (errors: Mismatch[]): ContractProblem => ({
  code: "incomplete",
  more: { errors },
});

/** Builds a Retry-After header, in seconds. */
export function retryAfter(seconds: number): ContractProblem["more"] {
  return { headers: { "Retry-After": String(seconds) } };
}

/** @param place the webhook's URL, which is the prefix of each problem type */
export function toProblem(
  place: string,
  code: ProblemCode,
  more: ContractProblem["more"] = {},
): Response {
  const { headers, ...members } = more;
  const { status, title } = problems[code];
  return new Response(JSON.stringify({ type: `${place}#${code}`, title, status, ...members }), {
    status,
    headers: {
      "Content-Type": "application/problem+json",
      ...(code === "wrong-token" && { "WWW-Authenticate": "Bearer" }),
      ...headers,
    },
  });
}
