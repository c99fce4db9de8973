import { renderToStaticMarkup } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { contentSecurityPolicy } from "./document/content-security-policy.ts";
import { DocumentAssetsContext, type PageHandle } from "./document/document-assets.ts";
import { getServices } from "./services-context.ts";
import pageScript from "./ui/page-script.js?raw";

/**
 * Renders a page as plain HTML, whole and without framework script, its stylesheet inside. Islands render
 * themselves as hydratable markup within it.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
): Response {
  const { matches } = context.staticHandlerContext;
  const handles = matches.map((match) => (match.route as { handle?: PageHandle }).handle ?? {});
  const css = import.meta.env.DEV
    ? ""
    : readStyles(context, (path) => getServices(loadContext).readAsset(path));

  const html = renderToStaticMarkup(
    <DocumentAssetsContext value={{ css }}>
      <ServerRouter context={context} url={request.url} />
    </DocumentAssetsContext>,
  );

  headers.set("Content-Type", "text/html; charset=utf-8");
  if (import.meta.env.DEV) {
    headers.set("Cache-Control", "no-store");
  } else {
    headers.set(
      "Content-Security-Policy",
      contentSecurityPolicy({
        styles: [css],
        scripts: [pageScript, ...handles.flatMap((handle) => handle.inlineScripts ?? [])],
        island: handles.some((handle) => handle.island),
      }),
    );
  }
  return new Response(`<!DOCTYPE html>${html}`, { status, headers });
}

/** The stylesheets of the matched routes, in order, each once. */
function readStyles(context: EntryContext, read: (path: string) => string): string {
  const paths = context.staticHandlerContext.matches.flatMap(
    (match) => context.manifest.routes[match.route.id]?.css ?? [],
  );
  return [...new Set(paths)].map(read).join("");
}

/** Errors of loaders, actions and rendering. An abandoned request and an address that leads nowhere are none. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  getServices(context).reportError(error, new URL(request.url).pathname);
}
