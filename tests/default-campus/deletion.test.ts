import { afterAll, beforeAll, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { filledForm } from "../harness/deletion-form.ts";
import { elementsOf, linksOf, mainOf, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

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

test("the heading and the button are the task", () => {
  const headings = elementsOf(html, "h1").map((heading) => textOf(heading.html));
  expect(headings).toEqual(["Delete My Account"]);
  const button = elementsOf(html, "button").find(({ attributes }) => attributes.type === "submit");
  expect(textOf(button?.html ?? "")).toBe("Delete My Account");
  expect(linksOf(html)).toContainEqual(expect.objectContaining({ text: "Cancel", href: "/" }));
  expect(campus.deletion.form.processing).toBe("Processing...");
});

test("the account stays usable until then, and it takes 7-10 business days", () => {
  expect(text).toMatch(/stays active and usable until the deletion is complete/);
  expect(text).toMatch(/7-10 business days/);
});

test("the six reasons", () => {
  const [, ...reasons] = elementsOf(elementsOf(html, "select")[0]?.html ?? "", "option");
  expect(reasons.map((option) => textOf(option.html))).toEqual([
    "I no longer need the service",
    "Privacy concerns",
    "Found a better alternative",
    "Too many notifications",
    "Technical issues",
    "Other",
  ]);
});

test("what is kept is kept for 24 months", () => {
  const table = textOf(elementsOf(html, "table")[0]?.html ?? "");
  expect(table).toContain("Kept");
  expect(table).toContain("24 months");
});

test("what to settle first, and that a break is no deletion", () => {
  expect(text).toMatch(/open ride/i);
  expect(text).toMatch(/dues/i);
  expect(text).toMatch(/freezing/i);
  expect(text).toMatch(/mailbox is closed/i);
});

test("after sending: the panel's words, and its two ways on", async () => {
  const sent = await site.post("/delete-my-account", filledForm());
  const panel = mainOf(await site.read(sent.headers.get("location") ?? ""));
  expect(textOf(panel)).toContain("Account Deletion Request Submitted");
  expect(linksOf(panel)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ text: "Return to Home", href: "/" }),
      expect.objectContaining({ text: "Submit Another Request", href: "/delete-my-account" }),
    ]),
  );
});
