import type {
  NewPasskeyQuestion,
  PasskeyQuestion,
} from "../../../server/sign-in/passkey-questions.ts";

/** Between the browser's passkeys, which speak in bytes, and the server, which speaks in base64url. */

/** What a form has its device asked for, and what is said meanwhile: it waits, was cancelled, has one already, can have none. */
export type PasskeyTask = { says: Record<"asking" | "cancelled" | "here" | "none", string> } & (
  | { kind: "get"; options: PasskeyQuestion }
  | { kind: "create"; options: NewPasskeyQuestion }
);

export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

export async function askPasskey(options: PasskeyQuestion) {
  const credential = (await navigator.credentials.get({
    publicKey: {
      challenge: toBytes(options.challenge),
      userVerification: "required",
      rpId: options.rpId,
      timeout: options.timeout,
    },
  })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    ...nameOf(credential),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(response.userHandle && { userHandle: toText(response.userHandle) }),
    },
  };
}

export async function makePasskey(options: NewPasskeyQuestion) {
  const { user, challenge, excludeCredentials, pubKeyCredParams, rp, timeout } = options;
  const credential = (await navigator.credentials.create({
    publicKey: {
      rp: rp.id === undefined ? { name: rp.name } : { name: rp.name, id: rp.id },
      pubKeyCredParams,
      user: { ...user, id: toBytes(user.id) },
      challenge: toBytes(challenge),
      attestation: "none",
      excludeCredentials: excludeCredentials.map(({ id }) => ({
        type: "public-key",
        id: toBytes(id),
      })),
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      timeout,
    },
  })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...nameOf(credential),
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

function nameOf({ id, rawId, type }: PublicKeyCredential) {
  return { id, rawId: toText(rawId), type, clientExtensionResults: {} };
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
