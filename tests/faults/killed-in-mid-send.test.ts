import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { startMailServer } from "./mail-server.fixture.ts";

const rounds = 50;
const worker = join(import.meta.dirname, "submit-and-send.ts");

test("a server killed 50 times in mid-send loses no mail; duplicates are the same mail", {
  timeout: 300_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "mid-send-"));
  const accepted: { messageId: string; text: string }[] = [];
  let child: ChildProcess | undefined;
  let moment = 0;
  let kills = 0;
  const kill = (at: number) => {
    if (moment !== at || !child) return;
    if (child.kill("SIGKILL")) kills++;
    child = undefined;
  };

  const server = await startMailServer({
    onRcptTo(_address, _session, done) {
      kill(0);
      done();
    },
    onData(stream, _session, done) {
      kill(1);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        // From here on the server is responsible for the mail, whether or not the client hears of it.
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        if (stream.sizeExceeded || !mail.messageId) return done(new Error("broken off"));
        accepted.push({ messageId: mail.messageId, text: mail.text ?? "" });
        kill(2);
        done();
        setImmediate(() => kill(3));
      });
    },
  });

  const stored: string[] = [];
  function live(round: number, submits: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      // Every life begins after the leases of the one before.
      const hoursAhead = String(round / 20);
      const words = [worker, dataDir, server.url, hoursAhead, submits ? `s${round}` : ""];
      const started = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
      child = submits ? started : undefined;
      let told = "";
      started.stdout.on("data", (chunk: Buffer) => {
        told += chunk.toString();
      });
      started.on("error", reject);
      started.on("close", () => {
        stored.push(...told.split("\n").filter(Boolean));
        resolve();
      });
    });
  }

  for (let round = 1; round <= rounds; round++) {
    moment = round % 4;
    await live(round, true);
  }
  await live(rounds + 1, false);
  await server.close();
  await rm(dataDir, { recursive: true });

  expect(kills).toBe(rounds);
  expect(stored).toHaveLength(rounds);
  for (const reference of stored) {
    const copies = accepted.filter((mail) => mail.text.includes(reference));
    expect(copies.length).toBeGreaterThanOrEqual(1);
    expect(new Set(copies.map((mail) => mail.messageId)).size).toBe(1);
    expect(new Set(copies.map((mail) => mail.text)).size).toBe(1);
  }
});
