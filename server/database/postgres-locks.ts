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
 * What a transaction reads it may go on to change, or decides by: the rows are locked until it ends. So nothing that
 * is read before it is changed can be changed by another in between, in rooms that know of no locks. Rows that do not
 * exist yet are kept apart by unique indexes and by `Write.lock`.
 */
export function lockRows(node: RootOperationNode): RootOperationNode {
  if (!SelectQueryNode.is(node) || !canLock(node)) return node;
  // Rows that merely belong to what is changed, and their keys, stay free.
  const locks = SelectModifierNode.create("ForNoKeyUpdate", node.from?.froms);
  return QueryNode.cloneWithEndModifier(node, locks);
}

/** A count or a group is of no row. */
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
