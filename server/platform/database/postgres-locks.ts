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
 * decisions on them. Callers needn't lock rows themselves. For rows that don't exist yet, callers
 * use unique indexes or `Write.lock`.
 */
export function lockRows(node: RootOperationNode): RootOperationNode {
  if (!SelectQueryNode.is(node) || !canLock(node)) return node;
  // Locks only rows of the `from` tables, not joined rows. `for no key update` still lets other
  // transactions reference a locked row by foreign key.
  const locks = SelectModifierNode.create("ForNoKeyUpdate", node.from?.froms);
  return QueryNode.cloneWithEndModifier(node, locks);
}

/**
 * Checks whether PostgreSQL can lock a query's rows. It can't lock the rows of aggregates and
 * groups.
 */
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
