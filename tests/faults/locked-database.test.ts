import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filledForm, referencePattern } from "../harness/deletion-form.ts";
import { runToEnd, startServerProcess } from "../harness/server-process.ts";

/** Another process takes the database's lock and keeps it until it is told to let go. */
async function holdLock(dataDir: string): Promise<{ letGo(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "hold-lock.ts"), dataDir], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    async letGo() {
      child.stdin.end();
      await once(child, "close");
    },
  };
}

test("while another process holds the lock, pages answer and a form waits its turn", async () => {
  const server = await startServerProcess();
  const holder = await holdLock(server.dataDir);
  let answered = false;
  const posted = fetch(`${server.url}/deletion-requests`, {
    method: "POST",
    body: new URLSearchParams(filledForm()),
  }).finally(() => {
    answered = true;
  });

  const slowest: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (const path of ["/", "/faq", "/delete-my-account", "/healthz", "/favicon.ico"]) {
      const asked = performance.now();
      const response = await fetch(server.url + path);
      await response.text();
      slowest.push(performance.now() - asked);
      expect(response.status, path).toBe(200);
    }
  }
  // Nobody was held up as SQLite itself waits for a lock, five seconds, and the form was neither stored nor refused.
  expect(Math.max(...slowest)).toBeLessThan(5000);
  expect(answered).toBe(false);

  await holder.letGo();
  const answer = await posted;
  expect(answer.status).toBe(200);
  const reference = referencePattern.exec(await answer.text())?.[0] ?? "";
  const list = await runToEnd("server/command-line/requests.ts", { DATA_DIR: server.dataDir }, [
    "list",
  ]);
  expect(list.stdout).toContain(reference);
  await server.stop();
});
