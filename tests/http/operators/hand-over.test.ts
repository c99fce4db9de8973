import { beforeEach, expect, test } from "vitest";
import { fillChecklist } from "../../../server/deletion-requests/test-campus.fixture.ts";
import { signInWithNewPasskey as enrol } from "../../../server/team/sign-in/passkey.fixture.ts";
import { campus, say } from "../../harness/campus.ts";
import { confirmedRequest } from "../../harness/deletion-form.ts";
import { elementsOf, mainOf, textOf } from "../../harness/html.ts";
import { copyEverything, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

// Checklists for a new site and for the yearly handover. The site checks off some lines itself;
// admins check off the others.

const { handOver: words } = campus.operator;
const path = "/operator/hand-over";
openSiteForEachTest();

let nadia: Awaited<ReturnType<typeof site.signInAs>>;
beforeEach(async () => {
  await enrolMember("Nadia");
  nadia = await site.signInAs("Nadia", "admin");
});

async function invite(name: string): Promise<string> {
  const address = `${name.toLowerCase().replace(/\W.*/, "")}@uni.example`;
  const invited = await site.services.team.invite({ name, address, admin: true }, "Nadia");
  if (invited.kind !== "invited") throw new Error(invited.kind);
  return invited.link.slice(invited.link.indexOf("#") + 1);
}

async function enrolMember(name: string, invitation?: string): Promise<void> {
  const { operators } = site.services;
  await enrol(operators, invitation ?? (await invite(name)), { origin: site.publicUrl });
}

/** Submits the form as Nadia and returns the status. */
const says = async (about: string) => (await nadia.post(path, { about })).status;

/** Lists the titles of the unchecked lines. */
async function left(): Promise<string[]> {
  return elementsOf(mainOf(await nadia.read(path)), "li")
    .filter(({ html }) => !textOf(html).startsWith(`✓${words.done}`))
    .map(({ html }) => textOf(elementsOf(html, "h2")[0]?.html ?? ""));
}

const tick = async (...keys: string[]) => {
  for (const key of keys) {
    expect(await nadia.read(path)).toContain(`value="tick ${key}"`);
    expect(await says(`tick ${key}`)).toBe(303);
  }
};

test("guides a new site through the first-day checklist", async () => {
  const { people, practice, admins, backup, restore, mailbox, keys } = words.lines;
  expect(await left()).toEqual([practice, admins, backup, restore, mailbox, keys]);
  const today = textOf(await nadia.read("/operator"));
  expect(today).toContain(say(words.left, { list: words.firstDay, count: 6 }));
  expect(today).not.toContain(campus.operator.watch.banner.link);
  const link = await invite("Rafi");
  expect((await left())[0]).toBe(people);
  await enrolMember("Rafi", link);
  await copyEverything();
  const { desk } = site.services;
  for (const address of ["a@uni.example", "b@uni.example", "c@uni.example"]) {
    const reference = await confirmedRequest(site, address);
    await desk.act(reference, { type: "take" }, "Rafi");
    const typed = fillChecklist(site.foundation.dataList, address);
    await desk.submit({ act: "complete", reference, typed }, "Rafi");
  }
  expect(await left()).toEqual([practice, restore, mailbox, keys]);
  expect(await says("end")).toBe(422);
  await tick("practice: Nadia", "restore", "mailbox", "keys");
  expect(await left()).toEqual([]);
  expect(await says("end")).toBe(303);
  expect(textOf(await nadia.read(path))).toContain(words.begin);
});

test("updates the handover checklist as members join, practice and leave", async () => {
  await enrolMember("Rafi");
  await copyEverything();
  await tick("practice: Nadia", "practice: Rafi", "restore", "mailbox", "keys");
  expect(await says("end")).toBe(303);
  site.wait({ hours: 1 });
  expect(await says("begin")).toBe(303);
  site.wait({ hours: 1 });
  const { leavers, people, practice, admins, ...rest } = words.lines;
  expect(await left()).toEqual([people, practice, rest.restore, rest.mailbox, rest.keys, leavers]);
  await enrolMember("Mina: {M}");
  await tick("practice: Mina: {M}", "restore", "mailbox", "keys", "leavers: Nadia");
  expect(await left()).toEqual([leavers]);
  expect(textOf(await nadia.read("/operator/history"))).toContain(`${words.stays}: Nadia`);
  await site.services.team.remove("Rafi", "Nadia");
  expect(await left()).toEqual([]);

  // A team with a single admin can't finish the handover.
  await site.services.team.remove("Mina: {M}", "Nadia");
  expect(await left()).toEqual([people, practice, admins]);
  expect(await says("end")).toBe(422);
});

test("shows which admin checked a line and lets admins uncheck it", async () => {
  await tick("restore");
  const again = await nadia.post(path, { about: "tick restore", line: "restore" });
  expect(again.headers.get("location")).toMatch(/#restore$/);
  expect(elementsOf(await nadia.read(path), "li", { id: "restore" })).toHaveLength(1);
  const entry = say(words.said, { name: "Nadia", at: "" }).trim();
  expect(textOf(await nadia.read(path))).toContain(entry);
  await says("untick restore");
  expect(await left()).toContain(words.lines.restore);
  expect(await says("tick nothing of the list")).toBe(422);
  const rafi = await site.signInAs("Rafi");
  expect(textOf(await rafi.read("/operator"))).not.toContain(words.link);
});
