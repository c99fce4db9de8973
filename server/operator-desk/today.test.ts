import { afterEach, beforeEach, expect, test } from "vitest";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { openOffice, sampleFound, type TestOffice } from "../deletion-requests/office.fixture.ts";
import { type Group, groups } from "./acts.ts";
import { readToday } from "./today.ts";

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

async function cards(name: string): Promise<Partial<Record<Group, string[]>>> {
  const today = await readToday(office, name);
  return Object.fromEntries(
    groups.flatMap((group) => {
      const references = today[group].requests.map(({ reference }) => reference);
      return references.length > 0 ? [[group, references]] : [];
    }),
  );
}

const confirmed = (name: string) => office.submitConfirmed({ email: `${name}@uni.example` });

test("each request lies on the one card that says what to do with it", async () => {
  const overdue = await confirmed("overdue");
  office.pass({ days: 20 });
  const free = await confirmed("free");
  const taken = await confirmed("taken");
  const others = await confirmed("others");
  const waiting = await confirmed("waiting");
  const finished = await confirmed("finished");
  await office.submit({ email: "silent@uni.example" });
  await office.desk.act(taken, { type: "take" }, "Nadia");
  await office.desk.act(others, { type: "take" }, "Rahim");
  const until = Temporal.PlainDate.from("2026-12-20");
  const hold = { type: "hold", reason: "dues", until, explanation: "" } as const;
  await office.desk.act(waiting, hold, "Nadia");
  await office.desk.act(finished, { type: "take" }, "Nadia");
  const by = { address: "finished@uni.example", found: sampleFound };
  await office.desk.complete(finished, by, "Nadia");

  expect(await cards("Nadia")).toEqual({
    late: [overdue],
    mine: [taken],
    nobody: [free],
    done: [finished],
    held: [waiting],
  });
  expect(await cards("Rahim")).toMatchObject({ mine: [others] });
  expect((await readToday(office, "Nadia")).unconfirmed).toBe(1);
});

test("a request for a closed mailbox is shown for its second look, and is not counted as unconfirmed", async () => {
  const address = (typed: string) => {
    const read = parseEmailAddress(typed);
    if (!read.ok) throw new Error(typed);
    return read.email;
  };
  const entered = await office.desk.enterRequest(
    {
      email: address("old@uni.example"),
      contact: address("new@home.example"),
      proof: "in-person",
      reason: "other",
      receivedAt: office.clock(),
    },
    "Nadia",
  );
  expect(await cards("Rahim")).toEqual({ approve: [entered.request.reference] });
  expect((await readToday(office, "Rahim")).unconfirmed).toBe(0);
});

test("what is due soonest stands first, and a card that is full says that there are more", async () => {
  const references: string[] = [];
  for (let index = 0; index < 26; index++) references.push(await confirmed(`student${index}`));
  const { nobody } = await readToday(office, "Nadia");
  expect(nobody.requests.map(({ reference }) => reference)).toEqual(references.slice(0, 25));
  expect(nobody.more).toBe(true);
});
