import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileForPostgres } from "../tests/harness/released-statements.ts";

/**
 * `npm run statements`: records every SQL statement of a released version.
 * tests/postgres/versions-side-by-side.test.ts runs them against the next version's tables.
 */
const file = join(import.meta.dirname, "../server/platform/database/released-statements.json");
const statements = compileForPostgres();
writeFileSync(file, `${JSON.stringify(statements, null, 2)}\n`);
console.log(
  `${statements.length} statements are in server/platform/database/released-statements.json.`,
);
