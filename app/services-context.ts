import { createContext } from "react-router";
import type { Visit } from "../server/app.ts";
import type { SiteServices } from "../server/services.ts";

/** Context for loaders: this server's services and the visit. */
export const servicesContext = createContext<SiteServices & { visit: Visit }>();

/** True if the database was unavailable for this page. */
export const withoutStoreContext = createContext(false);
