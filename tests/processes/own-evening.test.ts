import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

/** Somebody's evening, as docs/your-campus.md goes through it: a campus of their own, in a folder of its own. */

const place = mkdtempSync(join(tmpdir(), "evening-"));
const campusDir = join(place, "our-campus");
const buildDir = join(root, "build-evening");
const ours = { CAMPUS_DIR: campusDir, BUILD_DIR: buildDir };

function edit(file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(campusDir, file), "utf8");
  const edited = text.replace(from, to);
  expect(edited, `${file} is edited`).not.toBe(text);
  writeFileSync(join(campusDir, file), edited);
}

/** A command as it is typed into a terminal, to its end. */
function run(command: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...ours, NODE_ENV: "test" },
    encoding: "utf8",
  });
  return { status, said: `${stdout}${stderr}` };
}

const ensureBuilt = () =>
  run(process.execPath, [
    "-e",
    'import("./scripts/project.mjs").then((project) => project.ensureBuilt())',
  ]);

beforeAll(async () => {
  const written = await runToEnd("scripts/new-campus.ts", {}, [
    campusDir,
    "--product=HopOn",
    "--team=HopOn Crew",
    "--university=Northlake College",
    "--city=Northlake",
    "--country=Norland",
    "--zone=America/Montreal",
    "--emergency=911",
    "--sign=$",
    "--currency=CAD",
    "--primary=#8a2be2",
  ]);
  expect(written).toMatchObject({ code: 0, stderr: "" });
}, 180_000);
afterAll(() => {
  for (const folder of [place, realpathSync(buildDir), buildDir]) {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe("one evening", () => {
  test("a mistake is told in one sentence that names the file as it can be opened", () => {
    edit("campus.yaml", "timeZone: America/Montreal", "timeZone: Amerika/Montreal");
    const { status, said } = ensureBuilt();
    expect(status).toBe(1);
    expect(said).toContain("our-campus/campus.yaml: timeZone: must be an IANA time zone");
    expect(said).not.toMatch(/^\s+at /m);
    edit("campus.yaml", "timeZone: Amerika/Montreal", "timeZone: America/Montreal");
  }, 120_000);

  test("own words, an own post and an own colour are built and served", async () => {
    edit("content/en/landing.yaml", /(headline: ).*/, '$1"Over the hill before the bell"');
    edit("theme.css", "--primary: #8a2be2", "--primary: #7a1fd1");
    const post = readFileSync(
      join(campusDir, "content/en/posts/1-three-looks-before-you-sit.md"),
      "utf8",
    );
    writeFileSync(
      join(campusDir, "content/en/posts/4-the-hill.md"),
      post
        .replace("id: 1\n", "id: 4\n")
        .replace(/^title: .*$/m, 'title: "The hill behind the library"')
        .replace(/^(picture|imageAlt): .*\n/gm, ""),
    );
    expect(ensureBuilt()).toMatchObject({ status: 0 });
    const server = await startServerProcess(ours);
    try {
      const read = async (path: string) => {
        const response = await fetch(server.url + path);
        expect(response.status, path).toBe(200);
        return response.text();
      };
      const landing = await read("/");
      expect(textOf(landing)).toContain("Over the hill before the bell");
      expect(textOf(landing)).toContain("Northlake College");
      expect(landing).toContain("#7a1fd1");
      expect(textOf(await read("/blog"))).toContain("The hill behind the library");
      expect(textOf(await read("/blog/4"))).toContain("The hill behind the library");
      for (const path of ["/faq", "/privacy-policy", "/terms-conditions", "/delete-my-account"]) {
        expect(textOf(await read(path)), path).toContain("HopOn");
      }
    } finally {
      await server.stop();
    }
  }, 240_000);

  test("what npm test asks of any campus holds for this one", () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const quick = ["tests/http/addresses", "tests/http/headers", "tests/house/contrast"];
    const { status, said } = run(process.execPath, [vitest, "run", "--project=campus", ...quick]);
    expect(status, said.slice(-3000)).toBe(0);
  }, 240_000);

  test("and the check before going online says what is still to be done", async () => {
    const ending = await runToEnd("scripts/check.ts", ours);
    expect(ending.code).toBe(1);
    expect(ending.stdout).toContain(
      "https://get.our-ride.example/app is an invented address (links.download).",
    );
    expect(ending.stdout).toContain("SECRET_KEYS is not set.");
  }, 120_000);
});
