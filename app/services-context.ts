import { createContext, type RouterContextProvider } from "react-router";
import type { PublicForm, Visit } from "../server/app.ts";
import type { SiteServices } from "../server/services.ts";

/** Context for loaders and actions: this server's services and the current visit. */
export const servicesContext = createContext<SiteServices & { visit: Visit }>();

/** Returns the form that was posted to a public page's action. */
export function requireForm(context: Readonly<RouterContextProvider>): PublicForm {
  const { form } = context.get(servicesContext).visit;
  if (!form) throw new Error("A public page's action ran without the server's checks");
  return form;
}

/** Error of a public form's action or page. The server logs the error and responds to it. */
export const formErrorContext = createContext<{ error: unknown } | null>(null);

/** Whether the database was unavailable while this page was rendered. */
export const withoutStoreContext = createContext(false);
