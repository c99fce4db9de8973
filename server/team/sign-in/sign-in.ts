import { enqueueTeamMail } from "../../deletion-requests/mails/mails.ts";
import { recordAct } from "../../deletion-requests/repository/audit-log.ts";
import type { Write } from "../../platform/database/statement.ts";
import { nameDevice } from "../../platform/http/user-agent.ts";
import { listOperators } from "../roster/operators.ts";
import {
  createSessions,
  endSession,
  endSessions,
  endSessionsBy,
  openSession,
  type SignedIn,
} from "../roster/sessions.ts";
import { createRecoveryCodes, findInvitation, spendInvitation } from "./invitations.ts";
import { createAccount } from "./own-account.ts";
import {
  addPasskey,
  createPasskeyQuestions,
  findPasskey,
  markPasskeySuspicious,
  type PasskeyServices,
  recordPasskeyUse,
  refused,
  spendChallenge,
} from "./passkeys.ts";

/** Sign-in to the operator pages. Signing in requires a passkey. */
export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(services: PasskeyServices) {
  return {
    ...createSessions(services),
    ...createSignInMethods(services),
    ...createAccount(services),
  };
}

/** History act for each way to enroll a passkey. */
const enrolments = { invitation: "enrol", device: "add-passkey", recovery: "recovery" } as const;

function createSignInMethods(services: PasskeyServices) {
  const { database, keys, clock } = services;
  const questions = createPasskeyQuestions(services);

  /** Notifies the admins and the account's owner, because a code is weaker proof than a passkey. */
  async function notifyOfRecovery(
    transaction: Write,
    used: { operatorId: number; name: string; device: string },
  ): Promise<void> {
    const { operatorId, name, device } = used;
    for (const { id, role, address, leftAt } of await listOperators(transaction)) {
      if (leftAt || !address || (role !== "admin" && id !== operatorId)) continue;
      const message = { kind: "operator-recovery", name, device, to: id } as const;
      await enqueueTeamMail({ transaction, keys, now: clock() }, message);
    }
  }

  return {
    signInOptions: questions.signInOptions,

    /**
     * Signs an operator in with a passkey, or blocks the passkey if it seems to have been cloned.
     * @param userAgent the browser's User-Agent header
     * @param before the browser's current session, which a successful sign-in ends
     * @returns the cookie of the new session, or the reason for the refusal
     */
    async signIn(answer: unknown, userAgent: string | null, before: SignedIn | undefined) {
      const signed = await questions.verifySignature(answer);
      if (signed.kind === "refused") return signed;
      const { counter, challenge, credentialId } = signed;
      return database.write(async (transaction) => {
        const at = clock();
        if (!(await spendChallenge(transaction, challenge))) return refused("expired");
        // Another sign-in or a removal may have changed the passkey since the signature was read.
        const passkey = await findPasskey(transaction, { credentialId });
        if (!passkey) return refused("wrong");
        if (passkey.doubtedAt) return refused("doubted");
        const { id, operatorId, name } = passkey;
        const counts = counter > 0 || passkey.counter > 0;
        if (counts && counter <= passkey.counter) {
          await markPasskeySuspicious(transaction, { id, doubtedAt: at });
          await endSessionsBy(transaction, { passkeyId: id, id: 0 });
          await recordAct(transaction, { at, name, act: "passkey-doubted", about: passkey.device });
          return refused("doubted");
        }
        await recordPasskeyUse(transaction, { id, counter, usedAt: at });
        const wasIn = before && (await endSession(transaction, before.session)) > 0;
        const device = nameDevice(userAgent);
        const cookie = await openSession(
          transaction,
          keys,
          { operatorId, device, passkeyId: id },
          at,
        );
        // Don't record a sign-in that only renews the operator's own session.
        if (!wasIn || before.operator.id !== operatorId) {
          await recordAct(transaction, { at, name, act: "sign-in", about: device });
        }
        return { kind: "in", cookie } as const;
      });
    },

    /** Checks a recovery code without using it up. */
    async recover(code: string) {
      const found = await findInvitation(database.read, code, clock());
      return found.kind === "refused" ? refused("code-unknown") : ({ kind: "open" } as const);
    },

    /** Finds the owner of a link or code, and creates the options for a new passkey. */
    async welcome(secret: unknown) {
      const found = await findInvitation(database.read, secret, clock());
      if (found.kind === "refused") return found;
      const { name, purpose } = found;
      const options = await questions.creationOptions(found, `enrol ${found.id}`);
      return { kind: "welcome", name, purpose, options } as const;
    },

    /**
     * Enrolls a passkey with an invitation, a device link or a recovery code, and signs the
     * operator in.
     */
    async enrol(secret: unknown, answer: unknown, userAgent: string | null) {
      const found = await findInvitation(database.read, secret, clock());
      if (found.kind === "refused") return found;
      const { id, operatorId, name, purpose } = found;
      const made = await questions.verifyNewPasskey(answer, `enrol ${id}`);
      if (made.kind === "refused") return made;
      const device = nameDevice(userAgent);
      return database.write(async (transaction) => {
        const at = clock();
        if (!(await spendChallenge(transaction, made.challenge))) return refused("expired");
        if (!(await spendInvitation(transaction, { id, usedAt: at })))
          return refused("invitation-used");
        const passkeyId = await addPasskey(transaction, {
          ...{ ...made.passkey, operatorId, device },
          createdAt: at,
          usedAt: at,
        });
        const codes =
          purpose === "invitation" ? await createRecoveryCodes(transaction, operatorId) : [];
        // Unless the operator is only adding a device, someone else may have the operator's earlier
        // devices. Ends the sessions on those devices.
        if (purpose !== "device") await endSessions(transaction, { operatorId, id: 0 });
        if (purpose === "recovery")
          await notifyOfRecovery(transaction, { operatorId, name, device });
        const cookie = await openSession(transaction, keys, { operatorId, device, passkeyId }, at);
        await recordAct(transaction, { at, name, act: enrolments[purpose], about: device });
        return { kind: "in", cookie, codes } as const;
      });
    },
  };
}
