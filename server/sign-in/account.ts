import { dateAt } from "../calendar/business-days.ts";
import { toInstant } from "../database/time.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import { findNobodyThere } from "../deletion-requests/telling/presence.ts";
import { addAbsence, listAbsences, parseAbsence, removeAbsence } from "../operators/absences.ts";
import { enterMoreMails, findOperator } from "../operators/operators.ts";
import {
  countSessions,
  endSession,
  endSessions,
  endsOf,
  type SignedIn,
} from "../operators/sessions.ts";
import { type Refused, refused } from "./door-problem.ts";
import { createRecoveryCodes, listUnused, mailInvitation } from "./invitations.ts";
import type { PasskeyServices } from "./passkey-questions.ts";
import { dropPasskey, listPasskeys, renamePasskey } from "./passkeys.ts";

/** What somebody who is signed in does with their own passkeys, recovery codes, mails, sessions and days away. */
export function createAccount(services: PasskeyServices) {
  const { database, clock, calendar } = services;
  const today = () => dateAt(calendar, clock());
  return {
    /** A short-lived link with which another device of the same person makes its own passkey; it goes by mail, too. */
    linkDevice({ operator }: SignedIn): Promise<{ link: string; until: Temporal.Instant }> {
      return database.write((transaction) =>
        mailInvitation(services, transaction, operator, "device", clock()),
      );
    },

    /** Nothing happens where no name is left. */
    async renameDevice(id: number, typed: string, { operator }: SignedIn): Promise<void> {
      const device = typed.trim().slice(0, 40);
      if (device === "") return;
      const passkey = { id, operatorId: operator.id, device };
      await database.write((transaction) => renamePasskey(transaction, passkey));
    },

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
      database.write((transaction) =>
        enterMoreMails(transaction, { id: operator.id, more_mails: wanted }),
      ),

    /** Enters days on which somebody is not there. @returns what is wrong with what they typed */
    async goAway(
      typed: Parameters<typeof parseAbsence>[0],
      { operator: { id, name } }: SignedIn,
    ): Promise<Extract<ReturnType<typeof parseAbsence>, string> | undefined> {
      const absence = parseAbsence(typed, today());
      if (typeof absence === "string") return absence;
      const { reason, from, until } = absence;
      await database.write(async (transaction) => {
        const row = { operator_id: id, reason, from_on: from, until_on: until };
        await addAbsence(transaction, row);
        const about = `${name} ${from}/${until}`;
        await enterAct(transaction, { at: clock(), name, act: "away", about });
      });
      return undefined;
    },

    /** Somebody is back, or stays after all. Nothing happens where it is gone already, or another one's. */
    comeBack: (id: number, { operator }: SignedIn): Promise<void> =>
      database.write(async (transaction) => {
        const absences = await listAbsences(transaction, { today: today() });
        const own = absences.find((one) => one.id === id && one.operatorId === operator.id);
        if (!own) return;
        await removeAbsence(transaction, own);
        const { name } = operator;
        const about = `${name} ${own.from}/${own.until}`;
        await enterAct(transaction, { at: clock(), name, act: "away-end", about });
      }),

    /** Absences that are not over, the first to begin first, and when nobody will be there. */
    presence: async () => ({
      today: today(),
      absences: await listAbsences(database.read, { today: today() }),
      nobodyThere: await findNobodyThere(database.read, calendar, today()),
    }),

    /** What somebody sees of their own account. */
    async account({ operator, session }: SignedIn) {
      const { read } = database;
      const operatorId = operator.id;
      const passkeys = await listPasskeys(read, { operatorId });
      const codes = await listUnused(read, { purpose: "recovery" });
      return {
        passkeys: passkeys.map(({ id, device, created_at, used_at, doubted_at }) => ({
          ...{ id, device, doubted: doubted_at !== null },
          ...{ createdAt: toInstant(created_at), usedAt: toInstant(used_at) },
        })),
        codesLeft: codes.filter((code) => code.operatorId === operatorId).length,
        elsewhere: await countSessions(read, { operatorId, but: session.id, ...endsOf(clock()) }),
        moreMails: (await findOperator(read, operator.name))?.moreMails ?? false,
      };
    },

    async signOut({ operator, session }: SignedIn): Promise<void> {
      await database.write(async (transaction) => {
        if (!(await endSession(transaction, session))) return;
        const { name } = operator;
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
