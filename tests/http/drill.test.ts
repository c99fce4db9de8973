import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runDrill } from "../../server/command-line/drill.ts";
import { openDrillPages } from "../../server/command-line/drill-pages.ts";
import { setClock } from "../../server/command-line/drill-site.ts";
import { readConfig } from "../../server/config.ts";
import { openFoundation } from "../../server/open.ts";
import { openSiteBundle } from "../../server/site-bundle.ts";
import { campus } from "../harness/campus.ts";
import { findFreePort } from "../harness/free-port.ts";
import { signIn } from "../harness/sign-in.ts";

// New operators practise on a scratch site. Each test goes on where the one before it ended.

let parent: string;
let folder: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "drill-"));
  folder = join(parent, "drill");
});
afterAll(() => rm(parent, { recursive: true }));

/** As a shell whose environment is that of the real server. */
async function drill(...words: string[]) {
  const { CAMPUS_DIR, BUILD_DIR } = process.env;
  const { code, out, problem } = await runDrill(["--in", folder, ...words], {
    environment: {
      CAMPUS_DIR,
      BUILD_DIR,
      DATA_DIR: join(parent, "real"),
      SMTP_URL: "smtp://127.0.0.1:1",
      PUBLIC_URL: "https://rides.example",
      ACCOUNT_SYSTEM_URL: "http://127.0.0.1:1/hooks",
    },
    openBundle: openSiteBundle,
    clock: () => Temporal.Instant.from("2026-11-22T04:00:00Z"),
  });
  return { code, out: String(out ?? ""), problem };
}

const referenceOf = (out: string, state: RegExp) =>
  new RegExp(`^(\\S{4}-\\S{4}) +${state.source}`, "m").exec(out)?.[1] ?? "";

test("begins with forty requests in every state", { timeout: 600_000 }, async () => {
  const made = await drill("new", "--now", "2026-12-01T09:00");
  expect(made).toMatchObject({ code: 0 });
  expect(made.out).toMatch(/^--- DRILL, Tuesday,? 1 December 2026 at 09:00\. Nothing here is real/);
  const open = await drill("requests", "list");
  const ended = await drill("requests", "list", "--only", "ended");
  const out = open.out + ended.out;
  expect(out.match(/^\S{4}-\S{4} .*@uni\.example|^\S{4}-\S{4} .*\(erased\)/gm)).toHaveLength(40);
  for (const state of [
    "unconfirmed",
    "confirmed",
    "in progress",
    "in progress, on hold until",
    "done, receipt at",
    "entered by",
    "OVERDUE by",
    "completed",
    "cancelled",
    "refused",
    "recipient refused",
  ]) {
    expect(out).toContain(state);
  }
  // They are of people with names of the campus.
  const { sampleNames } = campus.settings;
  expect(out).toMatch(new RegExp(` ${sampleNames[14 % sampleNames.length]}\\d*@uni\\.example`));
  expect((await drill("ledger", "verify")).out).toContain("The ledger is whole");
});

test("is worked on by the operators' own commands, and says in every answer that it is a drill", async () => {
  const listed = await drill("requests", "list", "--only", "confirmed");
  const reference = referenceOf(listed.out, /confirmed/);
  const taken = await drill("requests", "act", "take", reference, "--as", "Nadia");
  expect(taken).toMatchObject({ code: 0 });
  expect(taken.out).toMatch(/^--- DRILL, /);
  // What it says to type next is the drill's, too.
  expect(taken.out).toContain(`npm run drill -- requests act complete ${reference}`);
  expect(taken.out).not.toMatch(/npm run requests/);
  expect(taken.out).toMatch(/1 mail was written .*\n +1 {2}2026-12-01 09:00 {2}in-progress /);
  expect((await drill("mail", "1")).out).toContain(reference);
  expect((await drill("requests", "act", "tkae", reference)).problem).not.toMatch(
    /npm run requests/,
  );
});

test("lets time pass as it is told", { timeout: 600_000 }, async () => {
  const before = await drill("requests", "list");
  const done = referenceOf(before.out, /done, receipt at/);
  const later = await drill("pass", "15", "minutes");
  expect(later.out).toMatch(/at 09:15\./);
  expect(later.out).toContain(`completed ${done}`);
  const nextWeek = await drill("pass", "1", "week");
  expect(nextWeek.out).toMatch(/^--- DRILL, Tuesday,? 8 December 2026 at 09:15/);
  expect(nextWeek.out).toContain("operator-digest");
  expect((await drill("requests", "list")).out).toMatch(/OVERDUE by \d+ business days/);
});

test("lets a person press the button of their mail", async () => {
  // A link works for two days; after the week that has passed it is sent again.
  const { out } = await drill("requests", "list", "--only", "confirmed");
  const reference = referenceOf(out, /confirmed/);
  expect((await drill("person", reference, "cancel")).out).toContain("The person pressed: cancel");
  expect((await drill("requests", "list", reference)).out).toContain("cancelled");
});

test("shows the operators' pages on its requests, which say that it is a drill, and keeps its clock going", async () => {
  const { CAMPUS_DIR, BUILD_DIR } = process.env;
  const pages = await openDrillPages(folder, {
    environment: { CAMPUS_DIR, BUILD_DIR, SMTP_URL: "smtp://127.0.0.1:1" },
    openBundle: openSiteBundle,
    port: await findFreePort(),
  });
  const invited = await pages.invite();
  expect(invited.map(({ name }) => name)).toEqual(["Nadia", "Tariq"]);
  expect(invited[0]?.link).toContain(`${pages.publicUrl}/operator/enrol#`);
  const { database } = pages.drill.foundation;
  const { cookie } = await signIn(database, pages.drill.now(), "Nadia", "admin");
  const read = async (path: string) =>
    (await fetch(`${pages.publicUrl}${path}`, { headers: { cookie } })).text();
  const today = await read("/operator");
  expect(await read("/operator/health")).not.toContain(campus.operator.watch.health.backup.title);
  expect(today).toContain(campus.operator.frame.drill);
  const door = await (await fetch(`${pages.publicUrl}/operator/sign-in`)).text();
  expect(door).toContain(campus.operator.frame.drill);
  expect(today).toContain("@uni.example");
  // A command in another window lets time pass, and the pages follow.
  const later = pages.drill.now().add({ hours: 24 });
  await setClock(folder, later);
  await vi.waitFor(() => {
    expect(Temporal.Instant.compare(pages.drill.now(), later)).toBeGreaterThanOrEqual(0);
  }, 120_000);
  await pages.close();
});

test("can lose its disk and be put back", { timeout: 600_000 }, async () => {
  const at = (name: string) => join(parent, name);
  expect(await drill("requests", "backup", at("copy")), "a copy").toMatchObject({ code: 0 });
  expect(await drill("ledger", "export", at("export"))).toMatchObject({ code: 0 });
  const restored = await drill("restore", at("copy"), at("export"));
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.out).toMatch(/^--- DRILL, .*HELD: nothing expires/s);
  expect(await drill("restore", "confirm", "--as", "Nadia")).toMatchObject({ code: 0 });
});

test("touches nothing real, and is touched by nothing real", async () => {
  expect(await readdir(parent)).not.toContain("real");
  const config = readConfig({ DATA_DIR: folder });
  if (!config.ok) throw new Error(config.problems.join());
  expect(await openFoundation(config.config, { create: true })).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/is the folder of a drill/),
  });
  const { CAMPUS_DIR, BUILD_DIR } = process.env;
  const real = readConfig({ CAMPUS_DIR, BUILD_DIR, DATA_DIR: join(parent, "server") });
  if (!real.ok) throw new Error(real.problems.join());
  const opened = await openFoundation(real.config, { create: true });
  if (!opened.ok) throw new Error(opened.problem);
  await opened.foundation.database.close();
  const onReal = await runDrill(["--in", join(parent, "server"), "new"], {
    environment: { CAMPUS_DIR, BUILD_DIR },
    openBundle: openSiteBundle,
    clock: () => Temporal.Now.instant(),
  });
  expect(onReal).toMatchObject({
    code: 1,
    problem: expect.stringMatching(/data folder of a server/),
  });
  expect(await drill("end")).toMatchObject({ code: 0 });
  expect(await readdir(parent)).not.toContain("drill");
});
