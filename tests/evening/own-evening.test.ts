import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { root } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

/** Follows docs/your-campus.md like a newcomer who sets up a campus in one evening. */

const place = mkdtempSync(join(tmpdir(), "evening-"));
const campusDir = join(place, "our-campus");
const buildDir = join(root, "build-evening");
const ours = { CAMPUS_DIR: campusDir, BUILD_DIR: buildDir };
afterAll(() => {
  for (const folder of [place, realpathSync(buildDir), buildDir]) {
    rmSync(folder, { recursive: true, force: true });
  }
});

function edit(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(campusDir, file), "utf8");
  const edited = text.replace(from, to);
  expect(edited, `${file} is edited`).not.toBe(text);
  writeFileSync(join(campusDir, file), edited);
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...ours, NODE_ENV: "test" },
    encoding: "utf8",
  });
  return { status, output: `${stdout}${stderr}` };
}

const ensureBuilt = () =>
  run("-e", 'import("./scripts/project.mjs").then((project) => project.ensureBuilt())');

test("a newcomer can create, fix, build and serve a campus", async () => {
  const answers = ["--product=HopOn", "--university=Northlake College", "--primary=#8a2be2"];
  const written = await runToEnd("scripts/new-campus.ts", {}, [campusDir, ...answers]);
  expect(written).toMatchObject({ code: 0, stderr: "" });

  edit("campus.yaml", /timeZone: .*/, "timeZone: Amerika/Montreal");
  const { status, output } = ensureBuilt();
  expect(status).toBe(1);
  expect(output).toMatch(/our-campus\/campus\.yaml:\d+: timeZone: must be an IANA time zone/);
  expect(output).not.toMatch(/^\s+at /m);
  edit("campus.yaml", "timeZone: Amerika/Montreal", "timeZone: America/Montreal");

  edit("content/en/landing.yaml", "hero:", 'hero:\n  headline: "Over the hill before the bell"');
  edit("theme.css", /--primary: #\w{6}/, "--primary: #5a17a8");
  edit("content/en/posts/1-three-looks-before-you-sit.md", /^title: .*$/m, 'title: "The hill"');
  expect(ensureBuilt()).toMatchObject({ status: 0 });
  const server = await startServerProcess(ours);
  const read = async (path: string) => (await fetch(server.url + path)).text();
  expect(textOf(await read("/"))).toContain("Over the hill before the bell");
  expect(await read("/")).toContain("#5a17a8");
  expect(textOf(await read("/blog/1"))).toContain("The hill");
  for (const path of ["/faq", "/privacy-policy", "/terms-conditions", "/delete-my-account"]) {
    expect(textOf(await read(path)), path).toContain("HopOn");
  }
  await server.stop();

  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const result = run(vitest, "run", "--project=campus", "tests/http");
  expect(result.status, result.output.slice(-3000)).toBe(0);
});
