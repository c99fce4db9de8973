import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { campusDir } from "../tests/harness/campus.ts";
import { campusPlugin } from "./campus-plugin.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "campus-plugin-"));
  cpSync(campusDir, root, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

/** What the build gets for the pages' import, or the message with which it ends. */
function build(): string {
  const plugin = campusPlugin(root) as unknown as {
    resolveId(source: string): string | undefined;
    load(source: string): string;
  };
  const context = {
    environment: { name: "ssr" },
    error(message: string) {
      throw new Error(message);
    },
  };
  return plugin.load.call(context as never, plugin.resolveId("virtual:campus") ?? "");
}

test("the pages are handed the checked campus and its colours", () => {
  const code = build();
  expect(code).toMatch(/^export const campus = \{/);
  expect(code).toContain("export const theme = {");
});

test("a mistake in the content fails the build with file, field and reason", () => {
  writeFileSync(join(root, "content/en/faq.yaml"), "- id: x\n  question: ''\n  answer: a\n");
  expect(build).toThrow("content/en/faq.yaml: 0.question: must not be empty");
});

test("a fact that a mail does not know fails the build with file, field and reason", () => {
  writeFileSync(join(root, "content/en/mail.yaml"), "confirm: { title: 'By {dueDate}' }");
  expect(build).toThrow("content/en/mail.yaml: confirm.title: {dueDate} is no known");
});

test("a mail that cannot be written fails the build with its kind and the reason", () => {
  const file = join(root, "theme.css");
  const theme = readFileSync(file, "utf8");
  writeFileSync(file, theme.replaceAll(/--on-marigold:[^;]*;/g, ""));
  expect(build).toThrow(/mail\.yaml: confirm: The look has no colour on-marigold/);
});

test("a colour that is none fails the build with scheme, name and reason", () => {
  writeFileSync(join(root, "theme.css"), ":root { --ink: darkblue; }");
  expect(build).toThrow("theme.css: light --ink: must be a colour");
});
