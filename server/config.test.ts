import { resolve } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const accountSystem = {
  ACCOUNT_SYSTEM_URL: "https://accounts.example/hooks/deletions",
  ACCOUNT_SYSTEM_SECRET: `whsec_${"A".repeat(32)}`,
  ACCOUNT_SYSTEM_INBOUND_SECRET: `whsec_${"B".repeat(32)}`,
  ACCOUNT_SYSTEM_MODE: "live",
};

const secrets = { SECRET_KEYS: `1:${"A".repeat(43)}` };

test("needs no settings on a developer's machine", () => {
  expect(readConfig({})).toMatchObject({
    ok: true,
    config: {
      dataDir: resolve("data"),
      publicUrl: "http://localhost:3000",
      production: false,
      trustProxy: { kind: "none" },
      deletionMode: "real",
      secondPerson: true,
      accountSystem: { mode: "off" },
    },
  });
});

test("treats an empty setting as unset", () => {
  expect(readConfig({ PORT: "", PUBLIC_URL: " " })).toEqual(readConfig({}));
});

test.each([
  ['"', "smtp://ride:1%2F2@mail.example:587"],
  ["'", "smtp://ride:p@ss@mail.example:587"],
  ["", "smtp://ride:50%25off@mail.example:587/"],
])("strips env-file quotes (%s) from %s", (quote, SMTP_URL) => {
  const read = readConfig({ SMTP_URL: `${quote}${SMTP_URL}${quote}` });
  if (!read.ok) throw new Error(read.problems.join());
  expect(read.config.smtpUrl?.reveal()).toBe(SMTP_URL);
});

const far = "smtp://mail.example:25";
const nearUrl = "http://127.0.0.1:9/x";
const { ACCOUNT_SYSTEM_URL: url, ACCOUNT_SYSTEM_SECRET: oneSecret } = accountSystem;
const inbound = { ACCOUNT_SYSTEM_INBOUND_SECRET: accountSystem.ACCOUNT_SYSTEM_INBOUND_SECRET };
const nearWithPassword = "smtp://user:password@localhost:25";

test.each([
  [{ PORT: "8080" }, { publicUrl: "http://localhost:8080" }],
  [{ PUBLIC_URL: "https://rides.example/" }, { publicUrl: "https://rides.example" }],
  [{ PUBLIC_URL: "https://rides.example" }, { production: true }],
  [{ PUBLIC_URL: "http://localhost.example" }, { production: true }],
  [{ PUBLIC_URL: "http://127.example" }, { production: true }],
  [{ PUBLIC_URL: "http://localhost:3000" }, { production: false }],
  [{ PUBLIC_URL: "http://127.0.0.1:3000" }, { production: false }],
  [{ PUBLIC_URL: "http://[::1]:3000" }, { production: false }],
  [{ TRUST_PROXY: "2" }, { trustProxy: { kind: "hops", count: 2 } }],
  [{ TRUST_PROXY: "0" }, { trustProxy: { kind: "none" } }],
  [
    { TRUST_PROXY: "10.0.0.1, fd00::/8" },
    { trustProxy: { kind: "addresses", addresses: ["10.0.0.1", "fd00::/8"] } },
  ],
  [{ SMTP_URL: far }, { smtpTls: "required" }],
  [{ SMTP_URL: "smtp://127.mail.example:25" }, { smtpTls: "required" }],
  [{ SMTP_URL: far, SMTP_TLS: "optional" }, { smtpTls: "optional" }],
  [{ SMTP_URL: "smtp://127.0.0.1:25" }, { smtpTls: "optional" }],
  [{ SMTP_URL: nearWithPassword }, { smtpTls: "optional" }],
  [{ SMTP_URL: "smtp://localhost:25", SMTP_TLS: "required" }, { smtpTls: "required" }],
  // Push mode: the server sends events. During a rotation, it signs them with every secret.
  [
    { ...accountSystem, ACCOUNT_SYSTEM_SECRET: `${oneSecret} whsec_${"C".repeat(32)}` },
    { accountSystem: { mode: "live", url, secrets: { length: 2 }, inboundSecrets: { length: 1 } } },
  ],
  [{ ...accountSystem, ACCOUNT_SYSTEM_URL: nearUrl }, { accountSystem: { url: nearUrl } }],
  // Pull mode: the account system fetches the events.
  [
    { ...inbound, ACCOUNT_SYSTEM_POLL_TOKEN: "t".repeat(32), ACCOUNT_SYSTEM_MODE: "dry-run" },
    { accountSystem: { mode: "dry-run", url: undefined } },
  ],
  // Mode "off" accepts the other settings but ignores them.
  [{ ...accountSystem, ACCOUNT_SYSTEM_MODE: "off" }, { accountSystem: { mode: "off" } }],
])("parses the settings %o as %o", (env, config) => {
  expect(readConfig({ ...secrets, ...env })).toMatchObject({ config });
});

const noSmtpUrl =
  "SMTP_URL must be an address such as smtps://user:password@mail.example:465; percent-encode / ? # @ and % in a user or password.";
const noDatabaseUrl = expect.stringMatching(
  /^DATABASE_URL must be an address such as postgres:.*; percent-encode \/ \? # @ and % in a user or password\.$/,
);
const noOrigin = "PUBLIC_URL must be an origin such as https://rides.example, without a path.";

test.each([
  [{ PORT: "http" }, "PORT must be a whole number from 0 to 65535."],
  [{ PORT: "65536" }, "PORT must be a whole number from 0 to 65535."],
  [{ PUBLIC_URL: "rides.example" }, noOrigin],
  [{ PUBLIC_URL: "https://rides.example/app" }, noOrigin],
  [{ PUBLIC_URL: "https://user:pass@rides.example" }, noOrigin],
  [
    { TRUST_PROXY: "10.0.0.0/33" },
    "TRUST_PROXY must be a number of proxies, or their addresses or networks separated by commas.",
  ],
  [{ DELETION_MODE: "fake" }, "DELETION_MODE must be real or simulated."],
  [{ SMTP_URL: "mail.example:25" }, noSmtpUrl],
  [{ SMTP_URL: "smtp://ride:12/34@mail.example:587" }, noSmtpUrl],
  [{ SMTP_URL: "smtp://ride:12#34@mail.example:587" }, noSmtpUrl],
  [{ SMTP_URL: "smtp://ride:12?34@mail.example:587" }, noSmtpUrl],
  [{ SMTP_URL: "smtp://mail.example:587/path" }, noSmtpUrl],
  [{ DATABASE_URL: "postgres://site:12/34@db.example/requests" }, noDatabaseUrl],
  [{ DATABASE_URL: "postgres://site:12#34@db.example/requests" }, noDatabaseUrl],
  [{ DATABASE_URL: "postgres://site:12?34@db.example/requests" }, noDatabaseUrl],
  [
    { SMTP_URL: "smtp://user:hunter2@mail.example", SMTP_TLS: "optional" },
    "SMTP_TLS must be required if SMTP_URL has a password: otherwise, the password is sent unencrypted.",
  ],
  [{ SMTP_TLS: "maybe" }, "SMTP_TLS must be required or optional."],
  [{ OPERATOR_MAIL: "a@x.example, b@x.example" }, "OPERATOR_MAIL must be one plain email address."],
  [
    { SECRET_KEYS: "1:short" },
    "SECRET_KEYS must be version:key pairs separated by commas, each key 32 random bytes in base64url.",
  ],
  [
    { PUBLIC_URL: "https://rides.example" },
    "SECRET_KEYS must be set when PUBLIC_URL is public: keys next to the data don't protect the data.",
  ],
  [
    { ACCOUNT_SYSTEM_URL: "http://accounts.example/hooks" },
    "ACCOUNT_SYSTEM_URL must begin with https:// unless it is on this machine: events contain email addresses.",
  ],
  [
    { ACCOUNT_SYSTEM_URL: "https://user:hunter2@accounts.example" },
    "ACCOUNT_SYSTEM_URL must be an address such as https://accounts.example/hooks/deletions, without a user or password.",
  ],
  [
    { ACCOUNT_SYSTEM_SECRET: "hunter2" },
    "ACCOUNT_SYSTEM_SECRET must be one or more secrets separated by spaces, each beginning with whsec_.",
  ],
  [
    { ACCOUNT_SYSTEM_INBOUND_SECRET: "whsec_aHVudGVyMg==" },
    "ACCOUNT_SYSTEM_INBOUND_SECRET must have 24 to 64 random bytes in base64 after each whsec_.",
  ],
  [
    { ACCOUNT_SYSTEM_POLL_TOKEN: "hunter2" },
    "ACCOUNT_SYSTEM_POLL_TOKEN must be 32 to 256 random letters and digits.",
  ],
  [{ ACCOUNT_SYSTEM_MODE: "on" }, "ACCOUNT_SYSTEM_MODE must be off, dry-run or live."],
  [
    { ACCOUNT_SYSTEM_MODE: "live" },
    "ACCOUNT_SYSTEM_MODE needs either ACCOUNT_SYSTEM_URL, to send events, or ACCOUNT_SYSTEM_POLL_TOKEN, to let events be fetched.",
  ],
  [
    { ACCOUNT_SYSTEM_SECRET: `whsec_${"A".repeat(32)}` },
    "ACCOUNT_SYSTEM_SECRET needs either ACCOUNT_SYSTEM_URL, to send events, or ACCOUNT_SYSTEM_POLL_TOKEN, to let events be fetched.",
  ],
  [
    { ...accountSystem, ACCOUNT_SYSTEM_MODE: "" },
    "ACCOUNT_SYSTEM_MODE must say what to do with the account system: dry-run to try it, live to let it delete, off to leave it alone.",
  ],
  [
    { ...accountSystem, ACCOUNT_SYSTEM_SECRET: "" },
    "ACCOUNT_SYSTEM_SECRET must be set: without it, the account system can't verify events.",
  ],
  [
    { ...accountSystem, ACCOUNT_SYSTEM_INBOUND_SECRET: "" },
    "ACCOUNT_SYSTEM_INBOUND_SECRET must be set: without it, answers from the account system can't be verified.",
  ],
  [
    { ...accountSystem, ACCOUNT_SYSTEM_INBOUND_SECRET: accountSystem.ACCOUNT_SYSTEM_SECRET },
    "ACCOUNT_SYSTEM_INBOUND_SECRET must differ from ACCOUNT_SYSTEM_SECRET: otherwise, events could be sent back as answers.",
  ],
  [
    { ...accountSystem, ACCOUNT_SYSTEM_POLL_TOKEN: "t".repeat(32) },
    "ACCOUNT_SYSTEM_URL and ACCOUNT_SYSTEM_POLL_TOKEN must not both be set: events are either sent or fetched.",
  ],
  [{ SUBMISSION_LIMIT: "0" }, "SUBMISSION_LIMIT must be a whole number from 1 to 1000000."],
])("rejects the settings %o with one sentence", (env, sentence) => {
  expect(readConfig(env)).toEqual({ ok: false, problems: [sentence] });
});

test("never prints a secret, even if the secret is invalid", () => {
  const right = readConfig({ ...secrets, SMTP_URL: "smtps://user:hunter2@mail.example" });
  expect(inspect(right, { depth: 9 }) + JSON.stringify(right)).not.toMatch(/hunter2|AAAA/);
  const wrong = readConfig({ SECRET_KEYS: "hunter2", SMTP_URL: "hunter2" });
  expect(JSON.stringify(wrong)).not.toContain("hunter2");
});

test("reports all invalid settings together", () => {
  const result = readConfig({ PORT: "x", LOG_LEVEL: "loud", DELETION_MODE: "fake" });
  expect(result).toMatchObject({ ok: false, problems: { length: 3 } });
});
