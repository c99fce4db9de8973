import { once } from "node:events";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeWordTypes } from "../../campus-reader/product-words.ts";
import { root } from "../harness/campus.ts";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

folderForEachTest();

test("creates the data folder, prints the site's URL and stops cleanly", async () => {
  const dataDir = join(folder, "new/data");
  // The first build of a fresh clone creates this file, so its absence must not require a new build.
  await rm(join(root, "words/keys.d.ts"));
  const starting = startServerProcess({}, dataDir, "scripts/serve.mjs");
  const server = await starting.finally(writeWordTypes);
  expect(server.output.stdout).toContain(`Serving ${server.url} `);
  // This request keeps its connection open, as a browser's would.
  expect(await server.health()).toEqual({ status: 200, body: { status: "ok" } });
  const ending = await server.stop("SIGINT");
  expect(ending).toMatchObject({ code: 0, signal: null, stderr: "" });
});

// For an unwritable data folder, see server/platform/database/database.test.ts; for a faulty store,
// see tests/faults/storage-failures.test.ts.
test.each<[string, RegExp, () => Promise<Record<string, string>>]>([
  ["an invalid setting", /^PORT must(?!.*seventy)/, async () => ({ PORT: "seventy" })],
  ["an address of another machine", /^HOST must/, async () => ({ HOST: "192.0.2.1" })],
  ["a folder without a build", /^There is no build in/, async () => ({ BUILD_DIR: folder })],
  [
    "a taken port",
    /^Port \d+ is already taken/,
    async () => {
      const other = createServer().unref().listen(0, "127.0.0.1");
      await once(other, "listening");
      return { PORT: String((other.address() as AddressInfo).port) };
    },
  ],
])("refuses to start with %s and explains why on one line", async (_, sentence, prepare) => {
  const settings = { PORT: "0", DATA_DIR: folder, ...(await prepare()) };
  const { code, stderr } = await runToEnd("server/main.ts", settings);
  expect(stderr.trim().split("\n"), stderr).toHaveLength(1);
  expect(stderr.trim()).toMatch(sentence);
  expect(stderr.trim()).toMatch(/^[A-Z].*\.$|PORT=3001$/);
  expect(code).toBe(1);
});

test("announces demo mode at startup", async () => {
  const server = await startServerProcess({ DELETION_MODE: "simulated" });
  const { stdout } = await server.stop();
  expect(stdout).toMatch(/demonstration and stores nothing/);
});
