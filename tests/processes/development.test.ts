import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campus, campusDir } from "../harness/campus.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

test("npm run dev serves the pages of the campus that CAMPUS_DIR names from their sources, a saved change of it too; commands speak of that campus", {
  timeout: 300_000,
}, async () => {
  const other = mkdtempSync(join(tmpdir(), "other-campus-"));
  cpSync(campusDir, other, { recursive: true });
  const { language, product } = campus.settings;
  const change = (file: string, from: RegExp, to: string) => {
    const path = join(other, file);
    const text = readFileSync(path, "utf8");
    expect(text).toMatch(from);
    writeFileSync(path, text.replace(from, to));
  };
  change("campus.yaml", new RegExp(`product: "${product}"`), 'product: "Otherwise"');
  change("calendar.yaml", /weekend: \[[\d, ]*\]/, "weekend: [1]");
  change(`content/${language}/faq.yaml`, /question: ".*"/, 'question: "Is this another campus?"');
  change("theme.css", /--primary: #\w+/, "--primary: #123456");

  const server = await startServerProcess(
    { NODE_ENV: "development", CAMPUS_DIR: other },
    undefined,
    "vite/development.ts",
  );
  const read = async (path: string) => (await fetch(server.url + path)).text();
  const page = await read("/faq");
  expect(page).toContain("Is this another campus?");
  expect(page).toContain('src="/@vite/client"');
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(page).toMatch(/<title>[^<]*Otherwise[^<]*<\/title>/);
  expect(await read("/@react-router/critical.css?pathname=/faq")).toContain("--primary: #123456");
  change(
    `content/${language}/faq.yaml`,
    /Is this another campus\?/,
    "Was this saved a moment ago?",
  );
  // Whatever watches the file may only just have begun to: somebody saves once more.
  const saved = join(other, `content/${language}/faq.yaml`);
  const text = readFileSync(saved, "utf8");
  await expect
    .poll(
      () => {
        writeFileSync(saved, text);
        return read("/faq");
      },
      { timeout: 150_000, interval: 2000 },
    )
    .toContain("Was this saved a moment ago?");
  await server.stop();

  const shown = await runToEnd("server/command-line/calendar.ts", { CAMPUS_DIR: other }, [
    "show",
    "2027",
  ]);
  expect(shown.stdout).toContain("Weekend: Monday.");
  const nowhere = await runToEnd(
    "server/command-line/calendar.ts",
    { CAMPUS_DIR: join(other, "x") },
    ["show", "2027"],
  );
  expect(nowhere).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/campus\.yaml: \(whole file\): cannot be read; /),
  });
  rmSync(other, { recursive: true });
});
