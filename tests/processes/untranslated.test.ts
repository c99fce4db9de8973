import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeMarks } from "../../server/platform/i18n/borrowed-words.ts";
import { campus, contentPaths, root } from "../harness/campus.ts";
import { copyCampus } from "../harness/campus-copy.ts";
import { startServerProcess } from "../harness/server-process.ts";

/**
 * A campus with a language that the product isn't translated into. Pages in that language borrow
 * all of the product's texts.
 */

const copy = copyCampus(join(root, "campus"));
copy.change("campus.yaml", /^ {2}bn:$/m, "  nb:");
for (const file of ["calendar.yaml", "deletion.yaml"]) copy.change(file, /\bbn:/g, "nb:");
copy.write("content/nb/faq.yaml", copy.read("content/bn/faq.yaml"));
copy.remove("content/bn");

let server: Awaited<ReturnType<typeof startServerProcess>>;
beforeAll(async () => {
  server = await startServerProcess(
    { NODE_ENV: "development", CAMPUS_DIR: copy.folder },
    undefined,
    "vite/development.ts",
  );
});
afterAll(async () => {
  await server?.stop();
  copy[Symbol.dispose]();
});

const textOnly = /<(title|script|style|option|textarea)\b.*?<\/\1>/gs;

test("prints borrowed text only in elements that declare its language", async () => {
  const paths = contentPaths.filter((path) => !path.startsWith("/blog"));
  for (const path of [...paths, "/blog", "/delete-my-account", "/nowhere"]) {
    const html = await (await fetch(`${server.url}/nb${path === "/" ? "" : path}`)).text();
    const texts = html.replace(textOnly, "").match(/(?<=>)[^<]+/g) ?? [];
    expect(
      texts.filter((text) => text !== removeMarks(text)),
      path,
    ).toEqual([]);
  }
});

test("declares the language of a borrowed headline", async () => {
  const html = await (await fetch(`${server.url}/nb/delete-my-account`)).text();
  expect(html).toContain(`<h1><span lang="en">${campus.deletion.title}</span></h1>`);
});
