import { afterAll, beforeAll, expect, test } from "vitest";
import {
  describeSchema,
  describeStore,
} from "../../server/platform/database/stored-schema.fixture.ts";
import { createFilledDatabase, type TestDatabase } from "../harness/postgres.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createFilledDatabase();
});
afterAll(() => database.drop());

test("migrations create exactly the schema's tables", async () => {
  const columns = await database.ask(`
    select table_name as "table", column_name as "column", column_default as given,
      case is_nullable when 'YES' then 1 else 0 end as nullable,
      case when is_identity = 'YES' then 'integer, counted' when data_type = 'bigint' then 'integer'
        else data_type || coalesce(' ' || nullif(collation_name, 'C'), '') end as type
    from information_schema.columns where table_schema = current_schema()`);
  const constraints = await database.ask(`
    select conrelid::regclass::text as "table", attname::text as "column",
      case contype when 'p' then 'key' when 'u' then 'unique' else confrelid::regclass ||
        case confdeltype when 'c' then ' cascade' else ' no action' end end as "constraint"
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
    where connamespace = current_schema()::regnamespace and contype in ('p', 'u', 'f')`);
  const stored = describeStore(
    columns as Parameters<typeof describeStore>[0],
    constraints as Parameters<typeof describeStore>[1],
  );
  expect(stored).toEqual(describeSchema());
});
