import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runDrill } from "../../server/cli/drill.ts";
import { runCommand as runLedger } from "../../server/cli/ledger.ts";
import { runCommand as runRequests } from "../../server/cli/requests.ts";
import { seedFolder } from "../../server/cli/seed.ts";
import { readConfig } from "../../server/config.ts";
import { campus } from "../harness/campus.ts";
import { beside } from "../harness/sign-in.ts";
import { openTestSite } from "../harness/test-site.ts";

// A drill is a practice site for new operators. Creating one is slow, so each test copies the same
// drill.

let parent: string;
let folder: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "drill-"));
  folder = join(parent, "drill");
  const today = Temporal.PlainDate.from("2026-12-01");
  expect(await seedFolder(folder, environment, { today })).toMatchObject({ code: 0 });
}, 600_000);
beforeEach(async () => {
  folder = await mkdtemp(join(parent, "copy-"));
  await cp(join(parent, "drill"), folder, { recursive: true });
});
afterAll(() => rm(parent, { recursive: true }));

const { CAMPUS_DIR, BUILD_DIR } = process.env;
const environment = {
  ...{ CAMPUS_DIR, BUILD_DIR, DATA_DIR: join(tmpdir(), "real"), PORT: "3100" },
  SMTP_URL: "smtp://127.0.0.1:1",
  PUBLIC_URL: "https://rides.example",
  ACCOUNT_SYSTEM_URL: "http://127.0.0.1:1/hooks",
};

const drill = (...words: string[]) => runDrill(words, folder, environment);

/** Runs a command such as `DATA_DIR=drill npm run requests -- list` and returns its output. */
async function say(run: typeof runRequests, ...words: string[]): Promise<string> {
  const { out, problem } = await beside({ dataDir: folder }, (drill) => run(words, drill));
  return `${out}${problem}`;
}

test("starts a drill with forty requests that cover every state", async () => {
  const open = await say(runRequests, "list");
  const out = open + (await say(runRequests, "list", "--only", "ended"));
  expect(out.match(/^\S{4}-\S{4} .*@uni\.example|^\S{4}-\S{4} .*\(erased\)/gm)).toHaveLength(40);
  for (const state of [
    "unconfirmed",
    "confirmed",
    "in progress",
    "in progress, on hold until",
    "done, receipt at",
    "entered by",
    "business days late",
    "completed",
    "cancelled",
    "refused",
    "recipient refused",
  ]) {
    expect(out).toContain(state);
  }
  const { sampleNames } = campus.settings;
  expect(out).toMatch(new RegExp(` ${sampleNames[14 % sampleNames.length]}\\d*@uni\\.example`));
  expect(await say(runLedger, "verify")).toContain("The ledger is intact");
});

test("advances a drill's clock by a week", { timeout: 600_000 }, async () => {
  const [, done = ""] = /^(\S+) +done, receipt at/m.exec(await say(runRequests, "list")) ?? [];
  expect(await drill("pass", "1", "week")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^It is 2026-12-08 09:0\d\.$/m),
  });
  expect(await say(runRequests, "list", done)).toContain("completed");
  expect(await say(runRequests, "list")).toMatch(/\d+ business days late/);
});

test("labels a drill's pages and offers sign-in links", async () => {
  const { out } = await drill("pages");
  expect(String(out).match(/ http:\/\/localhost:3100\/operator\/enrol#/g)).toHaveLength(2);
  await using site = await openTestSite({ isDrill: true });
  await site.signInAs("Nadia", "admin");
  expect(await site.read("/operator/sign-in")).toContain(campus.operator.frame.drill);
});

test("ignores environment variables for real systems in a drill", async () => {
  expect(readConfig({ ...environment, DATA_DIR: folder })).toMatchObject({
    config: {
      ...{ isDrill: true, smtpUrl: undefined, accountSystem: { mode: "off" } },
      ...{ host: "localhost", publicUrl: "http://localhost:3100" },
    },
  });
});

test("refuses to create a drill in an existing folder, such as a server's", async () => {
  await using server = await openTestSite();
  expect(await runDrill(["new"], server.dataDir, environment)).toMatchObject({
    code: 1,
    problem: expect.stringMatching(/is there already/),
  });
});
