import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** For tests: a device that holds one passkey, and answers as a browser would (WebAuthn Level 3, section 6). */
export function createDevice(options: { origin: string; counts?: boolean }) {
  const rpId = new URL(options.origin).hostname;
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const device = { counter: 0, question, make, sign };
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
  const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();

  function clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  function question(rest: Buffer, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    if (options.counts) device.counter++;
    counter.writeUInt32BE(device.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, rest]);
  }

  /** CBOR: a byte string, by the two lengths that are needed here. */
  const bytes = (value: Uint8Array) =>
    Buffer.concat([
      Buffer.from(
        value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 255],
      ),
      value,
    ]);
  const words = (value: string) =>
    Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

  /** The answer to being asked for a new passkey. */
  function make(asked: { challenge: string }): string {
    const cose = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, "base64url")),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, "base64url")),
    ]);
    const length = Buffer.from([0, id.length]);
    const data = question(Buffer.concat([Buffer.alloc(16), length, id, cose]), 0x45);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      words("fmt"),
      words("none"),
      words("attStmt"),
      Buffer.from([0xa0]),
      words("authData"),
      bytes(data),
    ]);
    return JSON.stringify({
      id: text(id),
      rawId: text(id),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(clientData("webauthn.create", asked.challenge, options.origin)),
        attestationObject: text(attestation),
        transports: ["internal"],
      },
    });
  }

  /** The answer to being asked to sign in or to touch. */
  function sign(
    asked: { challenge: string },
    change: { origin?: string; counter?: number; forged?: boolean } = {},
  ): string {
    if (change.counter !== undefined) device.counter = change.counter - 1;
    const client = clientData("webauthn.get", asked.challenge, change.origin ?? options.origin);
    const data = question(Buffer.alloc(0), 0x05);
    const signature = createSign("sha256")
      .update(Buffer.concat([data, sha256(client)]))
      .sign(privateKey);
    if (change.forged) signature.writeUInt8(signature.readUInt8(20) ^ 1, 20);
    return JSON.stringify({
      id: text(id),
      rawId: text(id),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(signature),
      },
    });
  }

  return device;
}
