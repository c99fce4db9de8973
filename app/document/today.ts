import { createContext } from "react";

/**
 * Today's date on the campus. Set for every page, including error pages, which have no loader data.
 */
export const TodayContext = createContext(Temporal.PlainDate.from("1970-01-01"));
