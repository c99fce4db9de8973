import { expect, test } from "vitest";
import { startServerProcess } from "../harness/server-process.ts";

test("npm run dev serves the pages from their sources, and reloads them", {
  timeout: 120_000,
}, async () => {
  const server = await startServerProcess(
    { NODE_ENV: "development" },
    undefined,
    "vite/development.ts",
  );
  const read = async (path: string) => (await fetch(server.url + path)).text();
  const page = await read("/faq");
  expect(page).toContain("Still have questions?");
  expect(page).toContain('src="/@vite/client"');
  const pieces = await fetch(`${server.url}/pieces`);
  expect(pieces.status).toBe(200);
  const health = await fetch(`${server.url}/healthz`);
  expect(health.status).toBe(200);
  await server.stop();
});
