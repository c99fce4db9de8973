import { expect, test } from "vitest";
import {
  queryTestDatabase,
  runsOnPostgres,
  waitUntilLeft,
} from "../../server/platform/database/database.fixture.ts";
import { origin, referencePattern, sendForm, takesMany } from "../harness/deletion-form.ts";
import { openDataFolder, type ServerProcess } from "../harness/server-process.ts";
import { startMailServer } from "./mail-server.fixture.ts";

/**
 * Kills the server under load and during email delivery. `npm run test:deep -- kills` kills it 560
 * times.
 */
const { KILLS = runsOnPostgres ? 2 : 4 } = process.env;
const kills = { underLoad: Number(KILLS), inMidSend: process.env.KILLS ? 60 : 4 };
/** Number of acknowledged forms before each kill, in rotation. */
const counts = [1, 34, 3, 13, 2, 21, 5, 8];

// If these servers wrote emails to files, each start on PostgreSQL would wait ten seconds until the
// killed server counts as gone. They therefore send emails by SMTP.
const settingsWith = ({ url }: { url: string }) => ({ ...takesMany, SMTP_URL: url });

/**
 * Submits forms as four visitors and kills the server after `count` acknowledged forms. Returns the
 * acknowledged references.
 */
async function sendUntilKilled(
  server: ServerProcess,
  { count, kill }: { count: number; kill: number },
): Promise<string[]> {
  const acknowledged: string[] = [];
  let killed = false;
  async function visitor(name: number): Promise<void> {
    for (let number = 0; !killed; number++) {
      const email = `s${kill}.${name}.${number}@uni.example`;
      try {
        const response = await sendForm(server.url, { email }, origin);
        const reference = referencePattern.exec(await response.text())?.[0];
        if (response.status === 200 && reference) acknowledged.push(reference);
      } catch {
        // The kill broke the connection, so this form wasn't acknowledged.
      }
      if (acknowledged.length >= count && !killed) {
        killed = true;
        server.signal("SIGKILL");
      }
    }
  }
  await Promise.all([1, 2, 3, 4].map(visitor));
  await server.ended;
  return acknowledged;
}

test("keeps every acknowledged form complete after a kill under load", {
  timeout: 1_800_000 + kills.underLoad * 20_000,
}, async () => {
  await using data = await openDataFolder();
  await using mailServer = await startMailServer();
  const acknowledged: string[] = [];
  let least = 0;
  for (let kill = 0; kill < kills.underLoad; kill++) {
    const count = counts[kill % counts.length] ?? 1;
    least += count;
    const server = await data.serve(settingsWith(mailServer));
    acknowledged.push(...(await sendUntilKilled(server, { count, kill })));
  }
  const rows = await queryTestDatabase(
    data.dataDir,
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
});

test("loses no email and sends only identical duplicates when killed during delivery", async () => {
  await using data = await openDataFolder();
  const ask = (sql: string) => queryTestDatabase(data.dataDir, sql);
  const accepted: { messageId: string; text: string }[] = [];
  let victim: ServerProcess | undefined;
  let moment = 0;
  let killed = 0;
  /** Only an email to this address triggers the kill. */
  let expected = "";
  const kill = (at: number, to: string | undefined) => {
    if (moment !== at || !victim || to !== expected) return;
    if (victim.signal("SIGKILL")) killed++;
    victim = undefined;
  };
  await using mailServer = await startMailServer({
    onRcptTo({ address }, _session, done) {
      kill(0, address);
      done();
    },
    begin: (to) => kill(1, to),
    // The mail server is now responsible for the email, even if the reply gets lost.
    take({ to: [to], mail: { messageId, text = "" } }, done) {
      // Duplicates differ only in the link's expiry, because its lifetime starts at the time of
      // sending.
      const comparable = text.replaceAll(/\w+day, \d+ \w+ \d{4}|\d+:\d\d/g, "");
      accepted.push({ messageId, text: comparable });
      kill(2, to);
      done();
      setImmediate(() => kill(3, to));
    },
  });
  // Rotates through four moments for the kill.
  for (let round = 1; round <= kills.inMidSend; round++) {
    const server = await data.serve(settingsWith(mailServer));
    moment = round % 4;
    expected = `s${round}@uni.example`;
    victim = server;
    // The kill may prevent the response.
    await sendForm(server.url, { email: expected }, origin).catch(() => {});
    await server.ended;
    await waitUntilLeft(data.dataDir);
    // Expires the killed server's lease on the email instead of waiting for two minutes.
    await ask("update outbox set lease_until = '2000-01-01T00:00:00.000Z' where state = 'sending'");
  }
  const last = await data.serve(settingsWith(mailServer));
  const unsent = () => ask("select id from outbox where state <> 'delivered'");
  await expect.poll(unsent).toEqual([]);
  const stored = await ask("select reference from submissions");
  await last.stop();

  expect(killed).toBe(kills.inMidSend);
  expect(stored).toHaveLength(kills.inMidSend);
  for (const { reference } of stored) {
    const copies = accepted.filter((mail) => mail.text.includes(String(reference)));
    expect(copies.length).toBeGreaterThanOrEqual(1);
    expect(new Set(copies.map((mail) => mail.messageId)).size).toBe(1);
    expect(new Set(copies.map((mail) => mail.text)).size).toBe(1);
  }
}, 1_800_000);
