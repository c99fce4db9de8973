import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import {
  askTestDatabase,
  dropTestDatabase,
  settingsFor,
  waitUntilLeft,
} from "../../server/database/database.fixture.ts";
import { sendForm } from "../harness/deletion-form.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { startMailServer } from "./mail-server.fixture.ts";

/** Each of the four moments once; `npm run test:deep -- kills` tries them more often. */
const rounds = process.env.KILLS ? 60 : 4;
/** The links in mails lead here, whatever port a life of the server has. */
const origin = "http://rides.localhost";

/** As if two minutes had passed since the server died: what it was sending is due again. */
const endLeases = (dataDir: string) =>
  askTestDatabase(
    dataDir,
    "update outbox set lease_until = '2000-01-01T00:00:00.000Z' where state = 'sending'",
  );

async function listReferences(dataDir: string): Promise<string[]> {
  const rows = await askTestDatabase(dataDir, "select reference from submissions");
  return rows.map((row) => String(row.reference));
}

async function countUnsent(dataDir: string): Promise<number> {
  const rows = await askTestDatabase(dataDir, "select id from outbox where state <> 'delivered'");
  return rows.length;
}

test("a server killed again and again in mid-send loses no mail; duplicates are the same mail", {
  timeout: 1_800_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "mid-send-"));
  const accepted: { messageId: string; text: string }[] = [];
  let victim: ServerProcess | undefined;
  let moment = 0;
  let kills = 0;
  /** Whom this round's form is of. What an earlier life left, or owes an operator at this hour, is sent in peace. */
  let expected = "";
  const kill = (at: number, to: string | undefined) => {
    if (moment !== at || !victim || to !== expected) return;
    if (victim.signal("SIGKILL")) kills++;
    victim = undefined;
  };

  const mailServer = await startMailServer({
    onRcptTo({ address }, _session, done) {
      kill(0, address);
      done();
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo[0]?.address;
      kill(1, to);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        // From here on the server is responsible for the mail, whether or not the client hears of it.
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        if (stream.sizeExceeded || !mail.messageId) return done(new Error("broken off"));
        // A link works from when its mail left: day and minute are each copy's own.
        const text = mail.text?.replaceAll(/\w+day, \d+ \w+ \d{4}|\d+:\d\d/g, "") ?? "";
        accepted.push({ messageId: mail.messageId, text });
        kill(2, to);
        done();
        setImmediate(() => kill(3, to));
      });
    },
  });

  const settings = {
    ...(await settingsFor(dataDir)),
    SMTP_URL: mailServer.url,
    SMTP_TLS: "optional",
    PUBLIC_URL: origin,
    LOG_LEVEL: "error",
  };
  for (let round = 1; round <= rounds; round++) {
    const server = await startServerProcess(settings, dataDir);
    moment = round % 4;
    expected = `s${round}@uni.example`;
    victim = server;
    // The kill may come before the answer does.
    await sendForm(server.url, { email: expected }, origin).catch(() => {});
    await server.ended;
    await waitUntilLeft(dataDir);
    await endLeases(dataDir);
  }
  const last = await startServerProcess(settings, dataDir);
  await expect.poll(() => countUnsent(dataDir), { timeout: 120_000 }).toBe(0);
  const stored = await listReferences(dataDir);
  await last.stop();
  await mailServer.close();
  await dropTestDatabase(dataDir);
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
