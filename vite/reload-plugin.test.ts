import { join } from "node:path";
import { expect, test } from "vitest";
import { reloadPlugin } from "./reload-plugin.ts";

const root = join(import.meta.dirname, "..");
const { hotUpdate } = reloadPlugin(join(root, "campus"));

/** What the browser is told when a file is saved; each of the server's environments hears of it. */
function toldAfterSaving(file: string): unknown[] {
  if (typeof hotUpdate !== "function") throw new Error("The plugin hears of no change");
  const told: unknown[] = [];
  const server = {
    environments: { client: { hot: { send: (said: unknown) => told.push(said) } } },
  };
  for (const name of ["client", "ssr"]) {
    hotUpdate.call({ environment: { name } } as never, { file: join(root, file), server } as never);
  }
  return told;
}

test.each(["app/root.tsx", "server/app.ts", "words/en/mail.yaml", "campus/content/en/faq.yaml"])(
  "a saved %s reloads the page, once",
  (file) => {
    expect(toldAfterSaving(file)).toEqual([{ type: "full-reload" }]);
  },
);

test("what no page is made of reloads nothing", () => {
  expect(toldAfterSaving("tests/house/paths.test.ts")).toEqual([]);
});
