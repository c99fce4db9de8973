import { brotliDecompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { campus, say } from "../harness/campus.ts";
import { valuesOf } from "../harness/deletion-form.ts";
import { elementsOf, linksOf, mainOf, plain, textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const { deletion: words, settings } = campus;
const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());
const html = mainOf(await site.read("/delete-my-account"));
const text = textOf(html);

test("once ten are done, everybody reads how many were done in time, and the page is still light", async () => {
  expect(text).not.toContain(String(words.kept).split("{")[0]?.trim());
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

test("what is required is checked by the browser, and nothing is cut off there", () => {
  const field = (tag: string, name: string) =>
    elementsOf(html, tag).find(({ attributes }) => attributes.name === name)?.attributes;
  expect(field("input", "email")).toMatchObject({
    type: "email",
    required: "",
    autocomplete: "email",
  });
  expect(field("select", "reason")).toMatchObject({ required: "" });
  expect(field("textarea", "feedback")).toMatchObject({ rows: "4" });
  expect(field("textarea", "feedback")).not.toHaveProperty("required");
  for (const [tag, name] of [
    ["input", "email"],
    ["textarea", "feedback"],
  ] as const) {
    expect(field(tag, name)).not.toHaveProperty("maxlength");
  }
  const box = field("input", "confirmation");
  expect(box).toMatchObject({ type: "checkbox", required: "" });
  expect(box).not.toHaveProperty("checked");
  const labelled = elementsOf(html, "label").map((label) => label.attributes.for);
  for (const id of ["email", "reason", "feedback", "confirmation"]) expect(labelled).toContain(id);
});

test("the button works where no script ever arrives", () => {
  const button = elementsOf(html, "button").find(({ attributes }) => attributes.type === "submit");
  expect(button?.attributes).not.toHaveProperty("disabled");
  const form = elementsOf(html, "form")[0]?.attributes;
  expect(form).toMatchObject({ method: "post", action: "/delete-my-account#answer" });
  expect(form).not.toHaveProperty("novalidate");
});

test("it names app and developer as the shop does, whom to ask, what to settle first and what is kept", () => {
  expect(text).toContain(settings.product);
  expect(text).toContain(settings.developer);
  expect(linksOf(html).some((link) => link.href === `mailto:${settings.email}`)).toBe(true);
  for (const item of words.before.items) expect(text).toContain(textOf(item));
  const table = textOf(elementsOf(html, "table")[0]?.html ?? "");
  for (const { kind, onDeletion, when } of campus.dataKinds) {
    expect(table).toContain(kind);
    if (onDeletion === "kept") expect(table).toContain(plain(when ?? ""));
  }
});

test("each visitor's form has a key of its own", async () => {
  const keyOf = async () => valuesOf(await site.read("/delete-my-account")).formKey;
  const [one, two] = [await keyOf(), await keyOf()];
  expect(one).toMatch(/^[\w-]{22}$/);
  expect(two).not.toBe(one);
});
