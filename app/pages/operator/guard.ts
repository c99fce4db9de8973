import {
  createContext,
  data,
  type MiddlewareFunction,
  type RouterContextProvider,
  redirect,
} from "react-router";
import { paths } from "../../../server/http/paths.ts";
import type { SignedIn } from "../../../server/operators/sessions.ts";
import { servicesContext } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";

/** Who asks, once the guard has seen their session. */
const signedInContext = createContext<SignedIn>();

export type Asking = { request: Request; context: Readonly<RouterContextProvider> };

/** Who asks, in which words they read, what they sent, and what pages are made from. */
export type AtDesk = ReturnType<typeof requireOperator>;

/** Stands before every page of operators but the ways in: nothing of them runs for whoever is not signed in. */
export const guard: MiddlewareFunction<Response> = async ({ request, context }) => {
  const { operators } = context.get(servicesContext);
  const found = await operators.findSession(request.headers.get("cookie"));
  if (!found) throw toSignIn(request);
  context.set(signedInContext, found);
};

/**
 * Who asks for this page or sent this form.
 * @param needs.fresh whether their passkey must have been touched within the last minutes
 * @param needs.admin whether only an admin may
 * @throws what to answer whoever may not
 */
export function requireOperator(
  { request, context }: Asking,
  needs: { fresh?: true; admin?: true } = {},
) {
  const found = context.get(signedInContext);
  const services = context.get(servicesContext);
  const url = new URL(request.url);
  if (needs.admin && found.operator.role !== "admin") throw data(null, { status: 403 });
  if (needs.fresh && !services.operators.isFresh(found)) throw toSignIn(request);
  const typed = services.visit.posted ?? {};
  return { ...found, services, url, typed, words: wordsAt(url) };
}

/** Whoever only looks is led to the sign-in; a form is sent there by the browser itself, with everything that was typed. */
function toSignIn({ url, method }: Request): Response {
  const wanted = new URL(url);
  const to = wanted.pathname + wanted.search;
  const signIn = wordsAt(wanted).to(paths.operatorSignIn, { to });
  return redirect(signIn, method === "GET" ? 303 : 307);
}
