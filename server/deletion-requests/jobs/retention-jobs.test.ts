import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { countRows } from "../../platform/database/database.fixture.ts";
import { deleteAgedRows } from "../../platform/database/delete-aged-rows.ts";
import { encode } from "../../platform/database/rows.ts";
import { columnsIn, listTables, tables } from "../../platform/database/schema.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { createUpkeep } from "./retention-jobs.ts";

serviceForEachTest();

function submitMany(count: number): Promise<unknown> {
  return service.submitMany(count, (number) => ({
    email: `s${number}@uni.example`,
    feedback: "x".repeat(5000),
  }));
}

describe("unconfirmed requests", () => {
  test.each([
    ["the form is resent", () => service.submit()],
    [
      "the requester asks for a new link",
      async () => service.requests.sendNewLink(await openedLink()),
    ],
    ["an operator resends the link", async () => resendLink()],
  ])("keeps an unconfirmed request for 48 more hours after %s", async (_, ask) => {
    await service.submitMailed();
    service.pass({ hours: 47 });
    await ask();
    await service.round();
    await service.round({ hours: 47 });
    expect((await service.requests.openVisit(await openedLink())).kind).toBe("confirm");
    await service.round({ hours: 1 });
    expect(await service.queue()).toEqual([]);
  });

  const openedLink = () => service.follow(service.newest("confirm"));
  async function resendLink(): Promise<void> {
    const [request] = await service.queue();
    await service.desk.act(request?.reference ?? "", { type: "resend" }, "Nadia");
  }

  test("keeps an entered request for a week, even if the requester also submits the form", async () => {
    await service.enterClosed();
    await service.submitMailed({ email: "old@uni.example" });
    await service.round({ days: 7, minutes: -1 });
    expect(await service.queue()).toHaveLength(1);
    await service.round({ minutes: 1 });
    expect(await service.queue()).toMatchObject([{ state: "refused", endedBy: "system" }]);
  });

  test("keeps an expired request if the form is submitted again just before its deletion", async () => {
    await service.submitMailed();
    service.pass({ hours: 48 });
    const write: typeof service.forgetting.write = async (work) => {
      await service.submit();
      return service.forgetting.write(work);
    };
    await createUpkeep({ ...service, forgetting: { ...service.forgetting, write } }).run();
    expect(await service.queue()).toHaveLength(1);
  });
});

test("reads no extra rows for unconfirmed requests if no job is due", async () => {
  const rowsOfARound = async () => {
    const { database, counts } = countRows(service.database);
    await createUpkeep({ ...service, database }).run();
    return counts.read;
  };
  await service.submitConfirmed({ email: "worked-on@uni.example" });
  await service.roundAt("2026-11-22T05:00:00Z");
  const before = await rowsOfARound();
  await submitMany(200);
  // This round sums up the form counters so that the measured round doesn't have to.
  await rowsOfARound();
  expect(await rowsOfARound()).toBe(before);
});

test("expires the other requests if one request's row is invalid, and reports the error", async () => {
  for (const name of ["broken", "whole"]) {
    await service.submitMailed({ email: `${name}@uni.example` });
  }
  await service.kysely
    .updateTable("requests")
    .set({ reason: "unknown" })
    .where("email", "=", "broken@uni.example")
    .execute();
  service.pass({ hours: 48 });
  await expect(service.upkeep.run()).rejects.toThrow();
  const left = await service.kysely.selectFrom("requests").select("email").execute();
  expect(left).toEqual([{ email: "broken@uni.example" }]);
});

test("warns about the other requests and sends the digest if one request's row is invalid", async () => {
  for (const name of ["broken", "whole"]) {
    await service.submitConfirmed({ email: `${name}@uni.example` });
  }
  await service.kysely
    .updateTable("requests")
    .set({ reason: "unknown" })
    .where("email", "=", "broken@uni.example")
    .execute();
  service.setClock("2026-12-06T04:00:00Z");
  await expect(service.upkeep.run()).rejects.toMatchObject({ code: "requests 1" });
  await service.outbox.sendAll();
  expect(service.sent.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["operator-due-soon", "operator-digest"]),
  );
  expect(service.newest("operator-digest").message).toMatchObject({ openCount: 2 });
});

test("serves visitors between batches while expiring many requests", async () => {
  await submitMany(160);
  await service.outbox.sendAll();
  service.pass({ days: 8 });
  let served = 0;
  const upkeep = service.upkeep.run().then(() => "over");
  while ((await Promise.race([upkeep, setImmediate("waiting")])) === "waiting") {
    if (served === 0) await service.submit({ email: "in-between@uni.example" });
    served++;
  }
  expect(served).toBeGreaterThan(3);
  expect((await service.queue()).map((request) => request.email)).toEqual([
    "in-between@uni.example",
  ]);
  expect(await service.desk.happened()).toMatchObject({ received: 161, expired: 160 });
});

describe("a request that has ended", () => {
  test("erases email files together with an ended request's data after the full period", async () => {
    service.answer = (letter) => service.fileMailer.send(letter);
    const reference = await service.submitCompleted();
    await service.round();
    expect((await service.readFolder()).match(/\.eml/g)?.length).toBeGreaterThanOrEqual(3);
    expect((await service.desk.find(reference))?.email).toBe("anika@uni.example");
    await service.round({ days: 29 });
    expect((await service.desk.find(reference))?.email).toBe("anika@uni.example");
    await service.round({ days: 1 });
    const left = await service.readFolder();
    expect(left).not.toContain("anika");
    expect(left).not.toContain(`confirm ${reference}`);
  });

  test("deletes an ended request from every table after 24 months", async () => {
    await service.submitCompleted();
    await service.round();
    await service.roundAt("2028-11-22T03:59:00Z");
    expect(await service.queue()).toHaveLength(1);
    await service.round({ minutes: 1 });
    expect(await service.queue()).toEqual([]);
    // This run is on a weekend, when no digest adds rows. By then, every table whose rows have a
    // retention period must be empty.
    await service.round({ days: 59 });
    const stays = ["for good", "overwritten", "taken away", "running"];
    for (const table of listTables()) {
      if (stays.includes(String(tables[table].until))) continue;
      expect(await service.kysely.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
  });
});

const ages = listTables().flatMap((table) =>
  tables[table].until.filter((end) => typeof end === "object").map((age) => ({ table, ...age })),
);

test.each(ages)(
  "deletes a row of $table at the age that the data map sets for $column",
  async (age) => {
    const { table, column, after = { hours: 0 } } = age;
    const { timeZone } = service.calendar;
    const now = Temporal.PlainDateTime.from("2028-11-22T10:00").toZonedDateTime(timeZone);
    const columns = columnsIn(table);
    const { type, holds } = columns.find(([name]) => name === column)?.[1] ?? {};
    const last = now.subtract(after);
    const day = last.toPlainDate();
    const [goes, stays] =
      holds === "day"
        ? [encode(day.subtract({ days: 1 })), encode(day)]
        : [last, last.add({ milliseconds: 1 })].map((at) =>
            type === "integer" ? at.epochMilliseconds : encode(at.toInstant()),
          );
    await service.submitConfirmed();
    await service.kysely.deleteFrom(table).execute();
    for (const [index, value] of [goes, stays].entries()) {
      const row = columns.map(([name, declared]) => {
        const filler = declared.type === "text" ? `9${index}` : declared.pointsTo ? 1 : index + 1;
        return [name, name === column ? value : declared.isNullable ? null : filler];
      });
      await service.kysely.insertInto(table).values(Object.fromEntries(row)).execute();
    }
    await service.database.write((transaction) => deleteAgedRows(transaction, now));
    const left = await service.kysely.selectFrom(table).selectAll().execute();
    expect(left).toEqual([expect.objectContaining({ [column]: stays })]);
  },
);

describe("emails to operators", () => {
  test("sends operators one digest each business day, not before 8 a.m. campus time", async () => {
    const digests = () => service.sent.filter((mail) => mail.kind === "operator-digest").length;
    await service.roundAt("2026-11-23T01:59:00Z");
    expect(digests()).toBe(0);
    await service.roundAt("2026-11-23T02:00:00Z");
    await service.round({ hours: 3 });
    expect(digests()).toBe(1);
    for (let day = 0; day < 7; day++) {
      await service.round({ days: 1 });
    }
    expect(digests()).toBe(6);
  });

  test.each([
    ["on a working day", "2026-11-22T04:00:00Z", "2026-12-07"],
    ["on a weekend", "2026-11-26T04:00:00Z", "2026-12-11"],
    ["on a holiday", "2026-12-01T04:00:00Z", "2026-12-16"],
  ])(
    "notifies the team and the requester of a missed date at the same time, %s",
    async (_, start, day) => {
      await service.roundAt(start);
      await service.submitConfirmed();
      const lateMails = () =>
        service.sent.filter(
          ({ kind, message }) =>
            kind === "late" || (message.kind === "operator-digest" && message.overdue > 0),
        );
      await service.roundAt(`${day}T01:59:00Z`);
      expect(lateMails()).toEqual([]);
      await service.roundAt(`${day}T02:00:00Z`);
      await service.round({ minutes: 1 });
      expect(
        lateMails()
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual(["late", "operator-digest"]);
    },
  );

  test.each([
    ["the first of that day", "2026-11-23", [24, 25, 26], [0, 1, 0, 0]],
    ["after a weekend", "2026-11-26", [27, 29, 30], [0, 1, 0]],
  ])("reports the end of a hold in only one digest: %s", async (_, until, mornings, named) => {
    const reference = await service.submitConfirmed();
    await service.hold(reference, until);
    await service.roundAt(`${until}T18:01:00Z`);
    for (const day of mornings) await service.roundAt(`2026-11-${day}T03:00:00Z`);
    const freed = service.sent.flatMap(({ message }) =>
      message.kind === "operator-digest" ? [message.freed] : [],
    );
    expect(freed).toEqual(named.map((count) => Array(count).fill(reference)));
  });

  test("warns operators once, two business days before each due date", async () => {
    const reference = await service.submitConfirmed();
    const warnings = () => service.sent.filter((mail) => mail.kind === "operator-due-soon").length;
    await service.roundAt("2026-12-01T17:59:00Z");
    expect(warnings()).toBe(0);
    await service.roundAt("2026-12-01T18:00:00Z");
    await service.take(reference);
    // Taking the request must keep the timestamp, by which later runs skip the request.
    const marks = await service.kysely.selectFrom("requests").select("warned_at").execute();
    expect(marks).not.toEqual([{ warned_at: null }]);
    await service.extend(reference, 5, "Exams.");
    await service.round();
    expect(warnings()).toBe(1);
    await service.roundAt("2026-12-10T04:00:00Z");
    expect(warnings()).toBe(2);
  });
});
