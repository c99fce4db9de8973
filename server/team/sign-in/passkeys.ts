import { z } from "zod";
import type { ProductWords } from "../../../words/keys.d.ts";
import type { Calendar } from "../../platform/calendar/business-days.ts";
import { hashToken, type Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { toText } from "../../platform/database/rows.ts";
import {
  deleting,
  inserting,
  insertingOnce,
  reading,
  updating,
  type Write,
} from "../../platform/database/statement.ts";

/**
 * Dependencies of passkey challenges. The server seals each challenge with its key, for one purpose
 * and a limited time. Unanswered challenges aren't stored, so no one can fill the database with
 * them. To prevent replays, an answered challenge is stored until it expires.
 */
export type PasskeyServices = {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  calendar: Calendar;
  publicUrl: string;
  /** Site name that the device shows next to the passkey. */
  siteName: string;
};

/** Reason for refusing a sign-in. Each reason has its own message. */
export type DoorProblem = keyof ProductWords["operator"]["door"]["problems"];

export const refused = (problem: DoorProblem) => ({ kind: "refused", problem }) as const;

/** An answered challenge. The transaction that processes the answer marks the challenge as used. */
type Challenge = { hash: string; expiresAt: Temporal.Instant };

const validMinutes = 30;

/**
 * Schema of the parts of a browser's answer that we read. The library validates the other parts.
 */
const answerSchema = z.looseObject({
  id: z.base64url().max(1_400),
  response: z.looseObject({ clientDataJSON: z.string() }),
});

/**
 * Signature algorithms that devices commonly use, as COSE numbers: EdDSA, ES256 and RS256. By
 * default, the library would allow more algorithms.
 */
const supportedAlgorithmIDs = [-8, -7, -257];

/**
 * Loads the library at the first sign-in, because it is a quarter of the server's code and few
 * visitors need it.
 */
const library = () => import("@simplewebauthn/server");

/** Time that a device waits for the user, in milliseconds. */
const timeout = 300_000;

export function createPasskeyQuestions(services: PasskeyServices) {
  const { database, keys, clock, publicUrl, siteName } = services;
  // Passkeys are bound to the configured host, regardless of the Host header.
  const rpId = new URL(publicUrl).hostname;

  function makeChallenge(purpose: string): string {
    const until = toText(clock().add({ minutes: validMinutes }));
    return keys.seal("challenge", JSON.stringify({ purpose, until }));
  }

  /**
   * Opens a sealed challenge. Returns `undefined` if it is forged, has expired or was created for
   * another purpose.
   */
  function openChallenge(challenge: string, purpose: string): Challenge | undefined {
    const text = keys.unseal("challenge", challenge);
    if (text === undefined) return undefined;
    const sealed = JSON.parse(text) as { purpose: string; until: string };
    const expiresAt = Temporal.Instant.from(sealed.until);
    const isOver = Temporal.Instant.compare(expiresAt, clock()) <= 0;
    return sealed.purpose === purpose && !isOver
      ? { hash: hashToken(challenge), expiresAt }
      : undefined;
  }

  /** Parses a browser's answer for the library and opens its challenge. */
  function readAnswer(typed: unknown, purpose: string) {
    try {
      const answer = answerSchema.parse(JSON.parse(String(typed)));
      const clientData = Buffer.from(answer.response.clientDataJSON, "base64url").toString();
      const { challenge: sent } = JSON.parse(clientData) as { challenge: string };
      const challenge = openChallenge(Buffer.from(sent, "base64url").toString(), purpose);
      if (!challenge) return refused("expired");
      const toVerify = {
        response: answer as never,
        expectedChallenge: sent,
        expectedOrigin: publicUrl,
        expectedRPID: rpId,
      };
      return { kind: "read", id: answer.id, challenge, toVerify } as const;
    } catch {
      return refused("wrong");
    }
  }

  return {
    /** Creates the options for `navigator.credentials.get`. They name no operator or passkey. */
    signInOptions: () => ({
      challenge: Buffer.from(makeChallenge("sign-in")).toString("base64url"),
      rpId,
      timeout,
      userVerification: "required",
    }),

    async creationOptions(
      { operatorId, name, userHandle }: { operatorId: number; name: string; userHandle: string },
      purpose: string,
    ) {
      const passkeys = await listPasskeys(database.read, { operatorId });
      return (await library()).generateRegistrationOptions({
        rpName: siteName,
        rpID: rpId,
        userName: name,
        userDisplayName: name,
        userID: new Uint8Array(Buffer.from(userHandle, "base64url")),
        challenge: makeChallenge(purpose),
        timeout,
        attestationType: "none",
        supportedAlgorithmIDs,
        excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      });
    },

    /**
     * Verifies only the signature. The caller checks the counter afterward so that a forged answer
     * can't block a passkey.
     */
    async verifySignature(typed: unknown) {
      const answer = readAnswer(typed, "sign-in");
      if (answer.kind === "refused") return answer;
      const { id, challenge, toVerify } = answer;
      const passkey = await findPasskey(database.read, { credentialId: id });
      if (!passkey) return refused("wrong");
      if (passkey.doubtedAt) return refused("doubted");
      // The library checks the counter before the signature, so pass a counter that it always
      // accepts. The caller compares the stored counter afterward.
      const credential = {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: 0,
      };
      const { verifyAuthenticationResponse: verify } = await library();
      const found = await verify({ ...toVerify, credential }).catch(() => null);
      if (!found?.verified) return refused("wrong");
      const counter = found.authenticationInfo.newCounter;
      return { kind: "signed", credentialId: id, counter, challenge } as const;
    },

    async verifyNewPasskey(typed: unknown, purpose: string) {
      const answer = readAnswer(typed, purpose);
      if (answer.kind === "refused") return answer;
      const { challenge, toVerify } = answer;
      const { verifyRegistrationResponse: verify } = await library();
      const found = await verify({ ...toVerify, supportedAlgorithmIDs }).catch(() => null);
      const made = found?.registrationInfo?.credential;
      // Rejects an existing credential id, because a passkey must not move to another operator.
      if (!made || (await findPasskey(database.read, { credentialId: made.id }))) {
        return refused("wrong");
      }
      const { id: credentialId, counter } = made;
      const publicKey = Buffer.from(made.publicKey).toString("base64url");
      return { kind: "made", passkey: { credentialId, publicKey, counter }, challenge } as const;
    },
  };
}

/**
 * Marks a challenge as used.
 * @returns false if it was already used
 */
export const spendChallenge: (transaction: Write, challenge: Challenge) => Promise<boolean> =
  insertingOnce("operator_challenges");

/*
 * Passkeys are stored as public keys. A passkey with `doubted_at` seems to have been cloned and can
 * no longer sign in.
 */

export const addPasskey = inserting("operator_passkeys", ({ id }) => id);

/** Finds a passkey and the name of its operator, if the operator is still on the team. */
export const findPasskey = reading(
  (tables, { credentialId }: { credentialId: string }) =>
    tables
      .selectFrom("operator_passkeys")
      .innerJoin("operators", "operators.id", "operator_passkeys.operator_id")
      .selectAll("operator_passkeys")
      .select("operators.name")
      .where("credential_id", "=", credentialId)
      .where("left_at", "is", null),
  ([row]) => row,
);

/** Lists an operator's passkeys, oldest first. */
export const listPasskeys = reading((tables, { operatorId }: { operatorId: number }) =>
  tables
    .selectFrom("operator_passkeys")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .orderBy("id"),
);

export const recordPasskeyUse = updating("operator_passkeys", ["counter", "usedAt"]);

/** Blocks a passkey that seems to have been cloned. */
export const markPasskeySuspicious = updating("operator_passkeys", ["doubtedAt"]);

export const renamePasskey = updating("operator_passkeys", ["device"]);

export const deletePasskey = deleting("operator_passkeys", { id: "=" });
export const deletePasskeysOf = deleting("operator_passkeys", { operatorId: "=" });
