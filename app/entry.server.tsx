import { renderToStaticMarkup } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { contentSecurityPolicy } from "./document/content-security-policy.ts";
import { markForeignWords } from "./document/foreign-words.ts";
import type { PageHandle } from "./document/page-handle.ts";
import { styleForScript } from "./document/script-styles.ts";
import { createStyleFitter, readStyles, stylesMark } from "./document/styles.ts";
import { getServices } from "./services-context.ts";
import pageScript from "./ui/page-script.js?script";
import { type Words, wordsAt } from "./words.ts";

const fitStyles = createStyleFitter();

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
  const rendered = renderToStaticMarkup(<ServerRouter context={context} url={request.url} />);
  const island = handles.some((handle) => handle.island);
  const page = import.meta.env.DEV
    ? { css: "", html: rendered }
    : fitStyles(
        styleForScript(
          readStyles(context, (path) => getServices(loadContext).readAsset(path)),
          wordsAt(new URL(request.url)).settings.language,
        ),
        rendered,
        { grows: island },
      );
  // What React takes over must stay as it rendered it.
  const isHydrated = handles.some((handle) => "operators" in handle);
  const html = (
    isHydrated ? page.html : markWords(page.html, wordsAt(new URL(request.url)))
  ).replace(stylesMark, () => page.css);

  headers.set("Content-Type", "text/html; charset=utf-8");
  if (import.meta.env.DEV) {
    headers.set("Cache-Control", "no-store");
  } else {
    headers.set(
      "Content-Security-Policy",
      contentSecurityPolicy({
        styles: [page.css],
        scripts: [pageScript, ...handles.flatMap((handle) => handle.inlineScripts ?? [])],
        island,
      }),
    );
  }
  return new Response(`<!DOCTYPE html>${html}`, { status, headers });
}

/** Says of foreign words on a page whose language they are. */
function markWords(html: string, { settings }: Words): string {
  const { language, product, developer, campus } = settings;
  return markForeignWords(html, language, [product, developer, campus], (tag) =>
    / id="[\w-]+-island"/.test(tag),
  );
}

/** Errors of loaders, actions and rendering. An abandoned request and an address that leads nowhere are none. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  getServices(context).reportError(error, new URL(request.url).pathname);
}
