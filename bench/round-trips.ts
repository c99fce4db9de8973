import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import { startMailServer } from "../tests/faults/mail-server.fixture.ts";
import { origin, sendForm, takesMany } from "../tests/harness/deletion-form.ts";
import { createTestDatabase, startPostgres } from "../tests/harness/postgres.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { atMost, median, type Row } from "./report.ts";

const forms = 15;
const most = { before: 6, after: 6 };
/** How long the database must be idle until a form's work counts as done, in milliseconds. */
const quietMs = 400;

/**
 * Counts how often the site waits for PostgreSQL during a form: before its answer, and afterward
 * until the email has left and its message is settled. The site's work that no form causes is
 * measured, too, and subtracted.
 */
export async function measureRoundTrips(): Promise<Row[]> {
  const postgres = await startPostgres();
  const target = await createTestDatabase(postgres.url);
  await using mail = await startMailServer();
  await using wire = await startCountingProxy(Number(new URL(target.url).port));
  const site = await startServerProcess({
    ...takesMany,
    DATABASE_URL: Object.assign(new URL(target.url), { port: wire.port }).href,
    SMTP_URL: mail.url,
  });
  const found: { before: number; after: number }[] = [];
  for (let form = 0; form < forms; form++) {
    await wire.untilQuiet();
    const start = wire.count();
    const answer = await sendForm(site.url, { email: `student${form}@uni.example` }, origin);
    if (!answer.ok) throw new Error(`The form was answered with ${answer.status}`);
    const answered = wire.count();
    while (mail.received.length <= form) await setTimeout(5);
    await wire.untilQuiet();
    found.push({ before: answered - start, after: wire.count() - answered });
  }
  await site.stop();
  await target.drop();
  await postgres.close();
  return (["before", "after"] as const).map((name) => {
    const trips = median(found.map((one) => one[name]));
    return atMost(`round trips ${name} the answer to a form`, trips, most[name], String(trips));
  });
}

/**
 * Starts a proxy that counts round trips: a round trip begins when a client sends something on a
 * connection on which the server spoke last. Ignores connecting and logging in.
 */
async function startCountingProxy(to: number) {
  let count = 0;
  let lastAt = performance.now();
  const server = createServer((client) => {
    const target = connect(to, "127.0.0.1");
    let isOurs = false;
    let isLoggedIn = false;
    for (const socket of [client, target]) {
      socket.setNoDelay(true).on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        target.destroy();
      });
    }
    client.on("data", (said: Buffer) => {
      if (isLoggedIn && !isOurs) {
        count++;
        lastAt = performance.now();
      }
      isOurs = true;
      target.write(said);
    });
    target.on("data", (answer: Buffer) => {
      isOurs = false;
      // "Z" tells that the server is ready for the first query.
      isLoggedIn ||= answer.at(-6) === "Z".charCodeAt(0);
      client.write(answer);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: String((server.address() as AddressInfo).port),
    count: () => count,
    async untilQuiet() {
      while (performance.now() - lastAt < quietMs) await setTimeout(20);
    },
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
