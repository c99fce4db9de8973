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
 * Adds row locks to a transaction's reads, because the transaction may change the rows or base
 * decisions on them. Callers don't have to lock rows themselves. Unique indexes and `Write.lock`
 * cover rows that don't exist yet.
 */
export function lockRows(node: RootOperationNode): RootOperationNode {
  if (!SelectQueryNode.is(node) || !canLock(node)) return node;
  // Leaves joined rows unlocked. "No key update" still lets other transactions refer to a locked
  // row by foreign key.
  const locks = SelectModifierNode.create("ForNoKeyUpdate", node.from?.froms);
  return QueryNode.cloneWithEndModifier(node, locks);
}

/** Checks whether a query's rows can be locked. The rows of an aggregate or a group can't. */
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
  return Object.values(node).some((part) => isNode(part) && holdsAggregate(part));
}

const isNode = (part: unknown): part is OperationNode =>
  typeof part === "object" && part !== null && Object.hasOwn(part, "kind");
