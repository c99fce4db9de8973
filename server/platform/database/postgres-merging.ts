import type { QueryResult } from "pg";
import type { StoredValue } from "./rows.ts";
import type { Compiled } from "./statement.ts";

type Row = Record<string, unknown>;
type Result = { rows: Row[]; count: number };

/** A statement that waits for the other calls of its `together`. */
type Waiting = {
  statement: Compiled;
  values: StoredValue[];
  resolve: (result: Promise<Result>) => void;
};

/**
 * Sends a transaction's statements in order. Merges the statements with which the calls of
 * `Write.together` begin: consecutive reads into one statement, and consecutive inserts into
 * different tables into another, because PostgreSQL answers each statement separately, and most
 * answers cost more than their rows. All parts of a merged statement see the rows from before it.
 */
export function createMerger(send: (text: string, values: StoredValue[]) => Promise<QueryResult>) {
  let isCollecting = false;
  let waiting: Waiting[] = [];

  function flush(): void {
    const parts = waiting;
    waiting = [];
    const [first, second] = parts;
    if (!first) return;
    if (!second) {
      first.resolve(sendAlone(first.statement, first.values));
      return;
    }
    const sent = send(
      mergedOf(parts.map(({ statement }) => statement)),
      parts.flatMap(({ values }) => values),
    );
    for (const [index, { statement, resolve }] of parts.entries()) {
      resolve(sent.then(({ rows }) => resultOf(statement, rows[0][partName(index)])));
    }
  }

  async function sendAlone({ sql }: Compiled, values: StoredValue[]): Promise<Result> {
    const { rows, rowCount } = await send(sql, values);
    return { rows, count: rowCount ?? 0 };
  }

  function run(statement: Compiled, given: unknown): Promise<Result> {
    const values = statement.bind(given);
    if (!isCollecting || statement.kind === "other") {
      flush();
      return sendAlone(statement, values);
    }
    if (!waiting.every((other) => canMerge(other.statement, statement))) flush();
    const { promise, resolve } = Promise.withResolvers<Result>();
    waiting.push({ statement, values, resolve });
    return promise;
  }

  return {
    all: async (statement: Compiled, values?: unknown) => (await run(statement, values)).rows,
    run: async (statement: Compiled, values?: unknown) => (await run(statement, values)).count,
    /** Sends what is waiting, before a statement that doesn't pass through here. */
    flush,
    /** Starts the calls. */
    collect(calls: readonly (() => Promise<unknown>)[]): Promise<unknown>[] {
      if (isCollecting) return calls.map((call) => call());
      isCollecting = true;
      try {
        return calls.map((call) => call());
      } finally {
        isCollecting = false;
        flush();
      }
    },
  };
}

/** Inserts into one table aren't merged, because PostgreSQL doesn't define their order. */
const canMerge = (one: Compiled, other: Compiled) =>
  one.kind === other.kind && (one.kind === "read" || one.into !== other.into);

const partName = (index: number) => `p${index}`;

/** @param found the part's column in the merged statement's row */
function resultOf({ kind, inserts }: Compiled, found: unknown): Result {
  if (kind === "insert") return { rows: [], count: inserts ?? Number(found) };
  return { rows: JSON.parse(String(found ?? "[]"), fromJson), count: 0 };
}

/** Reads booleans as numbers, like the type parsers in `postgres-pools.ts`. */
const fromJson = (_: string, value: unknown) =>
  typeof value === "boolean" ? Number(value) : value;

/** Merged statements, as a tree that branches by statement. */
type Merged = { text?: string; next: WeakMap<Compiled, Merged> };
const allMerged: Merged = { next: new WeakMap() };

/** Merges statements, or returns the text from the last time, because the same ones come again. */
function mergedOf(statements: Compiled[]): string {
  let node = allMerged;
  for (const statement of statements) {
    node = node.next.getOrInsertComputed(statement, () => ({ next: new WeakMap() }));
  }
  node.text ??= merge(statements);
  return node.text;
}

function merge(statements: Compiled[]): string {
  let offset = 0;
  const parts: string[] = [];
  const results: string[] = [];
  for (const [index, { kind, sql, inserts }] of statements.entries()) {
    const before = offset;
    const renumbered = sql.replace(/\$(\d+)/g, (_, slot) => {
      offset = Math.max(offset, before + Number(slot));
      return `$${before + Number(slot)}`;
    });
    const part = partName(index);
    const isCounted = kind === "insert" && inserts === undefined;
    parts.push(`${part} as (${renumbered}${isCounted ? " returning 1" : ""})`);
    if (kind === "read") results.push(`(select json_agg(${part}) from ${part}) as ${part}`);
    if (isCounted) results.push(`(select count(*) from ${part}) as ${part}`);
  }
  return `with ${parts.join(", ")} select ${results.join(", ") || "1"}`;
}
