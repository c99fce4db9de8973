import { join, resolve } from "node:path";
import { z } from "zod";
import { isDrill } from "./drill-mark.ts";
import { checkEmailAddress } from "./platform/addresses/email-address.ts";
import { parseKeys, Secret } from "./platform/crypto/keys.ts";
import {
  isThisMachine,
  parsePostgresAddress,
  percentEncode,
} from "./platform/database/postgres-address.ts";

const projectDir = join(import.meta.dirname, "..");

/**
 * Settings for the external system that stores and deletes the accounts. It either receives events
 * at `url` or fetches them with `pollToken`. Exactly one of the two is set.
 */
export type AccountSystemConfig = { mode: "off" } | ConnectedAccountSystem;

export type ConnectedAccountSystem = {
  /** In a dry run, all events are flagged as tests, and answers to them change nothing. */
  mode: "dry-run" | "live";
  /**
   * Secrets of the form `whsec_…`. To allow rotation, an answer signed with any of them is
   * accepted.
   */
  inboundSecrets: readonly Secret[];
} & (
  | {
      url: string;
      /** Secrets of the form `whsec_…`. Each request is signed with all of them. */
      secrets: readonly Secret[];
      pollToken: undefined;
    }
  | { url: undefined; secrets: readonly []; pollToken: Secret }
);

/**
 * Trusted sources of `X-Forwarded-For`: none, the nearest `count` proxies, or proxies at these IP
 * addresses and networks.
 */
export type TrustProxy =
  | { kind: "none" }
  | { kind: "hops"; count: number }
  | { kind: "addresses"; addresses: string[] };

/**
 * Creates the schema for a setting.
 * @param sentence explains an invalid value
 * @param read returns undefined for an invalid value
 */
function setting<Value>(sentence: string, read: (value: string) => Value | undefined) {
  return z.string().transform((value, context) => {
    const understood = read(value);
    if (understood !== undefined) return understood;
    context.addIssue(sentence);
    return z.NEVER;
  });
}

function wholeNumber(fallback: number, min: number, max: number) {
  return setting(`must be a whole number from ${min} to ${max}`, (value) => {
    const number = Number(value);
    return /^\d{1,9}$/.test(value) && number >= min && number <= max ? number : undefined;
  }).default(fallback);
}

function oneOf<const Values extends readonly string[]>(...values: Values) {
  const words = `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
  return z.enum(values, { error: `must be ${words}` });
}

const publicUrl = setting(
  "must be an origin such as https://rides.example, without a path",
  (value) => {
    const url = URL.parse(value);
    const isBare = url && `${url.origin}/` === url.href && !/[?#]/.test(value);
    return isBare && /^https?:$/.test(url.protocol) ? url.origin : undefined;
  },
);

const addressOrNetwork = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const trustProxy = setting(
  "must be a number of proxies, or their addresses or networks separated by commas",
  (value): TrustProxy | undefined => {
    if (/^\d{1,2}$/.test(value)) {
      const count = Number(value);
      return count === 0 ? { kind: "none" } : { kind: "hops", count };
    }
    const addresses = value.split(",").map((address) => address.trim());
    const areKnown = addresses.every((address) => addressOrNetwork.safeParse(address).success);
    return areKnown ? { kind: "addresses", addresses } : undefined;
  },
);

const smtpUrl = setting(
  `must be an address such as smtps://user:password@mail.example:465; ${percentEncode}`,
  (value) => {
    const url = URL.parse(value);
    // If the password contains an unencoded slash, the URL parser takes the user name as the host
    // and everything after it as the path.
    const hasPath = !/^\/?$/.test(url?.pathname ?? "");
    const isPlain = url?.hostname && !hasPath && !url.search && !url.hash;
    return isPlain && /^smtps?:$/.test(url.protocol) ? new Secret(value) : undefined;
  },
);

const databaseUrl = z.string().transform((value, context) => {
  const parsed = parsePostgresAddress(value);
  if (parsed.ok) return new Secret(value);
  context.addIssue(parsed.problem);
  return z.NEVER;
});

const mailbox = setting("must be one plain email address", (value) => {
  const result = checkEmailAddress(value);
  return result.ok ? (result.email as string) : undefined;
});

const secretKeys = setting(
  "must be version:key pairs separated by commas, each key 32 random bytes in base64url",
  (value) => (parseKeys(value) ? new Secret(value) : undefined),
);

const accountSystemUrl = setting(
  "must be an address such as https://accounts.example/hooks/deletions, without a user or password",
  (value) => {
    const url = URL.parse(value);
    const isPlain = url && !url.username && !url.password && !url.hash;
    return isPlain && /^https?:$/.test(url.protocol) ? url : undefined;
  },
)
  .refine(
    ({ protocol, hostname }) => protocol === "https:" || isLoopback(hostname),
    "must begin with https:// unless it is on this machine: events contain email addresses",
  )
  .transform(({ href }) => href);

/** Standard Webhooks secrets: 24 to 64 random bytes in base64. */
const webhookSecrets = setting(
  "must be one or more secrets separated by spaces, each beginning with whsec_",
  (value) => {
    const secrets = value.split(/\s+/);
    return secrets.every((secret) => secret.startsWith("whsec_")) ? secrets : undefined;
  },
)
  .refine(
    (secrets) => secrets.every(hasEnoughBytes),
    "must have 24 to 64 random bytes in base64 after each whsec_",
  )
  .transform((secrets) => secrets.map((secret) => new Secret(secret)));

function hasEnoughBytes(secret: string): boolean {
  const encoded = secret.slice("whsec_".length);
  const { length } = Buffer.from(encoded, "base64");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && length >= 24 && length <= 64;
}

const pollToken = setting("must be 32 to 256 random letters and digits", (value) =>
  /^[\w.~+/=-]{32,256}$/.test(value) ? new Secret(value) : undefined,
);

const environmentSchema = z.object({
  PORT: wholeNumber(3000, 0, 65535),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default("data"),
  DATABASE_URL: databaseUrl.optional(),
  CAMPUS_DIR: z.string().default("campus"),
  BUILD_DIR: z.string().default("build"),
  PUBLIC_URL: publicUrl.optional(),
  TRUST_PROXY: trustProxy.default({ kind: "none" }),
  DELETION_MODE: oneOf("real", "simulated").default("real"),
  SUBMISSION_LIMIT: wholeNumber(60, 1, 1_000_000),
  // A single client may use up to 1/400 of the free capacity: at most 250 forms, as many as a
  // campus submits in two days.
  MAX_UNCONFIRMED: wholeNumber(100_000, 1, 10_000_000),
  LOG_LEVEL: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent").default("info"),
  METRICS_PORT: wholeNumber(0, 0, 65535),
  SMTP_URL: smtpUrl.optional(),
  SMTP_TLS: oneOf("required", "optional").optional(),
  MAIL_FROM: mailbox.optional(),
  OPERATOR_MAIL: mailbox.optional(),
  SECOND_PERSON: oneOf("required", "off").default("required"),
  SECRET_KEYS: secretKeys.optional(),
  ACCOUNT_SYSTEM_URL: accountSystemUrl.optional(),
  ACCOUNT_SYSTEM_SECRET: webhookSecrets.optional(),
  ACCOUNT_SYSTEM_INBOUND_SECRET: webhookSecrets.optional(),
  ACCOUNT_SYSTEM_POLL_TOKEN: pollToken.optional(),
  ACCOUNT_SYSTEM_MODE: oneOf("off", "dry-run", "live").optional(),
});

type Environment = z.infer<typeof environmentSchema>;

/** Parses the account system's settings. Returns an error message if they conflict. */
function readAccountSystem(values: Environment): AccountSystemConfig | string {
  const {
    ACCOUNT_SYSTEM_URL: url,
    ACCOUNT_SYSTEM_SECRET: secrets,
    ACCOUNT_SYSTEM_INBOUND_SECRET: inboundSecrets,
    ACCOUNT_SYSTEM_POLL_TOKEN: pollToken,
    ACCOUNT_SYSTEM_MODE: mode,
  } = values;
  if (mode === "off") return { mode };
  if (!url && !pollToken) {
    const alone = (
      ["ACCOUNT_SYSTEM_MODE", "ACCOUNT_SYSTEM_SECRET", "ACCOUNT_SYSTEM_INBOUND_SECRET"] as const
    ).find((name) => values[name] !== undefined);
    return alone
      ? `${alone} needs either ACCOUNT_SYSTEM_URL, to send events, or ACCOUNT_SYSTEM_POLL_TOKEN, to let events be fetched.`
      : { mode: "off" };
  }
  if (!mode) {
    return "ACCOUNT_SYSTEM_MODE must say what to do with the account system: dry-run to try it, live to let it delete, off to leave it alone.";
  }
  if (!inboundSecrets) {
    return "ACCOUNT_SYSTEM_INBOUND_SECRET must be set: without it, answers from the account system can't be verified.";
  }
  if (!url) {
    return { mode, url: undefined, secrets: [], inboundSecrets, pollToken: pollToken as Secret };
  }
  if (pollToken) {
    return "ACCOUNT_SYSTEM_URL and ACCOUNT_SYSTEM_POLL_TOKEN must not both be set: events are either sent or fetched.";
  }
  if (!secrets) {
    return "ACCOUNT_SYSTEM_SECRET must be set: without it, the account system can't verify events.";
  }
  const known = new Set(secrets.map((secret) => secret.reveal()));
  return inboundSecrets.some((secret) => known.has(secret.reveal()))
    ? "ACCOUNT_SYSTEM_INBOUND_SECRET must differ from ACCOUNT_SYSTEM_SECRET: otherwise, events could be sent back as answers."
    : { mode, url, secrets, inboundSecrets, pollToken };
}

/** Returns the settings of a drill. A drill's pages are served only to this machine. */
function settingsOfDrill({ DATA_DIR, CAMPUS_DIR, BUILD_DIR, PORT = "3100" }: Partial<Environs>) {
  return { DATA_DIR, CAMPUS_DIR, BUILD_DIR, PORT, HOST: "localhost", LOG_LEVEL: "silent" };
}

type Environs = Record<string, string | undefined>;

/**
 * Removes the quotes around a value. Shells and systemd strip such quotes, but `docker run
 * --env-file` doesn't.
 */
function unquote(value: string | undefined): string | undefined {
  return value?.trim().replace(/^(["'])(.*)\1$/s, "$2");
}

/**
 * Parses the settings. An empty setting counts as unset. Error messages never include a setting's
 * value.
 */
export function readConfig(
  env: Environs,
): { ok: true; config: Config } | { ok: false; problems: string[] } {
  const given: Environs = Object.fromEntries(
    Object.keys(environmentSchema.shape)
      .map((name) => [name, unquote(env[name])] as const)
      .filter(([, value]) => value),
  );
  const drill = isDrill(resolve(given.DATA_DIR ?? "data"));
  const settings = drill ? settingsOfDrill(given) : given;
  const parsed = environmentSchema.safeParse(settings);
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`),
    };
  }
  const unsafe = findUnsafe(parsed.data);
  if (unsafe) return { ok: false, problems: [unsafe] };
  const accountSystem = readAccountSystem(parsed.data);
  return typeof accountSystem === "string"
    ? { ok: false, problems: [accountSystem] }
    : { ok: true, config: toConfig(parsed.data, { accountSystem, isDrill: drill }) };
}

/**
 * Settings of a running server. Only this module parses environment variables. Every setting has a
 * default, so a first run needs no settings.
 */
export type Config = ReturnType<typeof toConfig>;

function toConfig(
  values: Environment,
  { accountSystem, isDrill }: { accountSystem: AccountSystemConfig; isDrill: boolean },
) {
  return {
    /** Whether this server is a drill, which uses made-up data and a simulated clock. */
    isDrill,
    port: values.PORT,
    /** Host to listen on. If undefined, listens on all interfaces. */
    host: values.HOST,
    /**
     * Absolute path of the data folder, which contains the SQLite database, the keys and the emails
     * written to files.
     */
    dataDir: resolve(values.DATA_DIR),
    /** PostgreSQL connection URL. If undefined, the site uses SQLite in the data folder. */
    databaseUrl: values.DATABASE_URL,
    /**
     * Absolute path of the campus folder, which contains the campus's names, calendar, colors and
     * text.
     */
    campusDir: resolve(projectDir, values.CAMPUS_DIR),
    buildDir: resolve(projectDir, values.BUILD_DIR),
    /** Public origin without a trailing slash. All links use it instead of the Host header. */
    publicUrl: publicUrlOf(values),
    /** Whether `publicUrl` is reachable from other machines. */
    production: isPublic(values),
    trustProxy: values.TRUST_PROXY,
    deletionMode: values.DELETION_MODE,
    /**
     * Maximum number of forms that one client may submit in ten minutes. Above 60, the client's
     * budget of server time grows in proportion.
     */
    submissionLimit: values.SUBMISSION_LIMIT,
    /**
     * Maximum number of unconfirmed requests in all networks together. At the limit, new forms are
     * refused.
     */
    maxUnconfirmed: values.MAX_UNCONFIRMED,
    logLevel: values.LOG_LEVEL,
    /** Port of `/metrics` on this machine. `undefined` if metrics aren't served. */
    metricsPort: values.METRICS_PORT || undefined,
    /** URL of the mail server. If undefined, emails are written to files in the data folder. */
    smtpUrl: values.SMTP_URL,
    smtpTls: values.SMTP_TLS ?? (findFarMail(values) ? "required" : "optional"),
    mailFrom: values.MAIL_FROM,
    operatorMail: values.OPERATOR_MAIL,
    /** Whether a request that an operator entered needs another operator's approval. */
    secondPerson: values.SECOND_PERSON === "required",
    /**
     * Keys in the format that `parseKeys` reads. If undefined, keys are stored in the data folder,
     * which isn't allowed in production unless DELETION_MODE is simulated.
     */
    secretKeys: values.SECRET_KEYS,
    accountSystem,
  };
}

function publicUrlOf(values: Environment): string {
  return values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
}

function isPublic(values: Environment): boolean {
  return !isLoopback(new URL(publicUrlOf(values)).hostname);
}

/** Returns the mail server's URL if the mail server is on another machine. */
function findFarMail({ SMTP_URL }: Environment): URL | undefined {
  const smtp = SMTP_URL && new URL(SMTP_URL.reveal());
  return smtp && !isLoopback(smtp.hostname) ? smtp : undefined;
}

/** Finds settings that leave personal data unprotected. Returns an error message or undefined. */
function findUnsafe(values: Environment): string | undefined {
  if (isPublic(values) && values.DELETION_MODE === "real" && !values.SECRET_KEYS) {
    return "SECRET_KEYS must be set when PUBLIC_URL is public: keys next to the data don't protect the data.";
  }
  return values.SMTP_TLS === "optional" && findFarMail(values)?.username
    ? "SMTP_TLS must be required if SMTP_URL has a password: otherwise, the password is sent unencrypted."
    : undefined;
}

function isLoopback(hostname: string): boolean {
  return hostname.endsWith(".localhost") || isThisMachine(hostname.replace(/[[\]]/g, ""));
}
