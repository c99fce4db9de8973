import { userInfo } from "node:os";
import { findOperator, listOperators } from "../operators/operators.ts";
import { failed, notUnderstood, type Outcome } from "./sentences.ts";
import type { CommandServices } from "./start.ts";
import { toPrintable } from "./table.ts";

/** Whose name stands behind what a command does: somebody the team knows, or this machine's account for a timer. */

type Known = Pick<CommandServices, "database">;
type Signed = { name: string } | { problem: Outcome };

/** Somebody the team knows, however the name was typed. */
export async function requireOperator(
  { database }: Known,
  typed: string | undefined,
): Promise<Signed> {
  const name = toPrintable(typed ?? "").trim();
  if (name === "") {
    return { problem: notUnderstood("Say who you are with --as NAME; it goes into the history.") };
  }
  const operator = await findOperator(database.read, name);
  if (operator) return { name: operator.name };
  const present = (await listOperators(database.read)).filter((one) => !one.leftAt);
  const names = present.map((one) => one.name);
  if (names.length === 0) {
    return {
      problem: failed(
        `The team knows nobody yet. Say once who you are: npm run operators -- add ${name}`,
      ),
    };
  }
  return {
    problem: failed(
      `The team knows nobody called ${name}. It knows ${names.join(", ")}. New ones: npm run operators -- add NAME`,
    ),
  };
}

/** For acts that a timer may do: without a name they are signed by this machine's account, with one as any other act. */
export async function signAct(services: Known, typed: string | undefined): Promise<Signed> {
  return typed === undefined
    ? { name: `account ${userInfo().username}` }
    : requireOperator(services, typed);
}
