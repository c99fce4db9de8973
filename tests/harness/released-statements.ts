import type { Client } from "pg";
import "../../server/command-line/account-system.ts";
import "../../server/command-line/ledger.ts";
import "../../server/command-line/operators.ts";
import "../../server/command-line/requests.ts";
import "../../server/command-line/restore.ts";
import { compile } from "../../server/database/postgres.ts";
import { declaredStatements } from "../../server/database/statement.ts";
import "../../server/instances.ts";
import "../../server/services.ts";

/** Everything that this version can ask PostgreSQL, as SQL, in an order that says nothing. */
export function compileForPostgres(): string[] {
  return [...new Set(declaredStatements().map((statement) => compile(statement).sql))].sort();
}

/** What of these statements the tables of a database no longer bear. */
export async function findRefused(
  client: Client,
  statements: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO'`);
  const refused: string[] = [];
  for (const sql of statements) {
    try {
      await client.query(`prepare one as ${sql}`);
      await client.query("deallocate one");
    } catch (error) {
      refused.push(`${(error as Error).message}: ${sql}`);
      continue;
    }
    const [, table, columns = ""] = /^insert into "(\w+)" \(([^)]*)\)/.exec(sql) ?? [];
    const given = columns.split(", ");
    for (const { column } of rows.filter((row) => row.table === table)) {
      if (!given.includes(`"${column}"`)) refused.push(`${table}.${column} must be said: ${sql}`);
    }
  }
  return refused;
}
