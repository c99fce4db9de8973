import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { createApp, type SiteServices } from "../server/app.ts";

export { campus, theme } from "virtual:campus";

import { servicesContext } from "./services-context.ts";

/**
 * The site as one function from request to response. It is part of the server bundle, so that pages and server
 * share one copy of every module between them; `server/main.ts` passes the services in.
 */
export function createSite(services: SiteServices) {
  const handle = createRequestHandler(build, import.meta.env.MODE);
  return createApp(services, (request, visit) => {
    const context = new RouterContextProvider();
    context.set(servicesContext, { ...services, visit });
    return handle(request, context);
  });
}
