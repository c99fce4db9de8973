import { data, type MiddlewareFunction, type RouterContextProvider, redirect } from "react-router";
import { paths } from "../../../server/platform/http/paths.ts";
import { servicesContext } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";

export type RouteArgs = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Context of an operator's HTTP request: the operator, the text, the posted values and the
 * services.
 */
export type AtDesk = ReturnType<typeof requireOperator>;

/**
 * Guards every operator page except sign-in and enrollment. None of the guarded pages runs without
 * a session.
 */
export const guard: MiddlewareFunction<Response> = (asking) => {
  requireOperator(asking);
};

/**
 * Returns the operator who sent the HTTP request.
 * @param needs.fresh requires a passkey check within the last few minutes
 * @param needs.admin requires an admin
 * @throws the response to anyone without permission
 */
export function requireOperator(
  { request, context }: RouteArgs,
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

/**
 * Redirects to the sign-in page. After a POST, status 307 makes the browser resubmit the form
 * there, so no input is lost.
 */
function toSignIn({ url, method }: Request): Response {
  const wanted = new URL(url);
  const to = wanted.pathname + wanted.search;
  const signIn = wordsAt(wanted).to(paths.operatorSignIn, { to });
  return redirect(signIn, method === "GET" ? 303 : 307);
}
