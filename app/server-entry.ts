import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { createApp } from "../server/app.ts";
import { paths } from "../server/platform/http/paths.ts";
import type { SiteServices } from "../server/services.ts";
import type { PageHandle } from "./document/page-handle.ts";
import { writeRefusals } from "./document/refusal-pages.tsx";
import { answerBackgroundForm, answerPageForm } from "./pages/delete-account/answer-form.ts";

export { campus, theme, translations } from "virtual:campus";

import { servicesContext } from "./services-context.ts";
import { wordsAt } from "./words.ts";

/**
 * Creates the site both as a server for sockets and as a function from request to response. It is
 * part of the server bundle, so that pages and server share one copy of every module.
 * `server/start.ts` passes the services in.
 */
export function createSite(services: SiteServices) {
  const handle = createRequestHandler(build, import.meta.env.MODE);
  const findRoute = createRouteFinder();
  return createApp(services, {
    find(url) {
      // Hides the framework's `x.data` addresses, which would return the data of page `x`.
      const route = url.pathname.endsWith(".data") ? undefined : findRoute(url.pathname);
      if (!route) return undefined;
      if (route.isOperators) return { operators: { takesForms: route.takesForms } };
      if (import.meta.env.DEV) return {};
      const keptAs = route.handle?.keptAs?.(url);
      return { keptAs: keptAs === undefined ? undefined : wordsAt(url).to(keptAs) };
    },
    inLanguageOf: (url, path) => wordsAt(url).to(path),
    refusals: writeRefusals(),
    render(request, visit) {
      const context = new RouterContextProvider();
      context.set(servicesContext, { ...services, visit });
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
 * Creates a lookup of routes by path. The framework's `matchRoutes` ranks all routes on each call,
 * which would take a fifth of the time that an unknown address costs.
 */
function createRouteFinder() {
  const routes = Object.values(build.routes).filter((route) => route !== undefined);
  const parents = new Set(routes.map(({ parentId }) => parentId));
  const handleOf = (id = "") => build.routes[id]?.module.handle as PageHandle | undefined;
  // Document and layouts have no path.
  const pages = routes
    .filter(({ id }) => !parents.has(id))
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
