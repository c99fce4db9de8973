import { data, type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { servicesContext } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";

export type Asking = { request: Request; context: Readonly<RouterContextProvider> };

/** Who asks, in which words they read, what they sent, and what pages are made from. */
export type AtDesk = ReturnType<typeof requireOperator>;

/** Stands before every page of operators but the ways in: nothing of them runs for whoever is not signed in. */
export const guard: MiddlewareFunction<Response> = (asking) => {
  requireOperator(asking);
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
  const services = context.get(servicesContext);
  const { signedIn, posted: typed = {} } = services.visit;
  const url = new URL(request.url);
  if (!signedIn) throw toSignIn(request);
  if (needs.admin && signedIn.operator.role !== "admin") throw data(null, { status: 403 });
  if (needs.fresh && !signedIn.isFresh) throw toSignIn(request);
  return { ...signedIn, services, url, typed, words: wordsAt(url) };
}

/** Whoever only looks is led to the sign-in; a form is sent there by the browser itself, with everything that was typed. */
function toSignIn({ url, method }: Request): Response {
  const wanted = new URL(url);
  const to = wanted.pathname + wanted.search;
  const signIn = wordsAt(wanted).to(paths.operatorSignIn, { to });
  return redirect(signIn, method === "GET" ? 303 : 307);
}
