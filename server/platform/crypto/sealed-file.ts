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
 * Encryption ("sealing") of files with a public key, for backups that leave the machine. If the key
 * pair was made elsewhere (`createSealingKeys`), access to the server and its settings isn't enough
 * to decrypt earlier backups. Uses X25519 with an ephemeral key pair per file, HKDF-SHA256, and
 * AES-256-GCM over parts of 64 KB. Each nonce encodes the number of the part and whether it is the
 * last, so changed, moved or missing parts are detected.
 */
const magic = Buffer.from("sealed file, version 1\n");
const keyBytes = 32;
const tagBytes = 16;
const partBytes = 64 * 1024;

export function createSealingKeys() {
  return sealingKeysFrom(randomBytes(keyBytes));
}

/**
 * Derives a key pair from a seed of 32 secret bytes. `sealing` is the public key and `opening` the
 * secret key, each as 43 characters of base64url.
 */
export function sealingKeysFrom(seed: Buffer) {
  return {
    sealing: rawPublic(toPrivateKey(seed)).toString("base64url"),
    opening: seed.toString("base64url"),
  };
}

/** Checks whether a file starts with the header of a sealed file. */
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
  const ephemeral = generateKeyPairSync("x25519").privateKey;
  const key = deriveKey(ephemeral, recipient, rawPublic(ephemeral), rawPublic(recipient));
  await rewrite(from, to, async (source, target) => {
    await target.write(Buffer.concat([magic, rawPublic(ephemeral)]));
    for await (const { bytes, nonce } of partsOf(source, partBytes)) {
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const body = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
      await target.write(body);
    }
    return true;
  });
}

/**
 * Decrypts the sealed file `from` into the new file `to`. Reports damage to the first part as
 * `wrong-key`, because it can't be distinguished from a wrong key. Keeps the file `to` only if the
 * result is `opened`.
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
    if (sender.length < keyBytes) return false;
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

function deriveKey(
  privateKey: KeyObject,
  publicKey: KeyObject,
  sender: Buffer,
  recipient: Buffer,
): Buffer {
  const shared = diffieHellman({ privateKey, publicKey });
  const salt = Buffer.concat([sender, recipient]);
  return Buffer.from(hkdfSync("sha256", shared, salt, magic, keyBytes));
}

/**
 * Yields the rest of a file in parts of `size` bytes, at least one part. The nonce encodes whether
 * the part is the last, so a truncated file can't be decrypted. `other` is the nonce for the
 * opposite case.
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
 * Returns the nonce of a part. Nonces may repeat across files, because each file has a different
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
 * Creates the file `to`, which must not exist yet. Deletes the file if `work` fails or returns
 * false.
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
