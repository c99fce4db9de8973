import { cp, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  queryTestDatabase,
  returnTestDatabase,
  runsOnPostgres,
  settingsFor,
} from "../../server/platform/database/database.fixture.ts";
import { referencePattern, sendForm } from "../harness/deletion-form.ts";
import { openDataFolder, runToEnd, startServerProcess } from "../harness/server-process.ts";
import { fillDisk, mountSmallDisk } from "../harness/small-disk.ts";

let data: Awaited<ReturnType<typeof openDataFolder>>;
let folder: string;
beforeEach(async () => {
  data = await openDataFolder();
  folder = data.dataDir;
});
afterEach(() => data[Symbol.asyncDispose]());

/** Runs only on SQLite. tests/postgres/database-failures.test.ts covers PostgreSQL. */
const testOfTheFile = test.skipIf(runsOnPostgres);

testOfTheFile.each(["removed", "replaced by a copy"])(
  "refuses forms after the data folder was %s",
  async (what) => {
    const dataDir = join(folder, "data");
    const server = await startServerProcess({}, dataDir);
    expect((await sendForm(server.url)).status).toBe(200);
    expect(await server.health()).toMatchObject({ status: 200 });

    // Pauses the server so that it doesn't write an email into the folder meanwhile.
    server.signal("SIGSTOP");
    await rename(dataDir, join(folder, "elsewhere"));
    if (what !== "removed") await cp(join(folder, "elsewhere"), dataDir, { recursive: true });
    server.signal("SIGCONT");

    const answer = await sendForm(server.url, { email: "late@uni.example" });
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toMatch(referencePattern);
    expect(await server.health()).toMatchObject({
      status: 503,
      body: { status: "unavailable", problems: [expect.stringMatching(/removed or replaced/)] },
    });
    expect((await fetch(`${server.url}/faq`)).status).toBe(200);
    await server.stop("SIGKILL");
  },
);

testOfTheFile(
  "reports a full disk in the form's response and the health check",
  async (context) => {
    using disk = mountSmallDisk(folder, 4 * 1024, context);
    const server = await data.serve();
    expect((await server.health()).body).toMatchObject({
      status: "degraded",
      problems: ["The disk is almost full."],
    });
    const big = await fillDisk(disk.path);

    const long = { feedback: "x".repeat(5000) };
    let answer = await sendForm(server.url, long);
    while (answer.status === 200) answer = await sendForm(server.url, long);
    expect(answer.status).toBe(503);
    expect((await fetch(`${server.url}/faq`)).status).toBe(200);
    // The health check caches its result for a second.
    let health = await server.health();
    while (health.status === 200) health = await server.health();
    expect(health.body).toMatchObject({ problems: ["The database cannot be written."] });

    await rm(big);
    expect((await sendForm(server.url, { email: "again@uni.example" })).status).toBe(200);
    while (health.status !== 200) health = await server.health();
    await server.stop();
  },
);

testOfTheFile("refuses to start on a full disk and says so", async (context) => {
  using disk = mountSmallDisk(folder, 4 * 1024, context);
  await (await data.serve()).stop();
  await fillDisk(disk.path);
  const { code, stderr } = await runToEnd("server/main.ts", { PORT: "0", DATA_DIR: folder });
  expect([code, stderr]).toEqual([
    1,
    `The disk of ${folder} is full. Make room, then start again.\n`,
  ]);
});

testOfTheFile("explains on one line why the mark file can't be written", async () => {
  await mkdir(join(folder, "requests.mark"));
  const { code, stderr } = await runToEnd("server/main.ts", { PORT: "0", DATA_DIR: folder });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The data folder .* cannot be written \(EISDIR\)\. .*\n$/),
  ]);
});

testOfTheFile.each([
  ["everywhere", 1, 2],
  ["in a page that startup doesn't read", -2, 1000],
] as const)("refuses to start if the database is damaged %s", async (_, first, step) => {
  const server = await data.serve();
  for (let count = 0; count < 20; count++) {
    await sendForm(server.url, {
      email: `student${count}@uni.example`,
      feedback: "x".repeat(3000),
    });
  }
  await server.stop();
  const path = join(folder, "requests.sqlite");
  const file = await open(path, "r+");
  const { size } = await stat(path);
  const pages = size / 4096;
  for (let page = first < 0 ? pages + first : first; page < pages; page += step) {
    await file.write(Buffer.alloc(4096, 7), 0, 4096, page * 4096);
  }
  await file.close();
  const ending = await runToEnd("server/main.ts", { PORT: "0", DATA_DIR: folder });
  expect(ending.code).toBe(1);
  expect(ending.stderr.trim().split("\n")).toHaveLength(1);
  expect(ending.stderr).toMatch(/^The database .* is damaged \(.*\)\. .*put back a backup/);
});

test("refuses to start with a clock that is behind until an operator confirms the clock", async () => {
  const ours = { SECRET_KEYS: `1:${"A".repeat(43)}` };
  const settings = { ...data.settings, ...ours };
  const inTwentyDays = Temporal.Now.instant().add({ hours: 20 * 24 });
  await queryTestDatabase(folder, "delete from last_seen");
  await queryTestDatabase(
    folder,
    `insert into last_seen values (1, '${inTwentyDays}', '${inTwentyDays}')`,
  );
  const ending = await runToEnd("server/main.ts", { PORT: "0", ...settings });
  const whose = runsOnPostgres ? "the database's" : "this";
  const message = new RegExp(`^The clock of ${whose} machine says .* already ran at .*trust-clock`);
  expect(ending).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  const add = ["add", "Nadia"];
  expect((await runToEnd("server/cli/operators.ts", settings, add)).code).toBe(0);
  const trustClock = ["trust-clock", "--as", "Nadia"];
  const command = "server/cli/requests.ts";
  expect((await runToEnd(command, settings, trustClock)).code).toBe(0);
  await (await data.serve(ours)).stop();
}, 600_000);

test("a command exits with code 5 and creates nothing if the data folder or database is empty", async () => {
  const parent = join(folder, "parent");
  await mkdir(parent);
  const dataDir = join(parent, "mistyped");
  const command = "server/cli/requests.ts";
  const words = ["backup", "/nowhere/copy"];
  const settings = await settingsFor(dataDir, { isEmpty: true });
  expect(await runToEnd(command, settings, words)).toMatchObject({
    code: 5,
    stdout: "",
    stderr: expect.stringMatching(
      runsOnPostgres
        ? /^The database \S+ at \S+ is empty\. Only the server makes its tables: /
        : /^There is no database in .*mistyped\. Only the server makes one: /,
    ),
  });
  expect(await readdir(parent)).toEqual([]);
  if (runsOnPostgres) {
    const tables = "select relname from pg_class where relnamespace = 'public'::regnamespace";
    expect(await queryTestDatabase(dataDir, tables)).toEqual([]);
    return returnTestDatabase(dataDir);
  }
  await writeFile(join(parent, "requests.sqlite"), "");
  expect((await runToEnd(command, { DATA_DIR: parent }, words)).code).toBe(5);
  expect(await readdir(parent)).toEqual(["requests.sqlite"]);
});

describe("a server whose store has changed since the last run", () => {
  /** Stores three forms, calls `between`, stores three more, and kills the server. */
  async function live(between = async () => {}): Promise<void> {
    const server = await data.serve();
    for (const name of ["a", "b", "c"])
      await sendForm(server.url, { email: `${name}@uni.example` });
    await between();
    for (const name of ["d", "e", "f"])
      await sendForm(server.url, { email: `${name}@uni.example` });
    await expect
      .poll(() => readFile(join(folder, "requests.mark"), "utf8"))
      .toContain('"submissions":6');
    await server.stop("SIGKILL");
  }

  /** Starts and stops a server on a data folder. Returns its health problems and its warning. */
  async function startOn(dataDir = folder) {
    const server = await startServerProcess({}, dataDir);
    const { body } = await server.health();
    const warning = server.output.stdout.split("\n").find((line) => line.includes("HELD"));
    await server.stop();
    return { problems: body.problems ?? [], warning };
  }

  const heldProblem = expect.stringMatching(/restored, copied or truncated/);
  const file = (name: string) => join(folder, name);

  testOfTheFile("starts normally after a kill or a regular stop", async () => {
    await live();
    expect(await startOn()).toEqual({ problems: [], warning: undefined });
    expect(await startOn()).toEqual({ problems: [], warning: undefined });
  });

  testOfTheFile("starts normally with a mark file from version 1.12", async () => {
    await live();
    const mark = JSON.parse(await readFile(file("requests.mark"), "utf8"));
    mark.highest.ledger = 17;
    await writeFile(file("requests.mark"), JSON.stringify(mark));
    expect(await startOn()).toEqual({ problems: [], warning: undefined });
  });

  testOfTheFile("starts normally after its folder is renamed", async () => {
    await live();
    await rename(folder, `${folder}-renamed`);
    expect(await startOn(`${folder}-renamed`)).toEqual({ problems: [], warning: undefined });
    await rm(`${folder}-renamed`, { recursive: true });
  });

  testOfTheFile("is put on hold after its write-ahead log is deleted", async () => {
    await live();
    await rm(file("requests.sqlite-wal"));
    await rm(file("requests.sqlite-shm"));
    expect(await startOn()).toEqual({
      problems: [heldProblem],
      warning: expect.stringMatching(/lacks what it had before.*npm run store -- restore show/),
    });
  });

  testOfTheFile("is put on hold after its write-ahead log is damaged", async () => {
    await live();
    const log = await open(file("requests.sqlite-wal"), "r+");
    const { size } = await log.stat();
    await log.write(Buffer.alloc(200, 7), 0, 200, Math.floor(size / 2));
    await log.close();
    expect((await startOn()).problems).toEqual([heldProblem]);
  });

  testOfTheFile("is put on hold after an older file is restored by hand", async () => {
    await live(() => cp(folder, `${folder}-old`, { recursive: true }));
    for (const name of ["requests.sqlite", "requests.sqlite-wal"]) {
      await cp(join(`${folder}-old`, name), file(name));
    }
    await rm(`${folder}-old`, { recursive: true });
    expect((await startOn()).problems).toEqual([heldProblem]);
  });

  testOfTheFile("is on hold in a copied folder until an operator confirms the copy", async () => {
    await live();
    const copied = join(folder, "copied");
    await mkdir(copied);
    for (const name of await readdir(folder)) {
      if (name !== "copied") await cp(join(folder, name), join(copied, name), { recursive: true });
    }
    expect(await startOn(copied)).toEqual({
      problems: [heldProblem],
      warning: expect.stringMatching(/copied or moved.*restore confirm --as NAME/),
    });
    expect((await startOn(copied)).problems).toEqual([heldProblem]);
    const settings = { DATA_DIR: copied };
    const run = (program: string, ...words: string[]) =>
      runToEnd(`server/cli/${program}.ts`, settings, words);
    expect(await run("operators", "add", "Nadia")).toMatchObject({ code: 0 });
    expect(await run("restore", "confirm", "--as", "Nadia")).toMatchObject({ code: 0 });
    expect(await startOn(copied)).toEqual({ problems: [], warning: undefined });
    expect((await startOn()).problems).toEqual([]);
  });
});
