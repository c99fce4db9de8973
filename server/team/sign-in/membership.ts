import type { RequestServices } from "../../deletion-requests/commands/apply-act.ts";
import { handBackAll } from "../../deletion-requests/commands/operator-commands.ts";
import { enqueueTeamMail } from "../../deletion-requests/mails/mails.ts";
import { recordAct, writeAbout } from "../../deletion-requests/repository/audit-log.ts";
import { matchEmail } from "../../platform/addresses/email-address.ts";
import {
  addOperator,
  endOperator,
  findOperator,
  grantAccess,
  listAdmins,
  listOperators,
  type Operator,
  type Role,
  updateRole,
} from "../roster/operators.ts";
import { endSessions } from "../roster/sessions.ts";
import { deleteInvitationsOf, listUnused, mailInvitation } from "./invitations.ts";
import { deletePasskeysOf } from "./passkeys.ts";

export type Invitation = {
  name: string;
  address: string;
  admin: boolean;
  /**
   * Whether to re-invite an existing operator, who keeps their name and passkeys. The role can only
   * rise.
   */
  again?: boolean;
};

/** `publicUrl` is the site's origin, or an empty string if the site has none. */
type MembershipServices = RequestServices & { publicUrl: string };

/**
 * Name of the lock that serializes role changes so that two admins can't demote each other
 * concurrently.
 */
const roles = "roles of the team";

/** Creates the commands that change the team, for the admins' page and the command line. */
export function createTeam(services: MembershipServices) {
  return { ...createJoining(services), ...createChanging(services) };
}

function createJoining(services: MembershipServices) {
  const { database, keys, clock } = services;
  return {
    /**
     * Lists the current operators. Each entry contains when the operator's unused invitation
     * expires, and whether the operator is the only admin.
     */
    async list() {
      const operators = await listOperators(database.read);
      const links = await listUnused(database.read, { purpose: "invitation" });
      return operators
        .filter(({ leftAt }) => leftAt === undefined)
        .map((operator) => ({
          ...operator,
          linkEnds: links.find(({ operatorId }) => operatorId === operator.id)?.until,
          isOnlyAdmin: isOnlyAdmin(operators, operator),
        }));
    },

    /**
     * Emails an operator an invitation link that works once within a day. If the team has no admin
     * who can sign in, the operator becomes an admin. If the invitation changes an operator's email
     * address, the old address is notified.
     */
    async invite({ name: typed, address, admin, again = false }: Invitation, by: string) {
      const at = clock();
      const invited = await database.write(async (transaction) => {
        // An invitation sets the role, so it takes turns with other changes of roles.
        await transaction.lock(roles);
        const known = again ? await findOperator(transaction, typed) : undefined;
        if (again && !known) return { kind: "unknown-operator" } as const;
        const taken = known ? undefined : await addOperator(transaction, typed, at);
        // A newcomer with a current operator's name could act as that operator.
        if (taken !== undefined) return { kind: "name-taken", name: taken } as const;
        const hasAdmin = listAdmins(await listOperators(transaction)).length > 0;
        const role: Role = admin || !hasAdmin || known?.role === "admin" ? "admin" : "operator";
        const member = known ?? ((await findOperator(transaction, typed)) as Operator);
        const { id, name } = member;
        await grantAccess(transaction, { id, role, address, invitedAt: at });
        const inviter = (await findOperator(transaction, by))?.name;
        const link = await mailInvitation(
          { services, transaction, now: at },
          member,
          "invitation",
          inviter,
        );
        const before = known?.address;
        if (before !== undefined && matchEmail(before) !== matchEmail(address)) {
          const message = { kind: "operator-moved", name, before } as const;
          await enqueueTeamMail({ transaction, keys, now: at }, message);
        }
        await recordAct(transaction, { at, name: by, act: "invite", about: name });
        return { kind: "invited", name, role, ...link } as const;
      });
      services.onOutbox?.();
      return invited;
    },
  };
}

/** Whether the team would have no admin without this operator. */
function isOnlyAdmin(operators: readonly Operator[], { id, role }: Operator): boolean {
  return role === "admin" && !listAdmins(operators).some((admin) => admin.id !== id);
}

function createChanging(services: MembershipServices) {
  const { database, clock } = services;
  return {
    /**
     * Removes an operator, ends the operator's sessions and hands back the operator's requests, in
     * one transaction. Also deletes the passkeys and codes of all former operators.
     * @param mayBeLast whether the last admin can be removed
     * @returns the operator's name and the references of the requests that were handed back, or
     * `undefined` if no current operator has this name
     */
    remove(typed: string, by: string, { mayBeLast = false } = {}) {
      return database.write(async (transaction) => {
        const at = clock();
        await transaction.lock(roles);
        const operator = await findOperator(transaction, typed);
        if (!operator) return undefined;
        const { id, name } = operator;
        const operators = await listOperators(transaction);
        if (!mayBeLast && isOnlyAdmin(operators, operator)) return "last-admin";
        await endOperator(transaction, { id, leftAt: at, address: "" });
        await endSessions(transaction, { operatorId: id, id: 0 });
        for (const { id: operatorId } of operators.filter(
          (member) => member.leftAt || member.id === id,
        )) {
          await deletePasskeysOf(transaction, { operatorId });
          await deleteInvitationsOf(transaction, { operatorId });
        }
        const handedBack = await handBackAll({ services, transaction, now: at }, name, by);
        await recordAct(transaction, { at, name: by, act: "remove-operator", about: name });
        return { name, handedBack };
      });
    },

    /**
     * Changes an operator's role, but never demotes the last admin.
     * @returns `undefined` if no current operator has this id
     */
    changeRole({ id, role }: { id: number; role: Role }, by: string) {
      return database.write(async (transaction) => {
        await transaction.lock(roles);
        const operators = await listOperators(transaction);
        const found = operators.find(
          (operator) => operator.id === id && operator.invitedAt && !operator.leftAt,
        );
        if (!found) return undefined;
        if (role !== "admin" && isOnlyAdmin(operators, found)) return "last-admin";
        await updateRole(transaction, { id, role });
        const about = writeAbout("change-role", { who: found.name, role });
        await recordAct(transaction, { at: clock(), name: by, act: "change-role", about });
        return "changed";
      });
    },
  };
}
