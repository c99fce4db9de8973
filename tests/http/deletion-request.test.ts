import { brotliCompressSync } from "node:zlib";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  makeTestDatabase,
  runsOnPostgres,
} from "../../server/platform/database/database.fixture.ts";
import { campus, say } from "../harness/campus.ts";
import { filledForm, referencePattern, valuesOf } from "../harness/deletion-form.ts";
import { elementsOf, linksOf, mainOf, plain, textOf } from "../harness/html.ts";
import { openSiteForEachTest, site } from "../harness/site-of-each-test.ts";
import { openTestSite } from "../harness/test-site.ts";

const page = "/delete-my-account";
/** Endpoint for the form's script. Without JavaScript, the form posts to the page's URL. */
const background = "/deletion-requests";
const { kept, problems, success, visit } = campus.deletion;

openSiteForEachTest();

describe("the deletion page", () => {
  let html: string;
  beforeEach(async () => {
    html = mainOf(await site.read(page));
  });

  test("shows the on-time rate after 42 requests have ended but not before the first", async () => {
    expect(textOf(html)).not.toContain(String(kept).split("{")[0]?.trim());
    const month = "2026-11";
    const counts = { completed: 42, "completed-on-time": 41, "days:3.6": 42 };
    const tallies = Object.entries(counts).map(([name, count]) => ({ month, name, count }));
    await site.kysely.insertInto("tallies").values(tallies).execute();
    site.wait({ minutes: 10 });
    const pageHtml = await site.read(page);
    expect(textOf(pageHtml)).toContain(say(kept, { onTime: 41, count: 42, days: 4 }));
    expect(brotliCompressSync(pageHtml).byteLength).toBeLessThanOrEqual(14 * 1024);
  });

  test("has a form that works without JavaScript", () => {
    const [form] = elementsOf(html, "form");
    expect(form?.attributes).toMatchObject({ method: "post", action: `${page}#answer` });
    expect(form?.attributes).not.toHaveProperty("novalidate");
    const field = (tag: string, name: string) => elementsOf(html, tag, { name })[0]?.attributes;
    const email = field("input", "email");
    expect(email).toMatchObject({ type: "email", required: "", autocomplete: "email" });
    expect(email).not.toHaveProperty("maxlength");
    // `false` keeps screen readers from announcing empty required fields as invalid.
    for (const name of ["email", "confirmation"]) {
      expect(field("input", name)).toMatchObject({ "aria-invalid": "false" });
    }
    expect(field("select", "reason")).toMatchObject({ required: "" });
    const feedback = field("textarea", "feedback");
    expect(feedback).toMatchObject({ rows: "4" });
    expect(Object.keys(feedback ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(required|maxlength)$/)]),
    );
    const box = field("input", "confirmation");
    expect(box).toMatchObject({ type: "checkbox", required: "" });
    expect(box).not.toHaveProperty("checked");
    const [submit] = elementsOf(html, "button", { type: "submit" });
    expect(submit?.attributes).not.toHaveProperty("disabled");
  });

  // For the page's other text, see specified-texts.test.ts and scripts/ready.test.ts.
  test("shows the support email address and no demo notice", () => {
    expect(textOf(html)).not.toContain(campus.deletion.form.simulatedNotice);
    expect(linksOf(html).some(({ href }) => href === `mailto:${campus.settings.email}`)).toBe(true);
  });

  test("serves every visitor the same page with one script", async () => {
    const again = mainOf(await site.read(page, 200, { from: "198.51.100.1" }));
    expect(again).toBe(html);
    expect(valuesOf(again).formKey).toBe("");
    const scripts = elementsOf(again, "script").filter(({ attributes }) => "src" in attributes);
    expect(scripts).toHaveLength(1);
  });
});

test.each(["nothing", "toString", "__proto__"])(
  "returns 400 for the unknown button %s",
  async (act) => {
    expect((await site.post(page, { act, visit: "any" })).status).toBe(400);
    expect(site.faults).toEqual([]);
  },
);

test("stores a form sent without JavaScript and masks the email address after a reload", async () => {
  const form = filledForm();
  const response = await site.post(page, form);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(response.headers.get("set-cookie")).toBeNull();

  const answer = await response.text();
  const stored = await site.stored();
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({
    email: "ayesha.rahman@uni.example",
    reason: "privacy-concerns",
    feedback: "I moved to another city.",
  });
  for (const text of [success.title, success.open, stored[0]?.reference, form.email]) {
    expect(textOf(mainOf(answer))).toContain(text);
  }

  const later = textOf(mainOf(await site.read(`${page}?submitted=${form.formKey}`)));
  expect(later).toContain(stored[0]?.reference);
  expect(later).toContain("a•••••@uni.example");
  expect(later).not.toContain("ayesha.rahman");
});

test("still says after an hour that the form was sent, without the request", async () => {
  const form = filledForm();
  await site.post(page, form);
  const [{ reference = "" } = {}] = await site.stored();
  site.wait({ hours: 1 });
  const later = await site.ask(`${page}?submitted=${form.formKey}`);
  expect(later.status).toBe(410);
  const text = textOf(mainOf(await later.text()));
  expect(text).toContain(visit.panelClosed.title);
  expect(text).toContain(visit.visitExpired.again);
  expect(text).not.toContain(reference);
});

test("stores a form once if a browser without JavaScript resends it", async () => {
  const form = filledForm({ formKey: "" });
  const answers = await Promise.all(
    [1, 2, 3].map(async () => (await site.post(page, form)).text()),
  );
  site.wait({ minutes: 4 });
  answers.push(await (await site.post(page, form)).text());
  expect(await site.stored()).toHaveLength(1);
  const references = answers.map((answer) => referencePattern.exec(textOf(mainOf(answer)))?.[0]);
  expect(new Set(references).size).toBe(1);
});

test("stores the forms of two people who submit from the same cached page", async () => {
  const mine = filledForm({ formKey: "" });
  const theirs = { ...mine, email: "zara@uni.example" };
  for (const form of [mine, theirs]) await site.post(page, form);
  expect((await site.stored()).map(({ email }) => email)).toEqual([mine.email, theirs.email]);
});

test("reopens the filled-in form without JavaScript to correct the email address", async () => {
  const form = filledForm({ email: "ayesha.rahmann@uni.example" });
  const fields = valuesOf(mainOf(await (await site.post(page, form)).text()));
  const again = await site.post(page, { ...fields, edit: "email" });
  expect(again.status).toBe(200);
  const back = await again.text();
  const { email, reason, feedback, confirmation, formKey } = form;
  expect(valuesOf(mainOf(back))).toMatchObject({ email, reason, feedback, confirmation, formKey });
  expect(textOf(back)).not.toContain(problems.summaryTitle);
  expect(await site.stored()).toHaveLength(1);
});

test("returns the reference and a masked email address for a form sent with JavaScript", async () => {
  const response = await site.post(background, filledForm());
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toContain("no-store");
  const body = await response.text();
  expect(body).toContain((await site.stored())[0]?.reference);
  expect(body).toContain("a•••••@uni.example");
  expect(body).not.toContain("ayesha.rahman");
});

test("dates each answer from the minute and the day of its own form", async () => {
  const datesOfAnswer = async () => {
    const response = await site.post(background, filledForm());
    const { submitted } = (await response.json()) as { submitted: { stops: object[] } };
    return JSON.stringify(submitted.stops);
  };
  const first = await datesOfAnswer();
  expect(await datesOfAnswer()).toBe(first);
  site.wait({ minutes: 1 });
  const aMinuteLater = await datesOfAnswer();
  expect(aMinuteLater).not.toBe(first);
  site.wait({ days: 1 });
  expect(await datesOfAnswer()).not.toBe(aMinuteLater);
});

/** Encodes a valid form with additional fields. */
const bodyOf = (...more: string[][]) =>
  new URLSearchParams([...Object.entries(filledForm()), ...more]).toString();

describe.each([page, background])("the form endpoint %s", (path) => {
  const readProblems = async (response: Response) => {
    const body = await response.text();
    return path === page ? textOf(body) : body;
  };

  // server/deletion-requests/state-machine/submission.test.ts covers further mistakes.
  test.each([
    ["emailMissing", { email: "   " }],
    ["emailMalformed", { email: "a@localhost" }],
    ["emailNoAt", { email: "a" }],
    ["emailTwoAts", { email: "a@uni.example\r\nBcc: b@evil.example" }],
    ["emailSpace", { email: "a b@uni.example" }],
    ["emailTooLong", { email: `${"a".repeat(300)}@uni.example` }],
    ["reasonMissing", { reason: "" }],
    ["reasonUnknown", { reason: "boredom" }],
    ["feedbackTooLong", { feedback: "a".repeat(5001) }],
    ["confirmationMissing", { confirmation: "" }],
    ["honeypot", { website: "https://spam.example" }],
  ] as const)("rejects a form with the message for %s", async (code, change) => {
    const response = await site.post(path, filledForm(change));
    expect(response.status).toBe(422);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await readProblems(response)).toContain(problems[code]);
    expect(await site.stored()).toEqual([]);
  });

  // server/platform/http/posted-form.test.ts covers other malformed bodies.
  type Sent = { body: string; headers?: Record<string, string>; problem?: string };
  test.each<[string, number, Sent]>([
    ["with two addresses", 422, { body: bodyOf(["email", "b@uni.example"]) }],
    ["with two keys", 422, { body: bodyOf(["formKey", "A".repeat(22)]) }],
    [
      "as JSON",
      415,
      { body: JSON.stringify(filledForm()), headers: { "Content-Type": "application/json" } },
    ],
    [
      "as a file",
      415,
      { body: "--x--", headers: { "Content-Type": "multipart/form-data; boundary=x" } },
    ],
    ["with invalid UTF-8", 400, { body: "email=%ff%fe" }],
    ["with a broken escape", 400, { body: "email=%zz" }],
    ["without any fields", 422, { body: "" }],
    ["of 40,000 tiny fields", 400, { body: "a&".repeat(40_000) }],
    ["of 200 KB", 413, { body: `feedback=${"a".repeat(200_000)}`, problem: problems.tooLarge }],
    [
      "by another website",
      403,
      { body: bodyOf(), headers: { Origin: "https://evil.example" }, problem: problems.foreign },
    ],
  ])("rejects a form %s with status %i", async (_, status, { body, headers, problem = "" }) => {
    const before = process.cpuUsage();
    const response = await site.ask(path, {
      method: "POST",
      body,
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        Origin: site.publicUrl,
        ...headers,
      },
    });
    expect(response.status).toBe(status);
    // Guards against quadratic parsing: copying the field list once per field took eleven seconds
    // of CPU time.
    expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(3);
    expect(await readProblems(response)).toContain(problem);
    expect(await site.stored()).toEqual([]);
    expect(site.faults).toEqual([]);
  });

  test("returns 503 for a form if the database is read-only", async () => {
    await makeTestDatabase(site.kysely, "read-only");
    const form = filledForm();
    const response = await site.post(path, form);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("60");
    if (path === page) expect(valuesOf(await response.clone().text())).toMatchObject(form);
    expect(await readProblems(response)).toContain(problems.notStored);
    expect(problems.notStored).toContain("NOT stored");
    expect(site.logLines.join("")).toContain("a request could not be stored");
    const id = response.headers.get("x-request-id");
    const named = site.logLines.map((line) => JSON.parse(line)).filter((line) => line.id === id);
    expect(named.map(({ msg }) => msg)).toEqual(["a request could not be stored", "request"]);
    // Each kind of database has its own error code for "read-only".
    expect(site.logLines.join("")).toMatch(runsOnPostgres ? /25006/ : /ERR_SQLITE_ERROR 8 /);

    await makeTestDatabase(site.kysely, "writable");
    expect(await site.stored()).toEqual([]);
    expect((await site.post(path, form)).status).toBeLessThan(400);
  });

  test("returns 503 for a form if the database is unavailable", async () => {
    await using away = await openTestSite();
    await away.database.close();
    const form = filledForm();
    const response = await away.post(path, form);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("60");
    if (path === page) expect(valuesOf(await response.clone().text())).toMatchObject(form);
    expect(await readProblems(response)).toContain(problems.notStored);
    expect(away.faults).toEqual([]);
  });

  test("explains an unexpected error in plain words", async () => {
    await using broken = await openTestSite();
    const fault = new Error("secret detail in /var/secret/place.ts");
    vi.spyOn(broken.services.submitting, "submit").mockRejectedValue(fault);
    const headers = { Accept: "text/html" };
    const response = await broken.post(path, filledForm(), { headers });
    expect(response.status).toBe(500);
    expect(response.headers.get("content-type")).toContain(
      path === page ? "text/html" : "application/problem+json",
    );
    const text = await readProblems(response);
    expect(text).toContain(plain(campus.interface.error.faultText));
    const id = response.headers.get("x-request-id");
    expect(text).toContain(`${campus.interface.error.reference} ${id}`);
    expect(text).not.toContain("secret");
    expect(broken.faults).toEqual([{ error: fault, path }]);
  });

  test("rate-limits each client's forms", async () => {
    await using strict = await openTestSite({ submissionLimit: 2 });
    const send = (from: string) => strict.post(path, filledForm(), { from });
    expect((await send("203.0.113.7")).status).toBeLessThan(400);
    expect((await send("203.0.113.7")).status).toBeLessThan(400);
    const form = filledForm({ email: "third@uni.example" });
    const third = await strict.post(path, form);
    expect(third.status).toBe(429);
    if (path === page) expect(valuesOf(await third.clone().text())).toMatchObject(form);
    expect(third.headers.get("connection")).toBe("close");
    const seconds = Number(third.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);
    expect(await readProblems(third)).toContain(say(problems.tooMany, { minutes: "10" }));
    expect((await send("203.0.113.8")).status).toBeLessThan(400);
    expect(await strict.stored()).toHaveLength(3);
  });
});

describe("a rejected form", () => {
  const typed = {
    email: "ayesha@",
    reason: "technical-issues",
    feedback: "First line\nSecond <b>line</b> & more",
  };

  // For the error summary and its links, see tests/browser/deletion-answers.spec.ts.
  test("keeps every typed value of a rejected form", async () => {
    const form = filledForm(typed);
    const whole = await (await site.post(page, form)).text();
    const [title] = elementsOf(whole, "title");
    expect(textOf(title?.html ?? "")).toContain(problems.summaryTitle);
    expect(elementsOf(whole, "meta", { name: "robots" })).toHaveLength(1);
    const html = mainOf(whole);
    expect(valuesOf(html)).toMatchObject({ email: typed.email, reason: typed.reason });
    expect(textOf(elementsOf(html, "textarea")[0]?.html ?? "")).toBe(
      "First line Second <b>line</b> & more",
    );
    expect(valuesOf(html).formKey).toBe(form.formKey);
    expect(valuesOf(html).confirmation).toBeTruthy();
  });

  test("escapes markup in a rejected form", async () => {
    const injection = '"></script><script>alert(1)</script>';
    const response = await site.post(
      page,
      filledForm({ email: injection, feedback: injection, reason: injection }),
    );
    const html = await response.text();
    expect(html).not.toContain("<script>alert(1)");
    expect(response.headers.get("content-security-policy")).not.toContain("unsafe");
  });
});

// For the choice of trusted proxies, see server/platform/http/client-address.test.ts.
test("identifies clients by the IP address that a trusted proxy reports", async () => {
  await using strict = await openTestSite({
    submissionLimit: 1,
    trustProxy: { kind: "hops", count: 1 },
  });
  const sendAs = (forwarded: string) =>
    strict.post(page, filledForm(), {
      from: "127.0.0.1",
      headers: { "X-Forwarded-For": forwarded },
    });
  expect((await sendAs("198.51.100.1")).status).toBe(200);
  expect((await sendAs("198.51.100.2")).status).toBe(200);
  expect((await sendAs("made-up, 198.51.100.1")).status).toBe(429);
});

test("shows the success panel in demo mode without storing the form", async () => {
  await using demo = await openTestSite({ deletionMode: "simulated" });
  const response = await demo.post(page, filledForm());
  expect(response.status).toBe(200);
  const text = textOf(mainOf(await response.text()));
  expect(text).toContain(success.title);
  expect(text).toContain(campus.deletion.form.simulatedNotice);
  expect(text).not.toMatch(referencePattern);
  expect(await demo.stored()).toEqual([]);
});
