import { matchEmail } from "../addresses/email-address.ts";
import { enterAct, writeAbout } from "../deletion-requests/store/audit-log.ts";
import { enqueueTeamMail } from "../deletion-requests/telling/mails.ts";
import type { RequestServices } from "../deletion-requests/working/apply-act.ts";
import { handBackAll } from "../deletion-requests/working/desk.ts";
import {
  addOperator,
  endOperator,
  enterRole,
  findOperator,
  grantPages,
  listAdmins,
  listOperators,
  type Operator,
  type Role,
} from "../operators/operators.ts";
import { endSessions } from "../operators/sessions.ts";
import { dropInvitationsOf, listUnused, mailInvitation } from "./invitations.ts";
import { dropPasskeysOf } from "./passkeys.ts";

export type Invitation = {
  name: string;
  address: string;
  admin: boolean;
  /** For somebody who is with the team: they keep name, role and passkeys, and get a new link. */
  again?: boolean;
};

/** `publicUrl` is the origin of the site; empty where there is none. */
type Services = RequestServices & { publicUrl: string };

/** Who comes to the team and who leaves it, by an admin's page and by the command line alike. */
export function createTeam(services: Services) {
  return { ...createComing(services), ...createChanging(services) };
}

function createComing(services: Services) {
  const { database, keys, clock } = services;
  return {
    /** Who is with the team: until when an unused link opens the pages, and whether nobody else is an admin. */
    async list() {
      const everybody = await listOperators(database.read);
      const links = await listUnused(database.read, { purpose: "invitation" });
      return everybody
        .filter(({ leftAt }) => leftAt === undefined)
        .map((one) => ({
          ...one,
          linkEnds: links.find(({ operatorId }) => operatorId === one.id)?.until,
          isOnlyAdmin: isOnlyAdmin(everybody, one),
        }));
    },

    /**
     * Somebody may use the pages: a link with which they enrol a passkey, once and within a day, which is mailed to them, too.
     * Whoever is first becomes an admin. Where somebody is invited again at another address, the one before is told.
     */
    async invite({ name: typed, address, admin, again = false }: Invitation, by: string) {
      const at = clock();
      const invited = await database.write(async (transaction) => {
        const known = again ? await findOperator(transaction, typed) : undefined;
        if (again && !known) return { kind: "nobody" } as const;
        const taken = known ? undefined : await addOperator(transaction, typed, at);
        // Somebody else would come in under the name of one who is here.
        if (taken !== undefined) return { kind: "name-taken", name: taken } as const;
        const hasAdmin = listAdmins(await listOperators(transaction)).length > 0;
        const role: Role = admin || !hasAdmin || known?.role === "admin" ? "admin" : "operator";
        const one = known ?? ((await findOperator(transaction, typed)) as Operator);
        const { id, name } = one;
        await grantPages(transaction, { id, role, address, invitedAt: at });
        const inviter = (await findOperator(transaction, by))?.name;
        const link = await mailInvitation(services, transaction, one, "invitation", at, inviter);
        const before = known?.address;
        if (before !== undefined && matchEmail(before) !== matchEmail(address)) {
          const message = { kind: "operator-moved", name, before } as const;
          await enqueueTeamMail(transaction, keys, message, at);
        }
        await enterAct(transaction, { at, name: by, act: "invite", about: name });
        return { kind: "invited", name, role, ...link } as const;
      });
      services.onOutbox?.();
      return invited;
    },
  };
}

/** Two admins who end each other's role at once are one after the other. */
const roles = "roles of the team";

/** Whether nobody would be left who can invite. */
function isOnlyAdmin(everybody: readonly Operator[], { id, role }: Operator): boolean {
  return role === "admin" && !listAdmins(everybody).some((one) => one.id !== id);
}

function createChanging(services: Services) {
  const { database, clock } = services;
  return {
    /**
     * Somebody leaves: out of the pages at once, and what they were at work on is handed back, all of it or nothing. What let
     * them in is not kept, nor that of whoever left before.
     * @param mayBeLast whether that may be the last admin
     * @returns their name and the references that wait for somebody else; undefined where nobody of that name is here
     */
    remove(typed: string, by: string, mayBeLast = false) {
      return database.write(async (transaction) => {
        const at = clock();
        await transaction.lock(roles);
        const operator = await findOperator(transaction, typed);
        if (!operator) return undefined;
        const { id, name } = operator;
        const everybody = await listOperators(transaction);
        if (!mayBeLast && isOnlyAdmin(everybody, operator)) return "last-admin";
        await endOperator(transaction, { id, leftAt: at, address: "" });
        await endSessions(transaction, { operatorId: id, id: 0 });
        for (const { id: operatorId } of everybody.filter((one) => one.leftAt || one.id === id)) {
          await dropPasskeysOf(transaction, { operatorId });
          await dropInvitationsOf(transaction, { operatorId });
        }
        const handedBack = await handBackAll(services, transaction, name, by, at);
        await enterAct(transaction, { at, name: by, act: "remove-operator", about: name });
        return { name, handedBack };
      });
    },

    /**
     * Somebody becomes an admin, or is one no longer. There must be one who was invited: the last one stays.
     * @returns undefined where nobody of that id is here
     */
    changeRole({ id, role }: { id: number; role: Role }, by: string) {
      return database.write(async (transaction) => {
        await transaction.lock(roles);
        const everybody = await listOperators(transaction);
        const found = everybody.find((one) => one.id === id && one.invitedAt && !one.leftAt);
        if (!found) return undefined;
        if (role !== "admin" && isOnlyAdmin(everybody, found)) return "last-admin";
        await enterRole(transaction, { id, role });
        const about = writeAbout("change-role", { who: found.name, role });
        await enterAct(transaction, { at: clock(), name: by, act: "change-role", about });
        return "changed";
      });
    },
  };
}
