import { renderToStaticMarkup } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { retryLater } from "../server/app.ts";
import { dateAt } from "../server/platform/calendar/business-days.ts";
import { TextMarksContext } from "./components/text.tsx";
import { contentSecurityPolicy } from "./document/content-security-policy.ts";
import { readHandles } from "./document/page-handle.ts";
import { RequestIdContext } from "./document/request-id.ts";
import { findAddedStyles, findSheets, StylesContext } from "./document/styles.ts";
import { TodayContext } from "./document/today.ts";
import { removeUnusedProperties, removeUnusedRules } from "./document/used-styles.ts";
import { formErrorContext, servicesContext, withoutStoreContext } from "./services-context.ts";
import { wordsAt } from "./words.ts";

/**
 * Renders a page. If the page answers a public form, waits for the sender's rate-limit turn first.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { form } = loadContext.get(servicesContext).visit;
  const render = async () => renderPage({ request, status, headers, context, loadContext });
  return form ? form.renderInTurn(render) : render();
}

type Rendering = {
  request: Request;
  status: number;
  headers: Headers;
  context: EntryContext;
  loadContext: RouterContextProvider;
};

/** Renders a page as complete HTML with inline styles and no React Router client scripts. */
function renderPage({ request, status, headers, context, loadContext }: Rendering): Response {
  const { matches } = context.staticHandlerContext;
  const { isOperators, hasIsland, scripts } = readHandles(matches.map(({ route }) => route));
  const { settings, textMarks } = wordsAt(new URL(request.url));
  const { calendar, clock, readAsset, requestIds } = loadContext.get(servicesContext);
  const isFault = status === 404 || context.staticHandlerContext.errors !== null;
  const { inside, late, footer } = findSheets(context, { isFault });
  // The operators' script replaces only the page's content and keeps the document's styles.
  const isStyled = !isOperators || request.headers.get("sec-fetch-dest") !== "empty";
  const sheets =
    import.meta.env.DEV || !isStyled
      ? ""
      : [...inside.map(readAsset), findAddedStyles(settings.language)].join("");
  const markup = renderToStaticMarkup(
    <TodayContext value={dateAt(calendar, clock())}>
      <RequestIdContext value={requestIds.current()}>
        <StylesContext value={{ inside: sheets, late, footer }}>
          <TextMarksContext value={textMarks}>
            <ServerRouter context={context} url={request.url} />
          </TextMarksContext>
        </StylesContext>
      </RequestIdContext>
    </TodayContext>,
  );

  // Islands and the operators' script add elements, so these pages keep all rules.
  const css = hasIsland || isOperators ? sheets : removeUnusedStyles(sheets, markup, readAsset);
  const html = markup.replace(sheets, () => css);

  headers.set("Content-Type", "text/html; charset=utf-8");
  if (import.meta.env.DEV) {
    headers.set("Cache-Control", "no-store");
  } else {
    const policy = contentSecurityPolicy({ style: css, scripts, files: hasIsland || isOperators });
    headers.set("Content-Security-Policy", policy);
  }
  const whole = `<!DOCTYPE html>${html}`;
  if (!loadContext.get(withoutStoreContext)) return new Response(whole, { status, headers });
  for (const [name, value] of Object.entries(retryLater)) headers.set(name, value);
  return new Response(whole, { status: 503, headers });
}

/** Removes everything from the inline styles that neither the page nor its linked styles need. */
function removeUnusedStyles(
  css: string,
  html: string,
  readAsset: (path: string) => string,
): string {
  const linked = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
  const others = [html.replace(css, ""), ...linked.map(([, path = ""]) => readAsset(path))];
  return removeUnusedProperties(removeUnusedRules(css, html), others);
}

/**
 * Logs errors in loaders, actions and rendering, except for aborted requests and responses with a
 * status below 500. The server handles errors in public forms itself.
 */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: RouterContextProvider },
) {
  const { isStorageProblem, reportError, visit } = context.get(servicesContext);
  if (isStorageProblem(error)) context.set(withoutStoreContext, true);
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  if (visit.form) context.set(formErrorContext, { error });
  else reportError(error, new URL(request.url).pathname);
}
