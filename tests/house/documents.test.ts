import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../scripts/commands.mjs";
import { root } from "../harness/campus.ts";
import { listAnchors } from "../harness/headings.ts";

const documents = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...globSync("docs/**/*.md", { cwd: root }),
].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** Finds matches in documents for which `isRight` returns false. */
function findWrong(pattern: RegExp, isRight: (match: RegExpExecArray, path: string) => boolean) {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)]
      .filter((match) => !isRight(match, path))
      .map(([whole]) => `${path}: ${whole}`),
  );
}

test("links in documents point to existing files", () => {
  const links = /\]\((?!https?:|mailto:|#)([^)#]+)[^)]*\)/g;
  expect(
    findWrong(links, ([, to = ""], path) => existsSync(join(root, dirname(path), to))),
  ).toEqual([]);
});

test("link anchors in documents match headings", () => {
  const links = /\]\((?!https?:|mailto:)([^)#]*)#([^)]+)\)/g;
  expect(
    findWrong(links, ([, to = "", anchor = ""], path) => {
      const target = to === "" ? path : join(dirname(path), to);
      if (!target.endsWith(".md")) return true;
      return listAnchors(readFileSync(join(root, target), "utf8")).includes(anchor);
    }),
  ).toEqual([]);
});

test("documents mentioned in source files exist", () => {
  const folders = "app,campus,campus-reader,examples,scripts,server,tests,vite,words";
  const sources = [
    ...["compose.yaml", "compose.env.example"],
    ...globSync(`{${folders}}/**/*.{ts,tsx,mjs,yaml,conf,service,timer}`, { cwd: root }),
    // Old campuses mention documents of earlier versions.
  ].filter((path) => !path.replaceAll("\\", "/").startsWith("tests/old-campuses/"));
  const wrong = sources.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const named = [...text.matchAll(/\bdocs\/[\w-]+\.(?:md|yaml)\b/g)].map(([name]) => name);
    return named.filter((name) => !existsSync(join(root, name))).map((name) => `${path}: ${name}`);
  });
  expect(wrong).toEqual([]);
});

test("files mentioned in documents exist", () => {
  const folders = "app|bench|campus|campus-reader|words|examples|scripts|server|tests|vite";
  const files = new RegExp(`(?<=\`)(?:${folders})/[\\w./-]+(?=\`)`, "g");
  expect(findWrong(files, ([file]) => existsSync(join(root, file)))).toEqual([]);
});

test("tests mentioned in documents exist", () => {
  const tests = globSync("{app,campus-reader,scripts,server,tests,vite}/**/*.{test,spec}.ts", {
    cwd: root,
  }).map((test) => basename(test));
  expect(
    findWrong(/(?<=`)[\w-]+\.(?:test|spec)\.ts(?=`)/g, ([name]) => tests.includes(name)),
  ).toEqual([]);
});

test("npm scripts and subcommands mentioned in documents exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(
    findWrong(/npm run (\w[\w:-]*\w)(?: -- ([a-z][\w-]*))?/g, ([, name = "", part = ""]) => {
      const parts = commands[name as keyof typeof commands];
      return name in scripts && (typeof parts !== "object" || part in parts);
    }),
  ).toEqual([]);
});
