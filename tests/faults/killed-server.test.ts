import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  askTestDatabase,
  dropTestDatabase,
  settingsFor,
} from "../../server/database/database.fixture.ts";
import { referencePattern, sendForm } from "../harness/deletion-form.ts";
import { startServerProcess } from "../harness/server-process.ts";
import { startMailServer } from "./mail-server.fixture.ts";

/** Each life of the server has a port of its own; what people are told to visit stays. */
const origin = "http://rides.localhost";

/** Several visitors send forms to a server without a pause, until it is killed. Returns what they were told. */
async function sendUntilKilled(
  settings: Record<string, string>,
  dataDir: string,
  { count, kill }: { count: number; kill: number },
): Promise<string[]> {
  const server = await startServerProcess(settings, dataDir);
  const told: string[] = [];
  let killed = false;
  async function visitor(name: number): Promise<void> {
    for (let number = 0; !killed; number++) {
      const email = `s${kill}.${name}.${number}@uni.example`;
      try {
        const response = await sendForm(server.url, { email }, origin);
        const reference = referencePattern.exec(await response.text())?.[0];
        if (response.status === 200 && reference) told.push(reference);
      } catch {
        // The connection broke: this form was not acknowledged.
      }
      if (told.length >= count && !killed) {
        killed = true;
        server.signal("SIGKILL");
      }
    }
  }
  await Promise.all([1, 2, 3, 4].map(visitor));
  await server.ended;
  return told;
}

/** How often it is killed: `npm run test:deep -- kills` does it 500 times. */
const kills = Number(process.env.KILLS ?? 4);
/** So many are acknowledged before it is, in turn. */
const counts = [1, 34, 3, 13, 2, 21, 5, 8];

test("a server killed under load has lost nothing that it acknowledged, and half-stored nothing", {
  timeout: 1_800_000 + kills * 20_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "killed-"));
  // On PostgreSQL two servers could run, and one that writes mails into files looks for ten seconds whether another does.
  const mailServer = await startMailServer();
  const settings = {
    ...(await settingsFor(dataDir)),
    SMTP_URL: mailServer.url,
    SMTP_TLS: "optional",
    PUBLIC_URL: origin,
    SUBMISSION_LIMIT: "100000",
    MAX_UNCONFIRMED: "10000000",
    LOG_LEVEL: "error",
  };
  const acknowledged: string[] = [];
  let least = 0;
  for (let kill = 0; kill < kills; kill++) {
    const count = counts[kill % counts.length] ?? 1;
    least += count;
    acknowledged.push(...(await sendUntilKilled(settings, dataDir, { count, kill })));
  }
  const rows = await askTestDatabase(
    dataDir,
    `select reference,
      (select count(*) from requests where id = request_id) as requests,
      (select count(*) from request_events e where e.request_id = s.request_id) as events,
      (select count(*) from tokens t where t.submission_id = s.id) as tokens,
      (select count(*) from outbox o where o.reference = s.reference) as mails
     from submissions s`,
  );
  expect(acknowledged.length).toBeGreaterThanOrEqual(least);
  expect(rows.map((row) => row.reference)).toEqual(expect.arrayContaining(acknowledged));
  for (const { requests, events, tokens, mails } of rows) {
    expect([requests, events, tokens, mails].map(Number)).toEqual([1, 1, 1, 1]);
  }
  await mailServer.close();
  await dropTestDatabase(dataDir);
  await rm(dataDir, { recursive: true });
});
