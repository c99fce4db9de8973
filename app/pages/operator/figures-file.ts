import { carryOutFigures } from "../../../server/deletion-requests/ledger/figures.ts";
import type { Route } from "./+types/figures-file";
import { requireOperator } from "./guard.ts";

/**
 * Downloads the monthly figures for a spreadsheet, without email addresses. The download is
 * recorded in the history.
 */
export async function loader(args: Route.LoaderArgs) {
  const { operator, services } = requireOperator(args);
  const lines = await Array.fromAsync(carryOutFigures(services.desk, operator.name));
  return new Response(lines.join(""), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="figures.csv"',
    },
  });
}
