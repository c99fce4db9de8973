import { beforeEach, expect, test } from "vitest";
import { campus, editions, say } from "../../harness/campus.ts";
import { confirmedRequest } from "../../harness/deletion-form.ts";
import { elementsOf, mainOf, textOf } from "../../harness/html.ts";
import { type Operator, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

// Requests that an operator enters for someone whose mailbox is closed.

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
  // A date that is in the past in every time zone.
  received: "2026-11-20",
  reason: "other",
});

const first = campus.settings.language;

test("asks for the requester's language only on a multilingual campus", async () => {
  const offered = elementsOf(await nadia.read(newRequest), "input", { name: "language" });
  const hasTranslations = campus.translations.length > 0;
  expect(offered.map(({ attributes }) => [attributes.value, "checked" in attributes])).toEqual(
    hasTranslations
      ? editions.map(({ settings: { language } }) => [language, language === first])
      : [],
  );
});

test("keeps the typed values of an entry after an error", async () => {
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

test.each(campus.translations)(
  "previews emails in the requester's language ($settings.language)",
  async ({ settings: { language }, mail }) => {
    const { headers } = await nadia.post(newRequest, { ...entry(), language });
    const path = (headers.get("location") ?? "").split(/[?#]/)[0] ?? "";
    const rafi = await site.signInAs("Rafi");
    const [seen] = elementsOf(await rafi.read(path), "input", { name: "seen" });
    const form = { seen: seen?.attributes.value ?? "" };
    await rafi.post(path, { ...form, act: "approve" });
    const name = new Intl.DisplayNames([language], { type: "language" }).of(language);
    expect(textOf(mainOf(await rafi.read(path)))).toContain(name);
    const refusal = { act: "refuse", reason: "no-account", explanation: "", preview: "1" };
    const drafted = await (await rafi.post(path, { ...form, ...refusal })).text();
    const subject = String(mail.refused.subject).split(/ ?[({]/)[0] ?? "?";
    expect(drafted).toMatch(
      new RegExp(`<article [^>]*lang="${language}"[^>]*><b>${RegExp.escape(subject)}`),
    );
  },
);
