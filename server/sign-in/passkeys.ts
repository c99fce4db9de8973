import { z } from "zod";
import type { ProductWords } from "../../words/keys.d.ts";
import type { Calendar } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { toText } from "../database/rows.ts";
import {
  deleting,
  inserting,
  insertingOnce,
  reading,
  updating,
  type Write,
} from "../database/statement.ts";
import { hashToken, type Keys } from "../keys/keys.ts";

/**
 * What devices are asked, and what is believed of their answers. What a passkey signs is sealed by this server, for one
 * purpose and a while. Nothing is stored when a question is made, so nobody can fill the store by asking; what was answered is
 * kept until it would have expired, so none is answered twice.
 */
export type PasskeyServices = {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  calendar: Calendar;
  publicUrl: string;
  /** What a device shows beside the passkey. */
  siteName: string;
};

/** Why somebody stays outside. Each has its own words. */
export type DoorProblem = keyof ProductWords["operator"]["door"]["problems"];

export const refused = (problem: DoorProblem) => ({ kind: "refused", problem }) as const;

/** What was answered, to be spent with what follows. */
type Challenge = { hash: string; expiresAt: Temporal.Instant };

const validMinutes = 30;

/** What a browser sends of a passkey; everything else about it is checked by the library. */
const answerSchema = z.looseObject({
  id: z.base64url().max(1_400),
  response: z.looseObject({ clientDataJSON: z.string() }),
});

/** EdDSA, ES256 and RS256 (COSE): what devices have; the library would try out what this Node can do beyond them. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** A quarter of all that a server loads, for the few who sign in: it comes with the first of them. */
const library = () => import("@simplewebauthn/server");

/** How long a device waits for its person, in milliseconds. */
const timeout = 300_000;

export function createPasskeyQuestions(services: PasskeyServices) {
  const { database, keys, clock, publicUrl, siteName } = services;
  // Passkeys are bound to the host of the site's own address, whatever a request says of itself.
  const rpId = new URL(publicUrl).hostname;

  function makeChallenge(purpose: string): string {
    const until = toText(clock().add({ minutes: validMinutes }));
    return keys.seal("challenge", JSON.stringify({ purpose, until }));
  }

  /** Undefined for what this server did not make, made for something else, or too long ago. */
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

  /** What a browser sent, as the library checks it, and which question of ours it answers. */
  function readAnswer(typed: unknown, purpose: string) {
    try {
      const answer = answerSchema.parse(JSON.parse(String(typed)));
      const said = Buffer.from(answer.response.clientDataJSON, "base64url").toString();
      const { challenge: sent } = JSON.parse(said) as { challenge: string };
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
    /** What any device is asked to sign. */
    signInOptions: () => ({
      challenge: Buffer.from(makeChallenge("sign-in")).toString("base64url"),
      rpId,
      timeout,
      userVerification: "required",
    }),

    /** What a device is asked to make a passkey from. */
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

    /** The passkey that signed. Its signature is checked first: nobody else can bring it into doubt. */
    async verifySignature(typed: unknown) {
      const answer = readAnswer(typed, "sign-in");
      if (answer.kind === "refused") return answer;
      const { id, challenge, toVerify } = answer;
      const passkey = await findPasskey(database.read, { credentialId: id });
      if (!passkey) return refused("wrong");
      if (passkey.doubtedAt) return refused("doubted");
      // The library looks at the counter before the signature; it is compared once both are believed.
      const credential = {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: 0,
      };
      const { verifyAuthenticationResponse: verify } = await library();
      const found = await verify({ ...toVerify, credential }).catch(() => null);
      if (!found?.verified) return refused("wrong");
      const counter = found.authenticationInfo.newCounter;
      return { kind: "signed", passkey, counter, challenge } as const;
    },

    async verifyNewPasskey(typed: unknown, purpose: string) {
      const answer = readAnswer(typed, purpose);
      if (answer.kind === "refused") return answer;
      const { challenge, toVerify } = answer;
      const { verifyRegistrationResponse: verify } = await library();
      const found = await verify({ ...toVerify, supportedAlgorithmIDs }).catch(() => null);
      const made = found?.registrationInfo?.credential;
      // Nobody's passkey becomes somebody else's.
      if (!made || (await findPasskey(database.read, { credentialId: made.id }))) {
        return refused("wrong");
      }
      const { id: credentialId, counter } = made;
      const publicKey = Buffer.from(made.publicKey).toString("base64url");
      return { kind: "made", passkey: { credentialId, publicKey, counter }, challenge } as const;
    },
  };
}

/** @returns false when it was answered before */
export const spendChallenge: (transaction: Write, challenge: Challenge) => Promise<boolean> =
  insertingOnce("operator_challenges");

/*
 * The passkeys of the team: the public halves of what their devices sign with. Since `doubted_at` one opens nothing, because
 * there seem to be two of it.
 */

/** @returns its id */
export const addPasskey = inserting("operator_passkeys", ({ id }) => id);

/** The passkey of somebody who is still with the team, and their name. */
const findPasskey = reading(
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

/** Oldest first. */
export const listPasskeys = reading((tables, { operatorId }: { operatorId: number }) =>
  tables
    .selectFrom("operator_passkeys")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .orderBy("id"),
);

export const enterPasskeyUse = updating("operator_passkeys", ["counter", "usedAt"]);

/** From now on it opens nothing. */
export const doubtPasskey = updating("operator_passkeys", ["doubtedAt"]);

/** What its person calls it from now on. */
export const renamePasskey = updating("operator_passkeys", ["device"]);

export const dropPasskey = deleting("operator_passkeys", { id: "=" });
export const dropPasskeysOf = deleting("operator_passkeys", { operatorId: "=" });
