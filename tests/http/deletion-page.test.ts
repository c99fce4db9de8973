import { afterAll, beforeAll, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { elementsOf, linksOf, mainOf, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

const { settings } = campus;
let site: TestSite;
let html: string;
let text: string;
beforeAll(async () => {
  site = await openTestSite();
  html = mainOf(await site.read("/delete-my-account"));
  text = textOf(html);
});
afterAll(() => site[Symbol.asyncDispose]());

test.each([
  "ACCOUNT MANAGEMENT",
  "Important Notice",
  "Deleting your account will permanently remove all your data, including ride history, preferences, and personal information. This action cannot be reversed.",
  "Account Deletion Form",
  "Email Address",
  "Reason for Account Deletion",
  "Additional Feedback (Optional)",
  "Need Help?",
])("the page says: %s", (sentence) => {
  expect(text).toContain(sentence);
});

test("the heading is the task", () => {
  expect(elementsOf(html, "h1").map((heading) => textOf(heading.html))).toEqual([
    "Delete My Account",
  ]);
});

test("the page names app and developer exactly as the shop does", () => {
  expect(text).toContain(settings.product);
  expect(text).toContain(settings.developer);
});

test("the account stays usable until then, and it takes 7-10 business days", () => {
  expect(text).toMatch(/stays active and usable until the deletion is complete/);
  expect(text).toMatch(/7-10 business days/);
});

test("the address is required and checked by the browser", () => {
  const email = elementsOf(html, "input").find(({ attributes }) => attributes.name === "email");
  expect(email?.attributes).toMatchObject({ type: "email", required: "", autocomplete: "email" });
  expect(email?.attributes).not.toHaveProperty("maxlength");
});

test("the six reasons, and one of them is required", () => {
  const select = elementsOf(html, "select")[0];
  expect(select?.attributes).toMatchObject({ name: "reason", required: "" });
  const [placeholder, ...reasons] = elementsOf(select?.html ?? "", "option");
  expect(placeholder?.attributes.value).toBe("");
  expect(reasons.map((option) => textOf(option.html))).toEqual([
    "I no longer need the service",
    "Privacy concerns",
    "Found a better alternative",
    "Too many notifications",
    "Technical issues",
    "Other",
  ]);
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
  expect(textOf(button?.html ?? "")).toBe("Delete My Account");
  expect(button?.attributes).not.toHaveProperty("disabled");
  const form = elementsOf(html, "form")[0]?.attributes;
  expect(form).toMatchObject({ method: "post", action: "/delete-my-account#answer" });
  expect(form).not.toHaveProperty("novalidate");
  expect(linksOf(html)).toContainEqual(expect.objectContaining({ text: "Cancel", href: "/" }));
});

test("help is one mail away", () => {
  expect(linksOf(html).some((link) => link.href === `mailto:${settings.email}`)).toBe(true);
});

test("what is deleted and what is kept stands in a table", () => {
  const table = textOf(elementsOf(html, "table")[0]?.html ?? "");
  for (const { kind } of campus.dataKinds) expect(table).toContain(kind);
  expect(table).toContain("Kept");
  expect(table).toContain("24 months");
});

test("what to settle first, and that a break is no deletion", () => {
  expect(text).toMatch(/open ride/i);
  expect(text).toMatch(/dues/i);
  expect(text).toMatch(/freezing/i);
  expect(text).toMatch(/mailbox is closed/i);
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
