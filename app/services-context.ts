import { createContext, type RouterContextProvider } from "react-router";
import type { PublicForm, Visit } from "../server/app.ts";
import type { SiteServices } from "../server/services.ts";

/** Context for loaders and actions: this server's services and the visit. */
export const servicesContext = createContext<SiteServices & { visit: Visit }>();

/** Returns the posted form of a public page's action. */
export function requireForm(context: Readonly<RouterContextProvider>): PublicForm {
  const { form } = context.get(servicesContext).visit;
  if (!form) throw new Error("A public page's action ran without the server's checks");
  return form;
}

/** Error of a public form's action or page, for the server to answer. */
export const formErrorContext = createContext<{ error: unknown } | null>(null);

/** True if the database was unavailable for this page. */
export const withoutStoreContext = createContext(false);
