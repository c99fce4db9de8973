import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";

/**
 * Files encrypted ("sealed") with a public key, for backups that leave the machine. Someone with
 * access to the server and its settings still can't open earlier backups. Uses X25519 with an
 * ephemeral key pair per file, HKDF-SHA256, then AES-256-GCM over parts of 64 KB. The parts are
 * numbered and the last part is marked, so that an attacker can't change, move or cut off any part.
 */
const magic = Buffer.from("sealed file, version 1\n");
const keyBytes = 32;
const tagBytes = 16;
const partBytes = 64 * 1024;

export function createSealingKeys() {
  return sealingKeysFrom(randomBytes(keyBytes));
}

/**
 * Derives a key pair from a seed, each key as 43 characters: `sealing` is public, `opening` is
 * secret.
 * @param seed 32 secret bytes
 */
export function sealingKeysFrom(seed: Buffer) {
  return {
    sealing: rawPublic(toPrivateKey(seed)).toString("base64url"),
    opening: seed.toString("base64url"),
  };
}

/** Checks whether a file begins with the header of a sealed file, whatever key sealed it. */
export const isSealedFile = (path: string) => beginsWith(path, magic);

export async function beginsWith(path: string, bytes: Buffer): Promise<boolean> {
  await using file = await open(path, "r");
  return (await readPart(file, bytes.length)).equals(bytes);
}

export function isSealingKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text) && Buffer.from(text, "base64url").length === keyBytes;
}

/** Encrypts the file `from` into the new file `to`. */
export async function sealFile(from: string, to: string, sealing: string): Promise<void> {
  const recipient = toPublicKey(Buffer.from(sealing, "base64url"));
  const own = generateKeyPairSync("x25519").privateKey;
  const key = deriveKey(own, recipient, rawPublic(own), rawPublic(recipient));
  await rewrite(from, to, async (source, target) => {
    await target.write(Buffer.concat([magic, rawPublic(own)]));
    for await (const { bytes, nonce } of partsOf(source, partBytes)) {
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const body = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
      await target.write(body);
    }
    return true;
  });
}

/**
 * Decrypts the sealed file `from` into the new file `to`. A wrong key gives the same result as
 * damage at the start of the file. The file `to` is kept only if the result is `opened`.
 */
export async function openSealedFile(
  from: string,
  to: string,
  opening: string,
): Promise<"opened" | "wrong-key" | "damaged"> {
  const ownKey = toPrivateKey(Buffer.from(opening, "base64url"));
  let reason: "wrong-key" | "damaged" = "damaged";
  const isOpened = await rewrite(from, to, async (source, target) => {
    const head = await readPart(source, magic.length + keyBytes);
    if (!head.subarray(0, magic.length).equals(magic)) return false;
    const sender = head.subarray(magic.length);
    const key = deriveKey(ownKey, toPublicKey(sender), sender, rawPublic(ownKey));
    for await (const { bytes, number, nonce, other } of partsOf(source, partBytes + tagBytes)) {
      const plain = openPart(bytes, key, nonce);
      if (!plain) {
        if (number === 0 && !openPart(bytes, key, other)) reason = "wrong-key";
        return false;
      }
      await target.write(plain);
    }
    return true;
  });
  return isOpened ? "opened" : reason;
}

function openPart(sealed: Buffer, key: Buffer, nonce: Buffer): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function toPrivateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: seed, format: "raw-private", asymmetricKeyType: "x25519" });
}

function toPublicKey(key: Buffer): KeyObject {
  return createPublicKey({ key, format: "raw-public", asymmetricKeyType: "x25519" });
}

/** Extracts the raw public key from a public or private key. */
function rawPublic(key: KeyObject): Buffer {
  return (key.type === "private" ? createPublicKey(key) : key).export({ format: "raw-public" });
}

function deriveKey(own: KeyObject, other: KeyObject, sender: Buffer, recipient: Buffer): Buffer {
  const shared = diffieHellman({ privateKey: own, publicKey: other });
  const salt = Buffer.concat([sender, recipient]);
  return Buffer.from(hkdfSync("sha256", shared, salt, magic, keyBytes));
}

/**
 * Yields the rest of a file in parts of this size, at least one part, each with its nonce. The
 * nonce encodes whether the part is the last, so a truncated file can't be decrypted. `other` is
 * the nonce for the opposite case.
 */
async function* partsOf(source: FileHandle, size: number) {
  for (let number = 0, next = await readPart(source, size), isLast = false; !isLast; number++) {
    const bytes = next;
    next = bytes.length < size ? Buffer.alloc(0) : await readPart(source, size);
    isLast = next.length === 0;
    const nonce = nonceOf(number, { isLast });
    yield { bytes, number, nonce, other: nonceOf(number, { isLast: !isLast }) };
  }
}

/**
 * Returns a part's nonce. Different files may use the same nonce, because each file has its own
 * key.
 */
function nonceOf(part: number, { isLast }: { isLast: boolean }): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(part, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

async function readPart(source: FileHandle, length: number): Promise<Buffer> {
  const part = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await source.read(part, filled, length - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return part.subarray(0, filled);
}

/**
 * Creates `to`, which must not exist. Deletes it again unless `work` reports that it is complete.
 */
async function rewrite(
  from: string,
  to: string,
  work: (source: FileHandle, target: FileHandle) => Promise<boolean>,
): Promise<boolean> {
  await using source = await open(from, "r");
  const target = await open(to, "wx", 0o600);
  let isWhole = false;
  try {
    const isDone = await work(source, target);
    await target.sync();
    isWhole = isDone;
  } finally {
    await target.close();
    if (!isWhole) await rm(to, { force: true });
  }
  return isWhole;
}
