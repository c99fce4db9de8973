import { toInstant } from "../database/time.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import { enterMoreMails, findOperator } from "../operators/operators.ts";
import {
  countOtherSessions,
  endSession,
  endSessions,
  type SignedIn,
} from "../operators/sessions.ts";
import { type Refused, refused } from "./door-problem.ts";
import { mailInvitation } from "./invitations.ts";
import type { PasskeyServices } from "./passkey-questions.ts";
import { dropPasskey, listPasskeys, renamePasskey } from "./passkeys.ts";
import { countRecoveryCodes, createRecoveryCodes } from "./recovery-codes.ts";

/** What somebody who is signed in does with their own passkeys, recovery codes, mails and sessions. */
export function createAccount(services: PasskeyServices) {
  const { database, clock } = services;
  return {
    /** A short-lived link with which another device of the same person makes its own passkey; it goes by mail, too. */
    linkDevice({ operator }: SignedIn): Promise<{ link: string; until: Temporal.Instant }> {
      return database.write((transaction) =>
        mailInvitation(services, transaction, operator, "device", clock()),
      );
    },

    renameDevice: (id: number, device: string, { operator }: SignedIn): Promise<unknown> =>
      database.write((transaction) =>
        renamePasskey(transaction, { id, operatorId: operator.id, device: device.slice(0, 40) }),
      ),

    /** Takes one of somebody's passkeys away, but not the last that opens anything. */
    async removeDevice(id: number, { operator }: SignedIn): Promise<Refused | { kind: "done" }> {
      const passkeys = await listPasskeys(database.read, { operatorId: operator.id });
      const removed = passkeys.find((passkey) => passkey.id === id);
      if (!removed) return { kind: "done" };
      if (!passkeys.some((one) => one.id !== id && !one.doubted_at)) return refused("last-passkey");
      await database.write(async (transaction) => {
        const at = clock();
        await dropPasskey(transaction, { id, operatorId: operator.id });
        const { name } = operator;
        await enterAct(transaction, { at, name, act: "remove-passkey", about: removed.device });
      });
      return { kind: "done" };
    },

    /** Ten new codes in place of those that are left. */
    newCodes: ({ operator }: SignedIn): Promise<string[]> =>
      database.write(async (transaction) => {
        const at = clock();
        await enterAct(transaction, { at, name: operator.name, act: "new-codes", about: "" });
        return createRecoveryCodes(transaction, operator.id, at);
      }),

    enterMoreMails: (wanted: boolean, { operator }: SignedIn): Promise<unknown> =>
      database.write((transaction) => enterMoreMails(transaction, { id: operator.id, wanted })),

    /** What somebody sees of their own account. */
    async account(signedIn: SignedIn) {
      const { read } = database;
      const { id: operatorId, name } = signedIn.operator;
      const passkeys = await listPasskeys(read, { operatorId });
      return {
        passkeys: passkeys.map(({ id, device, created_at, used_at, doubted_at }) => ({
          ...{ id, device, doubted: doubted_at !== null },
          ...{ createdAt: toInstant(created_at), usedAt: toInstant(used_at) },
        })),
        codesLeft: await countRecoveryCodes(read, { operatorId }),
        elsewhere: await countOtherSessions(read, signedIn, clock()),
        moreMails: (await findOperator(read, name))?.moreMails ?? false,
      };
    },

    async signOut({ operator, session }: SignedIn): Promise<void> {
      await database.write(async (transaction) => {
        const { id: operatorId, name } = operator;
        if (!(await endSession(transaction, { id: session.id, operatorId }))) return;
        const about = session.device;
        await enterAct(transaction, { at: clock(), name, act: "sign-out", about });
      });
    },

    /** Ends all of somebody's sessions but this one. */
    async endOtherSessions({ operator, session }: SignedIn): Promise<void> {
      await database.write(async (transaction) => {
        const count = await endSessions(transaction, { operatorId: operator.id, but: session.id });
        const { name } = operator;
        await enterAct(transaction, { at: clock(), name, act: "end-sessions", about: `${count}` });
      });
    },
  };
}
