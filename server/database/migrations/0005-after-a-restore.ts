import type { Kysely } from "kysely";
import { makeColumns } from "./making-tables.ts";

export const up = (database: Kysely<unknown>) => makeColumns(database, "0005-after-a-restore");
