import { createContext } from "react";

/** Id of the request that a page answers. Cached pages have none. */
export const RequestIdContext = createContext<string | undefined>(undefined);
