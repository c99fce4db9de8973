import { beforeEach, expect, test } from "vitest";
import { isWorking } from "../../../server/deletion-requests/state-machine/request.ts";
import { addBusinessDays, dateAt } from "../../../server/platform/calendar/business-days.ts";
import { createCalendarWords } from "../../../server/platform/i18n/texts.ts";
import { calendar, campus, editionIn, say } from "../../harness/campus.ts";
import { confirmedRequest } from "../../harness/deletion-form.ts";
import { elementsOf, linksOf, mainOf, textOf } from "../../harness/html.ts";
import { type Operator, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

// Email previews and sending without JavaScript.

openSiteForEachTest();

let nadia: Operator;
beforeEach(async () => {
  nadia = await site.signInAs("Nadia", "admin");
});

const { desk } = campus.operator;
const pathOf = (reference: string) => `/operator/requests/${reference}`;
const batchOf = (act: string, references: readonly string[]) =>
  `/operator?${new URLSearchParams([["act", act], ...references.map((reference) => ["r", reference])])}`;
const days = createCalendarWords({
  locale: campus.mail.locale,
  timeZone: calendar.timeZone,
  holidays: {},
});

async function requestOf(reference: string) {
  const request = await site.services.desk.find(reference);
  if (!request || !isWorking(request)) throw new Error(`${reference} is not open`);
  return request;
}

/** Formats a date as the pages do. */
const dayNear = (day: Temporal.PlainDate) => days.dayNear(day).replaceAll("\u00a0", " ");

/** Lists the due dates that the form offers. */
function daysIn(html: string): string[] {
  const [list] = elementsOf(html, "select", { id: "later-by" });
  return elementsOf(list?.html ?? "", "option")
    .map(({ attributes }) => attributes.value ?? "")
    .filter((value) => /^\d{4}-/.test(value));
}

function hiddenIn(html: string, name: string): string[] {
  return elementsOf(html, "input", { name, type: "hidden" }).map(
    ({ attributes }) => attributes.value ?? "",
  );
}

async function readBatch(act: string, references: readonly string[]) {
  const html = await nadia.read(batchOf(act, references));
  return { html, text: textOf(mainOf(html)), r: hiddenIn(html, "r"), of: hiddenIn(html, "of") };
}

const textsOf = (html: string, lang: string) =>
  elementsOf(html, "article", { lang }).map((article) => textOf(article.html));

test("reports a missing date or reason and keeps the explanation", async () => {
  const reference = await confirmedRequest(site, "anika@uni.example");
  const page = await nadia.read(pathOf(reference));
  for (const id of ["later", "refuse"]) {
    const [fold] = elementsOf(page, "details", { id });
    expect(elementsOf(fold?.html ?? "", "input", { checked: "" }), id).toEqual([]);
  }
  const [list] = elementsOf(page, "select", { id: "later-by" });
  expect(elementsOf(list?.html ?? "", "option")[0]?.attributes.value).toBe("");
  const form = { act: "later", seen: hiddenIn(page, "seen")[0] ?? "", preview: "1" };
  const explanation = "We all have exams.";
  const answer = await nadia.post(pathOf(reference), { ...form, explanation });
  const html = await answer.text();
  expect(answer.status).toBe(422);
  for (const [field, problem] of [
    ["reason", desk.problems.reason],
    ["by", desk.problems.date],
  ] as const) {
    const [message] = elementsOf(html, "p", { id: `later-${field}-problem` });
    expect(textOf(message?.html ?? "")).toBe(problem);
  }
  expect(elementsOf(html, "textarea", { id: "later-explanation" })[0]?.html).toBe(explanation);
});

test("offers to keep the due date only until that date", async () => {
  const reference = await confirmedRequest(site, "anika@uni.example");
  const optionsToKeep = async () => {
    const page = await nadia.read(pathOf(reference));
    const [list] = elementsOf(page, "select", { id: "later-by" });
    return elementsOf(list?.html ?? "", "option").filter(
      ({ attributes }) => attributes.value === "0",
    );
  };
  expect(await optionsToKeep()).toHaveLength(1);
  site.wait({ hours: 30 * 24 });
  nadia = await site.signInAs("Rafi", "admin");
  expect(await optionsToKeep()).toEqual([]);
});

test("previews an email above the send button", async () => {
  const reference = await confirmedRequest(site, "anika@uni.example");
  const page = await nadia.read(pathOf(reference));
  const [day] = daysIn(page);
  const typed = { act: "later", reason: "dues", by: day ?? "", explanation: "80 taka." };
  const shown = await nadia.post(pathOf(reference), { ...typed, seen: "99", preview: "1" });
  const html = await shown.text();
  expect(shown.status).toBe(200);
  const due = dayNear(Temporal.PlainDate.from(typed.by));
  const button = say(desk.sending.send.date, { date: due });
  const [email = ""] = textsOf(html, "en");
  expect(email).toContain("80 taka.");
  const text = textOf(html);
  expect(text.indexOf("80 taka.")).toBeLessThan(text.indexOf(button));
  expect((await requestOf(reference)).hold).toBeUndefined();
  await nadia.post(pathOf(reference), { ...typed, seen: "99" });
  expect(String((await requestOf(reference)).dueOn)).toBe(typed.by);
});

test("sends each requester the explanation in their own language", async () => {
  const english = await confirmedRequest(site, "priya@uni.example");
  const bangla = await confirmedRequest(site, "bristi@uni.example", { language: "bn" });
  const { r, of, html } = await readBatch("later", [english, bangla]);
  const words = { en: "We have exams.", bn: "আমাদের পরীক্ষা চলছে।" };
  for (const language of ["en", "bn"]) {
    expect(
      elementsOf(html, "textarea", { id: `later-explanation-${language}`, lang: language }),
    ).toHaveLength(1);
  }
  const by = String(addBusinessDays(calendar, dateAt(calendar, site.clock()), 20).date);
  const typed = { act: "later", reason: "time", by, r, of };
  const explanations = { "explanation-en": words.en, "explanation-bn": words.bn };
  const preview = await (
    await nadia.post("/operator", { ...typed, ...explanations, preview: "1" })
  ).text();
  expect(textsOf(preview, "en")).toEqual([expect.stringContaining(words.en)]);
  expect(textsOf(preview, "bn")).toEqual([expect.stringContaining(words.bn)]);
  expect(textsOf(preview, "bn")[0]).not.toContain(words.en);
  await nadia.post("/operator", { ...typed, ...explanations });
  for (const [reference, note] of [
    [english, words.en],
    [bangla, words.bn],
  ] as const) {
    const { events = [] } = (await site.services.desk.readDetail(reference)) ?? {};
    expect(events.find(({ type }) => type === "extend")?.note).toBe(note);
  }
});

test("sends the default explanation in each language if the operator writes none", async () => {
  const english = await confirmedRequest(site, "priya@uni.example");
  const bangla = await confirmedRequest(site, "bristi@uni.example", { language: "bn" });
  const { r, of } = await readBatch("later", [english, bangla]);
  const by = String(addBusinessDays(calendar, dateAt(calendar, site.clock()), 20).date);
  const typed = { act: "later", reason: "time", by, r, of, preview: "1" };
  const html = await (await nadia.post("/operator", typed)).text();
  for (const language of ["en", "bn"]) {
    const { usualReason } = editionIn(language).mail.extended;
    const [text = ""] = textsOf(html, language);
    expect(text.replaceAll(/\s+/g, " ")).toContain(usualReason);
  }
});

test("limits each request's new due date to the latest lawful date", async () => {
  const old = await confirmedRequest(site, "old@uni.example");
  site.wait({ hours: 20 * 24 });
  nadia = await site.signInAs("Nadia", "admin");
  const young = await confirmedRequest(site, "young@uni.example");
  const { r, of, html } = await readBatch("later", [old, young]);
  const last = daysIn(html).sort().at(-1) ?? "";
  const typed = { act: "later", reason: "time", by: last, r, of };
  const preview = textOf(
    mainOf(await (await nadia.post("/operator", { ...typed, preview: "1" })).text()),
  );
  await nadia.post("/operator", typed);
  const [first, second] = [await requestOf(old), await requestOf(young)];
  expect(String(second.dueOn)).toBe(last);
  // The legal limit is 90 days after receipt of the request.
  const limit = dateAt(calendar, first.receivedAt).add({ days: 90 });
  expect(limit.since(first.dueOn).days).toBeGreaterThanOrEqual(0);
  expect(limit.since(first.dueOn).days).toBeLessThan(10);
  for (const { dueOn } of [first, second]) expect(preview).toContain(dayNear(dueOn));
});

test("explains why a due date can't move any later", async () => {
  const old = await confirmedRequest(site, "old@uni.example");
  site.wait({ hours: 50 * 24 });
  nadia = await site.signInAs("Nadia", "admin");
  const young = await confirmedRequest(site, "young@uni.example");
  const { text, r } = await readBatch("later", [old, young]);
  expect(text).toContain(desk.whyNot["too-late-to-tell"]);
  expect(r.map((choice) => choice.split("~")[0])).toEqual([young]);
  expect(textOf(await nadia.read(pathOf(old)))).toContain(desk.whyNot["too-late-to-tell"]);
});

test("suggests a due date that the available operators can meet", async () => {
  await site.signInAs("Rafi");
  const references: string[] = [];
  for (let number = 0; number < 12; number++) {
    references.push(await confirmedRequest(site, `student${number}@uni.example`));
  }
  site.wait({ hours: 20 * 24 });
  nadia = await site.signInAs("Nadia", "admin");
  const { html, text } = await readBatch("later", references);
  const day = addBusinessDays(calendar, dateAt(calendar, site.clock()), 2).date;
  const counted = { count: 12, aDay: 5, people: 2, before: 0 };
  expect(text).toContain(say(desk.form.canDo, { ...counted, day: dayNear(day) }));
  expect(
    elementsOf(html, "option", { selected: "" }).filter(({ attributes }) => attributes.value),
  ).toEqual([]);
});

test("shows the requester's feedback above the actions", async () => {
  const feedback = "Please refund my 80 taka first, then delete.";
  const reference = await confirmedRequest(site, "anika@uni.example", { feedback });
  const main = mainOf(await nadia.read(pathOf(reference)));
  const places = ["anika@uni.example", feedback, "<form"].map((text) => main.indexOf(text));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(main.split(feedback)).toHaveLength(2);
});

test.each(["later", "complete"])(
  "leaves requests with feedback unselected in the %s form for several requests",
  async (act) => {
    const feedback = "Keep my rating until my appeal.";
    const plain = await confirmedRequest(site, "plain@uni.example");
    const wrote = await confirmedRequest(site, "wrote@uni.example", { feedback });
    for (const reference of [plain, wrote])
      await nadia.post("/operator", { act: "take", r: [`${reference}~99`] });
    const { html, text, r, of } = await readBatch(act, [plain, wrote]);
    expect(text).toContain(feedback);
    expect(r.map((choice) => choice.split("~")[0])).toEqual([plain]);
    const [box] = elementsOf(html, "input", { name: "r", type: "checkbox" });
    expect(box?.attributes.value?.split("~")[0]).toBe(wrote);
    expect(box?.attributes.checked).toBeUndefined();
    const again = await nadia.post("/operator", { act, r, of, preview: "1" });
    expect([again.status, textOf(await again.text())]).toEqual([
      422,
      expect.stringContaining(feedback),
    ]);
    const none = await nadia.post("/operator", { act, r: [], of, preview: "1" });
    expect(textOf(await none.text())).toContain(desk.problems.chooseOne);
  },
);

test("links to the next request in Today's order after an act", async () => {
  const first = await confirmedRequest(site, "one@uni.example");
  site.wait({ hours: 24 * 4 });
  nadia = await site.signInAs("Nadia", "admin");
  const other = await confirmedRequest(site, "other@uni.example");
  const deal = async (reference: string) => {
    const [seen = ""] = hiddenIn(await nadia.read(pathOf(reference)), "seen");
    const refusal = { act: "refuse", reason: "no-account", seen };
    const { headers } = await nadia.post(pathOf(reference), refusal);
    return nadia.read(headers.get("location")?.split("#")[0] ?? "");
  };
  const html = await deal(first);
  const day = dayNear((await requestOf(other)).dueOn);
  const link = linksOf(html).find(({ href }) => href === pathOf(other));
  expect(link?.text).toBe(say(desk.next.request, { reference: other, day }));
  expect(textOf(html)).toContain(desk.acts.undo);
  expect(textOf(await deal(other))).toContain(desk.next.last);
});

test("undoes a batch and reports each request that can't be undone", async () => {
  const first = await confirmedRequest(site, "one@uni.example");
  const other = await confirmedRequest(site, "other@uni.example");
  const r = [first, other].map((reference) => `${reference}~99`);
  const { headers } = await nadia.post("/operator", { act: "take", r });
  const page = await nadia.read(headers.get("location")?.split("#")[0] ?? "");
  expect(textOf(page)).toContain(say(desk.together.undo, { count: 2 }));
  const [undo] = elementsOf(page, "form").filter(({ html }) => html.includes('value="undo"'));
  const choices = hiddenIn(undo?.html ?? "", "r");
  expect(choices).toHaveLength(2);
  const rafi = await site.signInAs("Rafi");
  const [seen = ""] = hiddenIn(await rafi.read(pathOf(other)), "seen");
  await rafi.post(pathOf(other), { act: "take", from: "Nadia", seen });
  const answer = await nadia.post("/operator", { act: "undo", r: choices });
  expect(answer.status).toBe(409);
  expect(textOf(await answer.text())).toContain(`${other}: Rafi`);
  expect((await requestOf(first)).owner).toBeUndefined();
  expect((await requestOf(other)).owner).toBe("Rafi");
});

test("omits default values and duplicate buttons from a request's page", async () => {
  const reference = await confirmedRequest(site, "anika@uni.example");
  const html = await nadia.read(pathOf(reference));
  expect(elementsOf(html, "h2", { id: "facts-title" })).toEqual([]);
  expect(elementsOf(html, "details", { id: "resend" })).toEqual([]);
  const [note] = elementsOf(html, "details", { id: "note" });
  expect(note?.attributes.open).toBeUndefined();
  const { headers } = await nadia.post("/operator", { act: "take", r: [`${reference}~99`] });
  const taken = await nadia.read(headers.get("location")?.split("#")[0] ?? "");
  expect(taken.split(`>${desk.acts.undo}<`)).toHaveLength(2);
});
