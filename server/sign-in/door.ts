import type { Write } from "../database/statement.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import type { AddressedMessage } from "../deletion-requests/telling/messages.ts";
import { isAnybodyInvited, listOperators } from "../operators/operators.ts";
import {
  endSession,
  endSessions,
  enterSessionSeen,
  findSession,
  isFresh,
  isWorthSeeing,
  openSession,
  renewSession,
  type Session,
  type SignedIn,
} from "../operators/sessions.ts";
import { addMessage } from "../outbox/outbox.ts";
import { createAccount } from "./account.ts";
import { spendChallenge } from "./challenges.ts";
import { nameDevice } from "./device-name.ts";
import { type Refused, refused } from "./door-problem.ts";
import { createInvitation, findInvitation, spendInvitation } from "./invitations.ts";
import { createPasskeyQuestions, type PasskeyServices } from "./passkey-questions.ts";
import { createRecoveryCodes, spendRecoveryCode } from "./recovery-codes.ts";

/** Who comes in to the operators' pages, and how: with a passkey, never with a password. */
export type OperatorDoor = ReturnType<typeof createOperatorDoor>;

type Visitor = { userAgent: string | null };

const touchOf = ({ session }: SignedIn) => `touch ${session.id}`;

export function createOperatorDoor(services: PasskeyServices) {
  const questions = createPasskeyQuestions(services);
  return { ...createWaysIn(services, questions), ...createAccount(services) };
}

function createWaysIn(
  { database, keys, clock }: PasskeyServices,
  {
    requestOptions,
    creationOptions,
    verifySignature,
    enterSignature,
    verifyNewPasskey,
    keep,
  }: ReturnType<typeof createPasskeyQuestions>,
) {
  /** Whoever holds a code is believed for now; the admins, and whose it is, are told at once. */
  async function tellRecovery(
    transaction: Write,
    used: { operatorId: number; name: string; device: string },
  ): Promise<void> {
    const { operatorId, name, device } = used;
    for (const { id, role, address, leftAt } of await listOperators(transaction)) {
      if (leftAt || !address || (role !== "admin" && id !== operatorId)) continue;
      const message: AddressedMessage = { kind: "operator-recovery", name, device, to: id };
      const mail = { channel: "operators", ownerId: null, message } as const;
      await addMessage(transaction, keys, clock(), mail);
    }
  }

  return {
    /** Whether there are pages of operators at all. */
    isThere: () => isAnybodyInvited(database.read),

    /** Who holds this session's token. Notes now and then that the session is alive. */
    async findSession(token: string | undefined): Promise<SignedIn | undefined> {
      const now = clock();
      const found = await findSession(database.read, token, now);
      if (found && isWorthSeeing(found.session, now)) {
        await database.write((transaction) =>
          enterSessionSeen(transaction, { id: found.session.id, at: now }),
        );
      }
      return found;
    },

    isFresh: (session: Session) => isFresh(session, clock()),

    signInOptions: () => requestOptions("sign-in"),

    /** @returns the token of a new session; one that the browser had before is ended */
    async signIn(
      answer: unknown,
      visitor: Visitor,
      before: string | undefined,
    ): Promise<Refused | { kind: "in"; token: string }> {
      const signed = await verifySignature(answer, "sign-in");
      if (signed.kind === "refused") return signed;
      const old = await findSession(database.read, before, clock());
      return enterSignature(signed, async (transaction, at) => {
        const { operatorId, name, id: passkeyId } = signed.passkey;
        const device = nameDevice(visitor.userAgent);
        if (old) {
          await endSession(transaction, { id: old.session.id, operatorId: old.operator.id });
        }
        const token = await openSession(transaction, { operatorId, device, at, passkeyId });
        await enterAct(transaction, { at, name, act: "sign-in", about: device });
        return { kind: "in", token } as const;
      });
    },

    touchOptions: (signedIn: SignedIn) => requestOptions(touchOf(signedIn)),

    /** @returns the token by which the session goes from now on */
    async touch(
      answer: unknown,
      signedIn: SignedIn,
    ): Promise<Refused | { kind: "in"; token: string }> {
      const signed = await verifySignature(answer, touchOf(signedIn));
      if (signed.kind === "refused") return signed;
      if (signed.passkey.operatorId !== signedIn.operator.id) return refused("wrong");
      return enterSignature(signed, async (transaction, at) => {
        const token = await renewSession(transaction, { id: signedIn.session.id, at });
        return { kind: "in", token } as const;
      });
    },

    /** Whose link this is, and what their device has to make. */
    async welcome(token: unknown) {
      const found = await findInvitation(database.read, token, clock());
      if (found.kind !== "open") return refused(`invitation-${found.kind}`);
      const { id, operatorId, name, purpose } = found;
      const options = await creationOptions({ id: operatorId, name }, `enrol ${id}`);
      return { kind: "welcome", name, purpose, options } as const;
    },

    /** Makes the first passkey of an invited person, or a new one after a lost phone, and signs them in. */
    async enrol(
      token: unknown,
      answer: unknown,
      visitor: Visitor,
    ): Promise<Refused | { kind: "in"; token: string; codes: string[] }> {
      const found = await findInvitation(database.read, token, clock());
      if (found.kind !== "open") return refused(`invitation-${found.kind}`);
      const made = await verifyNewPasskey(answer, `enrol ${found.id}`);
      if (made.kind === "refused") return made;
      const { operatorId, name, purpose } = found;
      const device = nameDevice(visitor.userAgent);
      return database.write(async (transaction) => {
        const at = clock();
        if (!(await spendChallenge(transaction, made.challenge, at))) return refused("expired");
        if (!(await spendInvitation(transaction, { id: found.id, at })))
          return refused("invitation-used");
        const passkeyId = await keep(transaction, made, { operatorId, device, at });
        const codes =
          purpose === "invitation" ? await createRecoveryCodes(transaction, operatorId, at) : [];
        // Whoever had a session before came by a device that may be in other hands; not who adds one to it.
        if (purpose !== "device") await endSessions(transaction, { operatorId, but: 0 });
        const session = await openSession(transaction, { operatorId, device, at, passkeyId });
        const act = purpose === "device" ? "add-passkey" : "enrol";
        await enterAct(transaction, { at, name, act, about: device });
        return { kind: "in", token: session, codes } as const;
      });
    },

    /** A lost phone: a code opens a link to enrol another passkey, and ends every session there was. */
    async recover(
      code: string,
      visitor: Visitor,
    ): Promise<Refused | { kind: "recovered"; token: string }> {
      return database.write(async (transaction) => {
        const at = clock();
        const owner = await spendRecoveryCode(transaction, code, at);
        if (!owner) return refused("code-unknown");
        const { operatorId, name } = owner;
        await endSessions(transaction, { operatorId, but: 0 });
        const { token } = await createInvitation(transaction, {
          operatorId,
          purpose: "recovery",
          at,
        });
        const about = nameDevice(visitor.userAgent);
        await enterAct(transaction, { at, name, act: "recovery", about });
        await tellRecovery(transaction, { operatorId, name, device: about });
        return { kind: "recovered", token } as const;
      });
    },
  };
}
