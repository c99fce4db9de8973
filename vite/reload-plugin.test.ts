import { expect, test, vi } from "vitest";
import { root } from "./loaded-campus.ts";
import { reloadPlugin } from "./reload-plugin.ts";

test.each([
  ["app/pages/faq/faq-page.tsx", "reloads the page", 0, 1],
  ["app/art/people.tsx", "has every page made anew", 1, 1],
  ["words/en/mail.yaml", "has every page made anew", 1, 1],
  ["data/store.sqlite", "is none of the pages' business", 0, 0],
])("while the site is developed, a changed %s %s", (file, _, anew, reloads) => {
  const client = { moduleGraph: { invalidateAll: vi.fn() }, hot: { send: vi.fn() } };
  const asked = { file: `${root}/${file}`, server: { environments: { client } } };
  const update = reloadPlugin(`${root}/campus`).hotUpdate as (asked: object) => unknown;
  update.call({ environment: { name: "client" } }, asked);
  expect(client.moduleGraph.invalidateAll).toHaveBeenCalledTimes(anew);
  expect(client.hot.send).toHaveBeenCalledTimes(reloads);
});
