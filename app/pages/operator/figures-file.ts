import type { Route } from "./+types/figures-file";
import { requireOperator } from "./guard.ts";

/** The figures by month, for a spreadsheet. */
export function loader(args: Route.LoaderArgs) {
  requireOperator(args);
  return new Response("month\n", { headers: { "Content-Type": "text/csv; charset=utf-8" } });
}
