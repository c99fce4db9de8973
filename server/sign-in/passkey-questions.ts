import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import type { Keys } from "../keys/keys.ts";
import { findOperator } from "../operators/operators.ts";
import { type Challenge, makeChallenge, openChallenge, spendChallenge } from "./challenges.ts";
import { type Refused, refused } from "./door-problem.ts";
import {
  addPasskey,
  doubtPasskey,
  enterPasskeyUse,
  findPasskey,
  listPasskeys,
  type Passkey,
} from "./passkeys.ts";

/** What devices are asked, and what is believed of their answers: each question is for one purpose, and answered once. */
export type PasskeyServices = {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  publicUrl: string;
  /** What a device shows beside the passkey. */
  siteName: string;
};

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

export function createPasskeyQuestions(services: PasskeyServices) {
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
    const user = await findOperator(database.read, operator.name);
    const passkeys = await listPasskeys(database.read, { operatorId: operator.id });
    const options = await generateRegistrationOptions({
      rpName: services.siteName,
      rpID: rpId,
      userName: operator.name,
      userDisplayName: operator.name,
      userID: new Uint8Array(Buffer.from(user?.userHandle ?? "", "base64url")),
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

  /** Whether the library believes an answer, and the question that was answered, to be spent with what follows. */
  async function believe<Verified extends { verified: boolean }>(
    purpose: string,
    verify: (expected: {
      expectedChallenge: (encoded: string) => boolean;
      expectedOrigin: string;
      expectedRPID: string;
    }) => Promise<Verified>,
  ): Promise<Refused | { kind: "believed"; verified: Verified; challenge: Challenge }> {
    const found: { challenge?: Challenge | undefined } = {};
    const verified = await verify({
      expectedChallenge(encoded) {
        const text = Buffer.from(encoded, "base64url").toString();
        found.challenge = openChallenge(keys, text, purpose, clock());
        return found.challenge !== undefined;
      },
      expectedOrigin: publicUrl,
      expectedRPID: rpId,
    }).catch(() => undefined);
    const { challenge } = found;
    if (!challenge) return refused("expired");
    return verified?.verified ? { kind: "believed", verified, challenge } : refused("wrong");
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
    // The library looks at the counter before the signature; it is compared below.
    const credential = {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: 0,
    };
    const believed = await believe(purpose, (expected) =>
      verifyAuthenticationResponse({ response: answer as never, ...expected, credential }),
    );
    if (believed.kind === "refused") return believed;
    const counter = believed.verified.authenticationInfo.newCounter;
    return { kind: "signed", passkey, counter, challenge: believed.challenge };
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
    const believed = await believe(purpose, (expected) =>
      verifyRegistrationResponse({
        ...{ response: answer as never, ...expected },
        supportedAlgorithmIDs: algorithms,
      }),
    );
    if (believed.kind === "refused") return believed;
    const credential = believed.verified.registrationInfo?.credential;
    if (!credential) return refused("wrong");
    // Nobody's passkey becomes somebody else's.
    if (await findPasskey(database.read, { credentialId: credential.id })) return refused("wrong");
    return { kind: "made", credential, challenge: believed.challenge } as const;
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

  return {
    requestOptions,
    creationOptions,
    verifySignature,
    enterSignature,
    verifyNewPasskey,
    keep,
  };
}
