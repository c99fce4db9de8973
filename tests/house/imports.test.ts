import { expect, test } from "vitest";
import { type Import, importsOf, readSources } from "../harness/sources.ts";

const importsIn = (...folders: string[]): Import[] => readSources(...folders).flatMap(importsOf);
const folderOf = (path: string) => path.split("/")[0] ?? "";
const show = (imports: Import[]) => imports.map(({ from, to }) => `${from} -> ${to}`);

test("the check sees imports", () => {
  const found = importsIn("app", "server");
  expect(found.length).toBeGreaterThan(100);
  expect(
    found.some((one) => one.from === "server/main.ts" && one.to === "server/start-server.ts"),
  ).toBe(true);
});

test("the server knows nothing of the pages, the build or the tests", () => {
  const wrong = importsIn("server").filter(({ to }) => !/^(server|campus)$/.test(folderOf(to)));
  expect(show(wrong)).toEqual([]);
});

test("pages take from pages and the server; of the campus only its types", () => {
  const wrong = importsIn("app").filter(({ from, to, typeOnly }) => {
    if (from.endsWith(".css") || to.startsWith("app/")) return false;
    // React Router's generated types stand beside the routes.
    if (to.includes("/+types/")) return false;
    if (to === "campus/theme.css") return false;
    return folderOf(to) === "campus" ? !typeOnly : folderOf(to) !== "server";
  });
  expect(show(wrong)).toEqual([]);
});

test("the campus takes from nobody but the server's plain word lists", () => {
  const imports = importsIn("campus").filter(({ to }) => folderOf(to) !== "campus");
  expect(show(imports.filter(({ to }) => folderOf(to) !== "server"))).toEqual([]);
  for (const { to } of imports) {
    const source = readSources("server").find(({ path }) => path === to);
    const onward = source ? importsOf(source).filter(({ typeOnly }) => !typeOnly) : [];
    const far = onward.filter((one) => !/^(server|campus)$/.test(folderOf(one.to)));
    expect(show(far), to).toEqual([]);
  }
});

test("only the build reads the campus's content; everybody else is handed the checked result", () => {
  const readers = importsIn("app", "server").filter(
    ({ to, typeOnly }) => /^campus\/(load|markdown|content-schema)\.ts$/.test(to) && !typeOnly,
  );
  expect(show(readers)).toEqual([]);
  const mentions = readSources("app", "server")
    .filter(({ text }) =>
      /campus\/content|content\/en/.test(text.replace(/^\s*(\*|\/\/|\/\*).*$/gm, "")),
    )
    .map(({ path }) => path);
  expect(mentions).toEqual([]);
});

test("only one module reads the environment", () => {
  const readers = readSources("app", "server")
    // NODE_ENV is the build's own: development or not.
    .filter(({ text }) => /process\.env(?!\.NODE_ENV|\["NODE_ENV"\])/.test(text))
    .map(({ path }) => path);
  for (const path of readers) {
    expect(path).toMatch(/^server\/(start-server|command-line\/[\w-]+)\.ts$/);
  }
});

test("only one module touches the embedded database", () => {
  const users = readSources("app", "server")
    .filter(({ text }) => /from "node:sqlite"/.test(text))
    .map(({ path }) => path);
  expect(users).toEqual(["server/database/sqlite.ts"]);
});

test("no folder is a drawer for everything, and no file a barrel", () => {
  for (const { path } of readSources("app", "server", "campus", "vite", "tests", "scripts")) {
    expect(path).not.toMatch(/(^|\/)(utils?|lib|helpers?|common|types|misc)(\/|\.)/);
    expect(path).not.toMatch(/(^|\/)index\.tsx?$/);
    expect(path.split("/").at(-1), path).toMatch(/^[a-z0-9.-]+$|^LICENSE$/);
  }
});
