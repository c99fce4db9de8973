import {
  createContext,
  data,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirectDocument,
} from "react-router";
import { paths } from "../../../server/http/paths.ts";
import type { PostedFields } from "../../../server/http/posted-form.ts";
import { readSessionCookie, toSessionCookie } from "../../../server/operators/session-cookie.ts";
import type { SignedIn } from "../../../server/operators/sessions.ts";
import type { DoorProblem } from "../../../server/sign-in/door-problem.ts";
import type { PasskeyQuestion } from "../../../server/sign-in/passkey-questions.ts";
import { getServices } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";
import { withQuery } from "./with-query.ts";

/** Who asks, once the guard has seen their session. */
const signedInContext = createContext<SignedIn>();

/**
 * What a refused form is answered with: the reason, and everything that was typed, so that it can be sent once more
 * after the passkey was touched.
 */
export type Refused = {
  refused: "sign-in" | "touch";
  /** What the passkey has to answer. */
  options: PasskeyQuestion;
  /** Where it was sent. */
  action: string;
  fields: PostedFields;
  /** Why the passkey that came opened nothing. */
  problem?: DoorProblem;
  /** Whoever is not known here is told so, too. */
  isDrill: boolean;
};

type Asked = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Stands before every page of operators but the ways in: nothing of them runs for whoever is not signed in. Whoever only
 * looks is led to the door, whoever sends something is asked to sign in and keeps what was typed.
 */
export const guard: MiddlewareFunction<Response> = async ({ request, context }) => {
  const { operators } = getServices(context);
  const found = await operators.findSession(readSessionCookie(request.headers.get("cookie")));
  if (!found) {
    if (request.method === "GET") {
      const url = new URL(request.url);
      const door = wordsAt(url).to(paths.operatorSignIn);
      throw redirectDocument(withQuery(door, { to: url.pathname + url.search }), 303);
    }
    throw askPasskey("sign-in", { request, context });
  }
  context.set(signedInContext, found);
};

/**
 * Who asks for this page or sent this form.
 * @param needs.fresh whether their passkey must have been touched within the last minutes
 * @param needs.admin whether only an admin may
 * @throws what to answer whoever may not
 */
export function requireOperator(
  asked: Asked,
  needs: { fresh?: true; admin?: true } = {},
): SignedIn {
  const found = asked.context.get(signedInContext);
  if (needs.admin && found.operator.role !== "admin") {
    throw data({ refused: "role" }, { status: 403 });
  }
  if (needs.fresh && !getServices(asked.context).operators.isFresh(found.session)) {
    throw askPasskey("touch", asked);
  }
  return found;
}

/** What a form that waits for a passkey is answered with. */
export function askPasskey(
  reason: Refused["refused"],
  { request, context }: Asked,
  more: Partial<Pick<Refused, "action" | "problem">> = {},
) {
  const { pathname, search } = new URL(request.url);
  const { operators, visit, isDrill = false } = getServices(context);
  const options =
    reason === "touch"
      ? operators.touchOptions(context.get(signedInContext))
      : operators.signInOptions();
  const fields = visit.posted ?? {};
  const answer: Refused = {
    ...{ refused: reason, options, action: pathname + search, fields, isDrill },
    ...more,
  };
  return data(answer, { status: 401 });
}

/**
 * A door's refusal, as its page is answered with.
 * @param code what was typed, which goes back to whoever typed it and nowhere else: no page of operators is stored
 */
export function refuseEntry<Problem extends string>(problem: Problem, code?: string) {
  return data({ problem, code }, { status: 401 });
}

/** Who tries to come in. */
export function visitorOf({ request }: Asked) {
  return { userAgent: request.headers.get("user-agent") };
}

/**
 * After the door: on to what was wanted, with the session's new cookie. A form that had to wait is sent there once more
 * by the browser itself, with everything that was typed.
 */
export function letIn(asked: Asked, token: string): Response {
  const { posted } = getServices(asked.context).visit;
  return new Response(null, {
    status: posted?.kept === undefined ? 303 : 307,
    headers: { Location: readWanted(asked.request), "Set-Cookie": toSessionCookie(token) },
  });
}

/** The address of ours that somebody wanted before they had to stop at the door. Today where it is none of operators'. */
export function readWanted(request: Request): string {
  const url = new URL(request.url);
  const wanted = url.searchParams.get("to") ?? "";
  if (URL.canParse(wanted, url.origin)) {
    const { origin, pathname, search } = new URL(wanted, url.origin);
    // What it leads to, not what was typed: a browser takes `/operator/..//evil.example` for another site.
    if (origin === url.origin && /^\/operator(?:\/|$)/.test(pathname)) return pathname + search;
  }
  return wordsAt(url).to(paths.operator);
}
