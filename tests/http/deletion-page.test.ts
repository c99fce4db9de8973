import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { campus, say } from "../harness/campus.ts";
import { elementsOf, linksOf, mainOf, plain, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

const { deletion: words, settings } = campus;
let site: TestSite;
let html: string;
let text: string;
beforeAll(async () => {
  site = await openTestSite();
  html = mainOf(await site.read("/delete-my-account"));
  text = textOf(html);
});
afterAll(() => site[Symbol.asyncDispose]());

test("the page says what it is for, warns, and asks", () => {
  const { form } = words;
  for (const sentence of [
    words.badge,
    words.noticeTitle,
    words.notice,
    words.stays,
    form.title,
    form.emailLabel,
    form.reasonLabel,
    form.feedbackLabel,
    words.help.title,
  ]) {
    expect(text).toContain(plain(sentence));
  }
});

test("once ten are done, everybody reads how many were done in time, and the page is still light", async () => {
  expect(text).not.toContain(words.kept.split("{")[0]?.trim());
  const month = "2026-11";
  for (const [name, count] of [
    ["completed", 42],
    ["completed-on-time", 41],
    ["days:3.6", 42],
  ] as const) {
    await site.kysely.insertInto("tallies").values({ month, name, count }).execute();
  }
  const answer = await site.ask("/delete-my-account?to=everybody", {
    headers: { "Accept-Encoding": "br" },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  expect(textOf(brotliDecompressSync(body).toString())).toContain(
    say(words.kept, { onTime: 41, count: 42, days: 4 }),
  );
  expect(body.byteLength).toBeLessThanOrEqual(14 * 1024);
});

test("the heading is the task", () => {
  expect(elementsOf(html, "h1").map((heading) => textOf(heading.html))).toEqual([words.title]);
});

test("the page names app and developer exactly as the shop does", () => {
  expect(text).toContain(settings.product);
  expect(text).toContain(settings.developer);
});

test("the address is required and checked by the browser", () => {
  const email = elementsOf(html, "input").find(({ attributes }) => attributes.name === "email");
  expect(email?.attributes).toMatchObject({ type: "email", required: "", autocomplete: "email" });
  expect(email?.attributes).not.toHaveProperty("maxlength");
});

test("every reason of the campus, and one of them is required", () => {
  const select = elementsOf(html, "select")[0];
  expect(select?.attributes).toMatchObject({ name: "reason", required: "" });
  const [placeholder, ...reasons] = elementsOf(select?.html ?? "", "option");
  expect(placeholder?.attributes.value).toBe("");
  expect(reasons.map((option) => textOf(option.html))).toEqual(
    Object.values(words.form.reasons).map(plain),
  );
});

test("feedback has four rows and no length limit in the browser", () => {
  const feedback = elementsOf(html, "textarea")[0]?.attributes;
  expect(feedback).toMatchObject({ name: "feedback", rows: "4" });
  expect(feedback).not.toHaveProperty("required");
  expect(feedback).not.toHaveProperty("maxlength");
});

test("the confirmation must be ticked", () => {
  const box = elementsOf(html, "input").find(
    ({ attributes }) => attributes.name === "confirmation",
  );
  expect(box?.attributes).toMatchObject({ type: "checkbox", required: "" });
  expect(box?.attributes).not.toHaveProperty("checked");
});

test("every field has a label of its own", () => {
  const labelled = elementsOf(html, "label").map((label) => label.attributes.for);
  for (const id of ["email", "reason", "feedback", "confirmation"]) expect(labelled).toContain(id);
});

test("the button works where no script ever arrives", () => {
  const button = elementsOf(html, "button").find(({ attributes }) => attributes.type === "submit");
  expect(textOf(button?.html ?? "")).toBe(words.form.submit);
  expect(button?.attributes).not.toHaveProperty("disabled");
  const form = elementsOf(html, "form")[0]?.attributes;
  expect(form).toMatchObject({ method: "post", action: "/delete-my-account#answer" });
  expect(form).not.toHaveProperty("novalidate");
  expect(linksOf(html)).toContainEqual(
    expect.objectContaining({ text: words.form.cancel, href: "/" }),
  );
});

test("help is one mail away", () => {
  expect(linksOf(html).some((link) => link.href === `mailto:${settings.email}`)).toBe(true);
});

test("what is deleted and what is kept stands in a table", () => {
  const table = textOf(elementsOf(html, "table")[0]?.html ?? "");
  for (const { kind } of campus.dataKinds) expect(table).toContain(kind);
  for (const { onDeletion, when } of campus.dataKinds) {
    if (onDeletion !== "kept") continue;
    expect(table).toContain(words.table.kept);
    expect(table).toContain(plain(when ?? ""));
  }
});

test("what to settle first, and what to do when the mailbox is closed", () => {
  for (const item of words.before.items) expect(text).toContain(textOf(item));
  expect(text).toContain(plain(words.closedMailbox.title));
});

test("each visitor's form has a key of its own", async () => {
  const keyOf = async () =>
    elementsOf(await site.read("/delete-my-account"), "input").find(
      ({ attributes }) => attributes.name === "formKey",
    )?.attributes.value;
  const [one, two] = [await keyOf(), await keyOf()];
  expect(one).toMatch(/^[\w-]{22}$/);
  expect(two).not.toBe(one);
});
