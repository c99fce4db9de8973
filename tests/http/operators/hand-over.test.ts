import { beforeEach, expect, test } from "vitest";
import { placesToTick } from "../../../server/deletion-requests/life/checklist.ts";
import { sessionCookieName } from "../../../server/operators/session-cookie.ts";
import { comeIn as enrol } from "../../../server/sign-in/passkey.fixture.ts";
import { campus, say } from "../../harness/campus.ts";
import { confirmedRequest } from "../../harness/deletion-form.ts";
import { elementsOf, mainOf, textOf } from "../../harness/html.ts";
import { copyEverything, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

// A new site's first day and a year's hand-over: lists that tick themselves, and what a person says on them.

const { handOver: words } = campus.operator;
const path = "/operator/hand-over";
openSiteForEachTest();

let nadia: Awaited<ReturnType<typeof comeIn>>;
beforeEach(async () => {
  nadia = await comeIn("Nadia");
});

const invite = async (name: string, admin = true) => {
  const address = `${name.toLowerCase()}@uni.example`;
  const invited = await site.services.team.invite({ name, address, admin }, "Nadia");
  if (invited.kind !== "invited") throw new Error(invited.kind);
  return invited.link.slice(invited.link.indexOf("#") + 1);
};

/** Follows an invitation with a device of one's own. */
async function comeIn(name: string, invitation?: string) {
  const link = invitation ?? (await invite(name));
  const { token } = await enrol(site.services.operators, link, { origin: site.publicUrl });
  const headers = { Cookie: `${sessionCookieName}=${token}` };
  return {
    read: async (path: string) => (await site.ask(path, { headers })).text(),
    say: async (about: string) => (await site.post(path, { about }, { headers })).status,
  };
}

/** The lines that are still to be done. */
async function left(): Promise<string[]> {
  return elementsOf(mainOf(await nadia.read(path)), "li")
    .filter(({ html }) => !textOf(html).startsWith(`✓${words.done}`))
    .map(({ html }) => textOf(elementsOf(html, "h2")[0]?.html ?? ""));
}

async function complete(name: string, email: string): Promise<void> {
  const reference = await confirmedRequest(site, email);
  await site.services.desk.act(reference, { type: "take" }, name);
  const found = { accounts: ["User" as const], ticked: placesToTick(site.foundation.dataList) };
  const done = await site.services.desk.complete(reference, { address: email, found }, name);
  expect(done.kind).toBe("done");
}

async function setUp(): Promise<void> {
  await comeIn("Rafi");
  await copyEverything();
  for (const key of ["practice: Nadia", "practice: Rafi", "restore", "mailbox", "keys"]) {
    expect(await nadia.say(`tick ${key}`)).toBe(303);
  }
  expect(await nadia.say("end")).toBe(303);
}

test("a new site begins with a list that ticks itself, and not with an alarm", async () => {
  const { people, practice, admins, backup, restore, mailbox, keys } = words.lines;
  expect(await left()).toEqual([practice, admins, backup, restore, mailbox, keys]);
  const today = textOf(await nadia.read("/operator"));
  expect(today).toContain(say(words.left, { list: words.firstDay, count: 6 }));
  expect(today).not.toContain(campus.operator.watch.banner.link);

  const link = await invite("Rafi");
  expect((await left())[0]).toBe(people);
  await comeIn("Rafi", link);
  await copyEverything();
  for (const count of [1, 2, 3]) await complete("Rafi", `student${count}@uni.example`);
  expect(await left()).toEqual([practice, restore, mailbox, keys]);
  expect(await nadia.say("end")).toBe(422);

  for (const key of ["practice: Nadia", "restore", "mailbox", "keys"])
    await nadia.say(`tick ${key}`);
  expect(await left()).toEqual([]);
  expect(await nadia.say("end")).toBe(303);
  expect(textOf(await nadia.read(path))).toContain(words.begin);
});

test("next year's team takes over: the new ones are in and have practised, the old ones are out or stay", async () => {
  await setUp();
  site.wait({ hours: 1 });
  expect(await nadia.say("begin")).toBe(303);
  site.wait({ hours: 1 });
  const { leavers, people, practice, admins, ...said } = words.lines;
  expect(await left()).toEqual([people, practice, said.restore, said.mailbox, said.keys, leavers]);

  await comeIn("Mina");
  for (const key of ["practice: Mina", "restore", "mailbox", "keys", "leavers: Nadia"]) {
    await nadia.say(`tick ${key}`);
  }
  expect(await left()).toEqual([leavers]);
  await site.services.team.remove("Rafi", "Nadia");
  expect(await left()).toEqual([]);

  // With only one admin in, nothing is handed over.
  await site.services.team.remove("Mina", "Nadia");
  expect(await left()).toEqual([people, practice, admins]);
  expect(await nadia.say("end")).toBe(422);
});

test("what a person says stands with name and date in the history, and can be taken back", async () => {
  expect(await nadia.say("tick restore")).toBe(303);
  expect(textOf(await nadia.read(path))).toContain(
    say(words.said, { name: "Nadia", at: "" }).trim(),
  );
  expect(textOf(await nadia.read("/operator/history"))).toContain(
    `Nadia ${words.acts.tick}: ${words.lines.restore}`,
  );
  await nadia.say("untick restore");
  expect(await left()).toContain(words.lines.restore);
  expect(await nadia.say("tick nothing of the list")).toBe(422);
});

test("an operator who is no admin is not told of the list", async () => {
  const rafi = await site.signInAs("Rafi");
  expect(textOf(await rafi.read("/operator"))).not.toContain(words.link);
});
