import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { campus, campusDir } from "../harness/campus.ts";
import { copyCampus } from "../harness/campus-copy.ts";
import { runToEnd } from "../harness/server-process.ts";

async function end(folder: string, ...words: string[]) {
  const ending = await runToEnd("scripts/translations.ts", { CAMPUS_DIR: folder }, words);
  expect(ending.stdout + ending.stderr).not.toMatch(/^\s+at /m);
  return ending;
}

const git = (folder: string, ...words: string[]) => spawnSync("git", ["-C", folder, ...words]);

test.skipIf(git(".", "--version").status !== 0)(
  "lists the individual changed texts if the accepted version is in Git",
  async () => {
    using copy = copyCampus(campusDir);
    git(copy.folder, "init", "--quiet");
    await end(copy.folder, "--accept", "bn");
    git(copy.folder, "add", "content");
    copy.change("content/en/landing.yaml", 'joinNote: "', 'joinNote: "Leap: ');
    expect((await end(copy.folder)).stdout.match(/^ {2}bn.*$/gm)).toEqual([
      "  bn/landing.yaml: registration.joinNote: has changed in en/landing.yaml since; compare both, then say --accept bn/landing.yaml",
    ]);
  },
);

test("lists a changed file until its translation is accepted", async () => {
  using copy = copyCampus(campusDir);
  const run = async (...words: string[]) => (await end(copy.folder, ...words)).stdout;
  await run("--accept", "bn");
  expect(await run()).not.toMatch(/^ {2}/m);

  copy.change("content/en/landing.yaml", 'joinNote: "', 'joinNote: "Leap: ');
  expect(await run()).toMatch(
    /bn\/landing\.yaml: .* \(\d+ %\)\n {2}bn\/landing\.yaml: \(whole file\): has changed in en\/landing\.yaml since; compare both, then say --accept bn\/landing\.yaml\n/,
  );
  expect(await run("--accept", "bn/landing.yaml")).toContain("landing.yaml");
  expect(await run()).not.toMatch(/^ {2}/m);

  copy.change("content/bn/faq.yaml", "question: ", "questoin: ");
  const first = campus.faq[0]?.id;
  copy.write("content/bn/posts/0-nothing.md", "---\ntitle: Nothing\n---\n");
  expect((await run()).match(/^ {2}.*$/gm)).toEqual([
    `  bn/faq.yaml: ${first}.question: is missing; translate that of en/faq.yaml`,
    `  bn/faq.yaml: ${first}.questoin: is not in en/faq.yaml; remove it, or check its spelling`,
    "  bn/posts/0-nothing.md: (whole file): translates no file in en; check its name",
  ]);

  const opened = campus.posts.find(({ standfirst }) => standfirst);
  const post = basename(opened?.file ?? "");
  copy.change(`content/bn/posts/${post}`, /^standfirst: .*\n/m, "");
  expect(await run()).toContain(`bn/posts/${post}: standfirst: is missing;`);
  copy.remove(`content/bn/posts/${post}`);
  expect(await run()).toMatch(
    new RegExp(
      `${RegExp.escape(post)}: 0 of \\d+ \\(0 %\\)\\n.*: \\(whole file\\): is missing; until it is there, `,
    ),
  );

  expect(await end(copy.folder, "--accept", "bn/faqs.yaml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("bn/faqs.yaml is not a text of this campus"),
  });
  copy.change("content/bn/faq.yaml", 'question: "', 'question: "a" "');
  expect(await end(copy.folder)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /content\/bn\/faq\.yaml: \(whole file\): .*; put the whole text in quotes/,
    ),
  });
});
