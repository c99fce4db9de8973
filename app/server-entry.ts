import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { createApp } from "../server/app.ts";
import { paths } from "../server/platform/http/paths.ts";
import type { SiteServices } from "../server/services.ts";
import type { PageHandle } from "./document/page-handle.ts";
import { writeRefusals } from "./document/refusal-pages.tsx";
import { answerBackgroundForm, answerPageForm } from "./pages/delete-account/answer-form.ts";

export { campus, theme, translations } from "virtual:campus";

import { isOffered } from "./sections.ts";
import { servicesContext } from "./services-context.ts";
import { languagePaths, languages } from "./words.ts";

/**
 * Creates the site both as a server for sockets and as a function from request to response. It is
 * part of the server bundle, so that pages and server share one copy of every module.
 * `server/start.ts` passes the services in.
 */
export function createSite(services: SiteServices) {
  const handlers = new Map(
    languages.map(({ settings: { language } }) => [language, createHandler(language)]),
  );
  const findRoute = createRouteFinder();
  return createApp(services, {
    find(url) {
      // Hides the framework's `x.data` addresses, which would return the data of page `x`.
      const { language, path } = languagePaths.read(url.pathname);
      const route = path.endsWith(".data") ? undefined : findRoute(path);
      if (!route) return undefined;
      if (route.isOperators) return { operators: { takesForms: route.takesForms } };
      if (import.meta.env.DEV) return {};
      const plain = new URL(url);
      plain.pathname = path;
      const keptAs = route.handle?.keptAs?.(plain);
      return { keptAs: keptAs === undefined ? undefined : languagePaths.to(keptAs, language) };
    },
    languages: languagePaths,
    refusals: writeRefusals(),
    render(request, visit) {
      const context = new RouterContextProvider();
      context.set(servicesContext, { ...services, visit });
      const { language } = languagePaths.read(new URL(request.url).pathname);
      const handle = handlers.get(language);
      if (!handle) throw new Error(`No pages in the language ${language}`);
      return handle(request, context);
    },
    // All other addresses reject unsafe methods.
    forms: {
      [paths.deletion]: answerPageForm(services),
      [paths.deletionRequests]: answerBackgroundForm(services),
    },
  });
}

/**
 * Creates the framework's handler for one language. Its routes begin with the language, so the
 * framework matches no more routes than the campus has in one language.
 */
function createHandler(language: string) {
  const { root } = build.routes;
  if (!root) throw new Error("The build has no root route");
  const path = languagePaths.to("/", language);
  const routes = { ...build.routes, root: { ...root, path } };
  return createRequestHandler({ ...build, routes }, import.meta.env.MODE);
}

/**
 * Creates a lookup of routes by path. The framework's `matchRoutes` ranks all routes on each call,
 * which would take a fifth of the time that an unknown address costs.
 */
function createRouteFinder() {
  const routes = Object.values(build.routes).filter((route) => route !== undefined);
  const parents = new Set(routes.map(({ parentId }) => parentId));
  const handleOf = (id = "") => build.routes[id]?.module.handle as PageHandle | undefined;
  // Document and layouts have no path.
  const pages = routes
    .filter(({ id, path = "" }) => !parents.has(id) && isOffered(`/${path}`))
    .map(({ id, parentId, path = "", module }) => ({
      path: `/${path}`,
      handle: handleOf(id),
      isOperators: handleOf(parentId)?.operators,
      takesForms: module.action !== undefined,
    }));

  const named = new Map(pages.map((page) => [page.path, page]));
  const placed = pages
    .filter(({ path }) => path.includes(":"))
    .map((page) => ({ page, pattern: new URLPattern({ pathname: page.path }) }));
  return (path: string) => {
    // Decodes each segment like the framework, so that an encoded slash is not a separator.
    const parts = path.split("/").map((part) => decodeURIComponent(part).replaceAll("/", "%2F"));
    return (
      named.get(parts.join("/")) ??
      placed.find(({ pattern }) => pattern.test({ pathname: path }))?.page
    );
  };
}
