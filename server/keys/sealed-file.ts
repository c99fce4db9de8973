import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  type DecipherGCM,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";

/**
 * Files that one key seals and another opens, for copies that leave the machine: whoever has the server and its settings
 * cannot read the copies it made before. X25519 with a key pair of its own for each file, HKDF-SHA256, then AES-256-GCM
 * over the whole, so that nothing can be changed, moved or cut off.
 */
const magic = Buffer.from("sealed file, version 1\n");
const keyBytes = 32;
const tagBytes = 16;
/** Of a head: the magic, the public half of the file's own key, what shows whether a key is the right one, the tag. */
const headBytes = magic.length + keyBytes + 2 * tagBytes;
/** Never twice under one key, which belongs to one file. */
const nonce = Buffer.alloc(12);

/** Both as 43 characters. What `sealing` seals only `opening` opens. */
export type SealingKeys = { sealing: string; opening: string };

export function createSealingKeys(): SealingKeys {
  return sealingKeysFrom(randomBytes(keyBytes));
}

/** @param seed 32 bytes that nobody else knows */
export function sealingKeysFrom(seed: Buffer): SealingKeys {
  return {
    sealing: rawPublic(toPrivateKey(seed)).toString("base64url"),
    opening: seed.toString("base64url"),
  };
}

/** Whether a file says of itself that it is sealed, for whomever. */
export async function isSealedFile(path: string): Promise<boolean> {
  return isSealed(await readHead(path));
}

export function isSealingKey(text: string): boolean {
  return /^[\w-]{43}$/.test(text) && Buffer.from(text, "base64url").length === keyBytes;
}

/** Writes `from`, sealed, into the new file `to`. */
export async function sealFile(from: string, to: string, sealing: string): Promise<void> {
  const recipient = toPublicKey(Buffer.from(sealing, "base64url"));
  const own = generateKeyPairSync("x25519").privateKey;
  const { key, check } = deriveKey(own, recipient, rawPublic(own), rawPublic(recipient));
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  await writeNew(to, async (target) => {
    await target.write(Buffer.concat([magic, rawPublic(own), check, Buffer.alloc(tagBytes)]));
    for await (const piece of createReadStream(from)) await target.write(cipher.update(piece));
    cipher.final();
    await target.write(cipher.getAuthTag(), 0, tagBytes, headBytes - tagBytes);
    return true;
  });
}

/** Writes what `from` holds into the new file `to`. Only `opened` leaves a file. */
export async function openSealedFile(
  from: string,
  to: string,
  opening: string,
): Promise<"opened" | "wrong-key" | "damaged"> {
  const head = await readHead(from);
  if (!isSealed(head) || head.length < headBytes) return "damaged";
  const ownKey = toPrivateKey(Buffer.from(opening, "base64url"));
  const sender = head.subarray(magic.length, magic.length + keyBytes);
  const { key, check } = deriveKey(ownKey, toPublicKey(sender), sender, rawPublic(ownKey));
  if (!check.equals(head.subarray(-2 * tagBytes, -tagBytes))) return "wrong-key";
  const decipher = createDecipheriv("aes-256-gcm", key, nonce);
  decipher.setAuthTag(head.subarray(-tagBytes));
  const isOpened = await writeNew(to, async (target) => {
    const sealed = createReadStream(from, { start: headBytes });
    for await (const piece of sealed) await target.write(decipher.update(piece));
    return isWhole(decipher);
  });
  return isOpened ? "opened" : "damaged";
}

function isWhole(decipher: DecipherGCM): boolean {
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}

function toPrivateKey(seed: Buffer): KeyObject {
  return createPrivateKey({ key: seed, format: "raw-private", asymmetricKeyType: "x25519" });
}

function toPublicKey(key: Buffer): KeyObject {
  return createPublicKey({ key, format: "raw-public", asymmetricKeyType: "x25519" });
}

/** The public half of either half. */
function rawPublic(key: KeyObject): Buffer {
  return (key.type === "private" ? createPublicKey(key) : key).export({ format: "raw-public" });
}

function deriveKey(own: KeyObject, other: KeyObject, sender: Buffer, recipient: Buffer) {
  const shared = diffieHellman({ privateKey: own, publicKey: other });
  const salt = Buffer.concat([sender, recipient]);
  const derived = Buffer.from(hkdfSync("sha256", shared, salt, magic, keyBytes + tagBytes));
  return { key: derived.subarray(0, keyBytes), check: derived.subarray(keyBytes) };
}

function isSealed(head: Buffer): boolean {
  return head.subarray(0, magic.length).equals(magic);
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Makes `to`, which must not exist; it goes again where `work` fails or says that it is not good. */
async function writeNew(
  to: string,
  work: (target: FileHandle) => Promise<boolean>,
): Promise<boolean> {
  const target = await open(to, "wx", 0o600);
  let isGood = false;
  try {
    isGood = await work(target);
    await target.sync();
  } finally {
    await target.close();
    if (!isGood) await rm(to, { force: true });
  }
  return isGood;
}
