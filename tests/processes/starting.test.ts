import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filledForm } from "../harness/deletion-form.ts";
import { type Ending, runToEnd, startServerProcess } from "../harness/server-process.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "starting-"));
  await work(folder);
  await rm(folder, { recursive: true, force: true });
}

/** One plain sentence that names what is wrong, and a non-zero exit. */
function expectSentence(ending: Ending, pattern: RegExp): void {
  const lines = ending.stderr.trim().split("\n");
  expect(lines, ending.stderr).toHaveLength(1);
  expect(lines[0]).toMatch(pattern);
  expect(lines[0]).toMatch(/^[A-Z].*\.$|npm start$/);
  expect(ending.stderr).not.toMatch(/\n\s+at |node:internal/);
  expect(ending.code).toBe(1);
}

test("it makes its data folder for its owner alone, says where it serves, answers there, and stops cleanly", async () => {
  await withFolder(async (folder) => {
    const dataDir = join(folder, "new/data");
    const server = await startServerProcess({}, dataDir);
    expect(server.said.stdout).toContain(`Serving ${server.url} `);
    const { mode } = await stat(join(dataDir, "requests.sqlite"));
    expect(mode & 0o777).toBe(0o600);
    // A browser keeps its connection open.
    const response = await fetch(`${server.url}/healthz`);
    expect(await response.json()).toEqual({ status: "ok" });
    const ending = await server.stop("SIGINT");
    expect(ending).toMatchObject({ code: 0, signal: null, stderr: "" });
  });
});

test("a taken port is one sentence that names the port", async () => {
  await withFolder(async (folder) => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, "127.0.0.1", () => {
        const address = other.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      }),
    );
    const ending = await runToEnd("server/main.ts", { PORT: String(port), DATA_DIR: folder });
    expectSentence(ending, new RegExp(`Port ${port} is already taken`));
    other.close();
  });
});

test("a data folder that cannot be written is one sentence that names it", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const ending = await runToEnd("server/main.ts", { PORT: "0", DATA_DIR: join(file, "data") });
    expectSentence(ending, /data folder .*file\/data cannot be written/);
  });
});

test("a damaged database is one sentence that names it", async () => {
  await withFolder(async (folder) => {
    await writeFile(join(folder, "requests.sqlite"), "this is no database ".repeat(100));
    const ending = await runToEnd("server/main.ts", { PORT: "0", DATA_DIR: folder });
    expectSentence(ending, /requests\.sqlite cannot be opened/);
  });
});

test("a setting that is wrong is one sentence that names it, without what was set", async () => {
  await withFolder(async (folder) => {
    const ending = await runToEnd("server/main.ts", { DATA_DIR: folder, PORT: "seventy" });
    expectSentence(ending, /^PORT must/);
    expect(ending.stderr).not.toContain("seventy");
  });
});

test("a site for everybody does not start without its secrets", async () => {
  await withFolder(async (folder) => {
    const ending = await runToEnd("server/main.ts", {
      DATA_DIR: folder,
      PUBLIC_URL: "https://campus.example",
    });
    expectSentence(ending, /SECRET_KEYS/);
  });
});

test("a demonstration says so when it starts", async () => {
  const server = await startServerProcess({ DELETION_MODE: "simulated" });
  const { stdout } = await server.stop();
  expect(stdout).toMatch(/demonstration and stores nothing/);
});

test("what it logs has no address, no query and nothing that was typed", async () => {
  const server = await startServerProcess({ LOG_LEVEL: "trace" });
  const form = filledForm({ feedback: "secret words" });
  const send = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/delete-my-account`, { method: "POST", body, headers, redirect: "manual" });
  const posted = await send(new URLSearchParams(form));
  await fetch(new URL(posted.headers.get("location") ?? "", server.url));
  await send(new URLSearchParams(filledForm({ email: "half@" })));
  await send(JSON.stringify(form), { "Content-Type": "application/json" });
  await fetch(`${server.url}/blog?category=hidden`);
  await fetch(`${server.url}/delete-my-account?link=hidden-token`);
  await fetch(`${server.url}/nowhere?email=ayesha%40uni.example`);
  const { stdout, stderr } = await server.stop();
  expect(stdout).toContain('"path":"/delete-my-account"');
  for (const secret of ["ayesha", "uni.example", "half@", "secret", "hidden", form.formKey ?? ""]) {
    expect(stdout + stderr).not.toContain(secret);
  }
  expect(stdout + stderr).not.toMatch(/127\.0\.0\.1|::1/);
});
