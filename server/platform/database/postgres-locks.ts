import {
  AggregateFunctionNode,
  type OperationNode,
  QueryNode,
  type RootOperationNode,
  SelectModifierNode,
  SelectQueryNode,
} from "kysely";
import { isLock } from "./statement.ts";

/**
 * Adds row locks to a transaction's reads, because it may change those rows or decide by them.
 * So callers need no locks against changes between reading and writing. Rows that don't exist
 * yet are covered by unique indexes and `Write.lock`.
 */
export function lockRows(node: RootOperationNode): RootOperationNode {
  if (!SelectQueryNode.is(node) || !canLock(node)) return node;
  // Leaves rows that are only joined, and all keys, unlocked.
  const locks = SelectModifierNode.create("ForNoKeyUpdate", node.from?.froms);
  return QueryNode.cloneWithEndModifier(node, locks);
}

/** Aggregates and groups have no rows to lock. */
function canLock(node: SelectQueryNode): boolean {
  const { froms = [] } = node.from ?? {};
  return (
    froms.length > 0 &&
    froms.every((from) => from.kind === "TableNode") &&
    !node.groupBy &&
    !node.distinctOn &&
    !node.having &&
    !node.setOperations?.length &&
    !node.frontModifiers?.length &&
    !node.endModifiers?.some(isLock) &&
    !node.selections?.some((selection) => holdsAggregate(selection))
  );
}

function holdsAggregate(node: OperationNode): boolean {
  if (AggregateFunctionNode.is(node)) return true;
  if (SelectQueryNode.is(node)) return false;
  return Object.values(node).some(
    (part) => typeof part === "object" && part !== null && "kind" in part && holdsAggregate(part),
  );
}
