import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test } from "vitest";
import { campus, editions, say } from "../../harness/campus.ts";
import { confirmedRequest } from "../../harness/deletion-form.ts";
import { elementsOf, mainOf, textOf } from "../../harness/html.ts";
import { type Operator, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

// A request for a closed mailbox, entered in the language of the person whose it is.

const newRequest = "/operator/requests/new";
openSiteForEachTest();

let nadia: Operator;
beforeEach(async () => {
  nadia = await site.signInAs("Nadia", "admin");
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

test("a campus with several languages is asked for one, its first being chosen; one with a single language is not", async () => {
  const offered = elementsOf(await nadia.read(newRequest), "input", { name: "language" });
  const isAsked = campus.translations.length > 0;
  expect(offered.map(({ attributes }) => [attributes.value, "checked" in attributes])).toEqual(
    isAsked ? editions.map(({ settings: { language } }) => [language, language === first]) : [],
  );
});

test("what is wrong comes back with what was typed", async () => {
  const reference = await confirmedRequest(site, "kabir@uni.example");
  const { problems, whyNot } = campus.operator.desk;
  for (const [fields, status, problem] of [
    [{ language: "xx" }, 422, problems.language],
    [{ contact: old }, 422, problems.sameMailbox],
    [{ old: "kabir@uni.example" }, 409, say(whyNot["already-confirmed"], { reference })],
  ] as const) {
    const wrong = await nadia.post(newRequest, { ...entry(), ...fields });
    const html = await wrong.text();
    expect([wrong.status, textOf(html)]).toEqual([status, expect.stringContaining(problem)]);
    expect(html).toContain(`value="${entry().received}"`);
  }
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
  const enter = async () => (await nadia.post(newRequest, { ...entry(), language })).headers;

  test("it is written to in it at both addresses", async () => {
    await enter();
    const [[toContact, ...others], toOld] = [await mailsOf(contact), await mailsOf(old)];
    expect([others.length, toOld.length]).toEqual([0, 1]);
    // Each is told why it came to just this mailbox.
    const { shared, entered, "notice-entered": notice } = words.mail;
    for (const [mail, { button }, because] of [
      [toContact, entered, shared.whyContact],
      [toOld[0], notice, shared.whyNotice],
    ] as const) {
      expect(mail?.html).toContain(`<html lang="${language}">`);
      expect(mail?.text).toContain(button);
      expect(textOf(mail?.html ?? "")).toContain(because);
    }
  });

  test("the desk shows it, and shows a mail in it before it is sent", async () => {
    const path = ((await enter()).get("location") ?? "").split(/[?#]/)[0] ?? "";
    const rafi = await site.signInAs("Rafi");
    const [seen] = elementsOf(await rafi.read(path), "input", { name: "seen" });
    const form = { seen: seen?.attributes.value ?? "" };
    await rafi.post(path, { ...form, act: "approve" });
    const name = new Intl.DisplayNames([language], { type: "language" }).of(language);
    expect(textOf(mainOf(await rafi.read(path)))).toContain(name);
    const refusal = { act: "refuse", reason: "no-account", explanation: "", preview: "1" };
    const drafted = await (await rafi.post(path, { ...form, ...refusal })).text();
    const subject = String(words.mail.refused.subject).split(/ ?[({]/)[0] ?? "?";
    expect(drafted).toMatch(new RegExp(`<div lang="${language}"><b>${RegExp.escape(subject)}`));
  });
});
