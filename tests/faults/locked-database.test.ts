import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { expect, test } from "vitest";
import { referencePattern, sendForm } from "../harness/deletion-form.ts";
import { openDataFolder, runToEnd } from "../harness/server-process.ts";

/** Somebody else keeps everybody from writing until they are told to let go. */
async function holdLock(dataDir: string, url?: string): Promise<{ letGo(): Promise<void> }> {
  if (url !== undefined) {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query("begin; lock table requests in exclusive mode");
    return { letGo: () => client.end() };
  }
  const sqlite = new DatabaseSync(join(dataDir, "requests.sqlite"), { timeout: 30_000 });
  sqlite.exec("begin immediate");
  return { letGo: async () => sqlite.close() };
}

test("while another process holds the lock, pages answer and a form waits its turn", async () => {
  await using data = await openDataFolder();
  const server = await data.serve();
  const paths = ["/", "/faq", "/delete-my-account", "/healthz", "/favicon.ico"];
  // What a page costs the first time is no part of it: whoever waits for the lock waits ten seconds.
  for (const path of paths) await (await fetch(server.url + path)).text();
  const holder = await holdLock(data.dataDir, data.settings.DATABASE_URL);
  let answered = false;
  const posted = sendForm(server.url).finally(() => {
    answered = true;
  });
  const waits: number[] = [];
  for (const path of [...paths, ...paths, ...paths, ...paths, ...paths]) {
    const asked = performance.now();
    const response = await fetch(server.url + path);
    await response.text();
    waits.push(performance.now() - asked);
    expect(response.status, path).toBe(200);
  }
  // Nobody was held up as SQLite itself waits for a lock, five seconds, and the form was neither stored nor refused.
  expect(Math.max(...waits)).toBeLessThan(5000);
  expect(answered).toBe(false);

  await holder.letGo();
  const answer = await posted;
  expect(answer.status).toBe(200);
  const reference = referencePattern.exec(await answer.text())?.[0] ?? "";
  const list = await runToEnd("server/command-line/requests.ts", data.settings, ["list"]);
  expect(list.stdout).toContain(reference);
  await server.stop();
});
