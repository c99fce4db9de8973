import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { breakTestDatabase, runsOnPostgres } from "../../server/database/database.fixture.ts";
import { campus, say } from "../harness/campus.ts";
import { filledForm, referencePattern, valuesOf } from "../harness/deletion-form.ts";
import { elementsOf, linksOf, mainOf, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

const page = "/delete-my-account";
/** Where the form's script posts; the same door as the page's. */
const background = "/deletion-requests";
const { problems, success } = campus.deletion;
const formTitle = campus.deletion.form.title;

let site: TestSite;
beforeEach(async () => {
  site = await openTestSite();
});
afterEach(() => site[Symbol.asyncDispose]());

describe("sending the form without script", () => {
  test("stores the request and shows the panel with reference and masked address", async () => {
    const form = filledForm();
    const response = await site.post(page, form);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${page}?submitted=${form.formKey}`);
    expect(response.headers.get("set-cookie")).toBeNull();

    const text = textOf(mainOf(await site.read(response.headers.get("location") ?? "")));
    const stored = await site.stored();
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({
      email: "ayesha.rahman@uni.example",
      reason: "privacy-concerns",
      feedback: "I moved to another city.",
    });
    expect(text).toContain(success.title);
    expect(text).toContain(stored[0]?.reference);
    expect(text).toContain("a•••••@uni.example");
    expect(text).not.toContain("ayesha.rahman");
  });

  test.each(["AAAAAAAAAAAAAAAAAAAAAA", "nonsense"])(
    "a key that nobody has (%j) shows the form",
    async (key) => {
      const html = await site.read(`${page}?submitted=${encodeURIComponent(key)}`);
      expect(textOf(html)).toContain(formTitle);
      expect(textOf(html)).not.toContain(success.title);
    },
  );
});

describe("sending the form with script", () => {
  test("stores the request and answers with reference and masked address", async () => {
    const response = await site.post(background, filledForm());
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toContain("no-store");
    const body = await response.text();
    expect(body).toContain((await site.stored())[0]?.reference);
    expect(body).toContain("a•••••@uni.example");
    expect(body).not.toContain("ayesha.rahman");
  });

  test("the address for scripts is no page: who types it is led to the form", async () => {
    const response = await site.ask(background);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(page);
  });
});

describe.each([page, background])("the same form sent to %s", (path) => {
  // Which field is wrong, and how, server/deletion-requests/life/submission.test.ts asks; here each is told in words.
  test.each([
    ["emailMissing", { email: "   " }],
    ["emailMalformed", { email: "a@uni.example\r\nBcc: b@evil.example" }],
    ["emailTooLong", { email: `${"a".repeat(300)}@uni.example` }],
    ["reasonMissing", { reason: "" }],
    ["reasonUnknown", { reason: "boredom" }],
    ["feedbackTooLong", { feedback: "a".repeat(5001) }],
    ["confirmationMissing", { confirmation: "" }],
    ["honeypot", { website: "https://spam.example" }],
  ] as const)(
    "with what is wrong (%s) is refused in plain words and stores nothing",
    async (code, change) => {
      const response = await site.post(path, filledForm(change));
      expect(response.status).toBe(422);
      expect(response.headers.get("cache-control")).toContain("no-store");
      const body = await response.text();
      expect(path === page ? textOf(body) : body).toContain(problems[code]);
      expect(await site.stored()).toEqual([]);
    },
  );

  test.each(["email", "formKey"])(
    "with %s given twice is refused and stores nothing",
    async (name) => {
      const form = filledForm();
      const response = await site.post(path, [...Object.entries(form), [name, form[name] ?? ""]]);
      expect(response.status).toBe(422);
      expect(await site.stored()).toEqual([]);
    },
  );

  test.each([
    ["as JSON", "application/json", JSON.stringify(filledForm())],
    ["as plain text", "text/plain", "email=a@uni.example"],
    ["as a file upload", "multipart/form-data; boundary=x", "--x--"],
    ["as bytes that are no text", "application/x-www-form-urlencoded", "email=%ff%fe"],
    ["with a broken escape", "application/x-www-form-urlencoded", "email=%zz"],
    ["with nothing in it", "application/x-www-form-urlencoded", ""],
  ])("%s gets a clear refusal and stores nothing", async (_, type, body) => {
    const response = await site.ask(path, {
      method: "POST",
      body,
      headers: { "Content-Type": type, Origin: "http://localhost:3000" },
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await site.stored()).toEqual([]);
    expect(site.faults).toEqual([]);
  });

  test("larger than anybody types is cut off with 413 and stores nothing", async () => {
    const response = await site.post(path, filledForm({ feedback: "a".repeat(200_000) }));
    expect(response.status).toBe(413);
    const body = await response.text();
    expect(path === page ? textOf(body) : body).toContain(problems.tooLarge);
    expect(await site.stored()).toEqual([]);
  });

  test("of 40,000 tiny fields is refused, as quickly as any other", async () => {
    const body = "a&".repeat(40_000);
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      Origin: "http://localhost:3000",
    };
    const before = process.cpuUsage();
    const response = await site.ask(path, { method: "POST", body, headers });
    const { user } = process.cpuUsage(before);
    expect(response.status).toBe(400);
    // Copying the list for every field took eleven seconds of work.
    expect(user / 1_000_000).toBeLessThan(3);
    expect(await site.stored()).toEqual([]);
  });

  // What else is foreign, server/http/origin-rule.test.ts asks.
  test("from another website is refused and stores nothing", async () => {
    const headers = { Origin: "https://evil.example" };
    const response = await site.post(path, filledForm(), { headers });
    expect(response.status).toBe(403);
    const body = await response.text();
    expect(path === page ? textOf(body) : body).toContain(problems.foreign);
    expect(await site.stored()).toEqual([]);
  });

  test("by a program that sends no origin is taken: it carries nobody's login", async () => {
    const response = await site.ask(path, {
      method: "POST",
      body: new URLSearchParams(filledForm()),
    });
    expect(response.status).toBeLessThan(400);
    expect(await site.stored()).toHaveLength(1);
  });

  test("when the database cannot be written says that it was NOT stored", async () => {
    await breakTestDatabase(site.kysely, "read-only");
    const response = await site.post(path, filledForm());
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("60");
    const body = await response.text();
    expect(path === page ? textOf(body) : body).toContain(problems.notStored);
    expect(problems.notStored).toContain("NOT stored");
    expect(site.logLines.join("")).toContain("a request could not be stored");
    // Each database's own code for that it may only be read.
    expect(site.logLines.join("")).toMatch(runsOnPostgres ? /25006/ : /ERR_SQLITE_ERROR 8 /);

    await breakTestDatabase(site.kysely, undefined);
    expect(await site.stored()).toEqual([]);
  });

  test("too often is stopped for a while, per client", async () => {
    await using strict = await openTestSite({ submissionLimit: 2 });
    const send = (from: string) => strict.post(path, filledForm(), { from });
    expect((await send("203.0.113.7")).status).toBeLessThan(400);
    expect((await send("203.0.113.7")).status).toBeLessThan(400);
    const third = await send("203.0.113.7");
    expect(third.status).toBe(429);
    expect(third.headers.get("connection")).toBe("close");
    const seconds = Number(third.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);
    const body = await third.text();
    expect(path === page ? textOf(body) : body).toContain(say(problems.tooMany, { minutes: "10" }));
    expect((await send("203.0.113.8")).status).toBeLessThan(400);
    expect(await strict.stored()).toHaveLength(3);
  });
});

describe("what the server refuses comes back", () => {
  const typed = {
    email: "ayesha@",
    reason: "technical-issues",
    feedback: "First line\nSecond <b>line</b> & more",
  };

  test("with everything as typed, a summary that leads to the fields, and words beside them", async () => {
    const form = filledForm(typed);
    const html = mainOf(await (await site.post(page, form)).text());
    expect(valuesOf(html)).toMatchObject({ email: typed.email, reason: typed.reason });
    expect(textOf(elementsOf(html, "textarea")[0]?.html ?? "")).toBe(
      "First line Second <b>line</b> & more",
    );
    expect(valuesOf(html).formKey).toBe(form.formKey);
    expect(valuesOf(html).confirmation).toBeTruthy();

    const text = textOf(html);
    expect(text).toContain(problems.summaryTitle);
    expect(linksOf(html)).toContainEqual(
      expect.objectContaining({ href: "#email", text: problems.emailMalformed }),
    );
    expect(text.split(problems.emailMalformed)).toHaveLength(3);
    const email = elementsOf(html, "input").find(({ attributes }) => attributes.id === "email");
    expect(email?.attributes).toMatchObject({ "aria-invalid": "true" });
    expect(email?.attributes["aria-describedby"]).toContain("email-problem");
  });

  test("also when there were too many, or the database could not be written", async () => {
    await using strict = await openTestSite({ submissionLimit: 1 });
    await strict.post(page, filledForm());
    const second = filledForm({ email: "second@uni.example" });
    expect(valuesOf(await (await strict.post(page, second)).text())).toMatchObject(second);

    await breakTestDatabase(site.kysely, "read-only");
    const unlucky = filledForm({ email: "unlucky@uni.example" });
    expect(valuesOf(await (await site.post(page, unlucky)).text())).toMatchObject(unlucky);
  });

  test("and what was typed cannot break out of the page", async () => {
    const nasty = '"></script><script>alert(1)</script>';
    const response = await site.post(
      page,
      filledForm({ email: nasty, feedback: nasty, reason: nasty }),
    );
    const html = await response.text();
    expect(html).not.toContain("<script>alert(1)");
    expect(response.headers.get("content-security-policy")).not.toContain("unsafe");
  });
});

// Whom a proxy names, and whom it may, server/http/client-address.test.ts asks.
test("behind a trusted proxy those are counted whom it names", async () => {
  await using strict = await openTestSite({
    submissionLimit: 1,
    trustProxy: { kind: "hops", count: 1 },
  });
  const sendAs = (forwarded: string) =>
    strict.post(page, filledForm(), {
      from: "127.0.0.1",
      headers: { "X-Forwarded-For": forwarded },
    });
  expect((await sendAs("198.51.100.1")).status).toBe(303);
  expect((await sendAs("198.51.100.2")).status).toBe(303);
  expect((await sendAs("made-up, 198.51.100.1")).status).toBe(429);
});

describe("as a demonstration", () => {
  test("the page says so, beside everything else", async () => {
    await using demo = await openTestSite({ deletionMode: "simulated" });
    const text = textOf(await demo.read(page));
    expect(text).toContain(campus.deletion.form.simulatedNotice);
    expect(text).toContain(formTitle);
    expect(textOf(await site.read(page))).not.toContain(campus.deletion.form.simulatedNotice);
  });

  test("without script the panel comes at once and nothing is stored", async () => {
    await using demo = await openTestSite({ deletionMode: "simulated" });
    const response = await demo.post(page, filledForm());
    expect(response.status).toBe(200);
    const text = textOf(mainOf(await response.text()));
    expect(text).toContain(success.title);
    expect(text).toContain(campus.deletion.form.simulatedNotice);
    expect(text).not.toMatch(referencePattern);
    expect(await demo.stored()).toEqual([]);
  });
});
