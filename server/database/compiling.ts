import {
  createQueryId,
  type Dialect,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  type RootOperationNode,
  type SelectModifierNode,
} from "kysely";
import { encode } from "./rows.ts";
import type { Tables } from "./schema.ts";
import type { AnyStatement } from "./statement.ts";

/** Makes SQL of a declared statement in the words of one database; what a call brings is bound by name. */
export type Compiled = { sql: string; bind: (values: unknown) => never[] };

/** Stands in a compiled statement where a call's value goes. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy(
  {},
  {
    get: (_, name) => new Placeholder(String(name)),
    ownKeys: () => {
      throw new Error("A statement takes its values by name");
    },
  },
) as never;

/**
 * @param words of the database; SQL is written here and never run
 */
export function createCompiler(
  words: Omit<Dialect, "createDriver">,
): (statement: AnyStatement, change?: (node: RootOperationNode) => RootOperationNode) => Compiled {
  const tables = new Kysely<Tables>({
    dialect: { ...words, createDriver: () => new DummyDriver() },
  });
  const executor = tables.getExecutor();
  return (statement, change = (node) => node) => {
    const built = statement.build(tables, placeholders) as unknown as OperationNodeSource;
    const node = change(built.toOperationNode() as RootOperationNode);
    const { sql, parameters } = executor.compileQuery(node, createQueryId());
    return {
      sql,
      bind: (values) => {
        const given = (values ?? {}) as Record<string, unknown>;
        return parameters.map(
          (slot) => encode(slot instanceof Placeholder ? given[slot.name] : slot) as never,
        );
      },
    };
  };
}

/** Whether a part of a select is there for those who work side by side. */
export function isLock(node: SelectModifierNode): boolean {
  return node.modifier !== undefined && node.modifier !== "Distinct";
}
