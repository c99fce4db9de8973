import "../../server/command-line/account-system.ts";
import "../../server/command-line/ledger.ts";
import "../../server/command-line/operators.ts";
import "../../server/command-line/requests.ts";
import "../../server/command-line/restore.ts";
import { compile, ownStatements } from "../../server/database/postgres.ts";
import { declaredStatements } from "../../server/database/statement.ts";
import "../../server/instances.ts";
import "../../server/services.ts";

/** Compiles every statement of this version to PostgreSQL's SQL and sorts them. */
export function compileForPostgres(): string[] {
  const declared = declaredStatements().map((statement) => compile(statement).sql);
  return [...new Set([...declared, ...ownStatements])].sort();
}
