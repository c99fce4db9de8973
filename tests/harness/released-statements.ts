import "../../server/cli/account-system.ts";
import "../../server/cli/ledger.ts";
import "../../server/cli/operators.ts";
import "../../server/cli/requests.ts";
import "../../server/cli/restore.ts";
import { compile, ownStatements } from "../../server/platform/database/postgres.ts";
import { declaredStatements } from "../../server/platform/database/statement.ts";
import "../../server/instances.ts";
import "../../server/services.ts";

/** Compiles this version's statements for PostgreSQL. Sorts them and removes duplicates. */
export function compileForPostgres(): string[] {
  const declared = declaredStatements().map((statement) => compile(statement).sql);
  return [...new Set([...declared, ...ownStatements])].sort();
}
