import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { placesToTick } from "../../../server/deletion-requests/life/checklist.ts";
import { campus } from "../../harness/campus.ts";
import { elementsOf, mainOf, textOf } from "../../harness/html.ts";
import { openTestSite, type TestSite } from "../../harness/test-site.ts";

// A request for a closed mailbox, entered in the language of the person whose it is.

const publicUrl = "https://rides.campus.test";
const newRequest = "/operator/requests/new";
let site: TestSite;
let nadia: Awaited<ReturnType<TestSite["signInAs"]>>;
let rafi: Awaited<ReturnType<TestSite["signInAs"]>>;

beforeEach(async () => {
  site = await openTestSite({ publicUrl });
  nadia = await site.signInAs("Nadia", "admin");
  rafi = await site.signInAs("Rafi");
});

afterEach(async () => {
  expect(site.faults).toEqual([]);
  await site[Symbol.asyncDispose]();
});

const old = "gone@uni.example";
const contact = "home@mail.example";
const entry = () => ({
  old,
  contact,
  proof: site.foundation.dataList.ownershipProofs[0]?.key ?? "",
  // Has begun in every time zone.
  received: "2026-11-20",
  reason: "other",
});

const first = campus.settings.language;
const nameOf = (tag: string) => new Intl.DisplayNames([tag], { type: "language" }).of(tag);

test("a campus with several languages is asked for one, its first being chosen; one with a single language is not", async () => {
  const html = await (await nadia.ask(newRequest)).text();
  const offered = elementsOf(html, "input")
    .filter(({ attributes }) => attributes.name === "language")
    .map(({ attributes }) => ({ tag: attributes.value, chosen: "checked" in attributes }));
  const several = campus.translations.map(({ settings }) => settings.language);
  const all = several.length > 0 ? [first, ...several] : [];
  expect(offered).toEqual(all.map((tag) => ({ tag, chosen: tag === first })));
  for (const tag of several) expect(html).toContain(`<span lang="${tag}">${nameOf(tag)}</span>`);
  expect(html.includes(campus.operator.desk.enter.language)).toBe(several.length > 0);
});

test("without a choice it is the campus's first language, and one that the campus does not have is refused", async () => {
  const refused = await nadia.post(newRequest, { ...entry(), language: "xx" });
  expect(refused.status).toBe(422);
  expect(textOf(await refused.text())).toContain(campus.operator.desk.problems.language);
  expect((await nadia.post(newRequest, entry())).status).toBe(303);
  const [mail] = await mailsOf(contact);
  expect(mail?.html).toContain(`<html lang="${first}">`);
});

/** The mails of an address so far, in any order. */
async function mailsOf(address: string) {
  await site.rounds.runOnce();
  const folder = join(site.dataDir, "mail");
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) =>
      PostalMime.parse(await readFile(join(folder, name))),
    ),
  );
  return files.filter(({ to }) => to?.[0]?.address === address);
}

describe.each(campus.translations)("entered in $settings.language", (words) => {
  const { language } = words.settings;
  const isIn = (address: string) =>
    new URL(address, publicUrl).searchParams.get("lang") === language;
  let pathOf: string;

  beforeEach(async () => {
    const entered = await nadia.post(newRequest, { ...entry(), language });
    expect(entered.status).toBe(303);
    pathOf = (entered.headers.get("location") ?? "").split(/[?#]/)[0] ?? "";
  });

  async function press(operator: typeof nadia, fields: Record<string, string | string[]>) {
    const html = await (await operator.ask(pathOf)).text();
    const [seen] = elementsOf(html, "input").filter(({ attributes }) => attributes.name === "seen");
    return operator.post(pathOf, { seen: seen?.attributes.value ?? "", ...fields });
  }

  /** Opens the link of a mail, and returns the page that it leads to. */
  async function follow(text: string | undefined): Promise<string> {
    const link = /https:\S+\?link=\S+/.exec(text ?? "")?.[0] ?? "";
    expect(isIn(link)).toBe(true);
    const visit = (await site.ask(link)).headers.get("location") ?? "";
    expect(isIn(visit)).toBe(true);
    const page = await site.read(visit);
    expect(page).toContain(`<html lang="${language}">`);
    return textOf(mainOf(page));
  }

  /** The mail of a kind that came to the contact, in the language. */
  async function told(kind: "confirmed" | "completed") {
    const found = (await mailsOf(contact)).find(({ text }) =>
      text?.includes(words.mail[kind].title),
    );
    expect(found?.html).toContain(`<html lang="${language}">`);
    return found;
  }

  test("it is written to in it at both addresses, and its page is in it, up to the receipt", async () => {
    const both = { contact: await mailsOf(contact), old: await mailsOf(old) };
    expect(both).toMatchObject({ contact: { length: 1 }, old: { length: 1 } });
    for (const mail of [...both.contact, ...both.old]) {
      expect(mail.html).toContain(`<html lang="${language}">`);
    }
    expect(both.contact[0]?.text).toContain(words.mail.entered.button);
    expect(both.old[0]?.text).toContain(words.mail["notice-entered"].button);
    // Each is told why it came to just this mailbox.
    const { why, whyContact, whyNotice } = words.mail.shared;
    const reasonsIn = (html = "") =>
      [why, whyContact, whyNotice].filter((reason) => textOf(html).includes(reason));
    expect(reasonsIn(both.contact[0]?.html)).toEqual([whyContact]);
    expect(reasonsIn(both.old[0]?.html)).toEqual([whyNotice]);
    expect(await follow(both.contact[0]?.text)).toContain(words.deletion.visit.entered.title);

    expect((await press(rafi, { act: "approve" })).status).toBe(303);
    const confirmed = await told("confirmed");
    const { states } = words.deletion.visit.status;
    expect(await follow(confirmed?.text)).toContain(states.confirmed.title);

    await press(nadia, { act: "take" });
    const places = placesToTick(site.foundation.dataList);
    const walked = Object.fromEntries(places.map((place) => [`at-${place}`, "done"]));
    const done = { act: "complete", address: old, account: "user", ...walked };
    expect((await press(nadia, done)).status).toBe(303);
    site.wait({ minutes: 11 });
    const receipt = await told("completed");
    expect(await follow(receipt?.text)).toContain(states.completed.title);
  });

  test("the desk shows it, and shows a mail in it before it is sent", async () => {
    await press(rafi, { act: "approve" });
    const page = await (await rafi.ask(pathOf)).text();
    expect(textOf(mainOf(page))).toContain(nameOf(language));
    const refusal = { act: "refuse", reason: "no-account", explanation: "", preview: "1" };
    const drafted = await (await press(rafi, refusal)).text();
    const subject = String(words.mail.refused.subject).split(/ ?[({]/)[0] ?? "";
    expect(subject).not.toBe("");
    expect(drafted).toMatch(new RegExp(`<div lang="${language}"><p><b>${RegExp.escape(subject)}`));
  });
});
