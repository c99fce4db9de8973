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

const allRoutes = Object.values(build.routes).filter((route) => route !== undefined);

/**
 * Creates the site as both a socket server and a request handler. This module is part of the server
 * bundle, so pages and server share one instance of every module. `server/start.ts` passes in the
 * services.
 */
export function createSite(services: SiteServices) {
  const handlers = new Map(
    languages.map(({ settings: { language } }) => [
      language,
      { page: createHandler(language), form: createHandler(language, isFormRoute) },
    ]),
  );
  const findRoute = createRouteFinder();
  const answers = findAnswers();
  return createApp(services, {
    find(url) {
      // React Router would respond to `x.data` with the loader data of page `x`.
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
      const { language, path } = languagePaths.read(new URL(request.url).pathname);
      const answer = visit.form && answers.get(path);
      if (answer) return answer({ request, context });
      const handle = handlers.get(language)?.[visit.form ? "form" : "page"];
      if (!handle) throw new Error(`No pages in the language ${language}`);
      const response = await handle(request, context);
      const failed = context.get(formErrorContext);
      if (failed) throw failed.error;
      return response;
    },
  });
}

/** The end of each notice, in epoch milliseconds. */
const noticeEnds = campus.notices
  .map(({ until }) => Temporal.PlainDate.from(until).add({ days: 1 }))
  .map((end) => end.toZonedDateTime(campus.settings.timeZone).epochMilliseconds);

/** Returns the next time when a notice ends or when ride hours start, end or become busy. */
function findNextChange(nowMs: number, { calendar }: SiteServices): number {
  const times = campus.settings.ride?.times;
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs);
  const rides = times ? [findNextRideChange(times, calendar, now).epochMilliseconds] : [];
  return Math.min(...rides, ...noticeEnds.filter((end) => end > nowMs));
}

/**
 * Creates React Router's request handler for one language. Each handler has only the routes of its
 * language, so matching is as fast as on a campus with a single language.
 * @param isHandled selects the routes; fewer are faster, because React Router compiles a pattern
 * for every route it tries
 */
function createHandler(language: string, isHandled = (_id: string) => true) {
  const select = <Route>(routes: Record<string, Route>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => isHandled(id)));
  const { root, ...otherRoutes } = select(build.routes);
  if (!root) throw new Error("The build has no root route");
  const path = languagePaths.to("/", language);
  const routes = { ...otherRoutes, root: { ...root, path } };
  const assets = { ...build.assets, routes: select(build.assets.routes) };
  return createRequestHandler({ ...build, routes, assets }, import.meta.env.MODE);
}

/**
 * Returns whether a route is needed to respond to a form: the root route, which renders the
 * document, or a public route with an action.
 */
function isFormRoute(id: string): boolean {
  const route = build.routes[id];
  return id === "root" || (route?.parentId === "root" && route.module.action !== undefined);
}

type Answer = (args: { request: Request; context: RouterContextProvider }) => Promise<Response>;

/**
 * Finds the actions of routes without a page, such as the endpoint for scripts, keyed by path. They
 * run without React Router, which would take a twentieth of a form's time to match routes.
 */
function findAnswers(): Map<string, Answer> {
  return new Map(
    allRoutes.flatMap(({ path, module: { action, default: page } }) =>
      action && !page ? [[`/${path}`, action as unknown as Answer]] : [],
    ),
  );
}

/**
 * Creates a function that finds the route for a path. React Router's `matchRoutes` ranks all routes
 * on each call. That would take a fifth of the time spent on an unknown URL.
 */
function createRouteFinder() {
  const parents = new Set(allRoutes.map(({ parentId }) => parentId));
  const handleOf = (id = "") => build.routes[id]?.module.handle as PageHandle | undefined;
  // The root route and the layouts have no path of their own.
  const pages = allRoutes
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
    // Like React Router, decode each segment separately so that an encoded slash doesn't split a
    // segment.
    const parts = path.split("/").map((part) => decodeURIComponent(part).replaceAll("/", "%2F"));
    const decoded = parts.join("/");
    const isThere = ({ handle }: (typeof pages)[number]) => handle?.isThere?.(decoded) ?? true;
    return (
      named.get(decoded) ??
      placed.find(({ page, pattern }) => pattern.test({ pathname: path }) && isThere(page))?.page
    );
  };
}
