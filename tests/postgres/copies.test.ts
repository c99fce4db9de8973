import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand as moveData } from "../../server/command-line/move-data.ts";
import { runRestore } from "../../server/command-line/restore.ts";
import { readConfig } from "../../server/config.ts";
import type { Database } from "../../server/database/database.ts";
import { findUnconfirmedRestore } from "../../server/database/restore-hold.ts";
import { createSubmitting } from "../../server/deletion-requests/asking/submitting.ts";
import { openOffice, type TestOffice } from "../../server/deletion-requests/office.fixture.ts";
import { campusDir } from "../harness/campus.ts";
import { filledForm } from "../harness/deletion-form.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";

let folder: string;
let office: TestOffice;
let target: TestDatabase;
let database: Database;

/** A store that has lived, in PostgreSQL. */
beforeEach(async () => {
  target = await createTestDatabase();
  ({ folder } = target);
  office = await openOffice();
  await office.submitConfirmed({ email: "working@uni.example" });
  await office.submit({ email: "received@uni.example" });
  await office.database.close();
  const moved = await moveData([office.folder, target.url], {}, () => {});
  expect(moved.code).toBe(0);
  ({ database } = await target.open());
});
afterEach(async () => {
  await target.drop();
  await office.close();
});

test("a copy of PostgreSQL is the file that a copy of the file is, while servers go on working", async () => {
  const submitting = createSubmitting({ ...office, database });
  const sending = [1, 2, 3, 4, 5, 6].map((n) =>
    submitting.submit(filledForm({ email: `during${n}@uni.example` })),
  );
  const path = join(folder, "copy.sqlite");
  await database.copyTo(path);
  const results = await Promise.all(sending);
  expect(results.map(({ kind }) => kind)).toEqual(sending.map(() => "stored"));
  expect(await readdir(folder)).toEqual(["copy.sqlite"]);
  using copy = new DatabaseSync(path, { readOnly: true });
  const first = copy.prepare("select email from submissions order by id limit 2").all();
  expect(first.map(({ email }) => email)).toEqual(["working@uni.example", "received@uni.example"]);
  await expect(database.copyTo(path)).rejects.toMatchObject({ code: "EEXIST" });
});

test("after a loss the copy is put back into a folder, and moved into an empty database", async () => {
  const path = join(folder, "copy.sqlite");
  await database.copyTo(path);
  const data = join(folder, "data");
  const fresh = await createTestDatabase();
  const secretKeys = `1:${randomBytes(32).toString("base64url")}`;
  const configOf = (more: Record<string, string>) => {
    const read = readConfig({
      DATA_DIR: data,
      CAMPUS_DIR: campusDir,
      SECRET_KEYS: secretKeys,
      ...more,
    });
    if (!read.ok) throw new Error(read.problems.join());
    return { config: read.config, clock: office.clock };
  };
  const words = [path, "--without-export"];
  // Into a database it does not go by itself, and says what to do.
  expect(await runRestore(words, configOf({ DATABASE_URL: fresh.url }))).toMatchObject({
    code: 1,
    problem: expect.stringContaining("move-data"),
  });
  expect(await runRestore(words, configOf({}))).toMatchObject({ code: 0 });
  expect(await moveData([data, fresh.url], {}, () => {})).toMatchObject({ code: 0 });
  const moved = (await fresh.open()).database;
  expect(await findUnconfirmedRestore(moved.read)).toBeDefined();
  await fresh.drop();
});
