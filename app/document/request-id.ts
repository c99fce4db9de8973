import { createContext } from "react";

/** Id of the request being responded to. Cached pages have none. */
export const RequestIdContext = createContext<string | undefined>(undefined);
