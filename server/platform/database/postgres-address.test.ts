import { expect, test } from "vitest";
import { parsePostgresAddress } from "./postgres-address.ts";
import { explainUnopened } from "./postgres-opening.ts";

function read(text: string) {
  const parsed = parsePostgresAddress(text);
  if (!parsed.ok) return parsed.problem;
  const { client, hosts, name } = parsed.address;
  return { ...client, ...hosts[0], name };
}

test("parses every form of database URL", () => {
  expect(read("postgres://site:p%40ss%2Fword@db.example:6432/requests")).toEqual({
    host: "db.example",
    port: 6432,
    user: "site",
    password: "p@ss/word",
    database: "requests",
    ssl: { rejectUnauthorized: true },
    name: "requests at db.example:6432",
  });
  expect(read("postgresql://[::1]/requests")).toMatchObject({
    host: "::1",
    port: 5432,
    ssl: false,
  });
  expect(read("postgres:///requests?host=/run/postgresql&port=5433&user=site")).toMatchObject({
    host: "/run/postgresql",
    port: 5433,
    user: "site",
    ssl: false,
  });
});

test("parses a list of servers in the host or in the parameters of the URL", () => {
  const hostsOf = (text: string) => {
    const parsed = parsePostgresAddress(text);
    return parsed.ok ? parsed.address : { hosts: parsed.problem, name: "" };
  };
  const both = [
    { host: "db1.example", port: 5432 },
    { host: "db2.example", port: 6432 },
  ];
  for (const text of [
    "postgres://site:p%2C@db1.example,db2.example:6432/requests?target_session_attrs=read-write",
    "postgres:///requests?host=db1.example,db2.example&port=5432,6432&user=site",
  ]) {
    expect(hostsOf(text)).toMatchObject({
      hosts: both,
      name: "requests at db1.example:5432,db2.example:6432",
    });
  }
  expect(read("postgres://site@localhost:1,[::1]:2/requests")).toMatchObject({ ssl: false });
  expect(read("postgres://site@localhost,db.example/requests")).toMatchObject({
    ssl: { rejectUnauthorized: true },
  });
  expect(read("postgres://site@localhost,db.example/requests?sslmode=disable")).toMatch(/^cannot/);
  expect(read("postgres://site@db1.example,/requests")).toMatch(/^must be an address/);
  expect(read("postgres://site@db1.example,db2.example:x/requests")).toMatch(/^must be an address/);
  expect(read("postgres://site@db1.example/requests?target_session_attrs=any")).toBe(
    "accepts only target_session_attrs=read-write, because the site writes",
  );
});

test("requires verified encryption for other machines regardless of the URL's parameters", () => {
  for (const host of ["db.example", "10.0.0.5", "localhost.example", "127.example"]) {
    expect(read(`postgres://site@${host}/requests`)).toMatchObject({
      ssl: { rejectUnauthorized: true },
    });
    for (const mode of ["disable", "allow", "prefer", "require", "no-verify"]) {
      expect(read(`postgres://site@${host}/requests?sslmode=${mode}`)).toMatch(
        /^(?:accepts only|cannot use) /,
      );
    }
  }
  expect(read("postgres://site@127.0.0.1/requests?sslmode=verify-full")).toMatchObject({
    ssl: { rejectUnauthorized: true },
  });
});

test("reports an invalid database URL without revealing its password", () => {
  for (const text of [
    "mysql://site:hidden@db.example/requests",
    "postgres://site:hidden@db.example",
    "postgres://site:hidden@db.example/requests?options=-cfsync%3Doff",
    "postgres://site:hidden@db.example/requests?sslrootcert=/no/such/hidden-file.pem",
    "postgres://site:hidden@db.example/%E0%A4%A",
    "postgres:///requests",
    "hidden",
  ]) {
    const problem = read(text);
    expect(problem).toEqual(expect.any(String));
    expect(problem).not.toContain("hidden");
  }
});

test("explains each connection failure in one line without the password", () => {
  const parsed = parsePostgresAddress("postgres://site:hidden@db.example/requests");
  if (!parsed.ok) throw new Error(parsed.problem);
  const explain = (code: string, message = "words with hidden in them") =>
    explainUnopened(parsed.address, Object.assign(new Error(message), code && { code }));
  const explanations = [
    "ECONNREFUSED ENOTFOUND EACCES ECONNRESET ETIMEDOUT",
    "28P01 28000 3D000 42501 25006 53300 55000 57P03 53100 99999",
    "08P01 ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED SELF_SIGNED_CERT_IN_CHAIN",
  ].flatMap((codes) => codes.split(" ").map((code) => explain(code)));
  explanations.push(explain("", "The server does not support SSL connections"), explain(""));
  expect(new Set(explanations).size).toBe(explanations.length);
  for (const sentence of explanations) {
    expect(sentence).toContain("db.example");
    expect(sentence).toMatch(/^[^\n]+\.$/);
    expect(sentence).not.toContain("hidden");
  }
});

test("explains which parameter or mode a pooler refuses", () => {
  const parsed = parsePostgresAddress("postgres://site@db.example/requests");
  if (!parsed.ok) throw new Error(parsed.problem);
  const explain = (message: string) =>
    explainUnopened(parsed.address, Object.assign(new Error(message), { code: "08P01" }));
  const start = "A pooler such as pgbouncer in front of the database requests at db.example:5432";
  expect(explain("unsupported startup parameter: options")).toBe(
    `${start} refuses the parameter options. Unset PGOPTIONS for the site.`,
  );
  expect(explain("unsupported startup parameter: application_name")).toBe(
    `${start} refuses the parameter application_name. Add application_name to its ignore_startup_parameters.`,
  );
  expect(explain("transaction blocks not allowed in statement pooling mode")).toBe(
    `${start} allows no transactions. Set its pool_mode to transaction.`,
  );
});
