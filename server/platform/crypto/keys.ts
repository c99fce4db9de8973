import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keepToOwner } from "../database/file-permissions.ts";
import { sealingKeysFrom } from "./sealed-file.ts";

/**
 * The server's versioned secret keys. The newest key encrypts and hashes. Older keys only decrypt
 * and compare, so existing data stays readable after a rotation. Each purpose has a separate
 * derived key, so output for one purpose is useless for another.
 */
export type Keys = ReturnType<typeof createKeys>;

export type KeyedHash = { version: number; hash: string };

/** A Base64 signature, and the version of the signing key. */
export type Signature = { version: number; signature: string };

type Purpose =
  | "outbox"
  | "challenge"
  | "visit to link"
  | "ledger"
  | "check"
  | "mailbox"
  | "receipt"
  | "reference"
  | "client"
  | "form"
  | "network"
  | "session";

/** Purposes whose derived key is the seed of a key pair. */
type PairPurpose = "signature" | "export";

type VersionedKey = { version: number; key: Buffer };

const keyBytes = 32;

/**
 * Parses `2:<base64url>,1:<base64url>` in any order. Returns the newest key first, or undefined if
 * any part is invalid.
 */
export function parseKeys(text: string): VersionedKey[] | undefined {
  const keys: VersionedKey[] = [];
  for (const part of text.trim().split(",")) {
    const match = /^\s*([1-9]\d{0,5}):([\w-]{43})\s*$/.exec(part);
    if (!match) return undefined;
    const [, version = "", encoded = ""] = match;
    const key = Buffer.from(encoded, "base64url");
    if (key.length !== keyBytes) return undefined;
    keys.push({ version: Number(version), key });
  }
  const versions = new Set(keys.map((key) => key.version));
  if (versions.size < keys.length) return undefined;
  return keys.sort((a, b) => b.version - a.version);
}

/**
 * Loads the keys from the settings or, if they contain none, from the data folder. Creates missing
 * keys there unless `mustExist` is set.
 */
export async function loadKeys(options: {
  secretKeys: Secret | undefined;
  dataDir: string;
  /** Set by commands, because newly created keys couldn't decrypt the server's data. */
  mustExist?: boolean;
}): Promise<{ ok: true; keys: Keys } | { ok: false; problem: string }> {
  const path = join(options.dataDir, "keys");
  try {
    const known =
      options.secretKeys?.reveal() ??
      (await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }));
    if (known === undefined && options.mustExist) {
      return {
        ok: false,
        problem: `There are no keys: neither SECRET_KEYS nor the file ${path}. Set SECRET_KEYS to the server's value.`,
      };
    }
    const isInFile = options.secretKeys === undefined;
    const keys = parseKeys(known ?? (await makeKeys(path)));
    const isOpen = isInFile && !options.mustExist ? await keepToOwner(path) : undefined;
    if (isOpen) return { ok: false, problem: isOpen };
    if (keys) return { ok: true, keys: createKeys(keys) };
    return { ok: false, problem: `The file ${path} does not contain keys.` };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return { ok: false, problem: `The keys in ${path} cannot be read or written (${code}).` };
  }
}

async function makeKeys(path: string): Promise<string> {
  const text = `1:${randomBytes(keyBytes).toString("base64url")}\n`;
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return text;
}

/** @param list at least one key, newest first */
export function createKeys(list: readonly VersionedKey[]) {
  const [newest] = list;
  if (!newest) throw new Error("At least one key is required");
  const { version: current } = newest;
  const derive = createDeriving(list);
  const keyOf = (version: number, purpose: Purpose | PairPurpose) =>
    derive(version, purpose) as Buffer;
  const signingKeyOf = (version: number) =>
    createPrivateKey({
      key: keyOf(version, "signature"),
      format: "raw-private",
      asymmetricKeyType: "ed25519",
    });

  return {
    versions: list.map((key) => key.version),

    /** Encrypts and authenticates a text. */
    seal: (purpose: Purpose, text: string): string =>
      `${current}.${encrypt(keyOf(current, purpose), text).toString("base64url")}`,

    /**
     * Decrypts a text. Returns undefined if the text was changed or encrypted for another purpose,
     * or if its key no longer exists.
     */
    unseal(purpose: Purpose, sealed: string): string | undefined {
      const match = /^([1-9]\d{0,5})\.([\w-]{38,})$/.exec(sealed);
      const key = match && derive(Number(match[1]), purpose);
      return match && key ? decrypt(key, Buffer.from(match[2] ?? "", "base64url")) : undefined;
    },

    /** Hashes a text with the newest key. */
    hash: (purpose: Purpose, text: string): KeyedHash => ({
      version: current,
      hash: hashOf(keyOf(current, purpose), text),
    }),

    /**
     * Hashes a text with the key of the given version. Returns undefined if the key no longer
     * exists.
     */
    hashWith(purpose: Purpose, text: string, version: number): KeyedHash | undefined {
      const key = derive(version, purpose);
      return key && { version, hash: hashOf(key, text) };
    },

    /**
     * Signs a text with the newest key (Ed25519, RFC 8032). Anyone with the public key can verify
     * the signature.
     */
    sign: (text: string): Signature => ({
      version: current,
      signature: sign(null, Buffer.from(text, "utf8"), signingKeyOf(current)).toString("base64"),
    }),

    /** Lists the public keys, newest first, each as 43 characters of base64url. */
    publicKeys: () =>
      list.map(({ version }) => {
        const publicKey = createPublicKey(signingKeyOf(version)).export({ format: "raw-public" });
        return { version, publicKey: publicKey.toString("base64url") };
      }),

    /** Derives a key pair for sealed files from each key, newest first. */
    fileKeys: () => list.map(({ version }) => sealingKeysFrom(keyOf(version, "export"))),
  };
}

/**
 * Creates a function that derives and caches the key for a version and purpose. The function
 * returns undefined for an unknown version.
 */
function createDeriving(list: readonly VersionedKey[]) {
  const derived = new Map<string, Buffer>();
  return (version: number, purpose: Purpose | PairPurpose): Buffer | undefined => {
    const id = `${purpose}:${version}`;
    const root = list.find((key) => key.version === version);
    if (!root) return undefined;
    return derived.getOrInsertComputed(id, () =>
      Buffer.from(hkdfSync("sha256", root.key, "", purpose, keyBytes)),
    );
  };
}

/**
 * Encrypts a text. Returns nonce (12 bytes), authentication tag (16 bytes) and ciphertext,
 * concatenated.
 */
function encrypt(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Decrypts bytes. Returns undefined if they were changed or encrypted with another key. */
function decrypt(key: Buffer, bytes: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}

function hashOf(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Generates the secret in an emailed link: 256 random bits. The database stores only its hash. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isToken(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{43}$/.test(value);
}

/** Hashes a token. A plain hash is enough, because no one can guess 256 random bits. */
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}

/**
 * A value that must not appear in logs, errors or dumps. Serializers skip private fields, so the
 * value is available only through `reveal()`.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }
}
