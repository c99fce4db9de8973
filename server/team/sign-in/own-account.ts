import {
  type JournalAct,
  recordAct,
  writeAbout,
} from "../../deletion-requests/repository/audit-log.ts";
import { findUnstaffedDays } from "../../deletion-requests/repository/presence.ts";
import { dateAt } from "../../platform/calendar/business-days.ts";
import type { Write } from "../../platform/database/statement.ts";
import type { FormValues } from "../../platform/forms/form-values.ts";
import { addAbsence, listAbsences, readAbsence, removeAbsence } from "../roster/absences.ts";
import { updateMoreMails } from "../roster/operators.ts";
import {
  endSession,
  endSessions,
  endSessionsBy,
  endsOf,
  listOtherSessions,
  noSessionCookie,
  type SignedIn,
} from "../roster/sessions.ts";
import { createRecoveryCodes, listUnused, mailInvitation } from "./invitations.ts";
import {
  deletePasskey,
  listPasskeys,
  type PasskeyServices,
  refused,
  renamePasskey,
} from "./passkeys.ts";

/** Creates the commands that let signed-in operators manage their own accounts. */
export function createAccount(services: PasskeyServices) {
  const { database, clock, calendar } = services;
  const today = () => dateAt(calendar, clock());

  /**
   * Makes a change and records it in the history, unless the change affects no rows.
   */
  const enter = <Result>(
    { operator: { name } }: SignedIn,
    act: JournalAct,
    about: string | ((result: Result) => string),
    work: (transaction: Write) => Promise<Result>,
  ): Promise<Result> =>
    database.write(async (transaction) => {
      const result = await work(transaction);
      const details = typeof about === "string" ? about : about(result);
      if (result !== 0) await recordAct(transaction, { at: clock(), name, act, about: details });
      return result;
    });

  return {
    /**
     * Creates a short-lived link for adding a passkey on another device, and emails it to the
     * operator.
     */
    linkDevice: ({ operator }: SignedIn) =>
      database.write((transaction) =>
        mailInvitation({ services, transaction, now: clock() }, operator, "device"),
      ),

    /**
     * Renames one of the operator's own passkeys. Ignores an empty name and other operators'
     * passkeys.
     */
    async renameDevice(id: number, typed: string, { operator }: SignedIn): Promise<void> {
      const device = typed.trim().slice(0, 40);
      const passkeys = await listPasskeys(database.read, { operatorId: operator.id });
      if (device === "" || !passkeys.some((passkey) => passkey.id === id)) return;
      await database.write((transaction) => renamePasskey(transaction, { id, device }));
    },

    /** Removes one of the operator's own passkeys, but never the last one that works. */
    removeDevice: (id: number, { operator, session }: SignedIn) =>
      database.write(async (transaction) => {
        const passkeys = await listPasskeys(transaction, { operatorId: operator.id });
        const removed = passkeys.find((passkey) => passkey.id === id);
        if (!removed) return undefined;
        if (!passkeys.some((passkey) => passkey.id !== id && !passkey.doubtedAt))
          return refused("last-passkey");
        await endSessionsBy(transaction, { passkeyId: id, id: session.id });
        await deletePasskey(transaction, removed);
        const { name } = operator;
        const about = removed.device;
        await recordAct(transaction, { at: clock(), name, act: "remove-passkey", about });
        return undefined;
      }),

    newCodes: (signedIn: SignedIn) =>
      enter(signedIn, "new-codes", "", (transaction) =>
        createRecoveryCodes(transaction, signedIn.operator.id),
      ),

    enterMoreMails: ({ wanted }: { wanted: boolean }, { operator }: SignedIn) =>
      database.write((transaction) =>
        updateMoreMails(transaction, { id: operator.id, moreMails: wanted }),
      ),

    /**
     * Records an absence.
     * @returns the field errors, or `undefined` if the absence was recorded
     */
    async startAbsence(typed: FormValues, signedIn: SignedIn) {
      const read = readAbsence(typed, today());
      if (read.kind === "wrong") return read.wrong;
      const { id: operatorId, name: who } = signedIn.operator;
      const { fromOn: from, untilOn: until } = read.fields;
      await enter(signedIn, "away", writeAbout("away", { who, from, until }), (transaction) =>
        addAbsence(transaction, { operatorId, ...read.fields }),
      );
      return undefined;
    },

    /**
     * Deletes one of the operator's own absences. Ignores unknown ids and other operators'
     * absences.
     */
    async endAbsence(id: number, signedIn: SignedIn): Promise<void> {
      const absences = await listAbsences(database.read, { today: today() });
      const { operator } = signedIn;
      const ownAbsence = absences.find(
        (absence) => absence.id === id && absence.operatorId === operator.id,
      );
      if (!ownAbsence) return;
      const { name: who, fromOn: from, untilOn: until } = ownAbsence;
      const about = writeAbout("away-end", { who, from, until });
      await enter(signedIn, "away-end", about, (transaction) =>
        removeAbsence(transaction, ownAbsence),
      );
    },

    /** Returns the operator's account and the team's absences, earliest first. */
    async account({ operator: { id: operatorId }, session }: SignedIn) {
      const { read } = database;
      const otherSessions = { operatorId, id: session.id, limit: 100 };
      const codes = await listUnused(read, { purpose: "recovery" });
      return {
        passkeys: await listPasskeys(read, { operatorId }),
        codesLeft: codes.filter((code) => code.operatorId === operatorId).length,
        elsewhere: (await listOtherSessions(read, { ...otherSessions, ...endsOf(clock()) })).length,
        today: today(),
        absences: await listAbsences(read, { today: today() }),
        unstaffedDay: await findUnstaffedDays(read, calendar, today()),
      };
    },

    /**
     * Signs the operator out.
     * @returns the Set-Cookie value that clears the session
     */
    async signOut(signedIn: SignedIn): Promise<string> {
      await enter(signedIn, "sign-out", signedIn.session.device, (transaction) =>
        endSession(transaction, signedIn.session),
      );
      return noSessionCookie;
    },

    endOtherSessions: (signedIn: SignedIn) =>
      enter(signedIn, "end-sessions", String, (transaction) =>
        endSessions(transaction, { operatorId: signedIn.operator.id, id: signedIn.session.id }),
      ),
  };
}
