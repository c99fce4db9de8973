import { createContext } from "react";

/** Id of the current HTTP request, or undefined on cached pages. */
export const RequestIdContext = createContext<string | undefined>(undefined);
