import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createClassNames } from "./class-names.ts";

const root = mkdtempSync(join(tmpdir(), "class-names-"));
afterEach(() => rmSync(root, { recursive: true }));

function write(sheets: Record<string, string>): void {
  mkdirSync(join(root, "app"), { recursive: true });
  for (const [name, css] of Object.entries(sheets)) writeFileSync(join(root, "app", name), css);
}

test("each class of each file gets two letters of its own, in the order of files and classes", () => {
  write({
    "b.module.css": ".card { order: 1 } .card:hover .link { order: 2 }",
    "a.module.css": ".link { order: 1 } @keyframes turn { to { rotate: 1turn } }",
  });
  const nameOf = createClassNames(root);
  const file = (name: string) => join(root, "app", name);
  expect(nameOf("link", file("a.module.css"))).toBe("aa");
  expect(nameOf("turn", file("a.module.css"))).toBe("ab");
  expect(nameOf("card", file("b.module.css"))).toBe("ac");
  expect(nameOf("link", file("b.module.css"))).toBe("ad");
});

test("both halves of a build, and a file that is asked for in another way, get the same names", () => {
  write({ "a.module.css": ".one { order: 1 } .two { order: 2 }" });
  const file = join(root, "app/a.module.css");
  const names = createClassNames(root)("two", file);
  expect(createClassNames(root)("two", `${file}?inline`)).toBe(names);
});

test("what only a comment mentions is no class, and a class that is in no file ends the build", () => {
  write({ "a.module.css": "/* like .this */ .one { order: 1 }" });
  const nameOf = createClassNames(root);
  expect(() => nameOf("this", join(root, "app/a.module.css"))).toThrow(
    'the class "this" has no short name',
  );
});

test("hundreds of classes have different names that may stand in a selector", () => {
  const classes = Array.from({ length: 700 }, (_, index) => `class-${index}`);
  write({ "a.module.css": classes.map((name) => `.${name} { order: 1 }`).join("\n") });
  const nameOf = createClassNames(root);
  const names = classes.map((name) => nameOf(name, join(root, "app/a.module.css")));
  expect(new Set(names).size).toBe(700);
  for (const name of names) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9]$/);
});
