import { sql } from "kysely";
import { openStates } from "../life/request.ts";

/** States as statements name them: a partial index answers only where the query says its condition with the same literals. */

export const openNames = openStates.map((state) => sql.lit(state));

/** Of those with a promised date. */
export const workingNames = openStates
  .filter((state) => state !== "received")
  .map((state) => sql.lit(state));
