import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileForPostgres } from "../tests/harness/released-statements.ts";

/**
 * `npm run weight -- statements`: enters what this version asks the database. Said when a version is running everywhere; from then
 * on tests/postgres/versions-side-by-side.test.ts holds the next versions' tables to it.
 */
const file = join(import.meta.dirname, "../server/database/released-statements.json");
const statements = compileForPostgres();
writeFileSync(file, `${JSON.stringify(statements, null, 2)}\n`);
console.log(`${statements.length} statements are in server/database/released-statements.json.`);
