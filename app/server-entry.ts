import { campus } from "virtual:campus";
import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { createApp } from "../server/app.ts";
import { findNextRideChange } from "../server/platform/calendar/ride-hours.ts";
import type { SiteServices } from "../server/services.ts";
import type { PageHandle } from "./document/page-handle.ts";
import { writeRefusals } from "./document/refusal-pages.tsx";

export { campus, theme, translations } from "virtual:campus";

import { isOffered } from "./sections.ts";
import { formErrorContext, servicesContext } from "./services-context.ts";
import { languagePaths, languages } from "./words.ts";

/**
 * Creates the site, both as a server that listens on sockets and as a function from request to
 * response. This module is part of the server bundle, so that pages and server share one copy of
 * every module. `server/start.ts` passes in the services.
 */
export function createSite(services: SiteServices) {
  const handlers = new Map(
    languages.map(({ settings: { language } }) => [
      language,
      { page: createHandler(language), form: createHandler(language, isFormRoute) },
    ]),
  );
  const findRoute = createRouteFinder();
  return createApp(services, {
    find(url) {
      // Hides React Router's `x.data` URLs, which would return the data of page `x`.
      const { language, path } = languagePaths.read(url.pathname);
      const route = path.endsWith(".data") ? undefined : findRoute(path);
      if (!route) return undefined;
      const { isOperators, takesForms } = route;
      if (isOperators || import.meta.env.DEV) return { isOperators, takesForms };
      const plain = new URL(url);
      plain.pathname = path;
      const keptAs = route.handle?.keptAs?.(plain);
      return {
        takesForms,
        keptAs: keptAs === undefined ? undefined : languagePaths.to(keptAs, language),
        query: route.handle?.query,
      };
    },
    languages: languagePaths,
    changesAfter: (nowMs) => findNextChange(nowMs, services),
    refusals: writeRefusals(),
    async render(request, visit) {
      const context = new RouterContextProvider();
      context.set(servicesContext, { ...services, visit });
      const { language } = languagePaths.read(new URL(request.url).pathname);
      const handle = handlers.get(language)?.[visit.form ? "form" : "page"];
      if (!handle) throw new Error(`No pages in the language ${language}`);
      const response = await handle(request, context);
      const failed = context.get(formErrorContext);
      if (failed) throw failed.error;
      return response;
    },
  });
}

/** When the notices end, in milliseconds since 1970. */
const noticeEnds = campus.notices
  .map(({ until }) => Temporal.PlainDate.from(until).add({ days: 1 }))
  .map((end) => end.toZonedDateTime(campus.settings.timeZone).epochMilliseconds);

/** Returns the next time at which a notice ends, or rides begin, end or become busy. */
function findNextChange(nowMs: number, { calendar }: SiteServices): number {
  const times = campus.settings.ride?.times;
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
  const rides = times ? [findNextRideChange(times, calendar, now).epochMilliseconds] : [];
  return Math.min(...rides, ...noticeEnds.filter((end) => end > nowMs));
}

/**
 * Creates React Router's request handler for one language. The routes start with the language, so
 * React Router tries only as many routes as on a campus with a single language.
 * @param isHandled selects the routes; fewer are faster, because React Router compiles a pattern
 * for every route that it tries
 */
function createHandler(language: string, isHandled = (_id: string) => true) {
  const select = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => isHandled(id)));
  const { root, ...others } = select(build.routes);
  if (!root) throw new Error("The build has no root route");
  const path = languagePaths.to("/", language);
  const routes = { ...others, root: { ...root, path } };
  const assets = { ...build.assets, routes: select(build.assets.routes) };
  return createRequestHandler({ ...build, routes, assets }, import.meta.env.MODE);
}

/**
 * Returns whether a route is the root route, which renders the document, or a public route that
 * accepts forms.
 */
function isFormRoute(id: string): boolean {
  const route = build.routes[id];
  return id === "root" || (route?.parentId === "root" && route.module.action !== undefined);
}

/**
 * Creates a lookup of routes by path. React Router's `matchRoutes` ranks all routes on each call,
 * which would take a fifth of the time spent on an unknown URL.
 */
function createRouteFinder() {
  const routes = Object.values(build.routes).filter((route) => route !== undefined);
  const parents = new Set(routes.map(({ parentId }) => parentId));
  const handleOf = (id = "") => build.routes[id]?.module.handle as PageHandle | undefined;
  // The document and the layouts have no path.
  const pages = routes
    .filter(({ id, path = "" }) => !parents.has(id) && isOffered(`/${path}`))
    .map(({ id, parentId, path = "", module }) => ({
      path: `/${path}`,
      handle: handleOf(id),
      isOperators: handleOf(parentId)?.operators === true,
      takesForms: module.action !== undefined,
    }));

  const named = new Map(pages.map((page) => [page.path, page]));
  const placed = pages
    .filter(({ path }) => path.includes(":"))
    .map((page) => ({ page, pattern: new URLPattern({ pathname: page.path }) }));
  return (path: string) => {
    // Decodes each segment separately, as React Router does, so that an encoded slash doesn't
    // separate segments.
    const parts = path.split("/").map((part) => decodeURIComponent(part).replaceAll("/", "%2F"));
    const decoded = parts.join("/");
    const isThere = ({ handle }: (typeof pages)[number]) => handle?.isThere?.(decoded) ?? true;
    return (
      named.get(decoded) ??
      placed.find(({ page, pattern }) => pattern.test({ pathname: path }) && isThere(page))?.page
    );
  };
}
