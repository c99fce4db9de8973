import { beforeEach, expect, test } from "vitest";
import { addJob } from "../../../server/account-system/deletion-jobs.ts";
import { startGrace } from "../../../server/deletion-requests/repository/restore-letters.ts";
import { placesToTick } from "../../../server/deletion-requests/state-machine/checklist.ts";
import { addressIn, campus, say } from "../../harness/campus.ts";
import { confirmedRequest, filledForm } from "../../harness/deletion-form.ts";
import { elementsOf, linksOf, mainOf, textOf } from "../../harness/html.ts";
import { type Operator, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

// The operator pages without JavaScript.

openSiteForEachTest();

let nadia: Operator;
let rafi: Operator;
let reference: string;

const email = "anika@uni.example";
const { desk } = campus.operator;

/** Returns the start of the message that names the operator who acted first, without the time. */
const first = (name: string, act: string) =>
  say(desk.problems.overtaken, { name, act, time: "|" }).split("|")[0];

beforeEach(async () => {
  nadia = await site.signInAs("Nadia", "admin");
  rafi = await site.signInAs("Rafi");
  reference = await confirmedRequest(site, email);
});

const pathOf = (of = reference) => `/operator/requests/${of}`;

/** Reads the request's version from the page's forms. */
function seenIn(html: string): string {
  return elementsOf(html, "input", { name: "seen" })[0]?.attributes.value ?? "";
}

/** Lists the values that select requests in the page's forms. */
function choicesIn(html: string): string[] {
  const values = elementsOf(html, "input", { name: "r" }).map(({ attributes }) => attributes.value);
  return [...new Set(values)].map(String);
}

/** Presses a button on the request's page and follows the redirect. */
async function press(operator: Operator, fields: Record<string, string>, of = reference) {
  const seen = fields.seen ?? seenIn(await operator.read(pathOf(of)));
  const response = await operator.post(pathOf(of), { ...fields, seen });
  const location = response.headers.get("location") ?? "";
  const html = location ? await operator.read(location.split("#")[0] ?? "") : await response.text();
  return { status: response.status, location, html, text: textOf(html) };
}

const stateOf = async (of = reference) => site.services.desk.find(of);

/** Fills in the checklist completely. */
const done = () => ({
  ...{ act: "complete", address: email, account: "both" },
  ...Object.fromEntries(placesToTick(site.foundation.dataList).map((key) => [`at-${key}`, "done"])),
});

test("a request's history shows who performed each act", async () => {
  expect((await press(nadia, { act: "take" })).location).toMatch(/#told$/);
  expect((await press(rafi, { act: "take" })).status).toBe(409);
  await press(rafi, { act: "take", from: "Nadia" });
  await press(rafi, { act: "later", reason: "legal-hold", days: "20" });
  expect(await stateOf()).toMatchObject({ hold: { reason: "legal-hold" }, owner: "Rafi" });
  for (const act of ["undo", "undo", "resend"]) await press(rafi, { act });
  await press(rafi, { act: "note", note: "She called at noon." });
  const { events = [] } = (await site.services.desk.readDetail(reference)) ?? {};
  const operators = events.filter(({ actor }) => actor === "operator");
  expect(operators.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "Nadia take",
    "Rafi take",
    "Rafi hold",
    "Rafi extend",
    "Rafi undo",
    "Rafi undo",
    "Rafi resend",
    "Rafi note",
  ]);
  const html = await nadia.read("/operator/history");
  expect(textOf(html)).toContain(`${reference} Nadia ${desk.story.take}`);
  expect(html).toContain(`href="${pathOf()}"`);
  // Only the request's own history shows the text of notes.
  expect(html).not.toContain("at noon");
});

test("formats times, roles, results and counts in the history", async () => {
  const { people } = campus.operator;
  for (const [act, about] of [
    ["restore", "2026-11-20T22:10:00Z"],
    ["change-role", "Rafi: admin"],
    ["ledger-verify", "not whole"],
    ["account-recheck", "3 live"],
  ] as const) {
    await site.services.desk.enter("Nadia", act, about);
  }
  const text = textOf(await nadia.read("/operator/history"));
  expect(text).toContain(`${people.history.acts.restore}: 21 Nov 2026, 4:10 AM`);
  expect(text).toContain(`: Rafi: ${people.roles.admin}`);
  expect(text).toContain(`: ${people.history.notWhole}`);
  expect(text).toMatch(new RegExp(`${people.history.acts["account-recheck"]}: 3 (?!live)`));
});

test("confirms an act only to the operator who did it", async () => {
  const { location } = await press(nadia, { act: "take" });
  const path = location.split("#")[0] ?? "";
  const result = say(desk.told.take, { reference });
  const text = textOf(await nadia.read(path));
  expect(text).toContain(result);
  expect(text).not.toContain(desk.request.leavesNow);
  await press(nadia, done());
  expect(textOf(await nadia.read(path))).not.toContain(result);
  expect(textOf(await rafi.read(path))).not.toContain(say(desk.told.complete, { reference }));
});

test("rejects an incomplete checklist and keeps the typed values", async () => {
  await press(nadia, { act: "take" });
  const { dataList } = site.foundation;
  const firstPlace = dataList.kinds[0]?.store ?? "";
  const other = placesToTick(dataList).find((place) => place !== firstPlace);
  const { addressMissing, account, anotherAddress, unticked } = desk.problems;
  const place = campus.dataKinds.find(({ store }) => store === firstPlace)?.place ?? "";
  for (const [change, status, problem] of [
    [{ address: "" }, 422, addressMissing],
    [{ account: "" }, 422, account],
    [{ address: "other@uni.example" }, 409, anotherAddress],
    [{ [`at-${firstPlace}`]: "" }, 422, say(unticked, { places: place })],
  ] as const) {
    const typed = { ...done(), ...change };
    const refused = await press(nadia, typed);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(problem)]);
    const [address] = elementsOf(refused.html, "input", { id: "complete-address" });
    expect(address?.attributes.value).toBe(typed.address);
    const chosen = elementsOf(refused.html, "input", { type: "radio", checked: "" });
    expect(chosen.map(({ attributes }) => attributes.name)).toContain(`at-${other}`);
  }
  expect(await stateOf()).toMatchObject({ done: undefined });
});

test("shows when a completed request's receipt will be sent", async () => {
  await press(nadia, { act: "take" });
  const leaves = String(desk.card.leaves).split("{time}")[0];
  const { text } = await press(nadia, done());
  expect(text).toContain(`${desk.groups.done}: ${leaves}`);
  expect(text).toContain(`${campus.dataKinds[0]?.place}, `);
  site.wait({ minutes: 11 });
  expect(textOf(await nadia.read(pathOf()))).toContain(desk.request.leavesNow);
});

test("finds a request by a lower-case reference", async () => {
  const response = await nadia.ask(pathOf(reference.toLowerCase()));
  expect(response.headers.get("location")).toBe(pathOf());
  expect((await nadia.ask(pathOf("2222-2222"))).status).toBe(404);
  expect((await press(nadia, { act: "explode" })).status).toBe(422);
});

test("tells an operator which colleague acted first", async () => {
  const seen = seenIn(await rafi.read(pathOf()));
  await press(nadia, { act: "take" });
  const explanation = "A fare is open since May.";
  const refusal = { act: "refuse", reason: "open-matter", explanation };
  const late = await press(rafi, { ...refusal, seen });
  expect(late.status).toBe(409);
  expect(late.text).toContain(first("Nadia", desk.story.take));
  expect(late.text).toContain(say(desk.card.owner, { name: "Nadia" }));
  const [typed] = elementsOf(late.html, "textarea", { id: "refuse-explanation" });
  expect(typed?.html).toBe(explanation);
  // The error page contains the current version, so the second attempt succeeds.
  expect((await press(rafi, { ...refusal, seen: seenIn(late.html) })).status).toBe(303);
});

test("keeps typed text if a colleague's act has removed the form", async () => {
  const seen = seenIn(await rafi.read(pathOf()));
  await press(nadia, { act: "refuse", reason: "no-account" });
  const late = await press(rafi, { seen, act: "cancel", explanation: "She wrote to me." });
  expect(late.text).toContain(first("Nadia", desk.story.refuse));
  expect(late.text).toContain("She wrote to me.");
});

test("keeps a typed note if the disk is full", async () => {
  const full = Object.assign(new Error(), { code: "ERR_SQLITE_ERROR", errcode: 13 });
  site.wait({ minutes: 6 });
  site.database.write = () => Promise.reject(full);
  const { status, html, text } = await press(nadia, { act: "note", note: "She called at noon." });
  expect([status, text]).toEqual([503, expect.stringContaining(desk.problems.full)]);
  expect(elementsOf(html, "textarea", { id: "note-note" })[0]?.html).toBe("She called at noon.");
});

test("records the answer about the account type in the history", async () => {
  await press(nadia, { act: "complete", save: "accounts", account: "user" });
  expect(textOf(await rafi.read(pathOf()))).toContain(
    say(desk.story.ticked, { places: desk.story.accountKind }),
  );
});

test("excludes requests from selection during the grace period after a restore", async () => {
  const offered = async () => elementsOf(await nadia.read("/operator"), "input", { name: "r" });
  expect(await offered()).not.toEqual([]);
  const { id = 0 } = (await stateOf()) ?? {};
  await site.database.write((transaction) => startGrace(transaction, id));
  expect(await offered()).toEqual([]);
  expect(textOf(await nadia.read("/operator"))).toContain(desk.whyNot["after-restore-unsent"]);
});

test("shows a returned request as unowned until the account system gets it", async () => {
  await press(nadia, { act: "complete", save: "accounts", account: "user", "at-accounts": "done" });
  site.wait({ minutes: 11 });
  await site.rounds.runOnce();
  nadia = await site.signInAs("Nadia", "admin");
  await press(nadia, { act: "undo" });
  expect(textOf(await rafi.read(pathOf()))).toContain(desk.request.nobody);
  const { id: requestId = 0 } = (await stateOf()) ?? {};
  await site.database.write((transaction) =>
    addJob(transaction, { requestId, test: false, now: site.clock() }),
  );
  const text = textOf(await rafi.read(pathOf()));
  expect(text).not.toContain(desk.request.nobody);
  expect(text).toContain(campus.mail.shared.states["in-progress"]);
  expect(textOf(await rafi.read("/operator"))).toContain(desk.card.system);
});

test("takes several requests and explains each skipped one", async () => {
  const other = await confirmedRequest(site, "bristi@uni.example");
  const r = choicesIn(await nadia.read("/operator"));
  await press(rafi, { act: "take" });
  const result = await nadia.post("/operator", { act: "take", r: [...r, "AAAA-AAAA"] });
  expect(result.status).toBe(409);
  const text = textOf(await result.text());
  expect(text).toContain(`${reference}: ${first("Rafi", desk.story.take)}`);
  expect(text).toContain(`AAAA-AAAA: ${desk.problems.unknown}`);
  expect(await stateOf(other)).toMatchObject({ owner: "Nadia" });
});

test("completes only the requests whose email addresses were typed", async () => {
  const other = await confirmedRequest(site, "bristi@uni.example");
  for (const target of [reference, other]) await press(nadia, { act: "take" }, target);
  const address = `${email}\nnobody@uni.example`;
  const r = choicesIn(await nadia.read("/operator"));
  const result = await nadia.post("/operator", { ...done(), r, address });
  expect(result.status).toBe(409);
  expect(await stateOf(reference)).toMatchObject({ done: { at: site.clock() } });
  expect(await stateOf(other)).toMatchObject({ done: undefined });
  const text = textOf(await result.text());
  expect(text).toContain(`nobody@uni.example: ${desk.problems.anotherAddress}`);
  expect(text).toContain(desk.together.partly);
});

test("searches by reference or email address prefix", async () => {
  await confirmedRequest(site, "bristi@uni.example");
  const plain = reference.toLowerCase().replace("-", "");
  for (const search of [reference, plain, reference.slice(0, 4), email, "anik"]) {
    const response = await nadia.post("/operator", { search });
    expect(response.headers.get("location"), search).toBe(pathOf());
  }
  await press(nadia, { act: "refuse", reason: "no-account" });
  const again = await confirmedRequest(site, email);
  const html = await (await nadia.post("/operator", { search: email })).text();
  expect(textOf(html)).toContain(say(desk.search.found, { count: 2 }));
  expect(html).toContain(again);
  expect(html.match(/(?:href|action)="[^"]*@/)).toBeNull();
});

test("flags an absent operator's requests on every page", async () => {
  await press(rafi, { act: "take" });
  const days = { from: "2026-11-20", until: "2026-11-24" };
  await rafi.post("/operator/me", { act: "away", reason: "leave", ...days });
  for (const path of ["/operator", pathOf(), `/operator?act=later&r=${reference}`]) {
    const text = textOf(await nadia.read(path));
    expect(text, path).toContain(say(desk.card.away, { name: "Rafi" }));
  }
});

test("shows an undelivered email and its remedy at the top of the page", async () => {
  await site.post("/deletion-requests", filledForm({ email: "undelivered@uni.example" }));
  const received = (await site.stored()).at(-1);
  const { undelivered } = desk.request;
  for (const [last_problem, next] of [
    ["recipient refused (550)", campus.mail.deliveryCures.address],
    ["content refused (554)", campus.mail.deliveryCures.spam],
    ["login refused (535)", campus.mail.deliveryCures.login],
  ] as const) {
    await site.kysely.updateTable("outbox").set({ state: "needs-person", last_problem }).execute();
    const [head = ""] = mainOf(await nadia.read(pathOf(received?.reference))).split("<h2");
    const text = textOf(head);
    expect(text).toContain(`${undelivered.title}: ${campus.mail.mailKinds.confirm}, `);
    expect(text).toContain(next);
    expect(text).not.toContain(desk.whyNot["not-confirmed"]);
  }
});

test("splits 61 requests into pages of 50 without gaps", async () => {
  const addresses = Array.from({ length: 60 }, (_, number) => `student${number}@uni.example`);
  for (const address of addresses) await confirmedRequest(site, address);
  const shown: string[] = [];
  for (let path: string | undefined = "/operator"; path; ) {
    const html = await nadia.read(path);
    const rows = elementsOf(mainOf(html), "li");
    shown.push(...rows.map((row) => textOf(row.html)));
    const [next] = elementsOf(html, "a", { rel: "next" });
    expect(rows).toHaveLength(next ? 50 : 11);
    path = next?.attributes.href?.replaceAll("&amp;", "&");
  }
  expect(new Set(shown).size).toBe(61);
});

test("rejects Undo on Today after a colleague's later act", async () => {
  const r = choicesIn(await nadia.read("/operator"));
  const { headers } = await nadia.post("/operator", { act: "take", r });
  const [opened = ""] = headers.get("location")?.split("#") ?? [];
  expect(opened).toBe(`${pathOf()}?told=${reference}`);
  const undo = { act: "undo", r: choicesIn(await nadia.read(opened)) };
  expect(undo.r).toHaveLength(1);
  await press(rafi, { act: "take", from: "Nadia" });
  await press(rafi, { act: "later", reason: "legal-hold", days: "20" });
  const late = await nadia.post("/operator", undo);
  expect(late.status).toBe(409);
  expect(textOf(await late.text())).toContain(first("Rafi", desk.story.extend));
  expect(await stateOf()).toMatchObject({ hold: { reason: "legal-hold" } });
});

test("ends the notice about late requests with the language's own full stop", async () => {
  site.wait({ hours: 20 * 24 });
  nadia = await site.signInAs("Nadia");
  const notice = textOf(await nadia.read(addressIn("bn", "/operator/me")));
  expect(notice).toMatch(/মোট বাকি ১টি। /);
});

test("postpones all late requests in one act", async () => {
  await confirmedRequest(site, "bristi@uni.example");
  const { standing } = campus.mail.shared;
  const line = (key: "fine" | "late") =>
    String(standing[key]).split("{day}")[0]?.split("}").at(-1) ?? "|";
  expect(textOf(await nadia.read("/operator"))).toContain(line("fine"));
  site.wait({ hours: 20 * 24 });
  [nadia, rafi] = [await site.signInAs("Nadia", "admin"), await site.signInAs("Rafi")];
  for (const path of ["/operator", "/operator/me"]) {
    expect(textOf(await nadia.read(path)), path).toContain(line("late"));
  }
  const links = linksOf(await nadia.read("/operator"));
  const { href = "" } = links.find(({ text }) => text === desk.together.extend) ?? {};
  const r = choicesIn(await nadia.read(href));
  const later = { act: "later", reason: "time", days: "5", "explanation-en": "We all have exams." };
  expect((await nadia.post("/operator", { ...later, r })).status).toBe(303);
  const second = await rafi.post("/operator", { ...later, r });
  const html = await second.text();
  expect(second.status).toBe(409);
  expect(textOf(html)).toContain(`${reference}: ${first("Nadia", desk.story.extend)}`);
  expect(elementsOf(html, "textarea")[0]?.html).toBe(later["explanation-en"]);
  expect(textOf(await nadia.read("/operator"))).toContain(line("fine"));
});
