import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import type { AddressedMessage } from "../deletion-requests/telling/messages.ts";
import type { Keys } from "../keys/keys.ts";
import {
  enterMoreMails,
  findOperator,
  isAnybodyInvited,
  listOperators,
} from "../operators/operators.ts";
import {
  endSession,
  endSessions,
  enterSessionSeen,
  findSession,
  isFresh,
  isWorthSeeing,
  listSessions,
  openSession,
  renewSession,
  type Session,
  type SignedIn,
} from "../operators/sessions.ts";
import { addMessage } from "../outbox/outbox.ts";
import { type Challenge, makeChallenge, openChallenge, spendChallenge } from "./challenges.ts";
import { nameDevice } from "./device-name.ts";
import {
  createInvitation,
  findInvitation,
  mailInvitation,
  spendInvitation,
} from "./invitations.ts";
import {
  addPasskey,
  doubtPasskey,
  dropPasskey,
  enterPasskeyUse,
  findPasskey,
  listPasskeys,
  type Passkey,
  renamePasskey,
} from "./passkeys.ts";
import { countRecoveryCodes, createRecoveryCodes, spendRecoveryCode } from "./recovery-codes.ts";
import { findUser } from "./users.ts";

/** Who comes in to the operators' pages, and how: with a passkey, never with a password. */
export type OperatorDoor = ReturnType<typeof createOperatorDoor>;

/** Why somebody stays outside. Each has its own words. */
export type DoorProblem =
  /** Nothing that a passkey of this team answered to a question of ours. */
  | "wrong"
  /** The question is too old, or was answered before. */
  | "expired"
  /** Two devices seem to hold the same passkey. */
  | "doubted"
  | "invitation-used"
  | "invitation-expired"
  | "invitation-unknown"
  | "code-unknown"
  | "last-passkey";

type Refused = { kind: "refused"; problem: DoorProblem };

const refused = (problem: DoorProblem): Refused => ({ kind: "refused", problem });

/** What a browser sends of a passkey; everything else about it is checked by the library. */
const answerSchema = z.looseObject({
  id: z.base64url().max(1_400),
  response: z.looseObject({ clientDataJSON: z.string() }),
});

/** What a device is asked to sign, in base64url where it is bytes. The person is always verified. */
export type PasskeyQuestion = { challenge: string; rpId: string; timeout: number };

/** What a device is asked to make a passkey from. */
export type NewPasskeyQuestion = {
  rp: { id?: string | undefined; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { alg: number; type: "public-key" }[];
  excludeCredentials: { id: string }[];
  timeout: number;
};

/** EdDSA, ES256 and RS256 (COSE): what devices have; the library would try out what this Node can do beyond them. */
const algorithms = [-8, -7, -257];

/** How long a device waits for its person, in milliseconds. */
const timeoutMs = 300_000;

type Visitor = { userAgent: string | null };

export function createOperatorDoor(services: {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  publicUrl: string;
  /** What a device shows beside the passkey. */
  siteName: string;
}) {
  const { database, keys, clock, publicUrl } = services;
  // Passkeys are bound to the host of the site's own address, whatever a request says of itself.
  const rpId = new URL(publicUrl).hostname;

  function requestOptions(purpose: string): PasskeyQuestion {
    const challenge = Buffer.from(makeChallenge(keys, purpose, clock())).toString("base64url");
    return { challenge, rpId, timeout: timeoutMs };
  }

  async function creationOptions(
    operator: { id: number; name: string },
    purpose: string,
  ): Promise<NewPasskeyQuestion> {
    const user = await findUser(database.read, { operatorId: operator.id });
    const passkeys = await listPasskeys(database.read, { operatorId: operator.id });
    const options = await generateRegistrationOptions({
      rpName: services.siteName,
      rpID: rpId,
      userName: operator.name,
      userDisplayName: operator.name,
      userID: new Uint8Array(Buffer.from(user?.handle ?? "", "base64url")),
      challenge: makeChallenge(keys, purpose, clock()),
      timeout: timeoutMs,
      attestationType: "none",
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const { rp, challenge, pubKeyCredParams, excludeCredentials = [] } = options;
    return {
      rp,
      user: options.user,
      challenge,
      pubKeyCredParams,
      excludeCredentials: excludeCredentials.map(({ id }) => ({ id })),
      timeout: timeoutMs,
    };
  }

  function readAnswer(typed: unknown) {
    try {
      return answerSchema.safeParse(JSON.parse(String(typed))).data;
    } catch {
      return undefined;
    }
  }

  /** Checks the question that was answered, and keeps it, so that it can be spent together with what follows. */
  function expectChallenge(purpose: string) {
    const found: { challenge?: Challenge } = {};
    return {
      found,
      check(encoded: string) {
        const text = Buffer.from(encoded, "base64url").toString();
        const challenge = openChallenge(keys, text, purpose, clock());
        if (challenge) found.challenge = challenge;
        return challenge !== undefined;
      },
    };
  }

  /** The passkey that signed. Its signature is checked first: nobody else can bring it into doubt. */
  async function verifySignature(
    typed: unknown,
    purpose: string,
  ): Promise<
    | Refused
    | { kind: "signed"; passkey: Passkey & { name: string }; counter: number; challenge: Challenge }
  > {
    const answer = readAnswer(typed);
    const passkey = answer && (await findPasskey(database.read, { credentialId: answer.id }));
    if (!answer || !passkey) return refused("wrong");
    if (passkey.doubtedAt) return refused("doubted");
    const expected = expectChallenge(purpose);
    const verified = await verifyAuthenticationResponse({
      response: answer as never,
      expectedChallenge: expected.check,
      expectedOrigin: publicUrl,
      expectedRPID: rpId,
      // The library looks at the counter before the signature; it is compared below.
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: 0,
      },
    }).catch(() => undefined);
    if (!expected.found.challenge) return refused("expired");
    if (!verified?.verified) return refused("wrong");
    const counter = verified.authenticationInfo.newCounter;
    return { kind: "signed", passkey, counter, challenge: expected.found.challenge };
  }

  /** Enters that a passkey was used, or that it has a double, and what follows from it. */
  function enterSignature<T>(
    signed: { passkey: Passkey & { name: string }; counter: number; challenge: Challenge },
    follow: (transaction: Write, at: Temporal.Instant) => Promise<T>,
  ): Promise<Refused | T> {
    const { passkey, counter, challenge } = signed;
    return database.write(async (transaction) => {
      const at = clock();
      if (!(await spendChallenge(transaction, challenge, at))) return refused("expired");
      const counts = counter > 0 || passkey.counter > 0;
      if (counts && counter <= passkey.counter) {
        await doubtPasskey(transaction, { id: passkey.id, at });
        await enterAct(transaction, {
          at,
          name: passkey.name,
          act: "passkey-doubted",
          about: passkey.device,
        });
        return refused("doubted");
      }
      await enterPasskeyUse(transaction, { id: passkey.id, counter, at });
      return follow(transaction, at);
    });
  }

  async function verifyNewPasskey(typed: unknown, purpose: string) {
    const answer = readAnswer(typed);
    if (!answer) return refused("wrong");
    const expected = expectChallenge(purpose);
    const verified = await verifyRegistrationResponse({
      response: answer as never,
      expectedChallenge: expected.check,
      expectedOrigin: publicUrl,
      expectedRPID: rpId,
      supportedAlgorithmIDs: algorithms,
    }).catch(() => undefined);
    if (!expected.found.challenge) return refused("expired");
    if (!verified?.verified) return refused("wrong");
    const { credential } = verified.registrationInfo;
    // Nobody's passkey becomes somebody else's.
    if (await findPasskey(database.read, { credentialId: credential.id })) return refused("wrong");
    return { kind: "made", credential, challenge: expected.found.challenge } as const;
  }

  type NewPasskey = Extract<Awaited<ReturnType<typeof verifyNewPasskey>>, { kind: "made" }>;

  function keep(
    transaction: Write,
    made: NewPasskey,
    passkey: { operatorId: number; device: string; at: Temporal.Instant },
  ): Promise<number> {
    const { id, publicKey, counter, transports = [] } = made.credential;
    return addPasskey(transaction, {
      ...passkey,
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: transports.join(","),
    });
  }

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

  const touchOf = ({ session }: SignedIn) => `touch ${session.id}`;
  const deviceOf = ({ operator }: SignedIn) => `device ${operator.id}`;

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

    deviceOptions: (signedIn: SignedIn) => creationOptions(signedIn.operator, deviceOf(signedIn)),

    /** One more passkey of somebody who is signed in. */
    async addDevice(
      answer: unknown,
      signedIn: SignedIn,
      visitor: Visitor,
    ): Promise<Refused | { kind: "done" }> {
      const made = await verifyNewPasskey(answer, deviceOf(signedIn));
      if (made.kind === "refused") return made;
      const device = nameDevice(visitor.userAgent);
      const { id: operatorId, name } = signedIn.operator;
      return database.write(async (transaction) => {
        const at = clock();
        if (!(await spendChallenge(transaction, made.challenge, at))) return refused("expired");
        await keep(transaction, made, { operatorId, device, at });
        await enterAct(transaction, { at, name, act: "add-passkey", about: device });
        return { kind: "done" } as const;
      });
    },

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
      if (!passkeys.some((one) => one.id !== id && !one.doubtedAt)) return refused("last-passkey");
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

    async wantsMoreMails({ operator }: SignedIn): Promise<boolean> {
      const found = await findOperator(database.read, operator.name);
      return found?.moreMails ?? false;
    },

    enterMoreMails: (wanted: boolean, { operator }: SignedIn): Promise<unknown> =>
      database.write((transaction) => enterMoreMails(transaction, { id: operator.id, wanted })),

    /** What somebody sees of their own account. */
    async account({ operator }: Pick<SignedIn, "operator">) {
      return {
        passkeys: await listPasskeys(database.read, { operatorId: operator.id }),
        codesLeft: await countRecoveryCodes(database.read, { operatorId: operator.id }),
        sessions: await listSessions(database.read, operator.id, clock()),
      };
    },

    /** Ends one of somebody's own sessions. */
    async endSession(id: number, { operator, session }: SignedIn): Promise<void> {
      await database.write(async (transaction) => {
        if (!(await endSession(transaction, { id, operatorId: operator.id }))) return;
        const act = id === session.id ? "sign-out" : "end-sessions";
        const about = session.device;
        await enterAct(transaction, { at: clock(), name: operator.name, act, about });
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
