import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { readEnglish } from "../../../campus-reader/product-words.ts";
import { runsOnPostgres } from "../../platform/database/database.fixture.ts";
import {
  columnsIn,
  listTables,
  listTheirs,
  type Tables,
  tables,
} from "../../platform/database/schema.ts";
import { createCalendarWords } from "../../platform/i18n/texts.ts";
import { collectPersonalData } from "../presenters/personal-data.ts";
import { renderPersonalDataPage, type SubjectWords } from "../presenters/personal-data-page.ts";
import { bySystem } from "../service.fixture.ts";
import { visibleFields } from "../state-machine/request.ts";
import { testMailWords } from "../test-campus.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { addEvent } from "./audit-log.ts";
import { eraseRequest } from "./requests.ts";

/**
 * The tests of the erasure search the bytes of the files, not only the rows. The tests in
 * platform/database cover rewriting files of any size.
 */

serviceForEachTest();

const typed = (number: number) =>
  `person-${String((number * 7919) % 100_000).padStart(5, "0")}@uni.example`;

/**
 * Submits forms with addresses in random order and confirms every third request to keep it from
 * erasure. If all rows were erased, SQLite would empty entire pages, and the test would miss
 * remnants on pages still in use. Returns the addresses that remain.
 */
async function submitMany(forms: number): Promise<string[]> {
  await service.submitMany(forms, (number) => ({
    email: typed(number),
    feedback: `words of ${typed(number)} ${"x".repeat((number * 37) % 4000)}`,
  }));
  // A request whose confirmation email hasn't been sent doesn't expire.
  await service.outbox.sendAll();
  const staying = (await service.queue()).filter((_, index) => index % 3 === 0);
  for (const { reference } of staying) {
    const act = { type: "confirm", reference, reason: "other" } as const;
    await bySystem(service, reference, act, { actor: "person" });
  }
  return staying.map(({ email }) => String(email)).sort();
}

async function find(left: RegExp): Promise<string[]> {
  return [...new Set((await service.readFolder()).match(left))].sort();
}

const findAddresses = () => find(/person-\d{5}@uni\.example/g);

test("erases the addresses of expired requests from the files", async () => {
  const staying = await submitMany(100);
  expect(await findAddresses()).toHaveLength(100);
  service.pass({ days: 7 });
  await service.upkeep.run();
  expect(await findAddresses()).toEqual(staying);
}, 600_000);

test.skipIf(runsOnPostgres)(
  "erases addresses while a worker thread rewrites a large store and forms arrive",
  async () => {
    const staying = await submitMany(700);
    // A worker thread rewrites only files larger than `rewrittenAtOnceBytes` (database/sqlite.ts).
    expect((await service.readFolder()).length).toBeGreaterThan(2 ** 20);
    service.pass({ days: 7 });
    await Promise.all([service.submit({ email: "late@uni.example" }), service.upkeep.run()]);
    await vi.waitFor(
      async () => {
        await service.upkeep.run();
        expect(await findAddresses()).toEqual(staying);
      },
      { timeout: 300_000, interval: 200 },
    );
    expect(await service.readFolder()).toContain("late@uni.example");
  },
  600_000,
);

/**
 * Adds a row to each empty table so that the search also covers tables that the test's steps don't
 * fill. The rows belong to the first request if possible.
 */
async function fillEmptyTables(): Promise<void> {
  const texts: Record<string, string> = { instant: "2026-11-22T04:00:00.000Z", day: "2026-11-22" };
  for (const table of listTables()) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(service.kysely);
    if (rows.length > 0) continue;
    const row = columnsIn(table).map(([name, { type, holds = "", pointsTo }]) => [
      name,
      type === "text" ? (texts[holds] ?? "x") : pointsTo || name === "id" ? 1 : 0,
    ]);
    await service.kysely.insertInto(table).values(Object.fromEntries(row)).execute();
  }
}

/** Prefixes every text column with a canary that identifies the column. */
async function fillWithCanaries(): Promise<{ kept: string[]; erased: string[] }> {
  const canaries = { kept: [] as string[], erased: [] as string[] };
  for (const table of Object.keys(tables) as (keyof Tables)[]) {
    const columns = columnsIn(table);
    const [key = ""] = columns.find(([, column]) => column.isKey) ?? [];
    for (const [name, { type, whose }] of columns) {
      if (type !== "text") continue;
      // Erasing sets this column.
      if (name === "erased_at") continue;
      const canary = `canary-${table}-${name}-`;
      const ofTheRequest =
        "request_id" in tables[table].columns ? sql`where request_id = 1` : sql``;
      await sql`update ${sql.table(table)} set ${sql.ref(name)} =
        ${canary} || coalesce(${sql.ref(name)}, cast(${sql.ref(key)} as text)) ${ofTheRequest}`.execute(
        service.kysely,
      );
      canaries[whose === "person" ? "erased" : "kept"].push(canary);
    }
  }
  return canaries;
}

test("erases exactly the columns marked as personal from the disk", async () => {
  await service.refuse(await service.submitConfirmed(), "Nobody.");
  await fillEmptyTables();
  const { kept, erased } = await fillWithCanaries();
  const marked = listTheirs("person").flatMap(({ columns }) => columns);
  expect(erased.length).toBe(marked.length);
  const findCanaries = () => find(/canary-\w+-\w+-/g);
  expect(await findCanaries()).toEqual([...kept, ...erased].sort());
  await service.database.write((transaction) => eraseRequest(transaction, 1, service.clock()));
  await vi.waitFor(async () => expect(await service.database.erasePhysically()).toBe(true), {
    timeout: 300_000,
    interval: 200,
  });
  expect(await findCanaries()).toEqual(kept.sort());
});

test("includes every column marked as personal or as proof in the data export and its page", async () => {
  const request = await service.desk.find(await service.submitCompleted());
  await fillEmptyTables();
  const theirs = listTheirs("person", "proof").flatMap(({ table, owner, columns }) =>
    columns.map(([name, { holds }], index) => {
      // A date column's canary is its year.
      const canary = holds ? `${2030 + index}` : `canary-${table}-${name}`;
      return { table, owner, name, holds, canary };
    }),
  );
  for (const { table, owner, name, holds, canary } of theirs) {
    const dates = { instant: `${canary}-11-22T04:00:00.000Z`, day: `${canary}-11-22`, flag: 1 };
    const value = holds ? dates[holds] : canary;
    await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${value}
      where ${sql.ref(owner)} = 1`.execute(service.kysely);
  }
  const subject = await collectPersonalData(service, "anika@uni.example", request ? [request] : []);
  const words = {
    settings: { language: "en" },
    mail: testMailWords,
    dataKinds: [],
    deletion: { form: { reasons: {} } },
    operator: readEnglish("operator"),
    dates: createCalendarWords({ locale: "en", timeZone: "UTC", holidays: {} }),
  } as unknown as SubjectWords;
  const outputs = [JSON.stringify(subject), renderPersonalDataPage(subject, words)];
  for (const text of outputs)
    expect(theirs.filter(({ canary }) => !text.includes(canary))).toEqual([]);
});

test("includes every event of a long history in the data export", async () => {
  const request = await service.desk.find(await service.submitConfirmed());
  if (!request) throw new Error("The request is missing");
  const event = { actor: "system", type: "failed", at: service.clock() } as const;
  await service.database.write(async (transaction) => {
    for (let failure = 0; failure < 501; failure++) await addEvent(transaction, request, event);
  });
  const { requests } = await collectPersonalData(service, "anika@uni.example", [request]);
  const trail = requests.flatMap((exported) => exported.trail);
  expect(trail.filter(({ what }) => what === "failed")).toHaveLength(501);
});

// Searches for the typed text instead of trusting the columns' markers, because a wrong marker
// would mislead all code that reads it.
test("erases everything typed into the form except the choice of a reason", async () => {
  const typed = visibleFields.filter((name) => !["reason", "confirmation"].includes(name));
  const words = typed.map((name) => [
    name,
    `typed-${name.toLowerCase()}${name === "email" ? "@uni.example" : ""}`,
  ]);
  const findTyped = () => find(/typed-\w+/g);
  const reference = await service.submitConfirmed(Object.fromEntries(words));
  expect(await findTyped()).toHaveLength(typed.length);
  await service.refuse(reference, "Nobody.");
  service.pass({ days: 31 });
  await service.upkeep.run();
  expect(await findTyped()).toEqual([]);
});
