import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "../../scripts/commands.mjs";
import { root } from "../harness/campus.ts";
import { findCircles, reachedFrom, readRooms } from "../harness/rooms.ts";
import { folders, type Import, importsOf, readSources } from "../harness/sources.ts";

const importsIn = (...folders: string[]): Import[] => readSources(...folders).flatMap(importsOf);
const folderOf = (path: string) => path.split("/")[0] ?? "";
const show = (imports: Import[]) => imports.map(({ from, to }) => `${from} -> ${to}`);

test("the server knows nothing of the pages, the build or the tests", () => {
  const wrong = importsIn("server").filter(
    ({ to }) => !/^(server|campus-reader|words)$/.test(folderOf(to)),
  );
  expect(show(wrong)).toEqual([]);
});

test("pages take from pages and the server; of the campus only its types, and what can be chosen", () => {
  const wrong = importsIn("app").filter(({ from, to, typeOnly }) => {
    if (from.endsWith(".css") || to.startsWith("app/")) return false;
    // React Router's generated types stand beside the routes.
    if (to.includes("/+types/")) return false;
    if (to === "campus-reader/choices.ts") return false;
    return folderOf(to) === "campus-reader" ? !typeOnly : folderOf(to) !== "server";
  });
  expect(show(wrong)).toEqual([]);
});

/** Everything that the files of a folder take, and what that takes, and so on; types leave no trace in what runs. */
function closureOf(folder: string): string[] {
  const running = importsIn("app", "server", "campus-reader").filter(({ typeOnly }) => !typeOnly);
  const takes = new Map<string, string[]>();
  for (const { from, to } of running) takes.set(from, [...(takes.get(from) ?? []), to]);
  const takers = [...takes.keys()].filter((path) => folderOf(path) === folder);
  return [...reachedFrom(takers, takes)].sort();
}

test("the campus takes from nobody but plain word lists and what makes a language", () => {
  const taken = closureOf("campus-reader").filter((path) => folderOf(path) !== "campus-reader");
  expect(taken).toEqual([
    "server/addresses/short-address.ts",
    "server/database/schema.ts",
    "server/http/paths.ts",
    "server/language/in-language.ts",
    "server/language/texts.ts",
    "server/terms.ts",
  ]);
});

test("nothing that a page takes can reach the store, the outbox or the mail server", () => {
  const reached = closureOf("app").filter((path) => folderOf(path) === "server");
  expect(reached).toContain("server/app.ts");
  // How a row is read and written is a pure function, and reaches no database.
  const pure = ["server/database/rows.ts", "server/database/schema.ts"];
  const wrong = reached.filter(
    (path) =>
      /^server\/(?:database|outbox|open|services|scheduler|mail\/(?:mailer|files))/.test(path) &&
      !pure.includes(path),
  );
  expect(wrong).toEqual([]);
});

test("only the build reads the campus's content; everybody else is handed the checked result", () => {
  const readers = importsIn("app", "server").filter(
    ({ to, typeOnly }) =>
      /^campus-reader\/(load|markdown|content-schema)\.ts$/.test(to) && !typeOnly,
  );
  expect(show(readers)).toEqual([]);
  const mentions = readSources("app", "server")
    .filter(({ text }) =>
      /campus\/content|content\/en/.test(text.replace(/^\s*(\*|\/\/|\/\*).*$/gm, "")),
    )
    .map(({ path }) => path);
  expect(mentions).toEqual([]);
});

describe("the rooms of the server", () => {
  test("stand on floors, the folders beside them too: no way leads from one back to itself", () => {
    const beside = ["campus-reader", "app", "vite", "scripts", "bench"];
    expect(findCircles(readRooms("server", ...beside))).toEqual([]);
    const circular = new Map([
      ["mail", new Set(["outbox"])],
      ["outbox", new Set(["keys", "mail"])],
      ["keys", new Set<string>()],
    ]);
    expect(findCircles(circular)).toEqual([["mail", "outbox"]]);
  });

  test("know only what is below them", () => {
    const rooms = readRooms();
    const takes = (room: string) => [...(rooms.get(room) ?? [])].sort();
    for (const ground of ["addresses", "calendar", "terms.ts"]) expect(takes(ground)).toEqual([]);
    expect(takes("database")).toEqual(["terms.ts"]);
    expect(takes("keys")).toEqual(["database"]);
    expect(takes("outbox")).toEqual(["database", "keys", "terms.ts"]);
    expect(takes("mail")).toEqual(["addresses", "keys", "terms.ts"]);
  });

  test("those of the requests stand in one line, each upon those before it", () => {
    const line = ["life", "store", "ledger", "telling", "working", "asking", "keeping"];
    const rooms = readRooms("server/deletion-requests");
    expect([...rooms.keys()].sort()).toEqual([...line].sort());
    for (const [room, takes] of rooms) {
      expect(line.slice(0, line.indexOf(room)), room).toEqual(expect.arrayContaining([...takes]));
    }
  });
});

/** What is one module's alone, as it is written in code. NODE_ENV is the build's own: development or not. */
const owned: [what: string, written: RegExp, owner: RegExp][] = [
  [
    "reads the environment",
    /process\.env(?!\.NODE_ENV|\["NODE_ENV"\])/,
    /^server\/(?:start-server|command-line\/[\w-]+)\.ts$/,
  ],
  ["touches the embedded database", /from "node:sqlite"/, /^server\/database\/sqlite\.ts$/],
  [
    "says what is done with rows of the outbox",
    /(?:From|Into|Table|Join)\(\s*\[?"outbox\b|\.table\("outbox"/,
    /^server\/(?:outbox\/outbox\.ts$|database\/)/,
  ],
  [
    "changes rows of requests",
    /(?:updateTable|deleteFrom|insertInto|inserting|updating|storing|deleting)\(\s*"requests"/,
    /^server\/deletion-requests\/store\/requests\.ts$/,
  ],
];

test.each(owned)("only one module %s", (_, written, owner) => {
  const writers = readSources("app", "server")
    .filter(({ text }) => written.test(text))
    .map(({ path }) => path);
  expect(writers.length).toBeGreaterThan(0);
  expect(writers.filter((path) => !owner.test(path))).toEqual([]);
});

test("no folder is a drawer for everything, and no file a barrel", () => {
  for (const { path } of readSources(...folders)) {
    expect(path).not.toMatch(/(^|\/)(utils?|lib|helpers?|common|types|misc)(\/|\.)/);
    expect(path).not.toMatch(/(^|\/)index\.tsx?$/);
    expect(path.split("/").at(-1), path).toMatch(/^[a-z0-9.-]+$|^README\.md$/);
  }
});

test("every decision that code or documents name exists", () => {
  const decisions = readSources("docs/decisions");
  const numbers = decisions.map(({ path }) => path.slice("docs/decisions/".length).slice(0, 4));
  const said =
    /(?<=decisions?[ /]|\((?:\d{4}, )*|decisions (?:\d{4}, )*)0[01]\d\d(?=[-,.):; ]|$)/gm;
  const missing = readSources(...folders).flatMap(({ path, text }) =>
    (text.match(said) ?? [])
      .filter((one) => !numbers.includes(one))
      .map((one) => `${path}: ${one}`),
  );
  expect(missing).toEqual([]);
});

test("links, files and commands that the documents name are there", () => {
  const read = (path: string) => ({ path, text: readFileSync(join(root, path), "utf8") });
  const manuals = readSources("docs").filter(({ path }) => path.endsWith(".md"));
  const { scripts } = JSON.parse(read("package.json").text) as { scripts: object };
  const tested = "{app,campus-reader,scripts,server,tests,vite}";
  const tests = globSync(`${tested}/**/*.{test,spec}.ts`, { cwd: root }).map((test) =>
    basename(test),
  );
  const isThere = (name = "", part = "") => {
    const parts = commands[name as keyof typeof commands];
    return name in scripts && (typeof parts !== "object" || part in parts);
  };
  const missing = [read("README.md"), ...manuals].flatMap(({ path, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = ""]) => to);
    const files = text.match(
      /(?<=`)(app|bench|campus|campus-reader|words|examples|scripts|server|tests|vite)\/[\w./-]+(?=`)/g,
    );
    const said = [...text.matchAll(/npm run (\w[\w:-]*\w)(?: -- ([a-z][\w-]*))?/g)];
    return [
      ...links.filter((to) => !existsSync(join(root, dirname(path), to))),
      ...(files ?? []).filter((file) => !existsSync(join(root, file))),
      ...(text.match(/(?<=`)[\w-]+\.(test|spec)\.ts(?=`)/g) ?? []).filter(
        (test) => !tests.includes(test),
      ),
      ...said.filter(([, name, part]) => !isThere(name, part)).map(([command]) => command),
    ].map((one) => `${path}: ${one}`);
  });
  expect(missing).toEqual([]);
});
