import { beforeEach, expect, test } from "vitest";
import { addressIn, campus, editions } from "../../harness/campus.ts";
import { confirmedRequest, filledForm } from "../../harness/deletion-form.ts";
import { elementsOf, plain, textOf } from "../../harness/html.ts";
import { copyEverything, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

const words = campus.operator.watch;
openSiteForEachTest();

let nadia: Awaited<ReturnType<typeof site.signInAs>>;
beforeEach(async () => {
  nadia = await site.signInAs("Nadia");
});

test("lists urgent health problems first", async () => {
  const text = textOf(await nadia.read("/operator/health"));
  const { machine: _, copies, restore, clock, unconfirmed, lost, ...usual } = words.health;
  for (const sign of Object.values(usual)) expect(text).toContain(sign.title);
  for (const sign of [restore, clock, unconfirmed, lost]) expect(text).not.toContain(sign.title);
  expect(text).toContain(copies.todo);
  expect(text).not.toContain(usual.mail.todo);
  expect(text.indexOf(copies.never)).toBeLessThan(text.indexOf(usual.mail.allLeft));
});

test("links each failed email to its request", async () => {
  const reference = await confirmedRequest(site, "anika@uni.example");
  await site.kysely.updateTable("outbox").set({ state: "needs-person" }).execute();
  const html = await nadia.read("/operator/health");
  const links = elementsOf(html, "a").map(({ attributes }) => attributes.href);
  expect(links).toContain(`/operator/requests/${reference}#resend`);
  expect(await nadia.read(`/operator/requests/${reference}`)).toContain('id="resend"');
  expect(html).not.toContain("anika@");
});

test("shows unresolved urgent problems in a banner on other pages", async () => {
  // Skips the first two weeks, during which unfinished setup raises no alarm.
  site.wait({ hours: 15 * 24 });
  nadia = await site.signInAs("Nadia");
  expect(textOf(await nadia.read("/operator/me"))).toContain(words.banner.link);
  expect(textOf(await nadia.read("/operator/health"))).not.toContain(words.banner.link);
  await copyEverything();
  site.wait({ minutes: 1 });
  await expect
    .poll(async () => textOf(await nadia.read("/operator/me")))
    .not.toContain(words.banner.link);
});

test("lets only the absent operator cancel an absence", async () => {
  const days = { reason: "exams", from: "2026-12-01", until: "2026-12-05" };
  await nadia.post("/operator/me", { act: "away", ...days });
  const rafi = await site.signInAs("Rafi");
  expect(textOf(await rafi.read("/operator/me"))).toContain(words.away.reasons.exams);
  const [field] = elementsOf(await nadia.read("/operator/me"), "input", { name: "id" });
  const back = { act: "back", id: field?.attributes.value ?? "" };
  await rafi.post("/operator/me", back);
  expect(textOf(await nadia.read("/operator/me"))).not.toContain(words.away.none);
  await nadia.post("/operator/me", back);
  expect(textOf(await nadia.read("/operator/me"))).toContain(words.away.none);
  const admin = await site.signInAs("Tuli", "admin");
  const historyText = textOf(await admin.read("/operator/history"));
  expect(historyText).toContain(`${campus.operator.people.history.acts.away}: Nadia, `);
  expect(historyText).not.toMatch(/\d{4}-\d\d-\d\d/);
});

test("shows monthly figures, newest month first", async () => {
  await site.post("/deletion-requests", filledForm({ email: "anika@uni.example" }));
  site.wait({ hours: 24 * 31 });
  nadia = await site.signInAs("Nadia");
  await site.post("/deletion-requests", filledForm({ email: "kabir@uni.example" }));
  const html = await nadia.read("/operator/figures");
  const [table] = elementsOf(html, "table");
  expect(textOf(table?.html ?? "")).toMatch(/Dec 2026 1 0 0 – Nov 2026 1 0 0 –$/);
  const file = await nadia.ask("/operator/figures.csv");
  expect(file.headers.get("content-disposition")).toContain("attachment");
  const csv = await file.text();
  expect(csv).toMatch(/^month,received,.*\r\n2026-11,1,.*\r\n2026-12,1,/);
  expect(html + csv).not.toContain("@uni");
  const { acts } = await site.services.desk.teamActs(1, null);
  expect(acts).toMatchObject([{ type: "figures-export" }]);
});

const address = "anika@uni.example";
const take = (as: string) => nadia.post("/operator/subject/file", { address, as });

test.each(editions)(
  "writes the data file in the requester's language ($settings.language)",
  async ({ settings, mail, deletion }) => {
    const { language } = settings;
    const form = filledForm({ email: address, feedback: "<b>1 < 2</b>" });
    await site.post(addressIn(language, "/deletion-requests"), form);
    const page = await take("page");
    expect(page.headers.get("content-disposition")).toContain("held-data.html");
    const html = await page.text();
    expect(html).toContain(`<html lang="${language}" dir="ltr">`);
    // In Bangla, a span inside or around this text declares its language.
    expect(html.replace(/<\/?span[^>]*>/g, "")).toContain("&lt;b&gt;1 &lt; 2&lt;/b&gt;");
    const text = textOf(html);
    const reasons: Partial<Record<string, string>> = deletion.form.reasons;
    const texts = [...Object.values(mail.heldData.titles), reasons[form.reason ?? ""] ?? "?"];
    for (const words of texts) expect(text).toContain(plain(words));
    expect(text).not.toMatch(/\{|undefined|privacy-concerns|\breceive\b/);
    expect(JSON.parse(await (await take("json")).text())).toMatchObject({
      language,
      requests: [{ state: "received", language, address, facts: { reason: form.reason } }],
    });
    const entry = { type: "subject-file", about: { text: (await site.stored())[0]?.reference } };
    expect(await site.services.desk.teamActs(5, null)).toMatchObject({ acts: [entry, entry] });
  },
);

test("offers no data file for an email address without data", async () => {
  const form = { act: "find", address: "nobody@uni.example" };
  const html = await (await nadia.post("/operator/subject", form)).text();
  expect(textOf(html)).toContain(words.subject.none);
  expect(elementsOf(html, "button", { name: "as" })).toEqual([]);
});

test("refuses the data file without a recent passkey check", async () => {
  site.wait({ minutes: 6 });
  expect((await take("json")).status).toBe(303);
  expect(await site.services.desk.teamActs(5, null)).toMatchObject({ acts: [] });
});
