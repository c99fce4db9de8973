import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "vite";
import { expect, test } from "vitest";
import { loadModules } from "./load-modules.ts";

test("loads one copy of each module even if a file changes in the meantime", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "modules-"));
  const files = {
    "shared.ts": "export const shared = {};",
    "before.ts": `export { shared } from "./shared.ts"; globalThis.changeFile();`,
    "after.ts": `export { shared } from "./shared.ts";`,
    "entry.ts": `
      import { shared as before } from "./before.ts";
      import { shared as after } from "./after.ts";
      export { before, after };`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  const vite = await createServer({
    root: folder.path,
    configFile: false,
    logLevel: "error",
    server: { middlewareMode: true, ws: false },
  });
  let changes = 0;
  Object.assign(globalThis, {
    changeFile() {
      if (changes++ === 0) vite.environments.ssr.moduleGraph.invalidateAll();
    },
  });
  const { before, after } = (await loadModules(vite, "/entry.ts")) as Record<string, unknown>;
  await vite.close();
  expect(after).toBe(before);
});
