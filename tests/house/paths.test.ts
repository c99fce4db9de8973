import { expect, test } from "vitest";
import routes from "../../app/routes.ts";
import { pagePaths, paths } from "../../server/http/paths.ts";
import { readSources } from "../harness/sources.ts";

const table = "server/http/paths.ts";
const answered = routes
  .flatMap((route) => route.children ?? [route])
  .map(({ path = "" }) => `/${path}`);
const written = Object.values(paths).map((path) =>
  typeof path === "function" ? (path as (id: string) => string)("12") : path,
);

/** Files whose code has an address in quotes, whatever query or anchor follows. */
function filesWith(address: string): string[] {
  const quoted = new RegExp(`^(?!\\s*(//|/?\\*)).*["'\`}]${address}["'\`?#/]`, "m");
  return readSources("app", "server")
    .filter(({ text }) => quoted.test(text))
    .map(({ path }) => path);
}

test("every address of the table is answered by a route, and every route is in the table", () => {
  const pages = written.map((path) => path.replace(/#.*/, "").replace("/12", "/:id"));
  expect(new Set(pages)).toEqual(new Set(answered));
});

test.each(answered.filter((path) => path !== pagePaths.landing && !path.includes(":")))(
  "%s is written out in the table of addresses only",
  (address) => {
    expect(filesWith(address)).toEqual([table]);
  },
);
