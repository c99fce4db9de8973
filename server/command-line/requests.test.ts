import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/database.ts";
import { createFormKey } from "../deletion-requests/form-key.ts";
import { createDeletionRequests, type DeletionRequests } from "../deletion-requests/service.ts";
import { toCsvLine } from "./csv.ts";
import { runCommand } from "./requests.ts";

let folder: string;
let database: Database;
let requests: DeletionRequests;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "command-"));
  const opened = await openDatabase({ dataDir: folder });
  if (!opened.ok) throw new Error(opened.problem);
  database = opened.database;
  const now = Temporal.Instant.from("2026-11-21T06:00:00Z");
  requests = createDeletionRequests({ database, clock: () => now });
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function submit(feedback = ""): Promise<string> {
  const result = await requests.submit({
    email: "anika@uni.example",
    reason: "other",
    feedback,
    confirmation: "on",
    formKey: createFormKey(),
  });
  if (result.kind !== "stored") throw new Error(result.kind);
  return result.submission.reference;
}

test("an operator lists, shows and deletes", async () => {
  expect((await runCommand(["list"], requests)).out).toBe("No requests.\n");
  const reference = await submit("=1+1\n\u200bsecond line");
  expect((await runCommand(["list"], requests)).out).toBe(
    `REFERENCE  RECEIVED              STATE     ADDRESS            REASON  SENT\n${reference}  2026-11-21 06:00 UTC  received  anika@uni.example  other   once\n`,
  );
  const shown = await runCommand(["show", reference.toLowerCase()], requests);
  expect(shown.out).toContain("  > =1+1\n  > second line\n");
  expect((await runCommand(["delete", reference], requests)).code).toBe(0);
  expect((await runCommand(["show", reference], requests)).problem).toBe(
    `There is no request with the reference ${reference}.\n`,
  );
});

test("an export is safe to open in a spreadsheet", async () => {
  await submit('=HYPERLINK("x")\nline');
  const { out } = await runCommand(["export"], requests);
  expect(out).toContain(`,"'=HYPERLINK(""x"")\nline",2026-11-21T06:00:00Z\r\n`);
  expect(toCsvLine(["+8801", "@x", "a,b", " -1", "ok", "\t=1"])).toBe(
    `"'+8801","'@x","a,b","' -1",ok,"'\t=1"\r\n`,
  );
});

test.each([[["show"]], [["list", "x"]], [["delete"]], [["dance"]], [["show", "a", "b"]]])(
  "%j is not understood",
  async (words) => {
    expect((await runCommand(words, requests)).code).toBe(2);
  },
);
