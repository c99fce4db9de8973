import { createContext } from "react-router";
import type { Visit } from "../server/app.ts";
import type { SiteServices } from "../server/services.ts";

/** What loaders may use: the services of this server, and what this page is shown with. */
export const servicesContext = createContext<SiteServices & { visit: Visit }>();

/** Whether the store could not be used for this page. */
export const withoutStoreContext = createContext(false);
