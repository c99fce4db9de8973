import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { createSignIn } from "./sign-in.ts";

type Door = Pick<ReturnType<typeof createSignIn>, "welcome" | "enrol">;

/** Enrolls a new device with a link or a recovery code. */
export async function signInWithNewPasskey(
  door: Door,
  invitation: string,
  { origin, counts = true }: { origin: string; counts?: boolean },
) {
  const device = createDevice({ origin, counts });
  const welcome = await door.welcome(invitation);
  if (welcome.kind !== "welcome") throw new Error(welcome.problem);
  const answer = device.make(welcome.options);
  const result = await door.enrol(invitation, answer, "Chrome Android");
  if (result.kind !== "in") throw new Error(result.problem);
  return { device, answer, invitation, ...result };
}

/**
 * Simulates a device with one passkey that responds like a browser (WebAuthn Level 3, section 6).
 * With `unrecognised`, the user touches the device but isn't verified.
 */
export function createDevice({ origin, counts = false }: { origin: string; counts?: boolean }) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();
  let signed = 0;

  /**
   * Builds authenticator data: the hash of the relying party's id, the flags and the signature
   * counter.
   */
  function authenticatorData(flags: number, ...rest: Buffer[]): Buffer {
    const counter = Buffer.alloc(4);
    if (counts) signed++;
    counter.writeUInt32BE(signed);
    return Buffer.concat([
      sha256(new URL(origin).hostname),
      Buffer.from([flags]),
      counter,
      ...rest,
    ]);
  }

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const answer = (response: object) =>
    JSON.stringify({
      id: text(id),
      rawId: text(id),
      type: "public-key",
      clientExtensionResults: {},
      response,
    });

  return {
    /** Answers a registration challenge. */
    make({ challenge }: { challenge: string }, { unrecognised = false } = {}): string {
      const bytes = (encoded: string) => new Uint8Array(Buffer.from(encoded, "base64url"));
      // COSE key: elliptic curve (EC2), ES256, P-256, and the x and y coordinates.
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>()
          .set(1, 2)
          .set(3, -7)
          .set(-1, 1)
          .set(-2, bytes(x))
          .set(-3, bytes(y)),
      );
      const length = Buffer.from([0, id.length]);
      const flags = unrecognised ? 0x41 : 0x45;
      const data = authenticatorData(flags, Buffer.alloc(16), length, id, Buffer.from(cose));
      const attestation = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ["fmt", "none"],
          ["attStmt", new Map<string, string>()],
          ["authData", new Uint8Array(data)],
        ]),
      );
      return answer({
        clientDataJSON: text(clientData("webauthn.create", challenge, origin)),
        attestationObject: text(attestation),
        transports: ["internal"],
      });
    },

    /** Answers an authentication challenge. */
    sign(
      { challenge }: { challenge: string },
      change: { origin?: string; counter?: number; forged?: boolean; unrecognised?: boolean } = {},
    ): string {
      if (change.counter !== undefined) signed = change.counter - 1;
      const client = clientData("webauthn.get", challenge, change.origin ?? origin);
      const data = authenticatorData(change.unrecognised ? 0x01 : 0x05);
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      if (change.forged) signature.writeUInt8(signature.readUInt8(20) ^ 1, 20);
      return answer({
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      });
    },
  };
}
