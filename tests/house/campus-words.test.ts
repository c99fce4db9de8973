import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadCampus } from "../../campus-reader/load.ts";
import { root } from "../harness/campus.ts";
import { readSources } from "../harness/sources.ts";

// Tests read the campus that they are given. What the specification fixes of the first one is tested in
// tests/default-campus, and four unit tests read its mails; elsewhere its words stand in no test, so that whoever changes
// them breaks none.

const { settings, posts, landing, ...words } = loadCampus(join(root, "campus"));
const { interface: frame, faq, deletion, mail, operator } = words;

/** Every text below a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

/** Who the campus is, and what its addresses name. */
const names = [
  settings.product,
  settings.campus,
  settings.city,
  settings.country,
  settings.wallet,
  settings.currency.sign,
  settings.email.split("@")[1] ?? "",
  ...settings.categories.map((category) => `"${category}"`),
  ...settings.categories.map((category) => `category=${encodeURIComponent(category)}`),
  ...landing.services.items.map(({ title }) => title),
  ...posts.flatMap(({ id, title, file }) => [
    title,
    `/blog/${id}"`,
    `/blog/${id}\``,
    file.replace(/^.*\//, ""),
  ]),
];

/** Its sentences: what stands between the places that are filled in, from so many letters on. */
const leastLetters = 12;
const sentences = textsIn([landing, frame, faq, deletion, mail, operator])
  .flatMap((text) => text.split(/\{+[^{}]*\}+|<[^>]*>|[\n{}]+/))
  .map((text) => text.trim())
  // How a message counts is no sentence.
  .filter((text) => text.length >= leastLetters && /\s/.test(text) && !/^\w+, plural/.test(text));

/** The commands speak for themselves; what a campus happens to say in the same words is theirs. */
const commands = readSources("server/command-line", "server/mail", "scripts", "server/outbox")
  .filter(({ path }) => !path.startsWith("scripts/new-campus/"))
  .map(({ text }) => text)
  .join("\n");
const isOurs = (text: string) => commands.includes(text) || text in mail.deliveryProblems;
const wanted = [...new Set([...names, ...sentences.filter((text) => !isOurs(text))])];

/** Tests that may hold such words, and why. */
const allowed: Record<string, string> = {
  "server/deletion-requests/telling/mail-writer.test.ts": "reads mails in the first campus's words",
  "server/deletion-requests/keeping/promised-dates.test.ts":
    "reads mails in the first campus's words",
  "server/deletion-requests/asking/submitting.test.ts": "reads mails in the first campus's words",
};

const tests = ["app", "campus-reader", "scripts", "server", "tests", "vite"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (file) => `${folder}/${file.replaceAll("\\", "/")}`,
    ),
  )
  .filter((file) => /\.(test|spec|fixture)\.tsx?$/.test(file) || /^tests\/.*\.ts$/.test(file))
  .filter((file) => !file.startsWith("tests/default-campus/") && !(file in allowed));

test("the search knows where to look and what for", () => {
  expect(tests.length).toBeGreaterThan(150);
  expect(wanted.length).toBeGreaterThan(800);
});

test("the first campus's words stand in no test", () => {
  const found = tests.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        (/^\s*(?:\/\/|\/?\*)/.test(line) ? [] : wanted)
          .filter((word) => line.includes(word))
          .map((word) => `${file}:${index + 1}: ${word}`),
      ),
  );
  expect(found).toEqual([]);
});
