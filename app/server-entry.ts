import * as build from "virtual:react-router/server-build";
import {
  createRequestHandler,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
} from "react-router";
import { createApp, type SiteServices } from "../server/app.ts";
import type { PageHandle } from "./document/page-handle.ts";
import { createForms } from "./forms.ts";

export { campus, theme, translations } from "virtual:campus";

import { servicesContext } from "./services-context.ts";
import { wordsAt } from "./words.ts";

/** The framework answers `x.data` with what the page of `x` knows. Only operators' pages ask for that. */
const dataSuffix = /\.data$/;

/**
 * The site, for sockets and as one function from request to response. It is part of the server bundle, so that pages
 * and server share one copy of every module between them; `server/main.ts` passes the services in.
 */
export function createSite(services: SiteServices) {
  const handle = createRequestHandler(build, import.meta.env.MODE);
  const routes = toTree();
  return createApp(services, {
    find(url) {
      const matches = matchRoutes(routes, url.pathname.replace(dataSuffix, "")) ?? [];
      const match = matches.at(-1);
      if (!match) return undefined;
      const handles = matches.map(({ route }) => route.handle as PageHandle | undefined);
      if (handles.some((handle) => handle?.operators)) {
        const { module } = build.routes[match.route.id ?? ""] ?? {};
        return { operators: { takesForms: module?.action !== undefined } };
      }
      if (dataSuffix.test(url.pathname)) return undefined;
      if (import.meta.env.DEV) return {};
      const keptAs = handles.at(-1)?.keptAs?.(url);
      return { keptAs: keptAs === undefined ? undefined : wordsAt(url).to(keptAs) };
    },
    inLanguageOf: (url, path) => wordsAt(url).to(path),
    render(request, visit) {
      const context = new RouterContextProvider();
      context.set(servicesContext, { ...services, visit });
      return handle(request, context);
    },
    forms: createForms(services),
  });
}

/** The routes of the build as the router's own kind of tree, with what they declare. */
function toTree(parentId?: string): RouteObject[] {
  return Object.values(build.routes)
    .filter((route) => route !== undefined && route.parentId === parentId)
    .map((route) => {
      const { id, path, caseSensitive } = route as NonNullable<typeof route>;
      const common = { id, path, caseSensitive, handle: route?.module.handle };
      return route?.index
        ? { ...common, index: true as const }
        : { ...common, children: toTree(id) };
    });
}
