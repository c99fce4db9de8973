import { expect, test } from "vitest";
import { toFormValues } from "../../platform/forms/form-values.ts";
import { fillChecklist, testDataList } from "../test-campus.fixture.ts";
import { type DataList, findMismatches, readChecklist, readTicks } from "./checklist.ts";
import type { CompletionLine } from "./completion.ts";

const today = Temporal.PlainDate.from("2026-11-22");
const read = (answers: Record<string, string>) =>
  readChecklist(testDataList, toFormValues({ account: "user", ...answers }), today);
const missing = (answers: Record<string, string>) =>
  read(answers).missing.map((fieldError) =>
    fieldError.about ? `${fieldError.what} ${fieldError.about}` : fieldError.what,
  );

test("requires a finding for each of our locations and for each outside recipient", () => {
  expect(missing({})).toEqual(["unticked accounts", "unticked rides", "untold wallet"]);
  expect(missing({ account: "rider", "at-rides": "done", "at-wallet": "done" })).toEqual([
    "unticked accounts",
    "unticked papers",
  ]);
  expect(missing({ account: "constructor" })).toEqual(missing({ account: "both" }));
  const deleted = { "at-accounts": "done", "at-wallet": "done" };
  expect(missing({ ...deleted, "at-rides": "none" })).toEqual([]);
});

test("rejects a reported deletion in a location that has no data for the account kind", () => {
  const deleted = { "at-accounts": "done", "at-rides": "done", "at-wallet": "done" };
  for (const found of ["done", "kept"]) {
    expect(missing({ ...deleted, "at-papers": found })).toContain("contradiction papers");
  }
  expect(missing({ ...deleted, "at-papers": "none" })).toEqual([]);
  expect(missing({ ...deleted, account: "both", "at-papers": "done" })).toEqual([]);
});

test("saves valid answers and starts the work if a location had data", () => {
  const kept = (answers: Record<string, string>) => readTicks(testDataList, toFormValues(answers));
  expect(kept({ account: "user", "at-rides": "none", "why-rides": "dues", other: "x" })).toEqual({
    checklist: { account: ["user"], "at-rides": ["none"] },
    begins: false,
    answered: ["rides"],
  });
  expect(kept({ "at-rides": "kept", "until-rides": "2027-01-31" })).toMatchObject({
    checklist: { "at-rides": ["kept"], "until-rides": ["2027-01-31"] },
    begins: true,
  });
  expect(kept({ account: "nobody", "at-rides": "burnt" }).checklist).toEqual({});
});

test("requires a last day after today and within eleven years for kept data", () => {
  const rides = { "at-rides": "kept", "why-rides": "legal-duty" };
  const answers = { "at-accounts": "none", "at-wallet": "done", ...rides };
  const keptUntil = (until: string) => missing({ ...answers, "until-rides": until });
  for (const until of ["", "2026-11-22", "9999-12-31"]) {
    expect(keptUntil(until), until).toEqual(["keptUntil ride-details"]);
  }
  expect(keptUntil("2037-11-22")).toEqual([]);
  const { completion, ticked } = read({ ...answers, "until-rides": "2027-01-31" });
  expect(ticked).toEqual(["rides", "wallet"]);
  const kept = { outcome: "kept", reason: "legal-duty", until: "2027-01-31" };
  expect(completion.lines.slice(0, 2)).toMatchObject([{ outcome: "none" }, kept]);
});

test("rejects a completion if no location had any data", () => {
  const answers = { "at-accounts": "none", "at-rides": "none", "at-wallet": "done" };
  expect(missing(answers)).toEqual(["nothing"]);
});

test('reports the outcome "due" for data that this site deletes later', () => {
  const row: DataList["kinds"][number] = {
    key: "deletion-request",
    store: "deletion-page",
    accounts: ["User"],
    onDeletion: "deleted",
  };
  const list = { ...testDataList, kinds: [...testDataList.kinds, row] };
  const { lines } = readChecklist(list, fillChecklist(list), today).completion;
  expect(lines.at(-1)).toEqual({
    store: "deletion-page",
    kind: "deletion-request",
    outcome: "due",
    by: "2026-12-22",
  });
});

test("leaves the date of the last backup out of an operator's completion", () => {
  expect(readChecklist(testDataList, fillChecklist(testDataList), today).completion).toHaveProperty(
    "backupsGoneBy",
    null,
  );
});

const confirmedOn = Temporal.PlainDate.from("2026-11-20");

const deletedLines: CompletionLine[] = [
  { store: "accounts", kind: "identity", outcome: "deleted" },
  { store: "rides", kind: "ride-details", outcome: "none" },
];
const kept = { store: "rides", kind: "ride-details", outcome: "kept" } as const;
const otherDay = /^It must be a day from 2026-11-20 to 2026-12-22/;

test.each<[string, CompletionLine[], string | null, RegExp[]]>([
  ["a complete answer", deletedLines, "2026-12-22", []],
  ["no backups", deletedLines, null, []],
  ["backups gone before the confirmation", deletedLines, "2026-11-19", [otherDay]],
  ["backups that stay longer than the list promises", deletedLines, "2026-12-23", [otherDay]],
  [
    "a recipient's data and this site's",
    [
      ...deletedLines,
      { store: "wallet", kind: "payments", outcome: "deleted" },
      { store: "deletion-page", kind: "proof", outcome: "deleted" },
    ],
    null,
    [/wallet\/payments is not stored by you/, /deletion-page\/proof is not stored by you/],
  ],
  [
    "data kept until a past day",
    [...deletedLines.slice(0, 1), { ...kept, reason: "legal-duty", until: "2020-01-01" }],
    null,
    [/rides\/ride-details needs a last day/],
  ],
  [
    "no data at all",
    deletedLines.map(({ store, kind }) => ({ store, kind, outcome: "none" })),
    null,
    [/list what you deleted\. If you deleted nothing, report failed/],
  ],
])("checks an account system's answer: %s", (_, lines, backupsGoneBy, details) => {
  expect(findMismatches(testDataList, { lines, backupsGoneBy }, today, confirmedOn)).toEqual(
    details.map((detail) => expect.objectContaining({ detail: expect.stringMatching(detail) })),
  );
});
