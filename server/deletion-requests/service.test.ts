import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/database.ts";
import { createFormKey } from "./form-key.ts";
import { createDeletionRequests, type DeletionRequests } from "./service.ts";

let folder: string;
let database: Database;
let now: Temporal.Instant;
let requests: DeletionRequests;
let problems: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "requests-"));
  const opened = await openDatabase({ dataDir: folder });
  if (!opened.ok) throw new Error(opened.problem);
  database = opened.database;
  now = Temporal.Instant.from("2026-11-21T06:00:00Z");
  problems = [];
  requests = createDeletionRequests({
    database,
    clock: () => now,
    onStorageProblem: (error) => problems.push(error),
  });
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function form(change: Record<string, unknown> = {}) {
  return {
    email: "anika@uni.example",
    reason: "other",
    feedback: "",
    confirmation: "on",
    formKey: createFormKey(),
    ...change,
  };
}

async function store(fields: Record<string, unknown>) {
  const result = await requests.submit(fields);
  if (result.kind !== "stored") throw new Error(result.kind);
  return result.submission;
}

test("a stored request answers with a reference and the masked address", async () => {
  const fields = form();
  expect(await requests.submit(fields)).toEqual({
    kind: "stored",
    submission: {
      formKey: fields.formKey,
      reference: expect.stringMatching(/^.{4}-.{4}$/),
      maskedEmail: { text: "a•••••@uni.example", firstLetter: "a", domain: "uni.example" },
      receivedAt: now,
    },
  });
});

test("the same form sent twice, even at once, is one submission with one answer", async () => {
  const fields = form();
  const answers = await Promise.all([1, 2, 3].map(() => requests.submit(fields)));
  now = now.add({ minutes: 5 });
  answers.push(await requests.submit(fields));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await requests.list()).toHaveLength(1);
});

test("a repeat by the same address gets its own reference and joins the open request", async () => {
  const first = await store(form());
  const second = await store(form({ email: "ANIKA@UNI.example", feedback: "Again." }));
  expect(second.reference).not.toBe(first.reference);
  expect(await requests.list()).toHaveLength(1);
  expect(await requests.findByReference(first.reference)).toEqual(
    await requests.findByReference(second.reference.toLowerCase().replace("-", " ")),
  );
});

test("the success panel can be read again for one hour and not longer", async () => {
  const stored = await store(form());
  now = now.add({ minutes: 59 });
  expect(await requests.findSubmission(stored.formKey)).toEqual(stored);
  now = now.add({ minutes: 1 });
  expect(await requests.findSubmission(stored.formKey)).toBeUndefined();
  expect(await requests.findSubmission(createFormKey())).toBeUndefined();
  expect(await requests.findSubmission("nonsense")).toBeUndefined();
  expect(await requests.findSubmission(["a"])).toBeUndefined();
});

test("a refused form stores nothing", async () => {
  expect(await requests.submit(form({ email: "anika" }))).toEqual({
    kind: "refused",
    problems: [{ field: "email", code: "emailMalformed" }],
  });
  expect(await requests.list()).toEqual([]);
});

test("a read-only database says that the request was not stored", async () => {
  await sql`pragma query_only = on`.execute(database.kysely);
  expect(await requests.submit(form())).toEqual({ kind: "not-stored" });
  expect(problems).toHaveLength(1);
  await sql`pragma query_only = off`.execute(database.kysely);
  expect(await requests.list()).toEqual([]);
});

test("a full disk says that the request was not stored, and the same form works once there is room", async () => {
  await sql`pragma max_page_count = 1`.execute(database.kysely);
  const fields = form({ feedback: "x".repeat(5000) });
  let last = await requests.submit(fields);
  for (let count = 0; last.kind === "stored" && count < 100; count++) {
    last = await requests.submit({ ...fields, formKey: createFormKey() });
  }
  expect(last).toEqual({ kind: "not-stored" });
  const before = (await requests.list()).length;
  await sql`pragma max_page_count = 100000`.execute(database.kysely);
  await store({ ...fields, email: "other@uni.example", formKey: createFormKey() });
  expect(await requests.list()).toHaveLength(before + 1);
});

test("the form key is not kept, and a removed request leaves no trace in the files", async () => {
  const stored = await store(form({ feedback: "Goodbye and thanks" }));
  expect(await bytes()).not.toContain(stored.formKey);
  expect(await bytes()).toContain("anika@uni.example");
  const request = await requests.findByReference(stored.reference);
  if (!request) throw new Error("not found");
  await requests.remove(request);
  expect(await bytes()).not.toContain("anika@uni.example");
  expect(await bytes()).not.toContain("Goodbye and thanks");
});

async function bytes(): Promise<string> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "latin1")));
  return files.join("");
}
