import { createContext } from "react";

/** Id of the request that a page responds to. Cached pages have none. */
export const RequestIdContext = createContext<string | undefined>(undefined);
