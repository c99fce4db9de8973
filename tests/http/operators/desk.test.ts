import { beforeEach, describe, expect, test } from "vitest";
import { addHandOver } from "../../../server/account-system/hand-overs.ts";
import {
  placesToTick,
  recipientsToTell,
} from "../../../server/deletion-requests/life/checklist.ts";
import { createReference } from "../../../server/deletion-requests/life/request.ts";
import { campus, say } from "../../harness/campus.ts";
import { confirmedRequest, filledForm } from "../../harness/deletion-form.ts";
import { elementsOf, mainOf, textOf } from "../../harness/html.ts";
import { type Operator, openSiteForEachTest, site } from "../../harness/site-of-each-test.ts";

// Operators' pages as plain forms, without a script: each act, by whom it is done and what stands in the history.

openSiteForEachTest();

let nadia: Operator;
let rafi: Operator;
let reference: string;

const email = "anika@uni.example";
const { desk } = campus.operator;

/** What is told to whoever was second, up to the time. */
const first = (name: string, act?: string) =>
  say(desk.problems.overtaken, { name, act: act ?? "|", time: "|" }).split("|")[0];

beforeEach(async () => {
  nadia = await site.signInAs("Nadia", "admin");
  rafi = await site.signInAs("Rafi");
  reference = await confirmedRequest(site, email);
});

const pathOf = (of = reference) => `/operator/requests/${of}`;

/** What the page was showing: its forms bring that back. */
function seenIn(html: string): string {
  return elementsOf(html, "input", { name: "seen" })[0]?.attributes.value ?? "";
}

/** Presses a button of the request's page as it stands now, and reads where that leads. */
async function press(
  operator: Operator,
  fields: Record<string, string | string[]>,
  of = reference,
) {
  const seen = fields.seen ?? seenIn(await operator.read(pathOf(of)));
  const response = await operator.post(pathOf(of), { ...fields, seen });
  const location = response.headers.get("location");
  const html = location ? await operator.read(location.split("#")[0] ?? "") : await response.text();
  return { status: response.status, location: location ?? "", html, text: textOf(html) };
}

const stateOf = async (of = reference) => site.services.desk.find(of);
const history = async () => (await site.services.desk.tell(reference))?.events ?? [];

/** Every place was gone through, and everybody told. */
const walked = () =>
  Object.fromEntries(
    placesToTick(site.foundation.dataList).map((place) => [`at-${place}`, "done"] as const),
  );
const done = () => ({ act: "complete", address: email, account: "user", ...walked() });
describe("one request", () => {
  test("is taken, waits and goes on, is taken back and taken over, each in the history under who did it", async () => {
    const taken = await press(nadia, { act: "take" });
    expect(taken.status).toBe(303);
    expect(taken.location).toMatch(/#told$/);
    expect(taken.text).toContain(`${reference} is yours`);
    const hold = { act: "later", reason: "legal-hold", days: "20" };
    expect((await press(rafi, { ...hold, reason: "other" })).text).toContain(
      desk.problems.explanation,
    );
    const held = await press(rafi, hold);
    expect(held.text).toContain(say(desk.told.later, { reference }));
    expect(await stateOf()).toMatchObject({ hold: { reason: "legal-hold" }, owner: "Nadia" });
    await press(rafi, { act: "undo" });
    await press(nadia, { act: "undo" });
    await press(nadia, { act: "take" });
    expect((await press(rafi, { act: "take" })).status).toBe(409);
    await press(rafi, { act: "take", from: "Nadia" });
    expect(await stateOf()).toMatchObject({ state: "in-progress", owner: "Rafi", hold: undefined });
    const operators = (await history()).filter(({ actor }) => actor === "operator");
    expect(operators.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "Nadia take",
      "Rafi hold",
      "Rafi extend",
      "Rafi release",
      "Nadia hand-back",
      "Nadia take",
      "Rafi take",
    ]);
  });

  test("says what was done while it is so, and no longer: not after a reload, and of no other request", async () => {
    const { location } = await press(nadia, { act: "take" });
    const path = location.split("#")[0] ?? "";
    const told = say(desk.told.take, { reference });
    expect(textOf(await nadia.read(path))).toContain(told);
    await press(nadia, done());
    expect(textOf(await nadia.read(path))).not.toContain(told);
    // What somebody else did, nobody is told to have done.
    expect(textOf(await rafi.read(path))).not.toContain(say(desk.told.complete, { reference }));
  });

  test("is completed with the address typed and those told, and taken back within ten minutes", async () => {
    await press(nadia, { act: "take" });
    const nothing = await press(nadia, { act: "complete", address: "", account: "" });
    expect(nothing.status).toBe(422);
    expect(nothing.text).toContain(desk.problems.addressMissing);
    expect(nothing.text).toContain(desk.problems.account);
    const wrong = await press(nadia, { ...done(), address: "other@uni.example" });
    expect(wrong.status).toBe(409);
    expect(wrong.text).toContain(desk.problems.anotherAddress);
    const [address] = elementsOf(wrong.html, "input", { id: "complete-address" });
    expect(address?.attributes.value).toBe("other@uni.example");
    expect(await stateOf()).toMatchObject({ done: undefined });
    const completed = await press(nadia, done());
    expect(completed.text).toContain(
      `${desk.groups.done}: ${String(desk.card.leaves).split("{time}")[0]}`,
    );
    expect(await stateOf()).toMatchObject({ done: { at: site.clock() } });
    const today = mainOf(await nadia.read("/operator"));
    expect(textOf(today)).toContain(desk.groups.done);
    expect(today).not.toContain("data-tone=");
    const undone = await nadia.post("/operator", { act: "undo", r: reference });
    expect(undone.headers.get("location")).toContain(`told=${reference}`);
    expect(await stateOf()).toMatchObject({ state: "in-progress", done: undefined });
    expect(mainOf(await nadia.read("/operator"))).toContain("data-tone=");
    await press(nadia, done());
    site.wait({ minutes: 11 });
    const overdue = textOf(await nadia.read(pathOf()));
    expect(overdue).toContain(desk.request.leavesNow);
    await site.rounds.runOnce();
    expect(await stateOf()).toMatchObject({ state: "completed" });
    const late = await press(nadia, { act: "undo" });
    expect(late.status).toBe(409);
    // What an operator called done, the clock completes.
    expect(late.text).toContain(`${desk.story.clock} ${desk.story.completed}`);
  });

  test("is not completed before it was said of each place what was found, and the history keeps where one was", async () => {
    await press(nadia, { act: "take" });
    const [recipient] = recipientsToTell(site.foundation.dataList);
    const [own = "", ...others] = placesToTick(site.foundation.dataList).filter(
      (key) => key !== recipient,
    );
    const without = await press(nadia, { ...done(), [`at-${own}`]: "" });
    expect(without.status).toBe(422);
    const [store] = campus.dataKinds.filter((row) => row.store === own);
    expect(without.text).toContain(say(desk.problems.unticked, { places: store?.place ?? "" }));
    const said = elementsOf(without.html, "input", { type: "radio", checked: "" }).map(
      ({ attributes }) => attributes.name,
    );
    for (const key of [recipient, ...others]) expect(said).toContain(`at-${key}`);
    expect(await stateOf()).toMatchObject({ done: undefined });
    expect((await press(nadia, { ...done(), [`at-${own}`]: "none" })).status).toBe(303);
    const completed = (await history()).at(-1);
    expect([completed?.name, completed?.code.split(" ").sort()]).toEqual([
      "Nadia",
      [recipient, ...others].sort(),
    ]);
    expect(textOf(await nadia.read(pathOf()))).toContain(String(desk.story.ticked).split(" {")[0]);
  });

  test("says of what stays why, which of it and until when, in the receipt as it will be sent", async () => {
    await press(nadia, { act: "take" });
    const [kind] = site.foundation.dataList.kinds;
    const store = kind?.store ?? "";
    const kept = {
      [`at-${store}`]: "kept",
      [`kept-${store}`]: kind?.key ?? "",
      [`why-${store}`]: "open-matter",
    };
    const without = await press(nadia, { ...done(), ...kept });
    expect(without.text).toContain(String(desk.problems.keptUntil).split(" {")[0]);
    const whole = { ...done(), ...kept, [`until-${store}`]: "2027-01-31" };
    const shown = await press(nadia, { ...whole, preview: "1" });
    expect(elementsOf(shown.html, "pre")[0]?.html).toContain(reference);
    expect(await stateOf()).toMatchObject({ done: undefined });
    await press(nadia, whole);
    const request = await stateOf();
    const lines = request && "done" in request ? request.done?.completion.lines : [];
    expect(lines?.filter(({ outcome }) => outcome === "kept").map((line) => line.kind)).toContain(
      kind?.key,
    );
    expect(lines?.[0]).toMatchObject({
      outcome: "kept",
      reason: "open-matter",
      until: "2027-01-31",
    });
    expect(lines?.[1]).toMatchObject({ outcome: "deleted" });
  });

  test("is cancelled for the person, taken back, and gets its link and a note", async () => {
    await press(rafi, { act: "note", note: "She called." });
    await press(rafi, { act: "resend" });
    const page = await press(rafi, { act: "cancel", explanation: "She called." });
    expect(page.text).toContain(say(desk.told.cancel, { reference }));
    site.wait({ minutes: 11 });
    const { text } = await press(rafi, { act: "undo", explanation: "The wrong one." });
    expect(text).toContain(`Rafi ${desk.story.reopen}: The wrong one.`);
    expect(await stateOf()).toMatchObject({ state: "confirmed" });
    const types = (await history()).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(["note", "resend", "cancel", "reopen"]));
  });

  test("is found by any of its references, nowhere where there is none, and knows no other act", async () => {
    const response = await nadia.ask(pathOf(reference.toLowerCase()));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(pathOf());
    expect((await nadia.ask(pathOf("2222-2222"))).status).toBe(404);
    expect((await press(nadia, { act: "explode" })).status).toBe(422);
    const { status, text } = await press(nadia, done());
    expect([status, text.includes(desk.whyNot["not-taken"])]).toEqual([409, true]);
  });
});

describe("two people on one request", () => {
  test("the second is told who was first, sees the new state, and loses nothing that was typed", async () => {
    const seen = seenIn(await rafi.read(pathOf()));
    await press(nadia, { act: "take" });
    const explanation = "A fare is open since May.";
    const refusal = { act: "refuse", reason: "open-matter", explanation };
    const late = await press(rafi, { ...refusal, seen });
    expect(late.status).toBe(409);
    expect(late.text).toContain(first("Nadia", desk.story.take));
    expect(late.text).toContain(desk.problems.stillHere);
    expect(late.text).toContain(say(desk.card.owner, { name: "Nadia" }));
    const [typed] = elementsOf(late.html, "textarea", { id: "refuse-explanation" });
    expect(typed?.html).toBe(explanation);
    expect(await stateOf()).toMatchObject({ state: "in-progress", owner: "Nadia" });
    // The page that came back knows what happened: now it may be done all the same.
    expect((await press(rafi, { ...refusal, seen: seenIn(late.html) })).status).toBe(303);
  });

  test("what was typed for a form that is gone is shown beside who was first", async () => {
    const seen = seenIn(await rafi.read(pathOf()));
    await press(nadia, { act: "refuse", reason: "no-account" });
    const late = await press(rafi, { seen, act: "cancel", explanation: "She wrote to me." });
    expect(late.status).toBe(409);
    expect(late.text).toContain(first("Nadia"));
    expect(late.text).toContain("She wrote to me.");
  });
});

test("what finds no room on the disk stays on its form, with the cause", async () => {
  site.services.desk.note = () =>
    Promise.reject(
      Object.assign(new Error("database or disk is full"), {
        code: "ERR_SQLITE_ERROR",
        errcode: 13,
      }),
    );
  const full = await press(nadia, { act: "note", note: "She called at noon." });
  expect(full.status).toBe(503);
  expect(full.text).toContain(desk.problems.full);
  const [typed] = elementsOf(full.html, "textarea", { id: "note-note" });
  expect(typed?.html).toBe("She called at noon.");
});

test("one that was handed back is nobody's in its list and on its page, and in progress while the account system has it", async () => {
  await press(nadia, { act: "take" });
  await press(nadia, { act: "undo" });
  expect(textOf(await rafi.read(pathOf()))).toContain(desk.request.nobody);
  const { database } = site.foundation;
  const request = await stateOf();
  await database.write((transaction) =>
    addHandOver(transaction, { requestId: request?.id ?? 0, test: false, now: site.clock() }),
  );
  const text = textOf(await rafi.read(pathOf()));
  expect(text).not.toContain(desk.request.nobody);
  expect(text).toContain(campus.mail.shared.states["in-progress"]);
  expect(textOf(await rafi.read("/operator"))).toContain(desk.card.system);
});

describe("several at once", () => {
  test("are taken in one press, and one that somebody else has, or that is gone, keeps no other from it", async () => {
    const other = await confirmedRequest(site, "bristi@uni.example");
    const gone = "AAAA-AAAA";
    await press(rafi, { act: "take" });
    const result = await nadia.post("/operator", { act: "take", r: [reference, gone, other] });
    expect(result.status).toBe(409);
    const text = textOf(await result.text());
    expect(text).toContain(`${reference}: ${say(desk.whyNot["already-taken"], { name: "Rafi" })}`);
    expect(text).toContain(`${gone}: ${desk.problems.unknown}`);
    expect(await stateOf(other)).toMatchObject({ owner: "Nadia" });
  });

  test("are completed where their address is typed, and stay where it is not or is another's", async () => {
    const others = [
      await confirmedRequest(site, "bristi@uni.example"),
      await confirmedRequest(site, "rafiq@uni.example"),
    ];
    const all = [reference, ...others];
    for (const one of all) await press(nadia, { act: "take" }, one);
    const result = await nadia.post("/operator", [
      ["act", "complete"],
      ...Object.entries(walked()),
      ...all.map((one) => ["r", one]),
      ["address", `${email}\nnobody@uni.example`],
      ["account", "user"],
    ]);
    expect(result.status).toBe(409);
    expect(await stateOf(reference)).toMatchObject({ done: { at: site.clock() } });
    for (const one of others) expect(await stateOf(one)).toMatchObject({ done: undefined });
    const html = await result.text();
    expect(textOf(html)).toContain(`nobody@uni.example: ${desk.problems.anotherAddress}`);
    // Some was done.
    expect(textOf(html)).not.toContain(desk.problems.title);
    expect(textOf(html)).toContain(desk.together.partly);
  });
});

test("without a fresh touch nothing is completed or refused, alone or with others: the form goes to where the passkey is asked for", async () => {
  await press(nadia, { act: "take" });
  site.wait({ hours: 2 });
  for (const [path, fields] of [
    [pathOf(), done()],
    [pathOf(), { act: "refuse", reason: "no-account" }],
    ["/operator", { act: "complete", r: reference }],
  ] as const) {
    const { status, headers } = await nadia.post(path, fields);
    const door = `/operator/sign-in?${new URLSearchParams({ to: path })}`;
    expect([status, headers.get("location")]).toEqual([307, door]);
  }
  expect(await stateOf()).toMatchObject({ state: "in-progress", done: undefined });
  expect((await nadia.post(pathOf(), { act: "note", note: "Still here." })).status).toBe(303);
});

test("the search finds by reference and by address, and the address stands in no address", async () => {
  for (const search of [reference, reference.toLowerCase().replace("-", ""), email, "anik"]) {
    const response = await nadia.post("/operator", { search });
    expect(response.headers.get("location"), search).toBe(pathOf());
  }
  await press(nadia, { act: "refuse", reason: "no-account" });
  const again = await confirmedRequest(site, email);
  const both = await nadia.post("/operator", { search: email });
  const html = await both.text();
  expect(both.status).toBe(200);
  expect(textOf(html)).toContain(say(desk.search.found, { count: 2 }));
  expect(html).toContain(again);
  expect(html.match(/(?:href|action)="[^"]*@/)).toBeNull();
  expect(site.logLines.join("")).not.toContain("anika");
});

test("what somebody has who is away is said to be so, wherever it stands, and waits to be taken over", async () => {
  await press(rafi, { act: "take" });
  const today = site.clock().toZonedDateTimeISO("UTC").toPlainDate();
  const typed = {
    from: today.subtract({ days: 1 }).toString(),
    until: today.add({ days: 3 }).toString(),
  };
  await rafi.post("/operator/me", { act: "away", reason: "leave", ...typed });
  const away = say(desk.card.away, { name: "Rafi" });
  for (const path of ["/operator", pathOf(), `/operator?act=later&r=${reference}`]) {
    const text = textOf(await nadia.read(path));
    expect(text, path).toContain(away);
    expect(text, path).not.toContain(say(desk.card.owner, { name: "Rafi" }));
  }
});

test("a link that could not be delivered is told first, with the next step, and nobody is said to confirm with it", async () => {
  const form = filledForm({ email: "undelivered@uni.example" });
  await site.post("/deletion-requests", form);
  const [received] = await site.services.desk.search("undelivered@uni.example");
  const { undelivered, expires } = desk.request;
  const path = pathOf(received?.reference);
  const before = textOf(await nadia.read(path));
  expect(before).toContain(desk.whyNot["not-confirmed"]);
  for (const [lastProblem, next] of [
    ["recipient refused (550)", undelivered.address],
    ["content refused (554)", undelivered.other],
  ] as const) {
    await site.kysely
      .updateTable("outbox")
      .set({ state: "needs-person", last_problem: lastProblem })
      .where("request_id", "=", received?.id ?? 0)
      .execute();
    const html = await nadia.read(path);
    const [head = ""] = mainOf(html).split("<h2");
    const text = textOf(head);
    expect(text).toContain(`${undelivered.title}: ${campus.mail.mailKinds.confirm}, `);
    expect(text).toContain(next);
    expect(text.indexOf(undelivered.title)).toBeLessThan(text.indexOf(expires));
    expect(text).not.toContain(desk.whyNot["not-confirmed"]);
  }
});

test("more requests make a page no longer, and are walked without a gap", async () => {
  const row = await site.kysely.selectFrom("requests").selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: 119 }, (_, index) => {
    const email_match = `student${index}@uni.example`;
    const own = { email: email_match, email_match, reference: createReference() };
    return { ...row, id: undefined, ...own };
  });
  await site.kysely.insertInto("requests").values(copies).execute();
  const form = await site.kysely.selectFrom("submissions").selectAll().executeTakeFirstOrThrow();
  const added = await site.kysely.selectFrom("requests").selectAll().offset(1).limit(119).execute();
  const forms = added.map(({ id: request_id, reference }) => ({
    ...{ ...form, id: undefined, request_id, reference, form_key_hash: reference },
  }));
  await site.kysely.insertInto("submissions").values(forms).execute();
  const shown: string[] = [];
  for (let path: string | undefined = "/operator"; path; ) {
    const html = await nadia.read(path);
    expect(textOf(html)).toContain("120");
    const rows = elementsOf(mainOf(html), "li");
    shown.push(...rows.map((one) => textOf(one.html)));
    const [next] = elementsOf(html, "a", { rel: "next" });
    expect(rows).toHaveLength(next ? 50 : 20);
    path = next?.attributes.href?.replaceAll("&amp;", "&");
  }
  expect(new Set(shown).size).toBe(120);
});

test("the history tells an admin what each of them did with each request, and leads there", async () => {
  await press(nadia, { act: "take" });
  await press(rafi, { act: "note", note: "She called at noon." });
  const html = await nadia.read("/operator/history");
  expect(textOf(html)).toContain(`${reference} Nadia ${desk.story.take}`);
  expect(textOf(html)).toContain(`${reference} Rafi`);
  expect(html).toContain(`href="${pathOf()}"`);
  // What it says stays with the request.
  expect(html).not.toContain("at noon");
});

test("what is taken on Today opens, and one line says whether every promised date holds", async () => {
  const { standing } = campus.mail.shared;
  const line = (key: "fine" | "late") =>
    String(standing[key]).split("{day}")[0]?.split("}").at(-1) ?? "|";
  expect(textOf(await nadia.read("/operator"))).toContain(line("fine"));
  site.wait({ hours: 60 * 24 });
  nadia = await site.signInAs("Nadia", "admin");
  for (const path of ["/operator", "/operator/me"]) {
    expect(textOf(await nadia.read(path)), path).toContain(line("late"));
  }
  const response = await nadia.post("/operator", { act: "take", r: reference });
  expect(response.headers.get("location")).toMatch(new RegExp(`^${pathOf()}\\?told=${reference}`));
});

test("whoever is invited by no name or no address is refused at the field", async () => {
  const { invite } = campus.operator.people;
  const typed = { act: "invite", name: "?", address: "home" };
  const html = await (await nadia.post("/operator/people", typed)).text();
  for (const [name, problem] of [
    ["name", invite.nameProblem],
    ["address", desk.problems.email],
  ] as const) {
    const [field] = elementsOf(html, "input", { id: name });
    expect(field?.attributes).toMatchObject({ "aria-describedby": `${name}-problem` });
    const [said] = elementsOf(html, "p", { id: `${name}-problem` });
    expect(textOf(said?.html ?? "")).toBe(problem);
  }
});
