// Copies everything that the site and its commands need at run time into a new folder, for a
// container image that includes Node: node scripts/image-files.mjs FOLDER. Excludes tests, the
// pinned Node and all packages that are only needed for builds. Run `npm run build` first.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import {
  buildDir,
  campusDir,
  describeInstallation,
  fail,
  findBuild,
  installStamp,
  root,
} from "./project.mjs";

const [target, ...others] = process.argv.slice(2);
if (!target || others.length > 0) fail("node scripts/image-files.mjs FOLDER");
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`);
if (findBuild() !== "present") fail("Run `npm run build` first.");

/** Matches imports of packages, except type-only imports. The group captures the package's name. */
const importPattern =
  /(?:^import (?!type\b)(?:[^;"]*? from )?|^export [^;"]*? from |\bimport\()"((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"/gm;

const copy = (path, from = join(root, path)) =>
  cpSync(from, join(target, path), { recursive: true, dereference: true, filter: isNeeded });
const isNeeded = (path) => !/\.(?:test|fixture)\.tsx?$/.test(path);

mkdirSync(target, { recursive: true });
const scripts = readdirSync(join(root, "scripts")).filter((name) => name.endsWith(".mjs"));
for (const path of [
  "server",
  "campus-reader",
  "words",
  "package.json",
  "package-lock.json",
  ".npmrc",
]) {
  copy(path);
}
for (const name of scripts) copy(join("scripts", name));
copy(relative(root, campusDir), campusDir);
copy(basename(buildDir), realpathSync(buildDir));
for (const path of findPackages()) copy(path);
writeFileSync(join(target, installStamp), describeInstallation());

/** Finds the folders of all packages that the copied code imports, and of their dependencies. */
function findPackages() {
  const found = new Set();
  const add = (name, from) => {
    const path = findPackage(name, from);
    if (!path || found.has(path)) return;
    found.add(path);
    const { dependencies = {}, optionalDependencies = {} } = readJson(join(root, path));
    for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) add(other, path);
  };
  const code = ["server", "campus-reader", basename(buildDir)].flatMap((folder) =>
    readdirSync(join(target, folder), { recursive: true })
      .filter((name) => /\.(?:ts|js)$/.test(name) && !name.startsWith("client"))
      .map((name) => readFileSync(join(target, folder, name), "utf8")),
  );
  for (const text of code) {
    for (const [, name] of text.matchAll(importPattern)) add(name, "");
  }
  return found;
}

/** Finds a package as Node does: in the importing package, then in its parent folders. */
function findPackage(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder === "." ? "" : folder, "node_modules", name);
    if (existsSync(join(root, path, "package.json"))) return path;
    if (folder === "" || folder === ".") return undefined;
  }
}

function readJson(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
