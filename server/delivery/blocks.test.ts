import { expect, test } from "vitest";
import { borrow } from "../platform/i18n/borrowed-words.ts";
import { createSplitRuns } from "../platform/i18n/text-runs.ts";
import { type Block, writeMail, writeText } from "./blocks.ts";

const names =
  "paper surface ink ink-soft link primary on-primary outline marigold on-marigold rani on-rani field-line";
const colours = Object.fromEntries(names.split(" ").map((name) => [name, "#1d1433"]));

const html = (...blocks: Block[]) => htmlIn("en", ...blocks);

const htmlIn = (language: string, ...blocks: Block[]) =>
  writeMail({
    language,
    subject: "Subject",
    preview: "Preview",
    brand: "Brand",
    title: "Title",
    blocks,
    theme: { light: colours, dark: colours },
    hem: "waves",
    split: createSplitRuns({ language, product: "Brand", developer: "", campus: "" }),
  }).html;

test("links an email address in our text but not in a quote from a user", () => {
  const ours = "Questions? Write to help@rides.example. A person answers.";
  expect(html({ kind: "small", text: ours })).toContain(
    'Write to <a href="mailto:help@rides.example" translate="no" dir="ltr">help@rides.example</a>. A person',
  );
  expect(html({ kind: "paragraph", text: ours })).toContain("mailto:help@rides.example");
  expect(html({ kind: "quote", text: "Write to evil@x.example" })).not.toContain("mailto:");
});

test("hides the preview text even if the email client strips the style sheet", () => {
  const withoutSheet = html().replace(/<style>.*<\/style>/s, "");
  expect(withoutSheet).toMatch(/<div style="display:none;[^"]*mso-hide:all">Preview<\/div>/);
});

test("breaks a command only between words in HTML and never in plain text", () => {
  const text =
    "npm run account-system -- take REF --as NAME --with a-word-that-is-long --and another";
  expect(html({ kind: "command", text })).toContain(
    '<p class="command"><code translate="no" dir="ltr">npm run <span class="whole">account-system</span> <span class="whole">--</span> take REF',
  );
  expect(writeText("Title", [{ kind: "command", text }])).toContain(`\n\n    ${text}\n`);
});

test("formats the name of a setting as code in HTML but not in plain text", () => {
  const block = { kind: "paragraph", text: "as many as `MAX_UNCONFIRMED` allows" } as const;
  expect(html(block)).toContain(
    'as many as <code translate="no" dir="ltr">MAX_UNCONFIRMED</code> allows',
  );
  expect(writeText("Title", [block])).toContain("as many as MAX_UNCONFIRMED allows");
});

test("allows line breaks in a button's URL only between its parts", () => {
  const address = "https://rides.example/bn/delete-my-account?link=abc&visit=1";
  const button: Block = { kind: "button", text: "Open", by: "by Monday", address };
  const copied: Block = { kind: "address", text: "Or copy:", address };
  const written = html(button, copied);
  const href = address.replace("&", "&amp;");
  expect(written.split(`href="${href}"`)).toHaveLength(3);
  expect(writeText("Title", [button, copied])).toBe(
    `Title\n=====\n\nOpen\nby Monday:\n${address}\n`,
  );
  expect(written).toContain(
    ">https://rides.example<wbr>/bn<wbr>/delete-my-account?link=abc<wbr>&amp;visit=1</a>",
  );
});

test("links a reference to its URL in HTML and prints the URL in plain text", () => {
  const address = "https://rides.example/operator/requests/K7RM-4XQP";
  const facts = { kind: "facts", rows: [["K7RM-4XQP", "due today", address]] } as const;
  const list = { kind: "list", items: ["K7RM-4XQP, receipt"], addresses: [address] } as const;
  const link = `<a href="${address}"><span class="whole" translate="no">K7RM-4XQP</span></a>`;
  expect(html(facts)).toContain(`<th scope="row">${link}</th><td>due today</td>`);
  expect(html(list)).toContain(`<li>${link}, receipt</li>`);
  for (const block of [facts, list]) {
    expect(html(block).split(address)).toHaveLength(2);
    expect(writeText("Title", [block])).toContain(`\n${address}\n`);
  }
});

test("uses no-break spaces in dates in HTML but plain spaces in plain text", () => {
  const text = `${"x".repeat(60)} by Monday 14\u00a0December 2026`;
  expect(writeText("Title", [{ kind: "paragraph", text }])).toContain(
    "by Monday\n14 December 2026",
  );
  expect(html({ kind: "paragraph", text })).toContain("14\u00a0December");
});

test("marks borrowed text once, around its bold words and addresses", () => {
  const text = borrow("Write to **us** or a@uni.example.", "english");
  expect(htmlIn("ar", { kind: "paragraph", text })).toContain(
    '<p><span lang="en" dir="ltr">Write to <strong>us</strong> or <a href="mailto:a@uni.example" translate="no" dir="ltr">a@uni.example</a>.</span></p>',
  );
});

test("isolates codes and words in another script between Arabic words", () => {
  const written = htmlIn("ar", { kind: "paragraph", text: "رقم 5723-KM42 يعني welcome" });
  expect(written).toContain(
    '<p>رقم <span dir="ltr">5723-KM42</span> يعني <span lang="en" dir="ltr">welcome</span></p>',
  );
  const address = "https://uni.example/delete?link=a";
  expect(htmlIn("ar", { kind: "address", text: "أو", address })).toContain(
    `<a href="${address}" dir="ltr">https://uni.example<wbr>/delete?link=a</a>`,
  );
});
