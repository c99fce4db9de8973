import { randomBytes } from "node:crypto";
import type { ReactElement } from "react";
import { renderToReadableStream, renderToStaticMarkup } from "react-dom/server";
import {
  type EntryContext,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { comeBack } from "../server/app.ts";
import { markForeignWords } from "../server/language/foreign-words.ts";
import { contentSecurityPolicy } from "./document/content-security-policy.ts";
import { facesOfLetters } from "./document/faces-of-letters.ts";
import type { PageHandle } from "./document/page-handle.ts";
import { styleForScript } from "./document/script-styles.ts";
import { shortenMarkup } from "./document/short-markup.ts";
import { createStyleFitter, readStyles, stylesMark } from "./document/styles.ts";
import { getServices, withoutStoreContext } from "./services-context.ts";
import pageScript from "./ui/page-script.js?script";
import { type Words, wordsAt } from "./words.ts";

const fitStyles = createStyleFitter();

/**
 * Renders a page as plain HTML, whole and without framework script, its stylesheet inside. Islands render
 * themselves as hydratable markup within it. Operators' pages are hydratable as a whole and bring the framework; their
 * inline scripts hold what was read for this visit, so a nonce allows them.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { matches } = context.staticHandlerContext;
  const handles = matches.map((match) => (match.route as { handle?: PageHandle }).handle ?? {});
  const nonce = handles.some((handle) => handle.operators)
    ? randomBytes(16).toString("base64")
    : undefined;
  const rendered =
    nonce === undefined
      ? shortenMarkup(renderToStaticMarkup(<ServerRouter context={context} url={request.url} />))
      : await renderHydratable(
          <ServerRouter context={context} url={request.url} nonce={nonce} />,
          nonce,
        );
  const words = wordsAt(new URL(request.url));
  // What React takes over must stay as it rendered it. Styles are fitted to what is marked, too.
  const isHydrated = handles.some((handle) => "operators" in handle);
  const marked = isHydrated ? rendered : markWords(rendered, words);
  const island = handles.some((handle) => handle.island);
  const page = import.meta.env.DEV
    ? { css: "", html: marked }
    : await fitStyles(
        facesOfLetters(words.settings.language) +
          styleForScript(
            readStyles(context, (path) => getServices(loadContext).readAsset(path)),
            words.settings.language,
          ),
        marked,
        { grows: island || nonce !== undefined },
      );
  const html = page.html.replace(stylesMark, () => page.css);

  headers.set("Content-Type", "text/html; charset=utf-8");
  if (import.meta.env.DEV) {
    headers.set("Cache-Control", "no-store");
  } else {
    headers.set(
      "Content-Security-Policy",
      contentSecurityPolicy({
        styles: [page.css],
        scripts:
          nonce === undefined
            ? [pageScript, ...handles.flatMap((handle) => handle.inlineScripts ?? [])]
            : [],
        island,
        ...(nonce !== undefined && { nonce }),
      }),
    );
  }
  const whole = nonce === undefined ? `<!DOCTYPE html>${html}` : html;
  if (!loadContext.get(withoutStoreContext)) return new Response(whole, { status, headers });
  for (const [name, value] of Object.entries(comeBack)) headers.set(name, value);
  return new Response(whole, { status: 503, headers });
}

/** The whole document as hydration expects it, with its doctype. */
async function renderHydratable(page: ReactElement, nonce: string): Promise<string> {
  const stream = await renderToReadableStream(page, { nonce });
  await stream.allReady;
  return new Response(stream).text();
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
  { request, context }: { request: Request; context: RouterContextProvider },
) {
  if (getServices(context).isStorageProblem(error)) context.set(withoutStoreContext, true);
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  getServices(context).reportError(error, new URL(request.url).pathname);
}
